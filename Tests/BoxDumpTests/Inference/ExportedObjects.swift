import BoxConvert
import BoxDump
import BoxJSON
import TestSupport
import Testing

/// The objects of a dump, with the nested objects in the places of the relations that lead to them.
struct ExportedObjects {
  /// The objects of the first entity, in the order of their ids.
  private(set) var objects: [JSONValue] = []
  private let entities: [InferredModel.Entity]
  private var known: [String: [JSONValue]] = [:]
  private var targets: [String: [String: [String]]] = [:]

  init(_ dump: String, _ entities: [InferredModel.Entity]) throws {
    self.entities = entities
    for line in dump.split(separator: "\n").dropFirst().dropLast() {
      guard case .object(let members) = try InferenceRoundTrip.value(Array(line.utf8)),
        let member = members.first
      else { continue }
      if !entities.contains(where: { $0.name.hasSameBytes(as: member.key) }) {
        let source = Self.text(JSONPointer(member: "source").value(in: member.value))
        guard case .array(let ids)? = JSONPointer(member: "targets").value(in: member.value) else {
          continue
        }
        targets[member.key, default: [:]][source] = ids.map { Self.text($0) }
      } else {
        known[member.key, default: []].append(member.value)
      }
    }
    guard let first = entities.first else { return }
    var byID: [String: [String: JSONValue]] = [:]
    for entity in entities {
      let id = JSONPointer(member: entity.members[0].name)
      for object in known[entity.name] ?? [] {
        byID[entity.name, default: [:]][Self.text(id.value(in: object))] = object
      }
    }
    objects = (known[first.name] ?? []).map { joined($0, first, byID, isNested: false) }
  }

  private func joined(
    _ object: JSONValue, _ entity: InferredModel.Entity, _ byID: [String: [String: JSONValue]],
    isNested: Bool
  ) -> JSONValue {
    guard case .object(let members) = object else { return object }
    let id = Self.text(JSONPointer(member: entity.members[0].name).value(in: object))
    func target(_ member: InferredModel.Member) -> InferredModel.Entity? {
      entities.first { "-> \($0.name)" == member.type }
    }
    func part(_ id: String, _ entity: InferredModel.Entity) -> JSONValue {
      byID[entity.name]?[id].map { joined($0, entity, byID, isNested: true) } ?? .null
    }
    var result: [JSONValue.Member] = []
    for member in entity.members {
      // The id of a nested object was added.
      if isNested, member.source == nil { continue }
      let value = members.first { $0.key == member.name }?.value
      guard let target = target(member) else {
        if let value { result.append(.init(member.name, value)) }
        continue
      }
      if let value {
        result.append(.init(member.name, value == .null ? .null : part(Self.text(value), target)))
      } else {
        let ids = targets["\(entity.name).\(member.name)"]?[id] ?? []
        result.append(.init(member.name, .array(ids.map { part($0, target) })))
      }
    }
    return .object(result)
  }

  private static func text(_ value: JSONValue?) -> String { value?.text(indent: 0) ?? "" }
}
