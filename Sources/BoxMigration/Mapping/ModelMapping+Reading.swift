public import BoxConvert
internal import BoxJSON

extension ModelMapping {
  /// Reads the mappings of a file.
  ///
  /// - Parameters:
  ///   - node: The content of the file.
  ///   - registry: The converters of the application, for mappings of the type `registered`.
  /// - Returns: The mappings, in the order of the file.
  /// - Throws: ``CatalogueError`` with the first thing that is wrong.
  /// - Complexity: O(*n*) in the size of the file.
  public static func read(
    _ node: CatalogueNode, registry: ConverterRegistry = ConverterRegistry()
  ) throws(CatalogueError) -> [ModelMapping] {
    let file = Settings(try node.members(of: "a file of mappings", keys: ["types", "mappings"]))
    guard let list = file["mappings"] else {
      throw CatalogueError("a file of mappings needs the key 'mappings'", at: node.position)
    }
    var mappings: [ModelMapping] = []
    for element in try list.elements(of: "'mappings'") {
      let settings = Settings(
        try element.members(of: "a mapping", keys: ["from", "to", "entities"]))
      var mapping = ModelMapping(
        from: try settings.text("from"), to: try settings.text("to"), [])
      mapping.position = element.position
      mapping.types = file["types"]
      mapping.registry = registry
      for entity in try settings["entities"]?.elements(of: "'entities'") ?? [] {
        mapping.entities.append(try EntityMigration(entity))
      }
      if mapping.entities.isEmpty {
        throw CatalogueError("a mapping names no entity", at: element.position)
      }
      mappings.append(mapping)
    }
    if mappings.isEmpty { throw CatalogueError("'mappings' is empty", at: list.position) }
    if let types = file["types"] { try requireUse(of: types, by: mappings) }
    return mappings
  }

  /// Requires that each converter with a name is used by a rule or by another one.
  private static func requireUse(
    of types: CatalogueNode, by mappings: [ModelMapping]
  ) throws(CatalogueError) {
    let members = try types.members(of: "'types'")
    var used: Set<ExactText> = []
    for entity in mappings.flatMap(\.entities) {
      guard case .transform(let rules) = entity.action else { continue }
      for property in rules.flatMap(\.properties) {
        used.formUnion(property.rule.read?.texts.map { ExactText($0) } ?? [])
        used.formUnion(property.rule.write?.texts.map { ExactText($0) } ?? [])
      }
    }
    for member in members { used.formUnion(member.value.texts.map { ExactText($0) }) }
    if let unused = members.first(where: { !used.contains(ExactText($0.key)) }) {
      throw CatalogueError(
        "no 'read' or 'write' uses the type '\(unused.key)'; leave it out", at: unused.position)
    }
  }
}

extension CatalogueNode {
  /// All texts among the values.
  fileprivate var texts: [String] {
    switch content {
    case .text(let text): [text]
    case .list(let elements): elements.flatMap(\.texts)
    case .mapping(let members): members.flatMap(\.value.texts)
    case .null, .bool, .integer, .number: []
    }
  }
}

/// The members of a mapping of keys to values.
private struct Settings {
  let members: [CatalogueNode.Member]

  init(_ members: [CatalogueNode.Member]) { self.members = members }

  subscript(key: String) -> CatalogueNode? { members.first { $0.key.hasSameBytes(as: key) }?.value }

  func text(_ key: String) throws(CatalogueError) -> String? { try self[key]?.text("'\(key)'") }
}

extension CatalogueNode {
  /// The elements of a list.
  fileprivate func elements(of what: String) throws(CatalogueError) -> [CatalogueNode] {
    guard case .list(let elements) = content else {
      throw CatalogueError("\(what) must be a list", at: position)
    }
    return elements
  }
}

extension EntityMigration {
  private static let actions = ["delete", "insert", "copy", "transform"]

