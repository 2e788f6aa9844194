import BoxModel

/// Merges the orders of elements, so that it does not matter which side is called ours.
struct SequenceMerge {
  var base: [UID]?
  var ours: [UID]
  var theirs: [UID]
  /// The elements of the result; no other is in the merged order.
  var members: Set<UID>
  /// Whether a side has its elements in the order of their ids.
  var isSorted: BySide<Bool>
  /// The ids that the elements have in the result.
  var id: (UID) -> UInt32

  func merged() -> [UID] {
    let a = ours.filter(members.contains)
    let b = theirs.filter(members.contains)
    if theirs == base || a == b, Set(a).count == members.count { return a }
    if ours == base, Set(b).count == members.count { return b }
    if isSorted.ours && isSorted.theirs { return sorted(members) }
    return interleaved(a, b)
  }

  private func sorted(_ uids: some Sequence<UID>) -> [UID] {
    uids.sorted { (id($0), $0) < (id($1), $1) }
  }

  /// A list of the members of both lists.
  ///
  /// Members that both have are in the order of the side that changed the order. A member that only
  /// one side has follows the member that it follows on that side.
  private func interleaved(_ a: [UID], _ b: [UID]) -> [UID] {
    let inA = Set(a)
    let inB = Set(b)
    let common = inA.intersection(inB)
    let commonA = a.filter(common.contains)
    let commonB = b.filter(common.contains)
    let before = (base ?? []).filter(common.contains)
    let known = Set(before)
    let isChanged = BySide(
      ours: base == nil || commonA.filter(known.contains) != before,
      theirs: base == nil || commonB.filter(known.contains) != before)
    let spine: [UID]
    if commonA == commonB {
      spine = commonA
    } else if isChanged.ours != isChanged.theirs {
      spine = isChanged.ours ? commonA : commonB
    } else if (a.count == members.count) != (b.count == members.count) {
      // One side has all there is: it may be an earlier merge with the other.
      spine = a.count == members.count ? commonA : commonB
    } else {
      // Any choice will do that is the same whichever side is called ours, and stays the same.
      spine = commonA.lexicographicallyPrecedes(commonB) ? commonA : commonB
    }
    let runsA = runs(a, common)
    let runsB = runs(b, common)
    var result: [UID] = []
    var placed: Set<UID> = []
    func place(_ uids: [UID]) {
      for uid in uids where placed.insert(uid).inserted { result.append(uid) }
    }
    func placeRuns(after anchor: UID) {
      let runs = [runsA[anchor], runsB[anchor]].compactMap(\.self).filter { !$0.isEmpty }
      let ordered = runs.sorted { x, y in
        let (a, b) = (lowest(x), lowest(y))
        return a < b
      }
      for run in ordered { place(run) }
    }
    placeRuns(after: 0)
    for uid in spine {
      place([uid])
      placeRuns(after: uid)
    }
    place(sorted(members.subtracting(placed)))
    return result
  }

  private func lowest(_ run: [UID]) -> UInt32 { run.map(id).min() ?? 0 }

  /// The elements of one side alone, by the common element before them; 0 at the beginning.
  private func runs(_ sequence: [UID], _ common: Set<UID>) -> [UID: [UID]] {
    var runs: [UID: [UID]] = [:]
    var anchor: UID = 0
    for uid in sequence {
      if common.contains(uid) { anchor = uid } else { runs[anchor, default: []].append(uid) }
    }
    return runs
  }
}
