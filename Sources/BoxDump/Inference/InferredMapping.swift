internal import BoxConvert
internal import BoxJSON

/// The mapping of an entity to members that have other names or places than its properties, as a catalogue has it.
struct InferredMapping {
  var properties: [JSONValue.Member] = []
  private var relations: [JSONValue.Member] = []
  /// Whether members of nested objects are properties.
  var isFlattened = false

  /// The mapping; nil if an import needs none.
  var json: JSONValue? {
    var members: [JSONValue.Member] = []
    if !properties.isEmpty { members.append(.init("properties", .object(properties))) }
    if !relations.isEmpty { members.append(.init("relations", .object(relations))) }
    if isFlattened { members.append(.init("flatten", "_")) }
    return members.isEmpty ? nil : .object(members)
  }

  /// Adds a relation to objects that are nested, or that have a key.
  mutating func add(relation name: String, from leaf: Leaf, to target: String, key: String? = nil) {
    var members: [JSONValue.Member] = [
      .init("from", .string(JSONPointer(parts: leaf.path).description)),
      .init("to", .string(target)),
    ]
    if let key { members.append(.init("key", .string(key))) }
    relations.append(.init(name, .object(members)))
  }

  /// Adds a property, unless an import finds its member without a mapping.
  mutating func add(property name: String, from leaf: Leaf, shape: String?, flattens: Bool) {
    let pointer = JSONPointer(parts: leaf.path)
    let isObject = leaf.facts.kinds.contains(.object)
    if let shape {
      properties.append(
        .init(name, ["from": .string(pointer.description), "as": .string(shape)]))
    } else if !name.hasSameBytes(as: leaf.name) || (isObject && (leaf.path.count > 1 || flattens)) {
      properties.append(.init(name, .string(pointer.description)))
    }
  }
}
