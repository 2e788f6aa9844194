public import BoxJSON
internal import BoxModel

/// The rules by which objects of an entity are made from foreign JSON.
///
/// Members that no rule mentions are taken by name: a property from the member of its own name, and
/// with ``flattening`` from the members of nested objects, `name_common` from `/name/common`.
public struct EntityMapping: Hashable, Sendable {
  /// The change of the JSON before it becomes a value.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// No change.
    case value
    /// The JSON as text without white space.
    case json
    /// A text as it is, and a number as the text of its digits.
    case text
    /// The texts of a list, joined to one text.
    case join
    /// The first element of a list; no value for an empty list.
    case first
    /// The keys of an object, as a list.
    case keys
    /// The values of an object, as a list.
    case values
  }

  /// The source of a value.
  public struct Source: Hashable, Sendable {
    /// The place in the JSON.
    public var pointer: JSONPointer
    /// The change of the JSON before it becomes a value.
    public var shape = Shape.value
    /// The separator between the texts of a list that becomes one text.
    public var separator = ", "
  }

  /// A property.
  public struct PropertyRule: Hashable, Sendable {
    /// The name of the property.
    public let property: String
    /// The source of its value.
    public let source: Source
    /// The place in the catalogue.
    public let position: JSONPosition?
  }

  /// A relation whose targets are found by one of their properties, or are nested objects.
  public struct RelationRule: Hashable, Sendable {
    /// The name of the relation, or of the property that is a to-one relation.
    public let relation: String
    /// The source of the keys: one key, or a list of keys; of nested objects without a key.
    public let source: Source
    /// The entity of the targets.
    public let target: String
    /// The property of the targets that holds the key; nil if each target is made of a nested object.
    public let key: String?
    /// The place in the catalogue.
    public let position: JSONPosition?
  }

  /// The name of the entity.
  public let entity: String
  /// The place of the name in the catalogue.
  public let position: JSONPosition?
  /// The properties that are taken from other places than the member of their name.
  public let properties: [PropertyRule]
  /// The relations.
  public let relations: [RelationRule]
  /// The separator between the keys in the name of a property that is taken from a nested object;
  /// nil if nested objects are not taken apart.
  public let flattening: String?
  /// The property that stores all other members as JSON text, if any.
  public let rest: String?
  /// The places that a rule takes its value from.
  let sources: Set<JSONPointer>
  /// The properties and relations that have a rule.
  let ruled: Set<ExactText>

  init(
    entity: String, _ node: CatalogueNode, position: JSONPosition?
  ) throws(CatalogueError) {
    let members = try node.members(
      of: "a mapping", keys: ["properties", "relations", "flatten", "rest"])
    func value(_ key: String) -> CatalogueNode? { members.first { $0.key == key }?.value }
    var properties: [PropertyRule] = []
    for member in try value("properties")?.members(of: "'properties'") ?? [] {
      properties.append(
        PropertyRule(
          property: member.key, source: try Source(member.value, keys: []),
          position: member.position))
    }
    var relations: [RelationRule] = []
    for member in try value("relations")?.members(of: "'relations'") ?? [] {
      let settings = try member.value.members(of: "a relation of a mapping")
      func setting(_ key: String) throws(CatalogueError) -> String? {
        try settings.first { $0.key == key }?.value.text("'\(key)'")
      }
      guard let target = try setting("to") else {
        throw CatalogueError("a relation needs the key 'to'", at: member.value.position)
      }
      relations.append(
        RelationRule(
          relation: member.key, source: try Source(member.value, keys: ["to", "key"]),
          target: target, key: try setting("key"), position: member.position))
    }
    self.entity = entity
    self.position = position
    self.properties = properties
    self.relations = relations
    sources = Set(properties.map(\.source.pointer) + relations.map(\.source.pointer))
    ruled = Set((properties.map(\.property) + relations.map(\.relation)).map { ExactText($0) })
    flattening = try value("flatten")?.text("'flatten'")
    rest = try value("rest")?.text("'rest'")
    if flattening != nil, let node = value("rest") {
      throw CatalogueError(
        "'rest' takes what 'flatten' would: a mapping has one of the two", at: node.position)
    }
  }
}

extension EntityMapping.Source {
  /// Reads where a value comes from: a pointer, or a mapping that has other keys too.
  init(_ node: CatalogueNode, keys: [String]) throws(CatalogueError) {
    if case .text = node.content {
      pointer = try node.pointer()
      return
    }
    let members = try node.members(
      of: "a rule of a mapping", keys: ["from", "as", "separator"] + keys)
    guard let from = members.first(where: { $0.key == "from" })?.value else {
      throw CatalogueError("the key 'from' is missing, where the value is", at: node.position)
    }
    pointer = try from.pointer()
    for member in members {
      switch member.key {
      case "as": shape = try member.value.choice("'as'", EntityMapping.Shape.self)
      case "separator": separator = try member.value.text("'separator'")
      default: break
      }
    }
  }

  /// The value of the source; nil if the document does not have it.
  ///
  /// - Throws: ``MappingError`` if the JSON cannot take the ``shape``.
  func value(in document: inout PointedValues) throws(MappingError) -> JSONValue? {
    guard let found = document.value(at: pointer) else { return nil }
    if found == .null { return .null }
    switch (shape, found) {
    case (.value, _): return found
    case (.json, _):
      guard found.isFinite else { throw MappingError(pointer, "expected numbers of 64 bits") }
      return .string(found.text(indent: 0))
    case (.text, _):
      guard let text = found.plain.textOrDigits else {
        throw MappingError(pointer, "expected a text or a number")
      }
      return .string(text)
    case (.first, .array(let elements)): return elements.first
    case (.join, .array(let elements)):
      let texts = elements.compactMap(\.plain.textValue)
      guard texts.count == elements.count else {
        throw MappingError(pointer, "expected a list of texts")
      }
      return .string(texts.joined(separator: separator))
    case (.keys, .object(let members)): return .array(members.map { .string($0.key) })
    case (.values, .object(let members)): return .array(members.map(\.value))
    case (.first, _), (.join, _): throw MappingError(pointer, "expected a list")
    case (.keys, _), (.values, _): throw MappingError(pointer, "expected an object")
    }
  }
}

extension CatalogueNode {
  fileprivate func pointer() throws(CatalogueError) -> JSONPointer {
    guard let pointer = JSONPointer(try text("a path")) else {
      throw CatalogueError(
        "a path is a JSON pointer, as /name/common, with ~0 for ~ and ~1 for /", at: position)
    }
    return pointer
  }
}

/// Foreign JSON that does not fit a mapping.
public struct MappingError: Error, Hashable, Sendable {
  /// The place in the JSON.
  public let pointer: JSONPointer
  /// The expected form, without a trailing period.
  public let message: String

  init(_ pointer: JSONPointer, _ message: String) {
    self.pointer = pointer
    self.message = message
  }
}

extension MappingError: CustomStringConvertible {
  /// The place and what was expected.
  public var description: String {
    "\(pointer.parts.isEmpty ? "the object" : "\(pointer)"): \(message)"
  }
}
