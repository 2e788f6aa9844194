internal import BoxConvert
internal import BoxJSON
internal import BoxModel

/// Removals and additions that are probably one change.
extension Planner {
  /// Entities that were removed, with those that seem to have taken their places.
  mutating func pairEntities() {
    let removed = difference.sortedKeys.compactMap { key -> Int? in
      guard key.kind == .entity, !isCovered(.element(key)),
        case .removed? = difference[.entity, key.uid], !isYetToBeMerged(key)
      else { return nil }
      return oldLookup.entity(key.uid)
    }
    var added = difference.sortedKeys.compactMap { key -> Int? in
      guard key.kind == .entity, !isCovered(.element(key)), difference[.entity, key.uid] == .added
      else { return nil }
      return newLookup.entity(key.uid)
    }
    if removed.isEmpty || added.isEmpty { return }
    // First elements of the same name, so that no guess takes one of them.
    var byName = FirstByKey(added.map { (foldedName(new.entities[$0].name), $0) })
    var taken: Set<Int> = []
    for before in removed where isOpen(before) {
      guard let after = byName.removeFirst(foldedName(old.entities[before].name)) else { continue }
      taken.insert(after)
      planEntityPair(before, after, isReset: true)
    }
    added.removeAll(where: taken.contains)
    guessEntities(removed.filter(isOpen), added)
  }

  private func isOpen(_ before: Int) -> Bool {
    !isCovered(.element(ElementKey(.entity, old.entities[before].pair.uid)))
  }

  /// The maximum number of pairs of names that are compared to guess renames.
  ///
  /// A pair is a removed element and an added one that could replace it. The limit holds for one
  /// entity, and for the entities of the model.
  ///
  /// Above the limit nothing is guessed, so that planning takes time linear in the size of the
  /// models.
  static var maximumGuesses: Int { 10_000 }

  private mutating func guessEntities(_ removed: [Int], _ added: [Int]) {
    if removed.count * added.count > Self.maximumGuesses { return }
    var left = added.map { (position: $0, shape: EntityShape(new.entities[$0])) }
    for before in removed where isOpen(before) {
      let shape = EntityShape(old.entities[before])
      let match = left.enumerated().compactMap { offset, candidate in
        shape.similarity(to: candidate.shape).map { (offset: offset, score: $0) }
      }.max { $0.score < $1.score }
      guard let match else { continue }
      planEntityPair(before, left.remove(at: match.offset).position, isReset: false)
    }
  }

  private mutating func planEntityPair(_ before: Int, _ after: Int, isReset: Bool) {
    let (oldPlace, newPlace) = (ElementPlace.entity(before), ElementPlace.entity(after))
    let (a, b) = (old.entities[before], new.entities[after])
    let fix = RenameFix(
      old: ElementKey(.entity, a.pair.uid), new: ElementKey(.entity, b.pair.uid))
    add(
      isReset ? ChangeRule.uidReset : ChangeRule.probableEntityRename,
      Subject(kind: .entity, uid: a.pair.uid, oldPlace: oldPlace, newPlace: newPlace, key: nil),
      before: PlanWords.summary(old, oldPlace), after: PlanWords.summary(new, newPlace),
      isReset
        ? "the entity \(a.name) has the UID \(b.pair.uid), and had \(a.pair.uid)"
        : "the entity \(a.name) was removed, and \(b.name) with most of its properties added",
      covers: coverage(with: oldPlace, of: old) + coverage(with: newPlace, of: new)
    ) { planner, step in
      if RenameFix.hasNumbers(for: b, under: a) {
        step.fix = fix
        step.remedy = Self.remedy(step, fix, b.name)
      } else {
        step.remedy =
          "restore the lastPropertyId of \(a.name) from version control: above "
          + "\(a.lastPropertyID ?? .unset) no ids are left for the properties of \(b.name)"
      }
      step.engine = planner.unretired(
        planner.limited(step.engine, newPlace), .entity, a.pair.uid)
    }
  }

  /// Properties and relations that were removed, with those that seem to have taken their places.
  mutating func pairMembers() {
    var owners: Set<Int> = []
    for (key, change) in difference.changes {
      guard case .removed = change, key.kind == .property || key.kind == .relation,
        !isCovered(.element(key)), let place = oldLookup[key.kind, key.uid]
      else { continue }
      owners.insert(place.entity)
    }
    for before in owners.sorted() {
      guard let after = newLookup.entity(old.entities[before].pair.uid) else { continue }
      pairProperties(before, after)
      pairRelations(before, after)
      pairKinds(before, after)
    }
  }

  private func isOpen(_ kind: ElementKind, _ uid: UID, isAdded: Bool) -> Bool {
    if isCovered(.element(ElementKey(kind, uid))) { return false }
    switch difference[kind, uid] {
    case .added: return isAdded
    case .removed: return !isAdded && !isYetToBeMerged(ElementKey(kind, uid))
    case .changed, nil: return false
    }
  }

