import BoxModel

extension MergeInput {
  /// Merges.
  public func merged() throws(MergeRefusal) -> MergeResult {
    MergeResult(bytes: ours.bytes, decisions: [], conflicts: [], resolved: [:])
  }
}
