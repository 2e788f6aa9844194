public import BoxJSON

/// An object made of foreign JSON by a mapping.
public struct MappedObject: Hashable, Sendable {
  /// The JSON of a property, before its converter.
  public struct PropertyValue: Hashable, Sendable {
    /// The name of the property, or of a member that no rule mentions.
    public let property: String
    /// The JSON.
    public let json: JSONValue
    /// The place of the JSON in the object.
    public let pointer: JSONPointer
    /// Whether a rule of the mapping names the property: then the entity must have it.
    public let isMapped: Bool
  }

  /// The values.
  public let values: [PropertyValue]
  /// The relations.
  public let links: [MappedLink]
}

/// A relation made of foreign JSON by a mapping.
public struct MappedLink: Hashable, Sendable {
  /// The name of the relation, or of the property that is a to-one relation.
  public let relation: String
  /// The entity of the targets.
  public let target: String
  /// The property of the targets by which they are found, or with which they are made; nil if each is
  /// made of a nested object.
  public let key: String?
  /// The values of the property, each once as it is written, in the order of the JSON; without a key, the nested objects.
  public let keys: [JSONValue]
  /// The place of the values in the object.
  public let pointer: JSONPointer
}

extension MappedObject {
  /// An object of which every member is the property of its name.
  ///
  /// - Throws: ``MappingError`` if the JSON is not an object.
  package init(members json: JSONValue) throws(MappingError) {
    guard case .object(let members) = json else {
      throw MappingError(JSONPointer(parts: []), "expected an object")
    }
    values = members.map { member in
      PropertyValue(
        property: member.key, json: member.value, pointer: JSONPointer(parts: [member.key]),
        isMapped: false)
    }
    links = []
  }
}

extension EntityMapping {
  /// Makes an object of a JSON object.
  ///
  /// - Parameter document: The object.
  /// - Returns: The values and the relations; those that the JSON lacks are left out.
  /// - Throws: ``MappingError`` with the place of the JSON that does not fit.
  /// - Complexity: O(*n*) in the size of the object and the number of rules.
  public func map(_ document: JSONValue) throws(MappingError) -> MappedObject {
    guard case .object(let members) = document else {
      throw MappingError(JSONPointer(parts: []), "expected an object")
    }
    var pointed = PointedValues(document)
    var values: [MappedObject.PropertyValue] = []
    for rule in properties {
      guard let json = try rule.source.value(in: &pointed) else { continue }
      values.append(
        MappedObject.PropertyValue(
          property: rule.property, json: json, pointer: rule.source.pointer, isMapped: true))
    }
    var links: [MappedLink] = []
    for rule in relations {
      guard let json = try rule.source.value(in: &pointed) else { continue }
      links.append(
        MappedLink(
          relation: rule.relation, target: rule.target, key: rule.key,
          keys: try keys(json, rule), pointer: rule.source.pointer))
    }
    let others = members.filter { !mentions([$0.key]) }
    if let rest {
      if !others.isEmpty {
        values.append(
          MappedObject.PropertyValue(
            property: rest, json: .string(JSONValue.object(others).text(indent: 0)),
            pointer: JSONPointer(parts: []), isMapped: true))
      }
    } else {
      for member in others { collectValues(member.value, [member.key], into: &values) }
    }
    return MappedObject(values: values, links: links)
  }

  /// Whether a rule takes its value from a path, or from above it.
  private func mentions(_ path: [String]) -> Bool {
    sources.contains(JSONPointer(parts: path))
  }

  /// Collects the value of a member by its name, or the values in it.
  private func collectValues(
    _ json: JSONValue, _ path: [String], into values: inout [MappedObject.PropertyValue]
  ) {
    if path.count > 1, mentions(path) { return }
    if flattening != nil, path.count < 32, case .object(let members) = json,
      ExtendedJSON(json) == nil
    {
      for member in members { collectValues(member.value, path + [member.key], into: &values) }
      return
    }
    let name = path.joined(separator: flattening ?? "")
    // A rule for the property comes first.
    if ruled.contains(ExactText(name)) { return }
    values.append(
      MappedObject.PropertyValue(
        property: name, json: json, pointer: JSONPointer(parts: path), isMapped: false))
  }

  private func keys(
    _ json: JSONValue, _ rule: RelationRule
  ) throws(MappingError) -> [JSONValue] {
    let all: [JSONValue]
    switch json {
    case .null: all = []
    case .array(let elements): all = elements
    default: all = [json]
    }
    guard let name = rule.key else {
      let areObjects = all.allSatisfy { if case .object = $0 { true } else { false } }
      if areObjects { return all }
      throw MappingError(
        rule.source.pointer,
        "expected nested objects, of which each becomes a \(rule.target); name the key of its targets "
          + "if they are texts or numbers")
    }
    var seen: Set<[UInt8]> = []
    var keys: [JSONValue] = []
    for key in all.lazy.map(\.plain) {
      switch key {
      case .array, .object, .null:
        throw MappingError(
          rule.source.pointer, "expected texts or numbers, the values of \(rule.target).\(name)"
        )
      default:
        if seen.insert(Array(key.text(indent: 0).utf8)).inserted { keys.append(key) }
      }
    }
    return keys
  }
}