  private mutating func pairProperties(_ before: Int, _ after: Int) {
    let (removed, added) = (old.entities[before].properties, new.entities[after].properties)
    var openRemoved = removed.indices.filter {
      isOpen(.property, removed[$0].pair.uid, isAdded: false)
    }
    var openAdded = added.indices.filter {
      let uid = added[$0].pair.uid
      return isOpen(.property, uid, isAdded: true) && !oldLookup.isRetired(uid)
    }
    func isGone(_ p: Int) -> Bool { isOpen(.property, removed[p].pair.uid, isAdded: false) }
    func isCome(_ q: Int) -> Bool { isOpen(.property, added[q].pair.uid, isAdded: true) }
    let oldTypes = removed.map { ComparedType($0, old.target(of: $0, oldLookup)) }
    let newTypes = added.map { ComparedType($0, new.target(of: $0, newLookup)) }

    var byName = FirstByKey(openAdded.map { (foldedName(added[$0].name), $0) })
    for p in openRemoved where isGone(p) {
      guard let q = byName.removeFirst(foldedName(removed[p].name), where: isCome) else { continue }
      planPropertyPair(
        before, p, after, q,
        oldTypes[p] == newTypes[q] ? ChangeRule.uidReset : ChangeRule.typeChangedByReset)
    }
    openRemoved = openRemoved.filter(isGone)
    openAdded = openAdded.filter(isCome)
    let comeByType = Dictionary(grouping: openAdded) { newTypes[$0] }
    let guesses = openRemoved.reduce(0) { $0 + (comeByType[oldTypes[$1]]?.count ?? 0) }
    if guesses <= Self.maximumGuesses {
      let shapes = Dictionary(
        uniqueKeysWithValues: openAdded.map { ($0, NameShape(added[$0].name)) })
      for p in openRemoved where isGone(p) {
        let shape = NameShape(removed[p].name)
        let candidates = (comeByType[oldTypes[p]] ?? []).filter { q in
          isCome(q) && shapes[q].map(shape.isSimilar) ?? false
        }
        // The place in the list is what a rename in the sources keeps.
        if let q = candidates.min(by: { abs($0 - p) < abs($1 - p) }) {
          planPropertyPair(before, p, after, q, ChangeRule.probableRename)
        }
      }
      openRemoved = openRemoved.filter(isGone)
      openAdded = openAdded.filter(isCome)
    }
    let rivals = Dictionary(grouping: openRemoved) { oldTypes[$0].kind }
    let candidates = Dictionary(grouping: openAdded) { newTypes[$0] }
    for p in openRemoved where rivals[oldTypes[p].kind]?.count == 1 {
      guard let found = candidates[oldTypes[p]], found.count == 1 else { continue }
      planPropertyPair(before, p, after, found[0], ChangeRule.possibleRename)
    }
  }

  private mutating func planPropertyPair(
    _ before: Int, _ p: Int, _ after: Int, _ q: Int, _ rule: ChangeRule
  ) {
    let (oldPlace, newPlace) = (
      ElementPlace.property(entity: before, p), ElementPlace.property(entity: after, q)
    )
    let (a, b) = (old.entities[before].properties[p], new.entities[after].properties[q])
    let fix = RenameFix(
      old: ElementKey(.property, a.pair.uid), new: ElementKey(.property, b.pair.uid))
    let isTypeChange = rule == ChangeRule.typeChangedByReset
    let label = new.label(newPlace)
    let message =
      isTypeChange || rule == ChangeRule.uidReset
      ? "\(label) has the UID \(b.pair.uid), and had \(a.pair.uid)"
        + (isTypeChange ? ": it starts as a new property of another type" : "")
      : "\(old.label(oldPlace)) was removed, and \(label) of the same type added"
    add(
      rule,
      Subject(kind: .property, uid: a.pair.uid, oldPlace: oldPlace, newPlace: newPlace, key: nil),
      before: PlanWords.summary(old, oldPlace), after: PlanWords.summary(new, newPlace), message,
      covers: coverage(with: oldPlace, of: old) + coverage(with: newPlace, of: new)
    ) { planner, step in
      if isTypeChange {
        if let from = a.type, let to = b.type, from != to {
          step.conversion = TypeConversion(
            from: from, a.flags, to: to, b.flags, of: planner.old.label(oldPlace))
        }
      } else {
        step.fix = fix
        step.remedy = Self.remedy(step, fix, label)
      }
      step.engine = planner.unretired(
        planner.limited(planner.withoutID(step.engine, oldPlace), newPlace), .property, a.pair.uid)
    }
  }

