package import BoxModel

/// The edit of a model that makes a removal and an addition one element again.
package struct RenameFix: Hashable, Sendable {
  /// The element that was removed, by the old model.
  package var old: ElementKey
  /// The element that took its place, by the new model.
  package var new: ElementKey

  /// The description of the edit, for people.
  package var summary: String {
    "give the \(new.kind) the UID \(old.uid) in the place of \(new.uid)"
  }

  /// Whether the properties of a new entity can have numbers that an old one has not given.
  static func hasNumbers(for new: Entity, under old: Entity) -> Bool {
    let given = old.lastPropertyID?.id ?? 0
    return UInt32.max - given >= new.properties.count
  }
}

extension MigrationPlan {
  /// The new model after the edits that make renames out of removals and additions.
  ///
  /// The element takes the pair of the old one, and so does its index; for an entity so do the
  /// members of equal name and type. The numbers that were given to what is replaced go back to the
  /// counters if they were the last.
  ///
  /// - Parameter fixes: Edits of steps of the plan; one for which no numbers are left does nothing.
  /// - Returns: The edited model.
  /// - Complexity: O(*n*) in the number of elements and edits.
  package func newModel(applying fixes: [RenameFix]) -> Model {
    var restorer = Restorer(old: old.model, new: new.model)
    for fix in fixes { restorer.apply(fix) }
    return restorer.finished()
  }
}

/// Restores the pairs that elements of a new model had in an old one.
private struct Restorer {
  let old: Model
  var new: Model
  private var dropped: Set<UID> = []
  private var restored: Set<UID> = []
  private let oldLookup: ModelLookup
  /// Places stay the same while UIDs change.
  private let newLookup: ModelLookup
  private var targets: [UID: IDPair] = [:]
  private var retired: [ElementKey] = []

  init(old: Model, new: Model) {
    self.old = old
    self.new = new
    oldLookup = ModelLookup(old)
    newLookup = ModelLookup(new)
  }

  mutating func apply(_ fix: RenameFix) {
    guard let from = oldLookup[fix.old.kind, fix.old.uid],
      let to = newLookup[fix.new.kind, fix.new.uid], !dropped.contains(fix.new.uid)
    else { return }
    switch (from, to) {
    case (.entity(let a), .entity(let b)):
      if RenameFix.hasNumbers(for: new.entities[b], under: old.entities[a]) { restoreEntity(a, b) }
    case (.property(let e, let p), .property(let f, let q)): restoreProperty(e, p, f, q)
    case (.relation(let e, let r), .relation(let f, let s)): restoreRelation(e, r, f, s)
    default: break
    }
  }

  /// The pair that takes the place of another one.
  private mutating func replacement(of pair: IDPair, by old: IDPair) -> IDPair {
    if pair.uid == old.uid { return pair }
    dropped.insert(pair.uid)
    restored.insert(old.uid)
    return old
  }

  private mutating func restoreProperty(_ e: Int, _ p: Int, _ f: Int, _ q: Int) {
    let before = old.entities[e].properties[p]
    let now = new.entities[f].properties[q]
    let kept = replacement(of: now.pair, by: before.pair)
    new.entities[f].properties[q].pair = kept
    if let index = before.indexID, let current = now.indexID {
      let keptIndex = replacement(of: current, by: index)
      new.entities[f].properties[q].indexID = keptIndex
    }
  }

  private mutating func restoreRelation(_ e: Int, _ r: Int, _ f: Int, _ s: Int) {
    guard let before = old.entities[e].relations?[r].pair,
      let now = new.entities[f].relations?[s].pair
    else { return }
    let kept = replacement(of: now, by: before)
    new.entities[f].relations?[s].pair = kept
  }

  private mutating func restoreEntity(_ a: Int, _ b: Int) {
    let gone = new.entities[b].pair
    let kept = old.entities[a]
    let pair = replacement(of: gone, by: kept.pair)
    new.entities[b].pair = pair
    targets[gone.uid] = kept.pair
    let properties = Dictionary(
      kept.properties.enumerated().map { (TypedName($1), $0) }
    ) { first, _ in first }
    for (q, property) in new.entities[b].properties.enumerated() {
      if let match = properties[TypedName(property)] { restoreProperty(a, match, b, q) }
    }
    let members = MemberIndex(kept)
    for (s, relation) in (new.entities[b].relations ?? []).enumerated() {
      if let match = members.relation(named: relation.name) { restoreRelation(a, match, b, s) }
    }
    // The rest of the new entity needs numbers that the old one has not assigned.
    var last = kept.lastPropertyID ?? .unset
    for q in new.entities[b].properties.indices
    where !restored.contains(new.entities[b].properties[q].pair.uid) {
      guard let id = IDPair.nextID(after: last.id) else { break }
      last = IDPair(id: id, uid: new.entities[b].properties[q].pair.uid)
      new.entities[b].properties[q].pair = last
    }
    new.entities[b].lastPropertyID = last
    let left = Set(new.entities[b].properties.map(\.pair.uid))
    for property in kept.properties where !left.contains(property.pair.uid) {
      retired.append(ElementKey(.property, property.pair.uid))
      if let index = property.indexID { retired.append(ElementKey(.index, index.uid)) }
    }
  }

  /// The model with its counters and lists in order.
  func finished() -> Model {
    var model = new
    for e in model.entities.indices {
      for r in model.entities[e].relations?.indices ?? 0..<0 {
        guard let uid = model.entities[e].relations?[r].target.uid, let pair = targets[uid] else {
          continue
        }
        model.entities[e].relations?[r].target = pair
      }
    }
    model.apply(.retire(retired))
    for kind in ElementKind.allCases { model[retired: kind]?.removeAll { restored.contains($0) } }
    let lookup = ModelLookup(model)
    func settle(_ kind: ElementKind, _ last: IDPair?, _ before: IDPair?, _ live: [IDPair])
      -> IDPair?
    {
      guard let last, dropped.contains(last.uid), lookup[kind, last.uid] == nil else { return last }
      let highest = (live + [before ?? .unset]).max { $0.id < $1.id } ?? .unset
      return highest
    }
    let indexes = model.entities.flatMap { $0.properties.compactMap(\.indexID) }
    let relations = model.entities.flatMap { ($0.relations ?? []).map(\.pair) }
    model.lastEntityID = settle(
      .entity, model.lastEntityID, old.lastEntityID, model.entities.map(\.pair))
    model.lastIndexID = settle(.index, model.lastIndexID, old.lastIndexID, indexes)
    model.lastRelationID = settle(.relation, model.lastRelationID, old.lastRelationID, relations)
    for e in model.entities.indices {
      let before = oldLookup.entity(model.entities[e].pair.uid).map {
        old.entities[$0].lastPropertyID
      }
      model.entities[e].lastPropertyID = settle(
        .property, model.entities[e].lastPropertyID, before ?? nil,
        model.entities[e].properties.map(\.pair))
    }
    return model
  }
}

/// The key by which a property of a renamed entity is found.
private struct TypedName: Hashable {
  private let name: String
  private let type: PropertyType?

  init(_ property: Property) {
    name = foldedName(property.name)
    type = property.type
  }
}
