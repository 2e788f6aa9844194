import BoxModel

/// The types of the builders in Java code, recognized by their names or, without names, by their use.
struct JavaTypes {
  /// The roles of types, by the last part of their names.
  private(set) var roles: [String: JavaShape.Role] = [:]

  /// Words that can follow a type name, and are not variables.
  static let keywords: Set<String> = ["extends", "implements", "instanceof", "throws", "class"]

  /// The last part of the name of an inner class: `EntityBuilder` of `ModelBuilder$EntityBuilder`.
  static func lastPart(_ name: String) -> String {
    name.utf8.lastIndex(of: UInt8(ascii: "$")).map { String(name[name.index(after: $0)...]) }
      ?? name
  }

  /// The name of a method without the prefix of a decompiler: `id` of `mo9414id`.
  static func method(_ name: String) -> String {
    guard name.hasPrefix("mo") else { return name }
    let rest = name.dropFirst(2).drop { $0.isNumber }
    return rest.count < name.count - 2 && !rest.isEmpty ? String(rest) : name
  }

  /// Finds the types; nil if no model is built in the code.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  init?(_ reader: CodeReader) {
    let names: [String: JavaShape.Role] = [
      "ModelBuilder": .model, "EntityBuilder": .entity, "PropertyBuilder": .property,
      "RelationBuilder": .relation,
    ]
    for position in reader.tokens.indices {
      guard let word = reader.word(position) else { continue }
      let part = Self.lastPart(word)
      if let role = names[part] { roles[part] = role }
    }
    if !roles.values.contains(.model) {
      guard let model = Self.builderByUse(reader) else { return nil }
      roles[model] = .model
    }
    addRenamed(reader)
  }

  /// Adds the types of variables to which an entity or a property is assigned.
  private mutating func addRenamed(_ reader: CodeReader) {
    let models = variables(of: .model, in: reader)
    var entities: Set<String> = []
    for position in reader.tokens.indices where reader.beginsChain(position) {
      guard let name = reader.word(position), models.contains(name),
        reader.isMark(position - 1, "="),
        let type = reader.word(position - 3), let (chain, _) = reader.chain(at: position),
        chain.calls.first?.arguments?.first?.value.text != nil
      else { continue }
      if chain.calls.count == 1, !Self.isStatementWord(type) {
        entities.insert(Self.lastPart(type))
      }
    }
    for type in entities where roles[type] == nil { roles[type] = .entity }
  }

  private static func isStatementWord(_ word: String) -> Bool {
    ["return", "new", "var", "final"].contains(word)
  }

  private func variables(of role: JavaShape.Role, in reader: CodeReader) -> Set<String> {
    var found: Set<String> = []
    for position in reader.tokens.indices {
      guard let type = reader.word(position), roles[Self.lastPart(type)] == role,
        let name = reader.word(position + 1), !Self.keywords.contains(name)
      else { continue }
      found.insert(name)
    }
    return found
  }

  /// The type of a new object on which two pairs of an id and a UID are set: the builder of the model.
  private static func builderByUse(_ reader: CodeReader) -> String? {
    var typeOf: [String: String] = [:]
    var pairs: [String: Int] = [:]
    for position in reader.tokens.indices {
      guard let word = reader.word(position) else { continue }
      if word == "new", reader.isMark(position - 1, "="), let name = reader.word(position - 2),
        let type = reader.chain(at: position + 1)?.chain, type.last?.arguments?.isEmpty ?? false
      {
        typeOf[name] = type.last.map { lastPart($0.name) }
        continue
      }
      guard let type = typeOf[word], reader.beginsChain(position),
        let (chain, _) = reader.chain(at: position), chain.links.count == 2,
        let values = chain.last?.values(2), let pair = CodeExpression.pair(values[0], values[1]),
        pair.uid > UInt64(UInt32.max) || pair.isUnset
      else { continue }
      pairs[type, default: 0] += 1
      if pairs[type] == 2 { return type }
    }
    return nil
  }
}
