import BoxJSON

/// The edit of a model that makes a removal and an addition one element again.
package struct RenameFix: Hashable, Sendable {
  /// The element that was removed, by the old model.
  package var old: ElementKey
  /// The element that took its place, by the new model.
  package var new: ElementKey

  /// Creates an edit.
  package init(old: ElementKey, new: ElementKey) {
    self.old = old
    self.new = new
  }

  /// The description of the edit, for people.
  package var summary: String {
    "give the \(new.kind) the UID \(old.uid) instead of \(new.uid)"
  }

  /// Whether the properties of a new entity can have numbers that an old one has not given.
  package static func hasNumbers(for new: Entity, under old: Entity) -> Bool {
    let given = old.lastPropertyID?.id ?? 0
    return UInt32.max - given >= new.properties.count
  }
}

extension Model {
  /// The model after edits that make renames out of removals and additions.
  ///
  /// The element takes the pair of the old one, and so does its index; for an entity so do the members of equal
  /// name and type. If another element has the number meanwhile, only the UID is taken. The UIDs that are
  /// replaced are retired: a database may know them already.
  ///
  /// - Parameters:
  ///   - fixes: The edits; one for which no numbers are left does nothing.
  ///   - old: The model that has the removed elements.
  /// - Returns: The edited model.
  /// - Complexity: O(*n*) in the number of elements and edits.
  package func restoring(_ fixes: [RenameFix], from old: Model) -> Model {
    var restorer = Restorer(old: old, new: self)
    for fix in fixes { restorer.apply(fix) }
    return restorer.finished()
  }
}

/// Restores the pairs that elements of a new model had in an old one.
private struct Restorer {
  let old: Model
  var new: Model
  private var dropped: Set<ElementKey> = []
  private var numbers: [Counter: Set<UInt32>] = [:]
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
    new.forEachElement { place, pair in
      numbers[new.counter(of: place), default: []].insert(pair.id)
    }
  }

  mutating func apply(_ fix: RenameFix) {
    guard let from = oldLookup[fix.old.kind, fix.old.uid],
      let to = newLookup[fix.new.kind, fix.new.uid], !dropped.contains(fix.new)
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
  private mutating func replacement(
    of pair: IDPair, by old: IDPair, _ counter: Counter
  ) -> IDPair {
    if pair.uid == old.uid { return pair }
    dropped.insert(ElementKey(counter.kind, pair.uid))
    restored.insert(old.uid)
    let isFree = numbers[counter, default: []].insert(old.id).inserted
    return isFree ? old : IDPair(id: pair.id, uid: old.uid)
  }

  private mutating func restoreProperty(_ e: Int, _ p: Int, _ f: Int, _ q: Int) {
    let before = old.entities[e].properties[p]
    let now = new.entities[f].properties[q]
    let counter = Counter.property(entity: new.entities[f].pair.uid)
    let kept = replacement(of: now.pair, by: before.pair, counter)
    new.entities[f].properties[q].pair = kept
    if let index = before.indexID, let current = now.indexID {
      let keptIndex = replacement(of: current, by: index, .index)
      new.entities[f].properties[q].indexID = keptIndex
    }
  }

  private mutating func restoreRelation(_ e: Int, _ r: Int, _ f: Int, _ s: Int) {
    guard let before = old.entities[e].relations?[r].pair,
      let now = new.entities[f].relations?[s].pair
    else { return }
    let kept = replacement(of: now, by: before, .relation)
    new.entities[f].relations?[s].pair = kept
  }

  private mutating func restoreEntity(_ a: Int, _ b: Int) {
    let gone = new.entities[b].pair
    let kept = old.entities[a]
    let pair = replacement(of: gone, by: kept.pair, .entity)
    new.entities[b].pair = pair
    // It takes over the numbers of the old entity.
    numbers[.property(entity: pair.uid)] = []
    targets[gone.uid] = pair
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
    for kind in ElementKind.allCases { model[retired: kind]?.removeAll { restored.contains($0) } }
    let live = ModelLookup(model)
    let gone = dropped.filter { live[$0.kind, $0.uid] == nil }.sorted()
    model.apply(.retire(retired + gone))
    return model
  }
}

/// The key by which a property of a renamed entity is found.
private struct TypedName: Hashable {
  private let name: ExactText
  private let type: PropertyType?

  init(_ property: Property) {
    name = foldedName(property.name)
    type = property.type
  }
}
