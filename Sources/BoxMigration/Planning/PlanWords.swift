internal import BoxModel
internal import BoxReport

/// Describes the parts of two models.
struct PlanWords {
  private let oldNames: [UID: String]
  private let newNames: [UID: String]

  init(old: Model, new: Model) {
    oldNames = Self.names(old)
    newNames = Self.names(new)
  }

  private static func names(_ model: Model) -> [UID: String] {
    Dictionary(model.entities.map { ($0.pair.uid, $0.name) }) { first, _ in first }
  }

  func before(_ value: FieldValue?) -> String? { value.map { text($0, oldNames) } }
  func after(_ value: FieldValue?) -> String? { value.map { text($0, newNames) } }

  private func text(_ value: FieldValue, _ names: [UID: String]) -> String {
    value.words(entity: { uid in names[uid].map { "\($0) (uid \(uid))" } ?? "uid \(uid)" }) {
      kind, uid in
      Self.indexName(kind) + (uid.map { " (uid \($0))" } ?? " without id")
    }
  }

  private static func indexName(_ kind: PropertyFlags) -> String {
    switch kind {
    case []: "no flag"
    case .indexed: "by value"
    default:
      kind.contains(.indexHash64) ? "by hash64" : kind.contains(.indexHash) ? "by hash" : "indexed"
    }
  }

  /// The description of an element, for the columns before and after.
  static func summary(_ model: Model, _ place: ElementPlace) -> String {
    let entity = model.entities[place.entity]
    switch place {
    case .entity: return "\(entity.name) (uid \(entity.pair.uid))"
    case .property(_, let p), .index(_, let p):
      let property = entity.properties[p]
      if case .index = place {
        return property.indexID.map { "index (uid \($0.uid))" } ?? "index"
      }
      let type = property.type.map { "\($0)" } ?? "no type"
      let target = property.relationTarget.map { " to \($0)" } ?? ""
      return "\(property.name): \(type)\(target) (uid \(property.pair.uid))"
    case .relation(_, let r):
      guard let relation = entity.relations?[r] else { return "" }
      return "\(relation.name) (uid \(relation.pair.uid))"
    }
  }
}
