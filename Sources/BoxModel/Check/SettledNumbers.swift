/// The ids and last pairs that a model has by the rules of merging, for the check of a model as the successor of
/// another.
package struct SettledNumbers: Sendable {
  /// The id of each element.
  package var ids: [ElementKey: UInt32]
  /// The last pair of each counter.
  package var lasts: [Counter: IDPair]
  /// The elements whose ids are published, each with the name of the ref.
  package var published: [ElementKey: String]

  /// Creates numbers.
  package init(
    ids: [ElementKey: UInt32], lasts: [Counter: IDPair], published: [ElementKey: String]
  ) {
    self.ids = ids
    self.lasts = lasts
    self.published = published
  }
}
