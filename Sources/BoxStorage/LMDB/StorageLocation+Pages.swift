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
    if let environment = try openIfWhole(directory, options),
      let result = try environment.readingPages(body)
    {
      return result
    }
    return try PageSource.reading(StoreFiles(directory).data, body)
  }

  /// Walks over the pages of the last committed state, while others may write.
  ///
  /// With a ``PageCheck`` in the options, a walk that this process made is reused if nothing was
  /// committed since, as opening does. Opening with a check reuses this walk if the walk finds
  /// nothing. Without a check, the walk is always made.
  ///
  /// - Parameters:
  ///   - options: The options of the storage; if it is open in this process, they must be the same.
  ///   - limit: The number of problems after which the walk ends.
  ///   - progress: Called from time to time with the pages done and their total.
  /// - Returns: The report of the walk.
  /// - Throws: As ``readingPages(_:_:)``.
  /// - Complexity: O(*n*) in the number of pages.
  package func pageReport(
    _ options: StorageOptions, limit: Int, progress: @escaping (_ done: Int, _ total: Int) -> Void
  ) throws -> PageReport {
    func walk(_ source: PageSource) throws -> PageReport {
      var walker = PageWalker(source)
      walker.problemLimit = limit
      walker.progress = { progress(Int(clamping: $0), Int(clamping: $1)) }
      return try walker.walk()
    }
    guard options.pageCheck != nil, case .directory(let directory) = self,
      let environment = try openIfWhole(directory, options)
    else { return try readingPages(options, walk) }
    if let known = environment.knownPages(),
      try environment.lastTransaction() == known.transaction
    {
      return known
    }
    guard let report = try environment.readingPages(walk) else {
      return try PageSource.reading(StoreFiles(directory).data, walk)
    }
    environment.noteCheck(report)
    return report
  }

  private func openIfWhole(
    _ directory: String, _ options: StorageOptions
  ) throws -> Storage? {
    if try Self.headProblem(in: directory) != nil { return nil }
    do throws(StorageError) {
      return try environment(options)
    } catch let error {
      if error.kind == .damaged || error.kind == .notAStore { return nil }
      throw error
    }
  }

  /// The problem of the heads of a data file, if no writer can be the cause of it.
  private static func headProblem(in directory: String) throws -> PageProblem? {
    func readHeads() throws -> (heads: [UInt8], problem: PageProblem?) {
      try PageSource.reading(StoreFiles(directory).data) { source in
        let heads = try source.heads()
        return (heads, try PageWalker(source.withHeads(heads)).headProblem())
      }
    }
    guard let problem = try readHeads().problem else { return nil }
    if problem.kind == .empty { return problem }
    if let (_, problem) = try StoreLock.whileUnused(in: directory, readHeads) { return problem }
    var steady = StabilityCheck()
    while true {
      let (heads, problem) = try readHeads()
      if problem == nil || steady.isSteady(heads) { return problem }
    }
  }

  /// Throws if LMDB could not even begin a transaction on a data file without danger.
  ///
  /// An empty file is one that LMDB fills.
  ///
  /// - Throws: ``StorageError`` of kind `damaged`, or if the file cannot be read.
  static func requireSoundHeads(in directory: String) throws(StorageError) {
    var problem: PageProblem?
    do {
      problem = try headProblem(in: directory)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.other, "\(error)")
    }
    if let problem, problem.kind != .empty {
      throw StorageError(
        .damaged, "\(StoreFiles(directory).data) is damaged: \(problem); restore a backup")
    }
  }
}
