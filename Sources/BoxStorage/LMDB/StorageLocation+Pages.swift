extension StorageLocation {
  /// Calls a function with the pages of the last committed state, while others may write.
  ///
  /// A read transaction keeps the pages of that state from being overwritten until the function
  /// returns, so the file grows if others write meanwhile. A file that LMDB would not open, or
  /// whose heads are damaged, is read as it is.
  ///
  /// - Parameters:
  ///   - options: The options of the storage; if it is open in this process, they must be the same.
  ///   - body: Called with the pages, which are read and not mapped.
  /// - Returns: The value of the function.
  /// - Throws: ``StorageError``, of kind `notAStore` in memory, and the error of `body`.
  package func readingPages<R>(
    _ options: StorageOptions, _ body: (PageSource) throws -> R
  ) throws -> R {
    guard case .directory(let directory) = self else {
      throw StorageError(.notAStore, "\(self) has no file")
    }
    let path = directory + "/data.mdb"
    if let environment = try openIfWhole(path, options),
      let result = try environment.readingPages(body)
    {
      return result
    }
    return try PageSource.reading(path, body)
  }

  private func openIfWhole(_ path: String, _ options: StorageOptions) throws -> LMDBEnvironment? {
    if try Self.headProblem(of: path) != nil { return nil }
    do throws(StorageError) {
      return try environment(options)
    } catch let error {
      if error.kind == .damaged || error.kind == .notAStore { return nil }
      throw error
    }
  }

  /// The problem of the heads of a data file; nil if there is none.
  private static func headProblem(of path: String) throws -> PageProblem? {
    var problem: PageProblem?
    // A writer may be in the middle of writing one.
    for _ in 0..<10 {
      problem = try PageSource.reading(path) { try PageWalker($0).headProblem() }
      if problem == nil { return nil }
    }
    return problem
  }

  /// Throws if LMDB could not even begin a transaction on a data file without danger.
  ///
  /// An empty file is one that LMDB fills.
  ///
  /// - Throws: ``StorageError`` of kind `damaged`, or if the file cannot be read.
  static func requireSoundHeads(of path: String) throws(StorageError) {
    var problem: PageProblem?
    do {
      problem = try headProblem(of: path)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.other, "\(error)")
    }
    if let problem, problem.kind != .empty {
      throw StorageError(.damaged, "\(path) is damaged: \(problem); restore a backup")
    }
  }
}
