import BoxModel

/// Types and flags as generated code writes them: numbers, names of an enum, or lists of names.
enum FlagWords {
  /// The bits of flags of a property; nil if the expression is not understood.
  static func property(_ expression: CodeExpression) -> PropertyFlags? {
    bits(expression, propertyNames).map { PropertyFlags(rawValue: $0) }
  }

  /// The bits of flags of an entity; nil if the expression is not understood.
  static func entity(_ expression: CodeExpression) -> EntityFlags? {
    bits(expression, entityNames).map { EntityFlags(rawValue: $0) }
  }

  /// The type of a property, as `9`, `PropertyType.string` or `OBXPropertyType_String`; nil if the
  /// expression is not understood.
  static func type(_ expression: CodeExpression) -> PropertyType? {
    if let number = expression.number {
      return Int32(exactly: number).map { PropertyType(rawValue: $0) }
    }
    guard let name = expression.lastName else { return nil }
    return types[folded(name)]
  }

  private static let types: [String: PropertyType] = Dictionary(
    uniqueKeysWithValues: PropertyTypeTraits.table.map { (folded($0.name), $0.type) }
      + [("unknown", .unknown)])

  private static let propertyNames = Dictionary(
    uniqueKeysWithValues: PropertyFlags.names.map { (folded($0.name), $0.flag.rawValue) })
  private static let entityNames = Dictionary(
    uniqueKeysWithValues: EntityFlags.names.map { (folded($0.name), $0.flag.rawValue) })

  /// A name without its prefix, its case and its underscores: `OBXPropertyFlags_INDEX_HASH`,
  /// `.indexHash` and `INDEX_HASH` are one.
  private static func folded(_ name: String) -> String {
    var name = name[...]
    for prefix in [
      "OBXPropertyType_", "OBXPropertyFlags_", "OBXEntityFlags_", "PropertyType_",
      "PropertyFlags_", "EntityFlags_",
    ]
    where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
    return name.lowercased().filter { $0 != "_" }
  }

  private static func bits(_ expression: CodeExpression, _ names: [String: UInt32]) -> UInt32? {
    switch expression {
    case .number(let value): return UInt32(exactly: value)
    case .union(let parts), .list(let parts):
      var result: UInt32 = 0
      for part in parts {
        guard let bits = bits(part, names) else { return nil }
        result |= bits
      }
      return result
    case .chain(let chain):
      if let name = expression.lastName { return names[folded(name)] }
      // `OBXPropertyFlags(A | B)` and `static_cast<OBXPropertyFlags>(A | B)`
      guard chain.links.count == 1, let values = chain.links[0].values(1) else { return nil }
      return bits(values[0], names)
    case .decimal, .text, .map, .opaque: return nil
    }
  }
}

extension CodeExpression {
  /// The id pair of two expressions, both numbers.
  static func pair(_ id: CodeExpression?, _ uid: CodeExpression?) -> IDPair? {
    guard let id = id?.number.flatMap({ UInt32(exactly: $0) }), let uid = uid?.number else {
      return nil
    }
    return IDPair(id: id, uid: uid)
  }
}
