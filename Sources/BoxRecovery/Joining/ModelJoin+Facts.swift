import BoxModel

extension ModelJoin {
  /// Gives elements the pairs that the user stated.
  ///
  /// These replace the pairs of all sources: an error message of a database has the right one.
  package mutating func apply(_ facts: [StatedFact]) {
    for (position, fact) in facts.enumerated() {
      if let other = facts[..<position].first(where: {
        $0.label == fact.label && $0.pair != fact.pair
      }) {
        conflicts.append(
          RecoveryConflict(
            element: fact.label, statements: ["stated as \(other.pair)", "stated as \(fact.pair)"]))
        continue
      }
      apply(fact)
    }
  }

  private mutating func apply(_ fact: StatedFact) {
    if nameRelation(fact) { return }
    guard let place = fact.place(in: model), let old = model.pair(at: place) else {
      notes.append("\(fact.label) was stated as \(fact.pair), and no source has such an element")
      return
    }
    if old == fact.pair { return }
    var holder: String?
    model.forEachElement { other, pair in
      guard other != place, model.counter(of: other) == model.counter(of: place) else { return }
      if pair.id == fact.pair.id || pair.uid == fact.pair.uid {
        holder = "\(model.label(other)) \(pair)"
      }
    }
    if let holder {
      conflicts.append(
        RecoveryConflict(
          element: fact.label,
          statements: ["stated as \(fact.pair)", "\(holder) has the same id or UID"]))
      return
    }
    set(fact.pair, at: place, old)
    changes.append("\(fact.label) is \(fact.pair), as stated, and not \(old)")
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

  private mutating func set(_ pair: IDPair, at place: ElementPlace, _ old: IDPair) {
    let counter = model.counter(of: place)
    switch place {
    case .entity(let e):
      model.entities[e].pair = pair
      for other in model.entities.indices {
        for r in (model.entities[other].relations ?? []).indices
        where model.entities[other].relations?[r].target == old {
          model.entities[other].relations?[r].target = pair
        }
      }
    case .property(let e, let p): model.entities[e].properties[p].pair = pair
    case .index(let e, let p): model.entities[e].properties[p].indexID = pair
    case .relation(let e, let r): model.entities[e].relations?[r].pair = pair
    }
    if let last = model[last: counter], last == old || last.id < pair.id {
      model[last: counter] = pair
    }
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
