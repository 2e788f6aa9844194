internal import BoxModel

extension MergeInput {
  /// Whether a decision only repeats an earlier one: ours has given the element another number before, and
  /// theirs still has the number of the base.
  ///
  /// So it is for each commit of a rebase after the one whose element was renumbered. The decision
  /// changes nothing in ours, and was reported when ours changed.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package func isRepeated(_ decision: Decision) -> Bool {
    guard decision.rule == MergeRule.renumbered, decision.side == .theirs,
      let key = decision.element, let before = base?.model.id(of: key),
      let ours = ours.model.id(of: key)
    else { return false }
    return theirs.model.id(of: key) == before && ours != before
  }
}

extension Model {
  /// The number of an element; nil if the element does not exist.
  fileprivate func id(of key: ElementKey) -> UInt32? {
    var result: UInt32?
    forEachElement { place, pair in
      if place.kind == key.kind, pair.uid == key.uid { result = result ?? pair.id }
    }
    return result
  }
}
