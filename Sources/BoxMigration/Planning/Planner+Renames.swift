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
    // First those of the same name, so that none of them is taken by a guess.
    for isByName in [true, false] {
      // A guess compares each with each.
      if !isByName, removed.count * added.count > 10_000 { return }
      for before in removed
      where !isCovered(.element(ElementKey(.entity, old.entities[before].pair.uid))) {
        let match = added.enumerated().compactMap { offset, after in
          likeness(old.entities[before], new.entities[after], byName: isByName).map {
            (offset: offset, score: $0)
          }
        }.max { $0.score < $1.score }
        guard let match else { continue }
        planEntityPair(before, added.remove(at: match.offset), isReset: isByName)
      }
    }
  }

  /// How alike two entities are; nil where one is not the other.
  private func likeness(_ a: Entity, _ b: Entity, byName: Bool) -> Double? {
    let isSameName = foldedName(a.name) == foldedName(b.name)
    if byName { return isSameName ? 1 : nil }
    func signature(_ entity: Entity) -> Set<String> {
      Set(
        entity.properties.filter { !$0.flags.contains(.id) }.map {
          "\(foldedName($0.name)) \($0.type?.rawValue ?? 0)"
        })
    }
    let (first, second) = (signature(a), signature(b))
    let larger = max(first.count, second.count)
    let common = first.intersection(second).count
    guard larger > 0,
      common * 2 > larger || (common * 2 == larger && areSimilarNames(a.name, b.name))
    else { return nil }
    if common < 2, !areSimilarNames(a.name, b.name) { return nil }
    return Double(common) / Double(larger) + (areSimilarNames(a.name, b.name) ? 1 : 0)
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
    func gone() -> [Int] {
      old.entities[before].properties.indices.filter {
        isOpen(.property, old.entities[before].properties[$0].pair.uid, isAdded: false)
      }
    }
    func come() -> [Int] {
      new.entities[after].properties.indices.filter {
        let pair = new.entities[after].properties[$0].pair
        return isOpen(.property, pair.uid, isAdded: true) && !oldLookup.isRetired(pair.uid)
      }
    }
    func isSameType(_ a: Property, _ b: Property) -> Bool {
      a.type == b.type && a.flags.contains(.unsigned) == b.flags.contains(.unsigned)
        && a.flags.contains(.id) == b.flags.contains(.id)
        && old.target(of: a, oldLookup) == new.target(of: b, newLookup)
    }
    for p in gone() {
      let a = old.entities[before].properties[p]
      let match = come().first {
        foldedName(new.entities[after].properties[$0].name) == foldedName(a.name)
      }
      guard let q = match else { continue }
      let isSame = isSameType(a, new.entities[after].properties[q])
      planPropertyPair(
        before, p, after, q, isSame ? ChangeRule.uidReset : ChangeRule.typeChangedByReset)
    }
    for p in gone() {
      let a = old.entities[before].properties[p]
      let candidates = come().filter {
        let b = new.entities[after].properties[$0]
        return isSameType(a, b) && areSimilarNames(a.name, b.name)
      }
      // The place in the list is what a rename in the sources keeps.
      if let q = candidates.min(by: { abs($0 - p) < abs($1 - p) }) {
        planPropertyPair(before, p, after, q, ChangeRule.probableRename)
      }
    }
    for p in gone() {
      let a = old.entities[before].properties[p]
      let candidates = come().filter { isSameType(a, new.entities[after].properties[$0]) }
      let rivals = gone().filter { other in
        let b = old.entities[before].properties[other]
        return b.type == a.type && b.flags.contains(.unsigned) == a.flags.contains(.unsigned)
      }
      if candidates.count == 1, rivals.count == 1 {
        planPropertyPair(before, p, after, candidates[0], ChangeRule.possibleRename)
      }
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
    for (r, a) in (old.entities[before].relations ?? []).enumerated()
    where isOpen(.relation, a.pair.uid, isAdded: false) {
      let candidates = (new.entities[after].relations ?? []).enumerated().filter {
        isOpen(.relation, $0.element.pair.uid, isAdded: true)
          && !oldLookup.isRetired($0.element.pair.uid) && $0.element.target.uid == a.target.uid
      }
      let match =
        candidates.first { foldedName($0.element.name) == foldedName(a.name) }
        ?? candidates.first { areSimilarNames($0.element.name, a.name) }
        ?? (candidates.count == 1 ? candidates.first : nil)
      guard let (s, b) = match.map({ ($0.offset, $0.element) }) else { continue }
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

  /// A relation to many that became a property of the same name, or the other way round.
  private mutating func pairKinds(_ before: Int, _ after: Int) {
    func names(_ entity: Entity, isAdded: Bool) -> [(
      name: String, kind: ElementKind, place: Int, uid: UID
    )] {
      entity.properties.enumerated().map {
        (foldedName($0.element.name), .property, $0.offset, $0.element.pair.uid)
      }.filter { isOpen(.property, $0.3, isAdded: isAdded) }
        + (entity.relations ?? []).enumerated().map {
          (foldedName($0.element.name), .relation, $0.offset, $0.element.pair.uid)
        }.filter { isOpen(.relation, $0.3, isAdded: isAdded) }
    }
    let come = names(new.entities[after], isAdded: true)
    for gone in names(old.entities[before], isAdded: false) {
      guard let match = come.first(where: { $0.name == gone.name && $0.kind != gone.kind }) else {
        continue
      }
      func place(_ entity: Int, _ kind: ElementKind, _ position: Int) -> ElementPlace {
        kind == .property
          ? .property(entity: entity, position) : .relation(entity: entity, position)
      }
      let oldPlace = place(before, gone.kind, gone.place)
      let newPlace = place(after, match.kind, match.place)
      add(
        ChangeRule.kindReplaced,
        Subject(
          kind: gone.kind, uid: gone.uid, oldPlace: oldPlace, newPlace: newPlace, key: nil),
        before: "\(gone.kind) \(PlanWords.summary(old, oldPlace))",
        after: "\(match.kind) \(PlanWords.summary(new, newPlace))",
        "\(new.label(newPlace)) is a \(match.kind) now, and was a \(gone.kind)",
        covers: coverage(with: oldPlace, of: old) + coverage(with: newPlace, of: new)
      ) { planner, step in
        step.engine = planner.unretired(
          planner.limited(planner.withoutID(step.engine, oldPlace), newPlace), gone.kind, gone.uid)
      }
    }
  }

  /// The annotation and the edit that make it a rename.
  private static func remedy(_ step: PlanStep, _ fix: RenameFix, _ name: String) -> String {
    let annotation =
      "write `// objectbox: uid = \(fix.old.uid)` before \(name) (`@Uid(\(fix.old.uid))` in Java "
      + "and Kotlin), or let `boxjoint plan --fix` put the UID into the file"
    let otherwise = step.changeClass > .dataHidden || step.objectBox.changeClass > .dataHidden
    return "to keep the data, \(annotation)"
      + (otherwise ? "; if the old data is not wanted, approve the change" : "")
  }
}