  private mutating func pairRelations(_ before: Int, _ after: Int) {
    let added = new.entities[after].relations ?? []
    let removed = old.entities[before].relations ?? []
    func isCome(_ s: Int) -> Bool { isOpen(.relation, added[s].pair.uid, isAdded: true) }
    let openAdded = added.indices.filter { isCome($0) && !oldLookup.isRetired(added[$0].pair.uid) }
    var byName = FirstByKey(openAdded.map { (TargetedName(added[$0]), $0) })
    var byTarget = Dictionary(grouping: openAdded) { added[$0].target.uid }
    let guesses = Dictionary(grouping: removed, by: \.target.uid).mapValues(\.count)
    for (r, a) in removed.enumerated() where isOpen(.relation, a.pair.uid, isAdded: false) {
      var match = byName.removeFirst(TargetedName(a), where: isCome)
      let target = a.target.uid
      if match == nil, let all = byTarget[target],
        all.count == 1 || all.count * (guesses[target] ?? 0) <= Self.maximumGuesses
      {
        let candidates = all.filter(isCome)
        byTarget[target] = candidates
        match =
          candidates.first { areSimilarNames(added[$0].name, a.name) }
          ?? (candidates.count == 1 ? candidates.first : nil)
      }
      guard let s = match else { continue }
      let b = added[s]
      let isReset = foldedName(a.name) == foldedName(b.name)
      let (oldPlace, newPlace) = (
        ElementPlace.relation(entity: before, r), ElementPlace.relation(entity: after, s)
      )
      let fix = RenameFix(
        old: ElementKey(.relation, a.pair.uid), new: ElementKey(.relation, b.pair.uid))
      let label = new.label(newPlace)
      add(
        isReset
          ? ChangeRule.uidReset
          : areSimilarNames(a.name, b.name)
            ? ChangeRule.probableRename : ChangeRule.possibleRename,
        Subject(kind: .relation, uid: a.pair.uid, oldPlace: oldPlace, newPlace: newPlace, key: nil),
        before: PlanWords.summary(old, oldPlace), after: PlanWords.summary(new, newPlace),
        isReset
          ? "\(label) has the UID \(b.pair.uid), and had \(a.pair.uid)"
          : "\(old.label(oldPlace)) was removed, and \(label) to the same entity added",
        covers: coverage(with: oldPlace, of: old) + coverage(with: newPlace, of: new)
      ) { planner, step in
        step.fix = fix
        step.remedy = Self.remedy(step, fix, label)
        step.engine = planner.unretired(step.engine, .relation, a.pair.uid)
      }
    }
  }

  /// A to-many relation that became a property of the same name, or the other way round.
  private mutating func pairKinds(_ before: Int, _ after: Int) {
    func names(_ entity: Entity, isAdded: Bool) -> [(
      name: ExactText, kind: ElementKind, place: Int, uid: UID
    )] {
      entity.properties.enumerated().map {
        (foldedName($0.element.name), .property, $0.offset, $0.element.pair.uid)
      }.filter { isOpen(.property, $0.3, isAdded: isAdded) }
        + (entity.relations ?? []).enumerated().map {
          (foldedName($0.element.name), .relation, $0.offset, $0.element.pair.uid)
        }.filter { isOpen(.relation, $0.3, isAdded: isAdded) }
    }
    let added = Dictionary(
      names(new.entities[after], isAdded: true).map {
        (KindAndName(kind: $0.kind, name: $0.name), $0)
      }
    ) { first, _ in first }
    for removed in names(old.entities[before], isAdded: false) {
      let kind: ElementKind = removed.kind == .property ? .relation : .property
      guard let match = added[KindAndName(kind: kind, name: removed.name)] else { continue }
      func place(_ entity: Int, _ kind: ElementKind, _ position: Int) -> ElementPlace {
        kind == .property
          ? .property(entity: entity, position) : .relation(entity: entity, position)
      }
      let oldPlace = place(before, removed.kind, removed.place)
      let newPlace = place(after, match.kind, match.place)
      add(
        ChangeRule.kindReplaced,
        Subject(
          kind: removed.kind, uid: removed.uid, oldPlace: oldPlace, newPlace: newPlace, key: nil),
        before: "\(removed.kind) \(PlanWords.summary(old, oldPlace))",
        after: "\(match.kind) \(PlanWords.summary(new, newPlace))",
        "\(new.label(newPlace)) is a \(match.kind) now, and was a \(removed.kind)",
        covers: coverage(with: oldPlace, of: old) + coverage(with: newPlace, of: new)
      ) { planner, step in
        step.engine = planner.unretired(
          planner.limited(planner.withoutID(step.engine, oldPlace), newPlace), removed.kind,
          removed.uid)
      }
    }
  }

  /// The annotation and the edit that make it a rename.
  private static func remedy(_ step: PlanStep, _ fix: RenameFix, _ name: String) -> String {
    let annotation =
      "write `// objectbox: uid = \(fix.old.uid)` before \(name) (`@Uid(\(fix.old.uid))` in Java "
      + "and Kotlin), or let `boxjoint plan --fix OLD FILE` put the UID into the file"
    let otherwise = step.changeClass > .dataHidden || step.objectBox.changeClass > .dataHidden
    return "to keep the data, \(annotation)"
      + (otherwise ? "; if the old data is not wanted, approve the change" : "")
  }
}
