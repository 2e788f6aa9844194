import BoxReport

/// Last ids do not go down, and what is retired stays so.
extension SuccessorChecker {
  mutating func checkCounters() {
    checkLast(.entity, at: checker.rootRange("lastEntityId"), highest(.entity))
    checkLast(.index, at: checker.rootRange("lastIndexId"), highest(.index))
    checkLast(.relation, at: checker.rootRange("lastRelationId"), highest(.relation))
    for (e, entity) in model.entities.enumerated()
    where earlierLookup.entity(entity.pair.uid) != nil {
      checkLast(
        .property(entity: entity.pair.uid), at: checker.range(.entity(e), .lastPropertyID),
        entity.properties.map(\.pair).max { $0.id < $1.id }, owner: entity.name)
    }
  }

  /// The pair with the highest id in use.
  private func highest(_ kind: ElementKind) -> IDPair? {
    var result: IDPair?
    model.forEachElement { place, pair in
      if place.kind == kind, pair.id > result?.id ?? 0 { result = pair }
    }
    return result
  }

  private mutating func checkLast(
    _ counter: Counter, at range: Range<Int>, _ highest: IDPair?, owner: String? = nil
  ) {
    guard let before = earlierLookup.last(counter, in: earlier), !before.isUnset else { return }
    let last = lookup.last(counter, in: model) ?? .unset
    guard last.id < before.id else { return }
    // No UID could be paired with a higher number.
    if let settled, settled.lasts[counter] == last { return }
    let key = counter.kind.lastPairKey
    let inOwner = owner.map { " of \($0)" } ?? ""
    // The higher of what was given before and what is in use; with one id for two it is unclear.
    var fix: ModelEdit?
    if let pair = settled?.lasts[counter] {
      fix = .setLast(counter, pair)
    } else if let highest, highest.id >= before.id {
      if highest.id > before.id || highest == before { fix = .setLast(counter, highest) }
    } else if lookup.isRetired(counter.kind, before.uid) || lookup[counter.kind, before.uid] == nil
    {
      // The UID of a pair must not belong to an element with another id.
      fix = .setLast(counter, before)
    }
    checker.report(
      ModelRule.lastIDLowered, at: range,
      "\(key)\(inOwner) is \(last.id), and was \(before.id) before",
      advice:
        "set it back to \"\(before)\": ids up to \(before.id) were given, and a database that "
        + "knows them does not open with a lower one", fix: fix)
  }

  mutating func checkRetiredLists() {
    for kind in ElementKind.allCases {
      let lost = (earlier[retired: kind] ?? []).filter {
        !lookup.isRetired($0) && !lookup.isLive($0)
      }
      guard let first = lost.first else { continue }
      let key = kind.retiredListKey
      let list = checker.rootRange(key)
      checker.report(
        ModelRule.retirementLost, at: list.lowerBound..<list.lowerBound + 1,
        lost.count == 1
          ? "\(first) was in \(key), and is missing now"
          : "\(first) and \(lost.count - 1) more were in \(key), and are missing now",
        advice: "put it back, so that it is never given again",
        fix: .retire(lost.map { ElementKey(kind, $0) }))
    }
  }
}
