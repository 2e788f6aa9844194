package import BoxJSON
internal import BoxModel

/// The state in which converters were locked, which fixes the meaning of stored values.
///
/// The lock is a file beside the catalogue, such as `converters.lock`, in version control. It contains the
/// settings on which the bytes of a store depend (names and raw values, units, scales), but no
/// policies.
package struct ConverterLock: Hashable, Sendable {
  /// The locked properties by `Entity.property`, in the order of the file.
  package internal(set) var properties: [Property]

  /// A property and the locked part of its converter.
  package struct Property: Hashable, Sendable {
    /// `Entity.property`.
    package let name: String
    /// The locked part of its converter.
    package let content: Content
  }

  /// The settings of a converter that determine the meaning of stored values.
  package indirect enum Content: Hashable, Sendable {
    /// The names and raw values of an enum or of a set of options.
    case cases(Cases)
    /// The settings of another converter.
    case settings(JSONValue)
    /// The converter of the elements of a list.
    case list(Content)
    /// The converters of a chain.
    case chain(Content, Content)
  }

  /// The names and raw values of an enum or of a set of options.
  package struct Cases: Hashable, Sendable {
    /// `enum` or `options`.
    package let type: String
    /// The cases in use.
    package internal(set) var cases: [EnumerationCase]
    /// The cases that were in use.
    package internal(set) var retired: [EnumerationCase]
    /// The further names that are read, each with the raw value that it stands for.
    package internal(set) var aliases: [EnumerationCase]
  }

  /// The lock of a catalogue.
  ///
  /// - Complexity: O(*n* log *n*) in the number of properties.
  package init(_ catalogue: Catalogue) {
    properties = catalogue.bindings.map {
      Property(name: $0.name, content: Content($0.definition))
    }
    // In an order of its own, so that a catalogue that is put in another order has the same lock.
    properties.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Reads a lock from its JSON.
  ///
  /// - Throws: ``CatalogueError`` with the place of what is wrong.
  /// - Complexity: O(*n*) in the size of the lock.
  package init(_ node: CatalogueNode) throws(CatalogueError) {
    let members = try node.members(of: "a lock", keys: ["schemaVersion", "properties"])
    guard let version = members.first(where: { $0.key == "schemaVersion" })?.value,
      case .integer(let number) = version.content
    else { throw CatalogueError("a lock needs 'schemaVersion'", at: node.position) }
    guard number == 1 else {
      throw CatalogueError(
        "the lock has version \(number), and this program reads version 1", at: version.position)
    }
    var properties: [Property] = []
    let list = members.first { $0.key == "properties" }?.value
    for member in try list?.members(of: "'properties'") ?? [] {
      properties.append(Property(name: member.key, content: try Content(member.value)))
    }
    self.properties = properties
  }

  /// Reads the text of the file.
  ///
  /// - Throws: ``CatalogueError`` with the place of what is wrong.
  /// - Complexity: O(*n*) in the size of the lock.
  package init(parsing bytes: [UInt8]) throws(CatalogueError) {
    try self.init(CatalogueNode(parsingJSON: bytes))
  }

  /// The lock as JSON.
  ///
  /// - Complexity: O(*n*) in the size of the lock.
  package var json: JSONValue {
    [
      "schemaVersion": 1,
      "properties": .object(properties.map { JSONValue.Member($0.name, $0.content.json) }),
    ]
  }

  /// The text of the file.
  ///
  /// - Complexity: O(*n*) in the size of the lock.
  package var text: String { json.text(indent: 2) + "\n" }
}

extension ConverterLock.Cases {
  fileprivate init(_ type: String, _ enumeration: Enumeration) {
    func unplaced(_ cases: [EnumerationCase]) -> [EnumerationCase] {
      cases.map { EnumerationCase($0.name, $0.raw) }
    }
    self.type = type
    cases = unplaced(enumeration.cases)
    retired = unplaced(enumeration.retired)
    let index = CaseIndex(enumeration)
    aliases = enumeration.aliases.compactMap { alias in
      index.raw(of: alias.alias).map { EnumerationCase(alias.alias, $0) }
    }
  }
}

extension ConverterLock.Content {
  init(_ definition: ConverterDefinition) {
    let type = JSONValue.string(definition.typeName)
    switch definition.kind {
    case .enumeration(let enumeration):
      self = .cases(ConverterLock.Cases("enum", enumeration))
    case .optionSet(let options): self = .cases(ConverterLock.Cases("options", options))
    case .date(let unit, _):
      self = .settings(["type": type, "unit": unit.map { .string($0.rawValue) } ?? .null])
    case .decimal(let scale):
      self = .settings(["type": type, "scale": scale.map { .int($0) } ?? .null])
    case .boolean(let no, let yes):
      self = .settings(["type": type, "false": no.json, "true": yes.json])
    case .list(let separator, let element):
      self =
        element.map { .list(Self($0)) }
        ?? .settings(["type": type, "separator": separator.map { .string($0) } ?? .null])
    case .chain(let first, let second): self = .chain(Self(first), Self(second))
    case .registered(let name): self = .settings(["type": type, "name": .string(name)])
    case .uuid, .url, .bytes, .json, .unsigned: self = .settings(["type": type])
    }
  }

  init(_ node: CatalogueNode) throws(CatalogueError) {
    let members = try node.members(of: "a locked converter")
    func value(_ key: String) -> CatalogueNode? { members.first { $0.key == key }?.value }
    guard let type = value("type") else {
      throw CatalogueError("a locked converter needs 'type'", at: node.position)
    }
    switch try type.text("'type'") {
    case "enum", "options":
      self = .cases(
        ConverterLock.Cases(
          type: try type.text("'type'"), cases: try Self.cases(value("values")),
          retired: try Self.cases(value("retired")), aliases: try Self.cases(value("aliases"))))
    case "list" where value("of") != nil:
      self = .list(try Self(value("of") ?? node))
    case "chain":
      guard case .list(let parts)? = value("of")?.content, parts.count == 2 else {
        throw CatalogueError("a chain has a list of two converters", at: node.position)
      }
      self = .chain(try Self(parts[0]), try Self(parts[1]))
    default: self = .settings(node.json)
    }
  }

  private static func cases(_ node: CatalogueNode?) throws(CatalogueError) -> [EnumerationCase] {
    var cases: [EnumerationCase] = []
    for member in try node?.members(of: "cases") ?? [] {
      switch member.value.content {
      case .integer(let integer): cases.append(EnumerationCase(member.key, .integer(integer)))
      case .text(let text): cases.append(EnumerationCase(member.key, .text(text)))
      default:
        throw CatalogueError("a raw value is an integer or a text", at: member.value.position)
      }
    }
    return cases
  }

  var json: JSONValue {
    switch self {
    case .cases(let locked):
      var members: [JSONValue.Member] = [
        JSONValue.Member("type", .string(locked.type)),
        JSONValue.Member("values", Self.json(locked.cases)),
      ]
      for (key, list) in [("retired", locked.retired), ("aliases", locked.aliases)]
      where !list.isEmpty {
        members.append(JSONValue.Member(key, Self.json(list)))
      }
      return .object(members)
    case .settings(let json): return json
    case .list(let element): return ["type": "list", "of": element.json]
    case .chain(let first, let second):
      return ["type": "chain", "of": [first.json, second.json]]
    }
  }

  private static func json(_ cases: [EnumerationCase]) -> JSONValue {
    .object(cases.map { JSONValue.Member($0.name, $0.raw.json) })
  }
}

extension RawValue {
  /// The raw value as in a catalogue.
  var json: JSONValue {
    switch self {
    case .integer(let integer): JSONValue(integer) ?? .string("\(integer)")
    case .text(let text): .string(text)
    }
  }
}
