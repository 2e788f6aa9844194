import BoxModel

/// An element together with the entity that it belongs to.
struct OwnedElement<Element> {
  var element: Element
  var owner: UID
}

/// A version of the model, with the lookups that merging needs.
///
/// A class: merging asks it about every element, and copying would take longer than answering.
final class SideView: Sendable {
  let model: Model
  let lookup: ModelLookup
  /// The difference from the base to the side.
  let difference: ModelDifference
  /// The entities in which the side added something, or made an edit that speaks against a removal.
  let touched: Set<UID>

  init(_ model: Model, _ lookup: ModelLookup, from base: SideView?) {
    self.model = model
    self.lookup = lookup
    if let base {
      difference = ModelDifference(from: base.model, base.lookup, to: model, lookup)
    } else {
      let nothing = Model()
      difference = ModelDifference(from: nothing, ModelLookup(nothing), to: model, lookup)
    }
    var touched: Set<UID> = []
    for (key, change) in difference.changes {
      switch change {
      case .removed: continue
      case .changed(let fields) where !fields.contains(where: { $0.field.isEdit(of: key.kind) }):
        continue
      case .added, .changed: break
      }
      guard let place = lookup[key.kind, key.uid] else { continue }
      touched.insert(model.entities[place.entity].pair.uid)
    }
    self.touched = touched
  }

  func entity(_ uid: UID) -> Entity? {
    lookup.entity(uid).map { model.entities[$0] }
  }

  func property(_ uid: UID) -> OwnedElement<Property>? {
    guard case .property(let e, let p) = lookup[.property, uid] else { return nil }
    return OwnedElement(element: model.entities[e].properties[p], owner: model.entities[e].pair.uid)
  }

  func relation(_ uid: UID) -> OwnedElement<Relation>? {
    guard case .relation(let e, let r) = lookup[.relation, uid],
      let relation = model.entities[e].relations?[r]
    else { return nil }
    return OwnedElement(element: relation, owner: model.entities[e].pair.uid)
  }

  /// The entity that an element is, or belongs to.
  func owner(of key: ElementKey) -> UID? {
    lookup[key.kind, key.uid].map { model.entities[$0.entity].pair.uid }
  }

  /// The property that an index is of.
  func property(of index: ElementKey) -> UID? {
    guard case .index(let e, let p) = lookup[.index, index.uid] else { return nil }
    return model.entities[e].properties[p].pair.uid
  }

  /// The number of an element.
  func id(_ key: ElementKey) -> UInt32? {
    switch lookup[key.kind, key.uid] {
    case .entity(let e): model.entities[e].pair.id
    case .property(let e, let p): model.entities[e].properties[p].pair.id
    case .index(let e, let p): model.entities[e].properties[p].indexID?.id
    case .relation(let e, let r): model.entities[e].relations?[r].pair.id
    case nil: nil
    }
  }

  func label(_ key: ElementKey) -> String? {
    lookup[key.kind, key.uid].map { model.label($0) }
  }

  /// The keys of what belongs to an entity: its properties, their indexes and its relations.
  func children(of entity: UID) -> [ElementKey] {
    guard let entity = self.entity(entity) else { return [] }
    return entity.properties.map { ElementKey(.property, $0.pair.uid) }
      + entity.properties.compactMap { $0.indexID.map { ElementKey(.index, $0.uid) } }
      + (entity.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }
  }
}
