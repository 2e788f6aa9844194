import BoxReport

/// UIDs are unique, over all kinds and the retired lists.
extension ModelChecker {
  mutating func checkUIDs() {
    var first: [UID: ElementPlace] = [:]
    first.reserveCapacity(model.entities.reduce(0) { $0 + $1.properties.count + 1 })
    var duplicates: [(ElementPlace, IDPair, ElementPlace)] = []
    model.forEachElement { place, pair in
      if let other = first[pair.uid] {
        duplicates.append((place, pair, other))
      } else {
        first[pair.uid] = place
      }
    }
    for (place, pair, other) in duplicates {
      // Generators refuse one UID for two entities or properties; an index or a relation that
      // shares one with another kind of element is in files that work.
      let isRefused =
        place.kind == other.kind
        || [place.kind, other.kind].allSatisfy { $0 == .entity || $0 == .property }
      report(
        ModelRule.duplicateUID, severity: isRefused ? .error : .warning, at: pairRange(place),
        "the UID \(pair.uid) of \(model.label(place)) is also the UID of \(model.label(other))",
        advice: "restore the UID of the one that was changed last from version control")
    }
    checkRetiredLists(live: first)
    checkPool(live: first)
  }

  private mutating func checkRetiredLists(live: [UID: ElementPlace]) {
    var retired: [UID: ElementKind] = [:]
    for kind in ElementKind.allCases {
      let key = kind.retiredListKey
      let uids = model[retired: kind] ?? []
      if uids.isEmpty { continue }
      let ranges = listRanges(key)
      guard ranges.count == uids.count else { continue }
      for (uid, range) in zip(uids, ranges) {
        if let place = live[uid] {
          report(
            ModelRule.liveAndRetired, at: range,
            "\(uid) is retired, and is the UID of \(model.label(place))",
            advice: "remove it from \(key), or remove the \(place.kind) from the model",
            fix: .removeRetired(kind, uid, keeping: 0))
        }
        guard let earlier = retired.updateValue(kind, forKey: uid) else { continue }
        if live[uid] != nil { continue }
        report(
          ModelRule.retiredTwice, at: range,
          "\(uid) is retired twice: it is in \(earlier.retiredListKey) already",
          advice: "keep one of the two",
          fix: earlier == kind ? .removeRetired(kind, uid, keeping: 1) : nil)
      }
    }
  }

  private mutating func checkPool(live: [UID: ElementPlace]) {
    let uids = model.newUIDPool ?? []
    let ranges = listRanges("newUidPool")
    guard ranges.count == uids.count else { return }
    for (uid, range) in zip(uids, ranges) {
      if let place = live[uid] {
        report(
          ModelRule.offeredAndUsed, at: range,
          "\(uid) is on offer in newUidPool, and is the UID of \(model.label(place))",
          advice: "remove it from newUidPool", fix: .removeOffered(uid))
      } else if lookup.isRetired(uid) {
        report(
          ModelRule.offeredAndUsed, at: range,
          "\(uid) is on offer in newUidPool, and is retired",
          advice: "remove it from newUidPool", fix: .removeOffered(uid))
      }
    }
  }
}