  fileprivate init(_ node: CatalogueNode) throws(CatalogueError) {
    let members = try node.members(of: "an entity")
    let named = members.filter { Self.actions.contains($0.key) }
    guard let action = named.first, named.count == 1 else {
      throw CatalogueError(
        "an entity needs one of the keys \(Self.actions.joined(separator: ", "))",
        at: node.position)
    }
    entity = try action.value.text("'\(action.key)'")
    position = action.value.position
    let settings = Settings(members)
    switch action.key {
    case "delete", "insert":
      _ = try node.members(of: "'\(action.key)'", keys: [action.key])
      self.action = action.key == "delete" ? .delete : .insert
    case "copy":
      _ = try node.members(of: "'copy'", keys: ["copy", "to"])
      self.action = .copy(to: try settings.text("to"))
    default:
      guard let made = settings["make"] else {
        self.action = .transform([try ObjectRule(node, keys: ["transform"])])
        return
      }
      _ = try node.members(of: "'transform' with 'make'", keys: ["transform", "make"])
      var rules: [ObjectRule] = []
      for element in try made.elements(of: "'make'") {
        rules.append(try ObjectRule(element, keys: []))
      }
      if rules.isEmpty {
        throw CatalogueError("'make' is empty; write delete to leave objects", at: made.position)
      }
      self.action = .transform(rules)
    }
  }
}

extension ObjectRule {
  fileprivate init(_ node: CatalogueNode, keys: [String]) throws(CatalogueError) {
    let settings = Settings(
      try node.members(of: "an object to make", keys: keys + ["to", "ids", "when", "properties"]))
    self.init(entity: try settings.text("to"))
    position = settings["to"]?.position ?? node.position
    if let node = settings["ids"] { ids = try node.choice("'ids'", IDRule.self) }
    for condition in try settings["when"]?.elements(of: "'when'") ?? [] {
      conditions.append(try ObjectCondition(condition))
    }
    for member in try settings["properties"]?.members(of: "'properties'") ?? [] {
      if properties.contains(where: { $0.name.hasSameBytes(as: member.key) }) {
        throw CatalogueError("'\(member.key)' occurs twice", at: member.position)
      }
      properties.append((member.key, member.position, try PropertyRule(member.value)))
    }
  }
}

extension ObjectCondition {
  fileprivate init(_ node: CatalogueNode) throws(CatalogueError) {
    let settings = Settings(
      try node.members(of: "a condition", keys: ["property", "is", "isNot"]))
    guard let name = settings["property"] else {
      throw CatalogueError("a condition needs the key 'property'", at: node.position)
    }
    property = try name.text("'property'")
    position = name.position
    guard let expected = settings["is"] ?? settings["isNot"],
      settings["is"] == nil || settings["isNot"] == nil
    else {
      throw CatalogueError("a condition needs one of the keys is, isNot", at: node.position)
    }
    isNegated = settings["is"] == nil
    if case .list(let elements) = expected.content {
      values = elements.map(\.json)
    } else {
      values = [expected.json]
    }
  }
}

extension PropertyRule {
  fileprivate init(_ node: CatalogueNode) throws(CatalogueError) {
    let settings = Settings(
      try node.members(
        of: "a rule for a property",
        keys: ["from", "backlink", "read", "write", "default", "unfit", "value"]))
    self.init(from: try settings.text("from"))
    backlink = try settings.text("backlink")
    if source != nil, let other = settings["backlink"] {
      throw CatalogueError("'from' and 'backlink' do not go together", at: other.position)
    }
    (read, write) = (settings["read"], settings["write"])
    defaultValue = settings["default"]
    if let node = settings["unfit"] { unfit = try node.choice("'unfit'", Unfit.self) }
    if unfit == .default, defaultValue == nil {
      throw CatalogueError("'unfit' is default, and there is no 'default'", at: node.position)
    }
    guard let value = settings["value"] else {
      if source == nil, backlink == nil {
        throw CatalogueError(
          "a rule for a property needs one of the keys from, backlink, value", at: node.position)
      }
      return
    }
    if let other = settings.members.first(where: { !["value", "write"].contains($0.key) }) {
      throw CatalogueError(
        "'\(other.key)' and 'value' do not go together", at: other.position)
    }
    defaultValue = value
  }
}
