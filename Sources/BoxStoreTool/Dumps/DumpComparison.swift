package import BoxDump
internal import BoxEngine
internal import BoxStorage
internal import BoxSystem

/// A comparison of two dumps or stores, as a user asks for it.
package struct DumpComparison: Sendable {
  /// The older version: a dump, or a store as `store:DIR`.
  package var old: String
  /// The newer version.
  package var new: String
  /// The limits for what compressed input may decompress to.
  package var limits = DecompressionLimits()
  /// The maximum number of differences that are listed; all of them are counted.
  package var limit = 1000
  /// The way to open stores.
  package var access = StoreAccess()

  /// Creates a request for two versions.
  package init(from old: String, to new: String) {
    self.old = old
    self.new = new
  }

  /// Compares the data.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` for a directory that is not a dump, and as
  ///   ``onStore(_:_:)``. `DumpError` if a dump cannot be read.
  /// - Complexity: O(*n*) in the size of both.
  package func run(_ observer: any WorkObserver) throws -> DumpComparisonReport {
    try onDump(old) { try compare(observer) }
  }

  private func compare(_ observer: any WorkObserver) throws -> DumpComparisonReport {
    defer { observer.finish() }
    var items: [DumpDifference.Item] = []
    let (first, second) = (try side(old, observer), try side(new, observer))
    do {
      let difference = try onStore(first.path) {
        try DumpDifference.between(first, second, limits: limits) { item in
          if items.count < limit { items.append(item) }
        }
      }
      return DumpComparisonReport(old: old, new: new, difference: difference, items: items)
    } catch let failure as DumpDifference.StoreFailure {
      return try onStore(failure.path) { throw failure.error }
    }
  }

  private func side(
    _ argument: String, _ observer: any WorkObserver
  ) throws -> DumpDifference.Side {
    if let directory = SourceReference(argument).storeDirectory {
      // Of a store in which two halves of a relation differ, neither "the same" nor a difference is
      // an answer.
      try requireStoreInWorkTree(directory)
      try onStore(directory) {
        try ObjectStore.requireWhole(
          directory, options: access.options(isReadOnly: true, observer))
      }
      return .init(directory, .store, access.storage(observer))
    }
    guard isDirectory(at: argument) else { return .init(argument, .file) }
    let manifest = joinPath(argument, DumpManifest.fileName)
    if StoreFiles(argument).hasData, ((try? fileAttributes(at: manifest)) ?? nil) == nil {
      throw CommandFailure(
        .badInput, "this is not a dump; \(SourceReference.hint(argument))", path: argument)
    }
    return .init(argument, .directory)
  }
}
