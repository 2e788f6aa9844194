import BoxModel

/// Merges lists of UIDs whose order means nothing, and keeps the order that there is.
struct ListMerge {
  /// The list of the base; nil without a base, or if the base does not have the list.
  var base: [UID]?
  var ours: [UID]?
  var theirs: [UID]?
  var hasBase: Bool
  /// Whether a member that one side removed may vanish: not if no other place mentioned its UID
  /// then.
  var mayVanish: (UID) -> Bool

  /// The merged list.
  ///
  /// - Parameters:
  ///   - added: The UIDs that the merge itself adds.
  ///   - live: Whether an element has the UID, so that the list must not contain it.
  /// - Returns: The list; nil where the result has none.
  func merged(adding added: Set<UID>, without live: (UID) -> Bool) -> [UID]? {
    let before = Set(base ?? [])
    let a = Set(ours ?? [])
    let b = Set(theirs ?? [])
    // A UID that one side removed may be left out; a UID that both removed is left out.
    var members = added.union(a.intersection(b))
    for uid in a.symmetricDifference(b) where !before.contains(uid) || !mayVanish(uid) {
      members.insert(uid)
    }
    // A UID in the result that both sides list already is a fault of the sides.
    members = members.filter { uid in
      !live(uid) || (a.contains(uid) && b.contains(uid) && before.contains(uid))
    }
    if members.isEmpty && !isPresent { return nil }
    return ordered(members)
  }

  private var isPresent: Bool {
    if !hasBase { return ours != nil || theirs != nil }
    return (ours != nil) == (base != nil) ? theirs != nil : ours != nil
  }

  /// The order of ours, then what is missing in the order of theirs; only the order of theirs if ours did not
  /// change the list.
  private func ordered(_ members: Set<UID>) -> [UID] {
    let isOfTheirs = hasBase && ours == base
    let (first, second) = isOfTheirs ? (theirs ?? [], ours ?? []) : (ours ?? [], theirs ?? [])
    // A UID that occurs twice on a side occurs twice in what that side alone decides.
    let kept = first.filter(members.contains)
    var placed = Set(kept)
    let appended = second.filter { members.contains($0) && placed.insert($0).inserted }
    return kept + appended + members.subtracting(placed).sorted()
  }
}
