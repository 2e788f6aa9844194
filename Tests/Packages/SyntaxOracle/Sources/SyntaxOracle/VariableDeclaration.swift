import SwiftSyntax

/// A declaration of variables in a type, as values: the tree of its file is freed once it was read.
struct VariableDeclaration: Sendable {
  /// One of the variables.
  struct Binding: Sendable {
    /// The name, in backticks where the sources write it so; the whole pattern of a tuple.
    var name: String
    /// Whether it is a name, and no tuple.
    var isName: Bool
    /// The type; in `var a, b: Int` it stands at the last one.
    var shape: TypeShape?
    var hasType: Bool
    var hasValue: Bool
    var initialValue: InitialValue?
    var isComputed: Bool
    var place: SourcePlace
  }

  var bindings: [Binding]
  /// The annotations above it.
  var annotations: [Annotation]
  /// The annotations behind it, on its line.
  var trailingAnnotations: [Annotation]
  var isConstant: Bool
  /// Whether objects do not have it, or not as a value: it is static, lazy, weak or unowned.
  var isLeftOut: Bool
  var isPrivate: Bool
  /// Whether only the type itself sets it.
  var isPrivatelySet: Bool

  init(_ variable: VariableDeclSyntax, _ source: FileSource) {
    annotations = source.annotations(of: variable, upTo: variable.bindingSpecifier)
    trailingAnnotations = source.annotations(behind: variable)
    isConstant = variable.bindingSpecifier.text == "let"
    let modifiers = variable.modifiers
    isLeftOut = modifiers.contains { Self.leavingOut.contains($0.name.text) }
    isPrivate = DeclarationVisitor.isPrivate(modifiers)
    isPrivatelySet = modifiers.contains {
      ["private", "fileprivate"].contains($0.name.text) && $0.detail != nil
    }
    var shape: TypeShape?
    var bindings: [Binding] = []
    for binding in variable.bindings.reversed() {
      if let annotated = binding.typeAnnotation?.type {
        shape = TypeShape(annotated)
      } else if let value = binding.initializer?.value {
        shape = TypeShape(of: value)
      }
      bindings.append(
        Binding(
          name: binding.pattern.trimmedText,
          isName: binding.pattern.is(IdentifierPatternSyntax.self),
          shape: shape, hasType: binding.typeAnnotation != nil,
          hasValue: binding.initializer != nil,
          initialValue: (binding.initializer?.value).map { InitialValue($0) },
          isComputed: Self.isComputed(binding),
          place: source.place(of: binding)))
    }
    self.bindings = bindings.reversed()
  }

  private static let leavingOut: Set<String> = ["static", "class", "lazy", "weak", "unowned"]

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    switch binding.accessorBlock?.accessors {
    case nil: false
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }
  }
}

/// An initializer of a type.
struct InitializerDeclaration: Sendable {
  /// A parameter of it.
  struct Parameter: Sendable {
    /// The label; nil for `_`.
    var label: String?
    var name: String
    var hasDefault: Bool
  }

  var parameters: [Parameter]
  /// Whether bindings can call it: it neither fails nor throws, and is not private.
  var isCallable: Bool

  init(_ initializer: InitializerDeclSyntax) {
    isCallable =
      initializer.optionalMark == nil && initializer.genericParameterClause == nil
      && initializer.signature.effectSpecifiers == nil
      && !DeclarationVisitor.isPrivate(initializer.modifiers)
    parameters = initializer.signature.parameterClause.parameters.map { parameter in
      Parameter(
        label: parameter.firstName.text == "_" ? nil : parameter.firstName.text,
        name: (parameter.secondName ?? parameter.firstName).text,
        hasDefault: parameter.defaultValue != nil)
    }
  }
}

/// The members of a type that matter to an entity, in the order of the sources.
struct MemberDeclarations: Sendable {
  /// A declaration of variables, or those between `#if` and `#endif`.
  enum Variables: Sendable {
    case always(VariableDeclaration)
    case conditional([VariableDeclaration])
  }

  private(set) var variables: [Variables] = []
  private(set) var initializers: [InitializerDeclaration] = []

  init(_ members: MemberBlockItemListSyntax, _ source: FileSource) {
    for member in members {
      if let variable = member.decl.as(VariableDeclSyntax.self) {
        variables.append(.always(VariableDeclaration(variable, source)))
      } else if let condition = member.decl.as(IfConfigDeclSyntax.self) {
        let inside = condition.clauses.flatMap { clause in
          (clause.elements?.as(MemberBlockItemListSyntax.self)).map(Array.init) ?? []
        }
        variables.append(
          .conditional(
            inside.compactMap { $0.decl.as(VariableDeclSyntax.self) }
              .map { VariableDeclaration($0, source) }))
      } else if let initializer = member.decl.as(InitializerDeclSyntax.self) {
        initializers.append(InitializerDeclaration(initializer))
      }
    }
  }

  /// The names in the types and the converters of its variables.
  var names: Set<String> {
    var names: Set<String> = []
    for case .always(let variable) in variables {
      for binding in variable.bindings {
        if let shape = binding.shape { names.formUnion(shape.names.map(\.lastName)) }
      }
      for annotation in variable.annotations {
        guard case .options(let options)? = annotation.value else { continue }
        for option in options where option.key == "converter" {
          names.insert(option.value.lastName)
        }
      }
    }
    return names
  }
}
