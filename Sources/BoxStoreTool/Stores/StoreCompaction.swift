internal import BoxEngine
package import BoxJSON
internal import BoxReport
internal import BoxStorage
internal import Synchronization

/// A compaction of a store, as `boxjoint store compact` carries it out.
package struct StoreCompaction {
  /// Whether the data that the model of the store lacks is removed for ever.
  package var purges = false
  /// Whether changes for data sync that were not sent may be lost.
  package var discardsUnsent = false
  /// The consent to what is removed.
  package var consent = Consent()
  /// Asks a person about what is removed; nil where there is no terminal to ask on.
  package var ask: ((Loss) throws -> Void)?

  private let directory: String

  /// The sizes of the data file, in bytes.
  package struct Sizes: Hashable, Sendable {
    package let before: Int
    package let after: Int
    /// The data that was removed; nil without a purge.
    package let loss: Loss?
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
      return try store.read { transaction in
        let data = try transaction.hiddenData()
        if !discardsUnsent { try data.requireNothingUnsent() }
        return try Self.loss(directory, data)
      }
    }
  }

  /// The loss of hidden data, and of what was not sent.
  private static func loss(_ directory: String, _ data: HiddenData) throws -> Loss {
    var hash = LossHash([LossyOperation.compact.rawValue], onStore: directory)
    var hidden = HiddenLoss()
    try data.visit { hidden.add($0, $1, $2, to: &hash) }
    let unsent = try data.unsentMarks()
    for mark in unsent { hash.add(mark, 0) }
    var loss = Loss(objects: hidden.objects, entries: hidden.entries, code: hash.code)
    loss.values = hidden.values
    loss.unsent = unsent.count
    return loss
  }

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
    let (purges, discardsUnsent, directory) = (purges, discardsUnsent, directory)
    let removed = Mutex<Loss?>(nil)
    return try onExistingStore(directory) {
      defer { observer.finish() }
      var session = RebuildSession(directory, options: access.options(observer))
      try session.compact(
        purge: purges, discardsUnsent: discardsUnsent,
        progress: { written in
          // The size of the free pages, which are left out, is not known before.
          observer.update("writing", min(written, before), of: before, unit: "bytes")
        },
        agreeing: { data in
          let loss = try Self.loss(directory, data)
          try consent.require(loss)
          removed.withLock { $0 = loss }
        })
      let after = files.dataSize
      observer.update("writing", after, of: after, unit: "bytes")
      let loss = removed.withLock { $0 }
      return Sizes(
        before: before, after: after, loss: loss,
        unconfirmed: consent.isBlind ? loss?.count ?? 0 : 0)
    }
  }

  /// The result for programs; `Schemas/store-compact.schema.json` describes it.
  ///
  /// - Parameters:
  ///   - sizes: The sizes; nil for a dry run.
  ///   - loss: The data that was removed, or would be; nil without a purge.
  /// - Returns: The object.
  package func json(_ sizes: Sizes?, _ loss: Loss?) -> JSONValue {
    .compact([
      ("schemaVersion", .int(1)),
      ("store", .string(directory)),
      ("purge", .bool(purges)),
      ("dryRun", .bool(sizes == nil)),
      ("before", sizes.map { .int($0.before) }),
      ("after", sizes.map { .int($0.after) }),
      ("loss", loss.map(\.json)),
    ])
  }
}
