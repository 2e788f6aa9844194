/// A declaration as its tokens say it; numbers are indices of tokens.
package struct SwiftDeclaration: Sendable {
  package enum Kind: Sendable {
    /// A class, a struct, an enum, an actor or a protocol, or an extension of a type.
    case type(TypeParts)
    case alias(TypeShape?)
    case variable([Binding])
    case function(FunctionParts)
    case initializer(FunctionParts)
    case enumCase([Case])
    /// Declarations between `#if` and `#endif`, by branches.
    case condition([Branch])
    /// Another one, such as an import.
    case other
  }

  package struct Modifier: Sendable {
    package var name: String
    /// Whether something in parentheses follows it, as in `private(set)`.
    package var hasDetail: Bool
  }

  package struct Attribute: Sendable {
    /// The name with its modules, without arguments.
    package var name: String
  }

  package struct TypeParts: Sendable {
    /// The types after the colon.
    package var inherited: [Inherited] = []
    package var isGeneric = false
    package var members: [SwiftDeclaration] = []
    /// The opening brace.
    var brace: Int
  }

  package struct Inherited: Sendable {
    /// The names in it, as in `(Entity & Sendable)`.
    package var names: [String]
    package var shape: TypeShape
  }

  package struct Binding: Sendable {
    /// The name or the pattern.
    package var pattern: Range<Int>
    /// Whether it is a name, and no tuple.
    package var isName: Bool
    package var shape: TypeShape?
    /// The initial value, if any.
    package var value: Range<Int>?
    package var isComputed = false
    /// The end of it without its accessors, and with them.
    var headEnd = 0
    var end = 0
  }

  package struct FunctionParts: Sendable {
    package var parameters: [Parameter]
    /// Whether it neither fails nor throws nor waits, and has no generic parameters.
    package var isPlain: Bool
    /// The end of its head, before the body.
    var signatureEnd: Int
  }

  package struct Parameter: Sendable {
    /// The label, which may be `_`.
    package var label: String
    package var name: String
    package var shape: TypeShape
    package var hasDefault: Bool
  }

  package struct Case: Sendable {
    package var name: Int
    package var rawValue: Range<Int>?
  }

  package struct Branch: Sendable {
    /// The tokens of its condition, with `#if`, `#elseif` or `#else`.
    var condition: Range<Int>
    package var declarations: [SwiftDeclaration]
  }

  package var kind: Kind
  /// The first of its attributes and modifiers, or the keyword.
  package var start: Int
  /// The word that says what it is.
  package var keyword: Int
  /// The name; for an extension the full path of names.
  package var name: Range<Int>
  /// The comments with annotations before it.
  package var annotations: [AnnotationComment]
  package var attributes: [Attribute]
  package var modifiers: [Modifier]
  /// The annotations after it, on its line.
  package var trailingAnnotations: [AnnotationComment] = []
  package var end = 0
  /// Whether it is between `#if` and `#endif`.
  package var isConditional = false
  /// The declarations of types in its bodies and closures.
  package var locals: [SwiftDeclaration] = []
  /// The first word before it whose meaning is not known.
  package var unknownWord: Int?
}

extension SwiftDeclaration {
  private static let entityProtocols: Set<String> = [
    "Entity", "ObjectBox.Entity", "BoxStore.Entity",
  ]

  /// Whether a name in an inheritance list is the protocol of entities.
  package static func isEntityProtocol(_ name: String) -> Bool {
    entityProtocols.contains(name.withoutBackticks)
  }
}
