internal import CLMDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The files that this process has checked, as they were when it closed them.
private let checkedFiles = Mutex<[FileIdentity: CheckedFile]>([:])

private struct CheckedFile {
  let state: FileState
  let report: PageReport
}

extension LMDBEnvironment {
  /// Calls a function with the pages of the last committed state, while others may write.
  ///
  /// A transaction keeps the pages of that state from being overwritten until the function returns.
  /// Beginning it reads no page except the heads. If all reader slots are taken, it is a write
  /// transaction that changes nothing.
  ///
  /// - Returns: The value of the function; nil if the heads stay damaged, or if other commits keep
  ///   interfering.
  /// - Throws: ``StorageError``, and the error of `body`.
  func readingPages<R>(_ body: (PageSource) throws -> R) throws -> R? {
    // A commit in between is what makes another attempt needed.
    for _ in 0..<1000 {
      let transaction = try beginReadOrWrite()
      defer { transaction.abort() }
      let seen = transaction.isWritable ? transaction.number &- 1 : transaction.number
      let pages = try PageSource.reading(descriptor(), place).withOwnHeads()
      if try PageWalker(pages).lastTransaction() == seen { return try body(pages) }
    }
    return nil
  }

  private func beginReadOrWrite() throws(StorageError) -> any StorageTransaction {
    do throws(StorageError) {
      return try beginRead()
    } catch let error {
      if error.kind != .tooManyReaders || isReadOnly { throw error }
      return try beginWrite()
    }
  }

  /// Walks over the pages, unless this process has done so and nothing else has written since.
  ///
  /// - Throws: ``StorageError`` of kind `damaged` with the first problem, or `notAStore` for databases
  ///   that no store has; and what reading throws.
  /// - Complexity: O(*n*) in the number of pages.
  func requireSoundPages(_ check: PageCheck) throws(StorageError) {
    if knownPages() != nil { return }
    do {
      let report = try readingPages { source in
        var walker = PageWalker(source)
        walker.problemLimit = 1
        walker.progress = { check.progress(Int(clamping: $0), Int(clamping: $1)) }
        return try walker.walk()
      }
      try requireStore(report)
      noteCheck(report)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.other, "\(error)")
    }
  }

  /// The report of an earlier check of the pages, if this process made one and nothing else has written
  /// since.
  func knownPages() -> PageReport? {
    checkedPages.withLock { report in
      if report == nil { report = reportAsClosed() }
      return report
    }
  }

  /// Remembers a check of the pages that found nothing.
  func noteCheck(_ report: PageReport?) {
    guard let report, report.isSound, report.spaceProblem == nil else { return }
    checkedPages.withLock { $0 = report }
  }

  private func requireStore(_ report: PageReport?) throws(StorageError) {
    guard let report, report.problems.isEmpty else {
      let problem = report?.problems.first.map { "\($0)" } ?? "its heads are damaged"
      throw StorageError(
        .damaged, "\(StoreFiles(place).data) is damaged: \(problem); restore a backup")
    }
    if let problem = report.spaceProblem {
      throw StorageError(
        .notAStore, "\(StoreFiles(place).data) is sound, but not a store: \(problem)")
    }
  }

  /// The report of a check, if the file is as this process left it after that.
  private func reportAsClosed() -> PageReport? {
    guard let state = FileState(try? descriptor()),
      let known = checkedFiles.withLock({ $0[state.identity] }), known.state == state
    else { return nil }
    return known.report
  }

  /// Remembers a checked file as it is before it is closed.
  func rememberCheck() {
    guard let report = checkedPages.withLock({ $0 }), let state = FileState(try? descriptor())
    else { return }
    checkedFiles.withLock { $0[state.identity] = CheckedFile(state: state, report: report) }
  }
}

/// The attributes that show whether a file was changed: LMDB writes with calls that set its times.
private struct FileState: Hashable {
  let identity: FileIdentity
  private let size: Int64
  private let changed: [Int]

  init?(_ descriptor: Int32?) {
    var attributes = stat()
    guard let descriptor, unsafe fstat(descriptor, &attributes) == 0 else { return nil }
    identity = FileIdentity(attributes)
    size = Int64(attributes.st_size)
    #if canImport(Darwin)
      changed = [attributes.st_ctimespec.tv_sec, attributes.st_ctimespec.tv_nsec]
    #else
      changed = [attributes.st_ctim.tv_sec, attributes.st_ctim.tv_nsec]
    #endif
  }
}
