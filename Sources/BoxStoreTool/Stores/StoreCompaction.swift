internal import BoxEngine
internal import BoxStorage

/// A compaction of a store, as `boxjoint store compact` carries it out.
package struct StoreCompaction {
  /// Whether the data that the model of the store lacks is removed for ever.
  package var purges = false

  private let directory: String

  /// The sizes of the data file, in bytes.
  package struct Sizes: Hashable, Sendable {
    package let before: Int
    package let after: Int

    /// One line for people.
    package var text: String { "\(bytesText(before)) before, \(bytesText(after)) now\n" }
  }

  /// Creates the compaction; nothing is opened or written.
  ///
  /// - Parameter directory: The directory of the store.
  package init(of directory: String) {
    self.directory = directory
  }

  /// Rewrites the store without its free pages.
  ///
  /// - Parameters:
  ///   - access: Whether the pages of the store are checked first.
  ///   - observer: Receives the progress.
  /// - Returns: The sizes of the data file.
  /// - Throws: ``CommandFailure``, as ``onExistingStore(_:_:)`` does; of the kind `impossible` if a
  ///   program has the store open, or its data file is a symbolic link.
  /// - Complexity: O(*n*) in the size of the store.
  package func run(_ access: StoreAccess, _ observer: any WorkObserver) throws -> Sizes {
    let files = StoreFiles(directory)
    let before = files.dataSize
    return try onExistingStore(directory) {
      defer { observer.finish() }
      var session = RebuildSession(directory, options: access.options(observer))
      try session.compact(purge: purges) { written in
        // The size of the free pages, which are left out, is not known before.
        observer.update("writing", min(written, before), of: before, unit: "bytes")
      }
      let after = files.dataSize
      observer.update("writing", after, of: after, unit: "bytes")
      return Sizes(before: before, after: after)
    }
  }
}
