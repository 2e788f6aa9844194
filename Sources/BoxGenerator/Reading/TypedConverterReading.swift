internal import BoxSources

/// Finds the converter of `BoxFoundation` for a property by its type: of UUIDs, URLs, decimal numbers, and of what is
/// `Codable`.
struct TypedConverterReading {
  let shape: TypeShape
  let isOptional: Bool
  /// The expression of the value that a new object has; nil for a struct, which has none.
  let initial: String?
  let scope: Scope

  /// The types of Foundation, with the names of their converters.
  private static let types = [
    "UUID": ConverterCall.uuid, "URL": .foundation("URLConverter"),
    "Decimal": .foundation("DecimalConverter"),
  ]

  /// The form in which the property is stored, as text; nil for another type.
  var form: StorageForm? {
    guard let converter else { return nil }
    // A UUID of its own for each read would look like an identity.
    let hasInitial = !isOptional && converter != .uuid
    return .converted(by: converter, to: .string, default: hasInitial ? initial : nil)
  }

  private var converter: ConverterCall? {
    switch shape {
    case .named(let name, []):
      // Bindings are outside of the types in which it may be declared.
      if let declared = scope.type(name) {
        return isCodable(declared) ? .foundation("CodableConverter<\(declared.path)>") : nil
      }
      return Self.types[name]
    case .array(.named(let name, [])):
      guard let declared = scope.type(name), isCodable(declared) else { return nil }
      return .foundation("CodableConverter<[\(declared.path)]>")
    // Dictionaries of the sources have no other keys that JSON has.
    case .other(let text):
      let text = text.filter { !$0.isWhitespace }
      return text.hasPrefix("[String:") && text.hasSuffix("]") ? codable : nil
    default: return nil
    }
  }

  private var codable: ConverterCall { .foundation("CodableConverter<\(shape.spelling)>") }

  /// Whether a class or a struct says in its own declaration that it is `Codable`, and is not stored as an object.
  private func isCodable(_ type: TypeDeclaration) -> Bool {
    let names = Set(type.inherited.map(\.lastName))
    return (names.contains("Codable") || names.isSuperset(of: ["Encodable", "Decodable"]))
      && ["class", "struct"].contains(type.kind) && !type.isEntity(in: scope.declarations)
  }
}
