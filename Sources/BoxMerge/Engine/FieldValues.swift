import BoxJSON
import BoxModel

/// The values of the fields of a model, as a difference has them.
struct FieldValues: Sendable {
  private let model: Model
  private let lookup: ModelLookup
  /// The unknown keys of each element that has some.
  private let others: [ElementKey: [ExactText: String]]

  /// Looks a model through.
  ///
  /// - Complexity: O(*n*) in the size of the model.
  init(_ model: Model) {
    self.model = model
    lookup = ModelLookup(model)
    var others: [ElementKey: [ExactText: String]] = [:]
    func recordOthers(_ kind: ElementKind, _ uid: UID, _ members: [OtherMember]) {
      if members.isEmpty { return }
      others[ElementKey(kind, uid)] = Dictionary(
        members.map { (ExactText($0.key), $0.text) }
      ) { first, _ in first }
    }
    for entity in model.entities {
      recordOthers(.entity, entity.pair.uid, entity.otherMembers)
      for property in entity.properties {
        recordOthers(.property, property.pair.uid, property.otherMembers)
      }
      for relation in entity.relations ?? [] {
        recordOthers(.relation, relation.pair.uid, relation.otherMembers)
      }
    }
    self.others = others
  }

  /// Whether the model has an element.
  func has(_ key: ElementKey) -> Bool { lookup[key.kind, key.uid] != nil }

  /// The value of a field of an element; nil where the element does not have the field.
  ///
  /// - Complexity: O(1).
  func value(of field: Field, of key: ElementKey) -> FieldValue? {
    guard let place = lookup[key.kind, key.uid] else { return nil }
    if case .other(let name) = field { return others[key]?[name].map { .json(ExactText($0)) } }
    let entity = model.entities[place.entity]
    switch place {
    case .entity: return entity.value(of: field)
    case .property(_, let p):
      switch field {
      case .owner: return .entity(entity.pair.uid)
      case .target: return model.target(of: entity.properties[p], lookup)
      default: return entity.properties[p].value(of: field)
      }
    case .index(_, let p):
      return field == .id ? entity.properties[p].indexID.map { .number(Int($0.id)) } : nil
    case .relation(_, let r):
      return field == .owner ? .entity(entity.pair.uid) : entity.relations?[r].value(of: field)
    }
  }
}
