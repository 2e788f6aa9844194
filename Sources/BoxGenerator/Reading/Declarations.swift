internal import BoxSources

/// A class or a struct, or another declaration that is annotated as an entity.
struct TypeDeclaration: Sendable {
  /// The kind: `class`, `struct`, `enum`, `actor` or `protocol`.
  var kind: String
  /// The name, qualified by the enclosing types.
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
  /// The first word before it or a member whose meaning is not known, which may be one of a later version of Swift.
  var unknownWord: UnknownWord?

  struct UnknownWord: Sendable {
    var text: String
    var place: SourcePlace
  }
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
  /// The first inherited type, which is the raw type if raw values can have it.
  var rawType: TypeShape?
  var cases: [Case]
  var place: SourcePlace
  /// Whether only a file or a function sees it.
  var isHidden = false
  /// Whether it is declared as public.
  var isPublic = false
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
  /// The types whose own declaration conforms to `ValueConverter`, by their paths.
  var valueConverters: Set<String> = []
  var aliases: [String: TypeShape] = [:]
  /// The types that an extension makes entities.
  var extendedEntities: Set<String> = []
  /// The classes that are entities, by their paths.
  private(set) var entityClasses: Set<String> = []
  /// The positions of types by their paths.
  private(set) var positions: [String: [Int]] = [:]
  /// The places of the enums and aliases that are declared more than once, and differently, by their paths.
  private(set) var clashes: [String: [SourcePlace]] = [:]
  private var aliasOrigins: [String: AliasOrigin] = [:]

  private struct AliasOrigin: Sendable {
    var place: SourcePlace
    var isHidden: Bool
  }

  /// The initializers in extensions.
  var initializers: [String: [InitializerDeclaration]] = [:]
}

extension Declarations {
  /// Adds an enum; of several with a path it keeps the first that all files see.
  mutating func add(_ declared: EnumDeclaration) {
    let path = declared.path.withoutBackticks
    guard let other = enums[path], !other.isHidden || declared.isHidden else {
      enums[path] = declared
      return
    }
    if declared.isHidden { return }
    let isSame =
      other.rawType == declared.rawType
      && other.cases.map { [$0.name, $0.rawValue] }
        == declared.cases.map { [$0.name, $0.rawValue] }
    if !isSame { clashes[path, default: [other.place]].append(declared.place) }
  }

  /// Adds an alias; of several with a path it keeps the first that all files see.
  mutating func addAlias(
    _ path: String, of shape: TypeShape, at place: SourcePlace, isHidden: Bool
  ) {
    guard let other = aliases[path], let first = aliasOrigins[path], !first.isHidden || isHidden
    else {
      aliases[path] = shape
      aliasOrigins[path] = AliasOrigin(place: place, isHidden: isHidden)
      return
    }
    if !isHidden, other != shape { clashes[path, default: [first.place]].append(place) }
  }

  /// Adds the declarations of another file.
  mutating func formUnion(_ other: Declarations) {
    types += other.types
    for declared in other.enums.values { add(declared) }
    converters.merge(other.converters) { first, second in
      ConverterDeclaration(
        parameters: first.parameters + second.parameters,
        isolation: first.isolation ?? second.isolation)
    }
    valueConverters.formUnion(other.valueConverters)
    for (path, shape) in other.aliases {
      guard let origin = other.aliasOrigins[path] else { continue }
      addAlias(path, of: shape, at: origin.place, isHidden: origin.isHidden)
    }
    clashes.merge(other.clashes) { $0 + $1 }
    extendedEntities.formUnion(other.extendedEntities)
    initializers.merge(other.initializers) { $0 + $1 }
  }

  /// Finds the types by their paths, and the classes that are entities, once all files were read.
  mutating func indexTypes() {
    for (position, type) in types.enumerated() {
      positions[type.path.withoutBackticks, default: []].append(position)
    }
    entityClasses = Set(
      types.filter { $0.kind == "class" && $0.isEntity(in: self) }.map {
        $0.path.withoutBackticks
      })
  }
}
