internal import BoxEngine
internal import BoxStorage
internal import Synchronization

/// A compaction of a store, as `boxjoint store compact` carries it out.
package struct StoreCompaction {
  /// Whether the data that the model of the store lacks is removed for ever.
  package var purges = false
  /// The consent to what is removed.
  package var consent = Consent()
  /// Asks a person about what is removed; nil where there is no terminal to ask on.
  package var ask: ((Loss) throws -> Void)?

  private let directory: String

  /// The sizes of the data file, in bytes.
  package struct Sizes: Hashable, Sendable {
    package let before: Int
    package let after: Int
    /// The number of objects, values or entries that were removed without consent to what exactly is lost.
    package let unconfirmed: Int

    /// One line for people.
    package var text: String { "\(bytesText(before)) before, \(bytesText(after)) now\n" }
  }

  /// Creates the compaction; nothing is opened or written.
  ///
  /// - Parameter directory: The directory of the store.
  package init(of directory: String) {
    self.directory = directory
  }

  /// The loss by a purge, found without changing the store.
  ///
  /// - Throws: ``CommandFailure``, as ``onExistingStore(_:_:)`` does.
  /// - Complexity: O(*n*) in the objects of entities that are hidden or have hidden properties.
  package func loss(_ access: StoreAccess, _ observer: any WorkObserver) throws -> Loss {
    try onExistingStore(directory) {
      defer { observer.finish() }
      let store = try ObjectStore.open(
        .directory(directory), options: access.options(isReadOnly: true, observer))
      defer { store.close() }
      var found = HiddenLoss(hash)
      try store.read { try $0.visitHidden { found.add($0, $1, $2) } }
      return found.loss
    }
  }

  private var hash: LossHash { LossHash([LossyOperation.compact.rawValue], onStore: directory) }

  /// Rewrites the store without its free pages.
  ///
  /// - Parameters:
  ///   - access: Whether the pages of the store are checked first.
  ///   - observer: Receives the progress.
  /// - Returns: The sizes of the data file, and whether data was removed that nobody has agreed to lose.
  /// - Throws: ``CommandFailure``, as ``onExistingStore(_:_:)`` does; of the kind `impossible` if a
  ///   program has the store open, its data file is a symbolic link, or something else would be removed than was agreed
  ///   to.
  /// - Complexity: O(*n*) in the size of the store.
  package func run(_ access: StoreAccess, _ observer: any WorkObserver) throws -> Sizes {
    let files = StoreFiles(directory)
    let before = files.dataSize
    let consent = purges ? try consent.agreed(asking: ask) { try loss(access, observer) } : consent
    let (purges, hash) = (purges, hash)
    let removed = Mutex(0)
    return try onExistingStore(directory) {
      defer { observer.finish() }
      var session = RebuildSession(directory, options: access.options(observer))
      try session.compact(
        purge: purges,
        progress: { written in
          // The size of the free pages, which are left out, is not known before.
          observer.update("writing", min(written, before), of: before, unit: "bytes")
        },
        agreeing: { data in
          var found = HiddenLoss(hash)
          try data.visit { found.add($0, $1, $2) }
          try consent.require(found.loss)
          removed.withLock { $0 = found.loss.count }
        })
      let after = files.dataSize
      observer.update("writing", after, of: after, unit: "bytes")
      return Sizes(
        before: before, after: after, unconfirmed: consent.isBlind ? removed.withLock { $0 } : 0)
    }
  }
}
