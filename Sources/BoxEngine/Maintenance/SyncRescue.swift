internal import BoxStorage

/// The entries of data sync in a copy of the undamaged pages of a store.
struct SyncRescue {
  private let spaces: SyncSpaces
  private let storage: StorageAccess
  private let report: PageRescue.Report

  init(_ spaces: SyncSpaces, _ storage: StorageAccess, _ report: PageRescue.Report) {
    (self.spaces, self.storage, self.report) = (spaces, storage, report)
  }

  /// Whether pages of the spaces are missing, or have another content than they should.
  static func isCut(_ report: PageRescue.Report) -> Bool {
    SyncSpace.allCases.contains { !(report.spaces[$0.rawValue]?.isWhole ?? false) }
  }

  /// Whether all entries are whole, and agree with each other and with the objects.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the entries.
  func isWhole(_ schema: StoreSchema) throws(StoreError) -> Bool {
    if Self.isCut(report) { return false }
    var isWhole = true
    try SyncVerification.run(schema, spaces, storage) { _, _ in isWhole = false }
    return isWhole
  }

  /// The number of transactions that were not sent; nil if it is not known.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in their number.
  func lostTransactions() throws(StoreError) -> Int? {
    guard report.spaces[SyncSpace.outbox.rawValue]?.isWhole ?? false else { return nil }
    var count = 0
    try OutboxReader(space: spaces.outbox, storage: storage).visitHeads { _, head in
      if head?.state != .acknowledged { count += 1 }
    }
    return count
  }

  /// Forgets up to where the store has the log of the server: it gets everything again, also what was on the damaged
  /// pages.
  func forgetBase() throws(StoreError) {
    _ = try storage.remove(spaces.state, StoredBase.key)
  }

  func removeSpaces() throws(StoreError) {
    for space in SyncSpace.allCases { try storage.dropSpace(spaces[space]) }
  }
}
