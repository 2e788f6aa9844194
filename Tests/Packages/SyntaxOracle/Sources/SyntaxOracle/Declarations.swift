/// A class or a struct, or another declaration that is annotated as an entity.
struct TypeDeclaration: Sendable {
  /// The kind: `class`, `struct`, `enum`, `actor` or `protocol`.
  var kind: String
  /// The name with those of the types around it.
  var path: String
  var isGeneric: Bool
  var inherited: [String]
  var members: MemberDeclarations
  var annotations: [Annotation]
  /// The names that it refers to.
  var names: Set<String>
  var isLocal: Bool
  var isConditional: Bool
  /// The access level of it and the types around it is private.
  var isPrivate: Bool
  /// It is public, and not inside of another declaration.
  var isPublic: Bool
  /// The word before the colon of an annotation.
  var prefix: String
  var place: SourcePlace
}

/// An enum that a property may be converted from.
struct EnumDeclaration: Sendable {
  struct Case: Hashable, Sendable {
    var name: String
    /// The raw value as text; nil without an explicit one.
    var rawValue: String?
    var place: SourcePlace
  }
  var path: String
  /// The first inherited type, which is that of the raw values if it is one that they can have.
  var rawType: TypeShape?
  var cases: [Case]
  var place: SourcePlace
}

/// The functions `convert` of a type.
struct ConverterDeclaration: Sendable {
  /// Whether the parameters of its functions are optional, by the spelling of their types.
  var parameters: [TypeShape] = []
  /// The global actor that isolates the type or a function.
  var isolation: (actor: String, place: SourcePlace)?
}

/// The declarations of source files that entities refer to.
struct Declarations: Sendable {
  var types: [TypeDeclaration] = []
  var enums: [String: EnumDeclaration] = [:]
  var converters: [String: ConverterDeclaration] = [:]
  var aliases: [String: TypeShape] = [:]
  /// The types that an extension makes entities.
  var extendedEntities: Set<String> = []
  /// The initializers in extensions.
  var initializers: [String: [InitializerDeclaration]] = [:]
}
