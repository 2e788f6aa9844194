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

extension Storage {
  /// Calls a function with the pages of a committed state, while others may write.
  ///
  /// The state is the last one that transactions begin with: the older head has it while a writer syncs
  /// the newer one. A transaction keeps its pages from being overwritten until the function returns.
  /// Beginning it reads no page except the heads. If all reader slots are taken, it is a write
  /// transaction that changes nothing.
  ///
  /// - Returns: The value of the function; nil if the heads are damaged.
  /// - Throws: ``StorageError``, of kind `inUse` if another file has replaced this one, or if
  ///   pages are overwritten and this process may not lock them; and the error of `body`.
  func readingPages<R>(_ body: (PageSource) throws -> R) throws -> R? {
    var check = StabilityCheck()
    var attempts = 0
    while true {
      let transaction = try beginReadOrWrite()
      defer { transaction.abort() }
      let snapshot = transaction.isWritable ? transaction.number &- 1 : transaction.number
      var pages = try PageSource.reading(descriptor(), place)
      let heads = try pages.heads()
      pages = pages.withHeads(heads)
      pages.transaction = snapshot
      if try PageWalker(pages).lastTransaction() == snapshot {
        let result = try body(pages)
        if try hasLocks || keeps(snapshot) { return result }
        attempts += 1
        if attempts == 3 { throw StorageLocation.unannounced(in: place) }
        continue
      }
      // Two commits since the transaction began have replaced its head, or one is being written.
      guard try check.isSteady(heads + Array("\(snapshot)".utf8)) else { continue }
      pages.transaction = nil
      if try PageWalker(pages).lastTransaction() == nil { return nil }
      throw replacedFile()
    }
  }

  /// Whether no transaction can have overwritten pages of a state that no reader slot protects.
  ///
  /// The second transaction after it writes over its head, and the third over pages that the first freed.
  private func keeps(_ snapshot: UInt64) throws -> Bool {
    let last = try PageWalker(PageSource.reading(descriptor(), place)).lastTransaction()
    return last.map { $0 <= snapshot + 1 } ?? false
  }

  /// Requires that the data file is the one whose transactions the lock file counts.
  ///
  /// A copy that was put in its place while others have the store open has other transactions, and would
  /// be damaged by the next commit.
  ///
  /// - Throws: ``StorageError`` of kind `inUse`, and what beginning a transaction throws.
  func requireOwnFile() throws(StorageError) {
    do {
      _ = try readingPages { _ in }
    } catch let error as StorageError {
      // The read reports it.
      if error.kind != .tooManyReaders { throw error }
    } catch {
      throw StorageError(.other, "\(error)")
    }
  }

  /// Requires in a new write transaction that the data file still has its name, and the head that the
  /// transaction continues.
  ///
  /// A commit to a file without a name is lost with the file, and one that continues another file damages it.
  ///
  /// - Throws: ``StorageError`` of kind `inUse`.
  /// - Complexity: O(1); three calls of the system.
  func requireFile(before transaction: UInt64) throws(StorageError) {
    if isUnlinked { return }
    let file = try descriptor()
    var attributes = stat()
    if unsafe fstat(file, &attributes) == 0, attributes.st_nlink == 0 { throw replacedFile() }
    if lastHead(of: file).map({ $0 &+ 1 != transaction }) ?? true { throw replacedFile() }
  }

  /// The number of the last transaction whose head is in the data file; nil if the heads are not.
  ///
  /// Read transactions see its state a little later, and never if its process was killed before it said so.
  ///
  /// - Complexity: O(1); two calls of the system.
  func lastHead(of file: Int32) -> UInt64? {
    var last: UInt64 = 0
    for head in 0..<2 {
      var number: UInt64 = 0
      let offset = off_t(head * pageSize + MetaFields.transactionOffset)
      guard unsafe pread(file, &number, 8, offset) == 8 else { return nil }
      last = max(last, UInt64(littleEndian: number))
    }
    return last
  }

  private func replacedFile() -> StorageError {
    StorageError(
      .inUse,
      "\(StoreFiles(place).data) is not the file that other programs have open as this store; "
        + "close all of them, and open it again")
  }

  private func beginReadOrWrite() throws(StorageError) -> StorageTransaction {
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
      let problem = report?.problems.first.map { "\($0)" } ?? "both of its meta pages are damaged"
      throw StorageError(
        .damaged, "\(StoreFiles(place).data) is damaged: \(problem); restore a backup")
    }
    if let problem = report.spaceProblem {
      throw StorageError(
        .notAStore, "\(StoreFiles(place).data) is a valid LMDB file, but not a store: \(problem)")
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
