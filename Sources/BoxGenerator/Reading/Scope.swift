internal import BoxSources

/// The declarations of a target, looked up from inside a type.
struct Scope {
  let declarations: Declarations
  /// The path of the type, such as `Library.Book`.
  let path: String
  /// The word before the colon of an annotation.
  let prefix: String
  /// The name of the module.
  let target: String

  /// The classes and structs that a name means; all have one path, and a program compiles one of them.
  func types(_ name: String) -> [TypeDeclaration] {
    lookUp(name) { path in
      declarations.positions[path].map { $0.map { declarations.types[$0] } }
    } ?? []
  }

  /// The declarations looked up from inside another type.
  func inside(_ type: TypeDeclaration) -> Scope {
    Scope(declarations: declarations, path: type.path, prefix: prefix, target: target)
  }

  /// The enum that a name means.
  func enumeration(_ name: String) -> EnumDeclaration? { lookUp(name) { declarations.enums[$0] } }

  /// The class, struct or other type that a name means.
  func type(_ name: String) -> TypeDeclaration? {
    lookUp(name) { path in declarations.types.first { $0.path.withoutBackticks == path } }
  }

  /// Whether other modules see an enum; one that is nested deeper than in a public type, or in an extension, is taken
  /// for one that they do not see.
  func isPublic(_ enumeration: EnumDeclaration) -> Bool {
    let owner = enumeration.path.withoutBackticks.split(separator: ".").dropLast()
    return enumeration.isPublic
      && (owner.isEmpty
        || declarations.types.contains {
          $0.isPublic && $0.path.withoutBackticks == owner.joined(separator: ".")
        })
  }

  /// The declarations of an enum or an alias that a name may mean, if they are not the same.
  func clash(_ name: String) -> [SourcePlace]? { lookUp(name) { declarations.clashes[$0] } }

  /// The alias that is declared in several ways and that a type names.
  func aliasClash(_ shape: TypeShape) -> (name: String, places: [SourcePlace])? {
    for name in shape.names where lookUp(name, { declarations.aliases[$0] }) != nil {
      if let places = clash(name) { return (name, places) }
    }
    return nil
  }

  /// The functions of a converter.
  func converter(_ name: String) -> ConverterDeclaration? {
    lookUp(name) { declarations.converters[$0] }
  }

  /// The call of a converter: of its static functions wherever it has them.
  func call(ofConverter name: String) -> ConverterCall {
    let call = ConverterCall(type: name, isTyped: true)
    let isDeclared =
      lookUp(name) { declarations.valueConverters.contains($0) ? true : nil } ?? false
    let isTyped = call.module != nil || isDeclared
    return ConverterCall(type: name, isTyped: isTyped && converter(name) == nil)
  }

  /// A type with the aliases of the target replaced by their types.
  func resolved(_ shape: TypeShape, depth: Int = 0) -> TypeShape {
    switch shape {
    case .optional(let inner):
      let inner = resolved(inner, depth: depth)
      // A store has one nil.
      if case .optional = inner { return inner }
      return .optional(inner)
    case .array(let inner): return .array(resolved(inner, depth: depth))
    case .named(let name, let arguments):
      // An alias that leads back to itself does not compile.
      if !declarations.aliases.isEmpty, arguments.isEmpty, depth < 16,
        let alias = lookUp(name, { declarations.aliases[$0] })
      {
        return resolved(alias, depth: depth + 1)
      }
      return .named(name, arguments.map { resolved($0, depth: depth) })
    case .other: return shape
    }
  }

  /// The declaration with a name in the innermost type that has one.
  private func lookUp<Value>(_ name: String, _ find: (String) -> Value?) -> Value? {
    var owner = path.withoutBackticks.split(separator: ".")
    let name = name.withoutBackticks
    while true {
      if let found = find((owner.map(String.init) + [name]).joined(separator: ".")) {
        return found
      }
      if owner.isEmpty { return nil }
      owner.removeLast()
    }
  }
}
