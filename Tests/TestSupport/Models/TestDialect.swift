package import BoxModel

/// A code generator whose way of writing model files is imitated.
package enum TestDialect: String, CaseIterable, Sendable {
  case swift, swift43, java, dart, dart43, go, python

  /// Whether the generator sorts elements by id before it writes.
  package var sorts: Bool { self == .swift || self == .swift43 || self == .java }

  package var parserMinimum: Int { self == .swift || self == .swift43 ? 4 : 5 }

  fileprivate var unset: String { self == .go ? "" : "0:0" }

  fileprivate var writesSequence: Bool { self != .go && self != .python }

  fileprivate var writesEmptyRelations: Bool { self != .go && self != .python }

  fileprivate var top: [String] {
    let notes = ["_note1", "_note2", "_note3"]
    let retired = [
      "retiredEntityUids", "retiredIndexUids", "retiredPropertyUids", "retiredRelationUids",
    ]
    let last = ["entities", "lastEntityId", "lastIndexId", "lastRelationId"]
    if self == .python {
      return notes + ["modelVersionParserMinimum"] + last
        + ["modelVersion", "version", "newUidPool"] + retired
    }
    return notes + last + ["lastSequenceId", "modelVersion", "modelVersionParserMinimum"]
      + ["newUidPool"] + retired + ["version"]
  }

  fileprivate var entity: [String] {
    switch self {
    case .python:
      ["id", "name", "lastPropertyId", "externalName", "properties", "flags", "relations"]
    case .dart43:
      ["id", "lastPropertyId", "name", "flags", "externalName", "properties", "relations"]
    default: ["id", "lastPropertyId", "name", "externalName", "flags", "properties", "relations"]
    }
  }

  fileprivate var property: [String] {
    let keys =
      switch self {
      case .swift, .go:
        ["id", "name", "indexId", "type", "flags", "relationTarget", "externalName"]
      case .swift43: ["flags", "id", "indexId", "name", "relationTarget", "type", "externalName"]
      case .java, .dart:
        ["id", "name", "indexId", "type", "externalName", "flags", "relationTarget"]
      case .dart43, .python:
        ["id", "name", "type", "externalName", "flags", "indexId", "relationTarget"]
      }
    return keys + ["hnswParams"]
  }

  fileprivate var relation: [String] {
    self == .swift43 || self == .dart43
      ? ["id", "name", "targetId", "externalName"] : ["id", "name", "externalName", "targetId"]
  }

  /// The file of a model as the generator writes it; unknown keys stand at the end of each object.
  package func file(_ model: Model) -> [UInt8] {
    Array(DialectWriter(dialect: self).text(model).utf8)
  }
}

/// A writer that shares nothing with the one of the library.
private struct DialectWriter {
  enum Node {
    case raw(String)
    case list([Node])
    case object([(String, Node)])
  }

  let dialect: TestDialect

  func text(_ model: Model) -> String {
    var members: [String: Node] = [:]
    for note in 1...3 { members["_note\(note)"] = quoted("note \(note)") }
    let entities =
      dialect.sorts ? model.entities.sorted { $0.pair.id < $1.pair.id } : model.entities
    members["entities"] = .list(entities.map(entity))
    members["lastEntityId"] = pair(model.lastEntityID ?? .unset)
    members["lastIndexId"] = pair(model.lastIndexID ?? .unset)
    members["lastRelationId"] = pair(model.lastRelationID ?? .unset)
    if dialect.writesSequence { members["lastSequenceId"] = pair(.unset) }
    members["modelVersion"] = model.modelVersion.map { .raw("\($0)") }
    members["modelVersionParserMinimum"] = .raw("\(dialect.parserMinimum)")
    members["version"] = model.version.map { .raw("\($0)") }
    if let pool = model.newUIDPool, !pool.isEmpty { members["newUidPool"] = uids(pool) }
    for kind in ElementKind.allCases {
      members[kind.retiredListKey] = uids(model[retired: kind] ?? [])
    }
    return render(ordered(members, dialect.top, model.otherMembers), depth: 0)
  }

  private func entity(_ entity: Entity) -> Node {
    var members: [String: Node] = [:]
    members["id"] = pair(entity.pair)
    members["name"] = quoted(entity.name)
    members["lastPropertyId"] = pair(entity.lastPropertyID ?? .unset)
    members["externalName"] = entity.externalName.map(quoted)
    if !entity.flags.isEmpty { members["flags"] = .raw("\(entity.flags.rawValue)") }
    let properties =
      dialect.sorts ? entity.properties.sorted { $0.pair.id < $1.pair.id } : entity.properties
    members["properties"] = .list(properties.map(property))
    let all = entity.relations ?? []
    let relations = dialect.sorts ? all.sorted { $0.pair.id < $1.pair.id } : all
    if !relations.isEmpty || dialect.writesEmptyRelations {
      members["relations"] = .list(relations.map(relation))
    }
    return ordered(members, dialect.entity, entity.otherMembers)
  }

  private func property(_ property: Property) -> Node {
    var members: [String: Node] = [:]
    members["id"] = pair(property.pair)
    members["name"] = quoted(property.name)
    members["indexId"] = property.indexID.map(pair)
    members["type"] = property.type.map { .raw("\($0.rawValue)") }
    if !property.flags.isEmpty { members["flags"] = .raw("\(property.flags.rawValue)") }
    members["relationTarget"] = property.relationTarget.map(quoted)
    members["externalName"] = property.externalName.map(quoted)
    members["hnswParams"] = property.hnswParams.map { .raw($0) }
    return ordered(members, dialect.property, property.otherMembers)
  }

  private func relation(_ relation: Relation) -> Node {
    var members: [String: Node] = [:]
    members["id"] = pair(relation.pair)
    members["name"] = quoted(relation.name)
    members["targetId"] = relation.target.isUnset ? nil : pair(relation.target)
    members["externalName"] = relation.externalName.map(quoted)
    return ordered(members, dialect.relation, relation.otherMembers)
  }

  private func ordered(
    _ members: [String: Node], _ order: [String], _ others: [OtherMember]
  ) -> Node {
    let known = order.compactMap { key in members[key].map { (key, $0) } }
    return .object(known + others.map { ($0.key, .raw($0.text)) })
  }

  private func pair(_ pair: IDPair) -> Node {
    .raw("\"" + (pair.isUnset ? dialect.unset : "\(pair.id):\(pair.uid)") + "\"")
  }

  private func uids(_ uids: [UID]) -> Node { .list(uids.map { .raw("\($0)") }) }

  private func quoted(_ text: String) -> Node {
    var result = ""
    for unit in text.utf16 {
      if dialect == .python, unit > 126 {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        result += String(decoding: [unit], as: UTF16.self)
      }
    }
    return .raw("\"\(result)\"")
  }

  private func render(_ node: Node, depth: Int) -> String {
    let inner = "\n" + String(repeating: "  ", count: depth + 1)
    let end = "\n" + String(repeating: "  ", count: depth)
    switch node {
    case .raw(let text): return text
    case .list(let items):
      if items.isEmpty { return "[]" }
      return "[" + items.map { inner + render($0, depth: depth + 1) }.joined(separator: ",") + end
        + "]"
    case .object(let members):
      return "{"
        + members.map { inner + "\"\($0.0)\": " + render($0.1, depth: depth + 1) }
        .joined(separator: ",") + end + "}"
    }
  }
}
