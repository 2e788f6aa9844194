import BoxJSON
import BoxModel

extension ModelJoin {
  /// Adds the evidence of several sources, the newest first, with the pairs that the user stated.
  ///
  /// These replace the pairs of all sources: an error message of a database has the right one. So an
  /// element that is stated is not a conflict.
  ///
  /// - Complexity: O(*n* · *m*) for *n* elements and *m* sources.
  package mutating func add(_ sources: [Evidence], stating facts: [StatedFact]) {
    let facts = consistent(facts)
    if base != nil {
      for fact in facts where fact.place(in: model) != nil { apply(fact) }
      lookup = ElementLookup(model)
    }
    add(
      sources.map { source in
        var stated = source
        for fact in facts {
          if let old = stated.state(fact) { noteStated(fact, old) }
        }
        return stated
      })
    for fact in facts { apply(fact) }
  }

  /// The facts, but for those that contradict one before them, which is a conflict.
  private mutating func consistent(_ facts: [StatedFact]) -> [StatedFact] {
    var result: [StatedFact] = []
    for fact in facts {
      if let other = result.first(where: {
        $0.label.hasSameBytes(as: fact.label) && $0.pair != fact.pair
      }) {
        conflicts.append(
          RecoveryConflict(
            element: fact.label, statements: ["stated as \(other.pair)", "stated as \(fact.pair)"]))
      } else {
        result.append(fact)
      }
    }
    return result
  }

  private mutating func noteStated(_ fact: StatedFact, _ old: IDPair) {
    let change = "\(fact.label) is \(fact.pair), as stated, and not \(old)"
    if !changes.contains(change) { changes.append(change) }
  }

  private mutating func apply(_ fact: StatedFact) {
    if nameRelation(fact) { return }
    guard let place = fact.place(in: model), let old = model.pair(at: place) else {
      notes.append("\(fact.label) was stated as \(fact.pair), and no source has such an element")
      return
    }
    if old == fact.pair { return }
    if let holder = model.holder(of: fact.pair, besides: place) {
      conflicts.append(
        RecoveryConflict(
          element: fact.label,
          statements: ["stated as \(fact.pair)", "\(holder) has the same id or UID"]))
      return
    }
    model.set(fact.pair, at: place, old)
    noteStated(fact, old)
  }

  /// Names a relation whose pair was stated, and whose name no source has.
  private mutating func nameRelation(_ fact: StatedFact) -> Bool {
    guard let name = fact.member, !fact.isIndex else { return false }
    for e in model.entities.indices
    where foldedName(model.entities[e].name) == foldedName(fact.entity) {
      for r in (model.entities[e].relations ?? []).indices {
        guard let relation = model.entities[e].relations?[r], relation.name.isEmpty,
          relation.pair == fact.pair
        else { continue }
        model.entities[e].relations?[r].name = name
        return true
      }
    }
    return false
  }

  /// Retires the elements that a store hides and that the model neither has nor lists.
  package mutating func addHidden(_ hidden: [HiddenFact], of source: String) {
    let live = model.elementKeys
    for fact in hidden {
      if live.contains(fact.key) {
        notes.append("\(fact.label) is in the model, and hidden in \(source)")
      } else if !lookup.isRetired(fact.key) {
        retire(fact.key.kind, fact.key.uid)
        changes.append("retired \(fact.label) \(fact.key.uid), which \(source) hides")
      }
    }
  }
}

extension Evidence {
  /// Gives an element the pair that the user stated.
  ///
  /// - Returns: The pair that it had; nil if it has the stated one, does not exist, or another element has
  ///   the id or the UID.
  fileprivate mutating func state(_ fact: StatedFact) -> IDPair? {
    guard let place = fact.place(in: model), let old = model.pair(at: place), old != fact.pair,
      model.holder(of: fact.pair, besides: place) == nil
    else { return nil }
    places[ElementKey(place.kind, fact.pair.uid)] = places[ElementKey(place.kind, old.uid)]
    model.set(fact.pair, at: place, old)
    return old
  }

  /// The evidence with the pairs that the user stated.
  package func stating(_ facts: [StatedFact]) -> Evidence {
    var stated = self
    for fact in facts { _ = stated.state(fact) }
    return stated
  }
}

extension Model {
  /// The other element with the id or the UID of a pair, and its own pair; nil without one.
  fileprivate func holder(of pair: IDPair, besides place: ElementPlace) -> String? {
    var holder: String?
    forEachElement { other, theirs in
      guard other != place, counter(of: other) == counter(of: place) else { return }
      if theirs.id == pair.id || theirs.uid == pair.uid { holder = "\(label(other)) \(theirs)" }
    }
    return holder
  }

  /// Gives an element another pair, and refers to it by that.
  fileprivate mutating func set(_ pair: IDPair, at place: ElementPlace, _ old: IDPair) {
    let counter = counter(of: place)
    switch place {
    case .entity(let e):
      entities[e].pair = pair
      for other in entities.indices {
        for r in (entities[other].relations ?? []).indices
        where entities[other].relations?[r].target == old {
          entities[other].relations?[r].target = pair
        }
      }
    case .property(let e, let p): entities[e].properties[p].pair = pair
    case .index(let e, let p): entities[e].properties[p].indexID = pair
    case .relation(let e, let r): entities[e].relations?[r].pair = pair
    }
    if let last = self[last: counter], last == old || last.id < pair.id {
      self[last: counter] = pair
    }
  }
}
