extension StorageLocation {
  /// Calls a function with the pages of the last committed state, while others may write.
  ///
  /// A read transaction keeps the pages of that state from being overwritten until the function
  /// returns, so the file grows meanwhile if others write. A file that LMDB would not open, or
  /// whose heads are damaged, is read as it is.
  ///
  /// - Parameters:
  ///   - options: How the storage is opened; the same as it is open with, if it is so in this process.
  ///   - body: Is given the pages, which are read and not mapped.
  /// - Returns: What the function returns.
  /// - Throws: ``StorageError``, of kind `notAStore` in memory, and what `body` throws.
  package func readingPages<R>(
    _ options: StorageOptions, _ body: (PageSource) throws -> R
  ) throws -> R {
    guard case .directory(let directory) = self else {
      throw StorageError(.notAStore, "\(self) has no file")
    }
    let path = directory + "/data.mdb"
    if let storage = try openIfWhole(path, options) {
      // A commit in between is what makes another attempt needed.
      for _ in 0..<1000 {
        let reader = try storage.beginRead()
        defer { reader.abort() }
        let result: R? = try PageSource.reading(path) { file in
          let pages = try file.withOwnHeads()
          if try PageWalker(pages).lastTransaction() != reader.number { return nil }
          return try body(pages)
        }
        if let result { return result }
      }
    }
    return try PageSource.reading(path, body)
  }

  private func openIfWhole(_ path: String, _ options: StorageOptions) throws -> (any Storage)? {
    func hasSoundHeads() throws -> Bool {
      try PageSource.reading(path) { try PageWalker($0).lastTransaction() != nil }
    }
    // A writer may be in the middle of writing one.
    guard try (0..<10).contains(where: { _ in try hasSoundHeads() }) else { return nil }
    do throws(StorageError) {
      return try open(options)
    } catch let error {
      if error.kind == .damaged || error.kind == .notAStore { return nil }
      throw error
    }
  }
}
