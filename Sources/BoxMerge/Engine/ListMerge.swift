import BoxModel

/// Merges lists of UIDs whose order means nothing, and keeps the order that there is.
struct ListMerge {
  /// The list of the base; nil where there is no base, or the base has no such list.
  var base: [UID]?
  var ours: [UID]?
  var theirs: [UID]?
  var hasBase: Bool
  /// Whether a member that one side took out may go: not if the UID were then nowhere.
  var mayVanish: (UID) -> Bool

  /// The merged list.
  ///
  /// - Parameters:
  ///   - added: What the merge itself adds.
  ///   - live: What must not be in the list.
  /// - Returns: The list; nil where the result has none.
  func merged(adding added: Set<UID>, without live: (UID) -> Bool) -> [UID]? {
    let before = Set(base ?? [])
    let a = Set(ours ?? [])
    let b = Set(theirs ?? [])
    var members = added
    for uid in before.union(a).union(b) {
      let stays =
        before.contains(uid)
        ? (a.contains(uid) && b.contains(uid)) || !mayVanish(uid)
        : true
      if stays { members.insert(uid) }
    }
    // What was in the result and in a list of both sides before is a fault of the sides.
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

  private func ordered(_ members: Set<UID>) -> [UID] {
    let start: [UID]
    if ours == theirs || (hasBase && theirs == base) {
      start = ours ?? []
    } else if hasBase && ours == base {
      start = theirs ?? []
    } else if hasBase {
      start = base ?? []
    } else {
      let common = Set(ours ?? []).intersection(theirs ?? [])
      start = common.sorted()
    }
    // A UID that stands twice on a side stands twice in what that side alone decides.
    let kept = start.filter(members.contains)
    return kept + members.subtracting(kept).sorted()
  }
}
