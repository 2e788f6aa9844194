public import BoxReport
internal import BoxStorage

/// A backup: a copy of a store in a directory of its own, made while others read and write.
///
/// The copy is one snapshot, and a store of its own. Its data file gets its name when it is complete
/// and synced. After an error or a crash the copy does not exist, nor does a directory that was made
/// for it after an error.
public struct BackupSession: Sendable {
  /// The results of a backup.
  public struct Summary: Hashable, Sendable {
    /// The size of the copy in bytes.
    public var size: Int
    /// The damage that the verification found; empty without damage or verification.
    public var findings: [Finding]
  }

  /// Whether the store is verified before it is copied; true by default.
  ///
  /// A store whose objects, indexes or relations are damaged is copied as it is, with all its pages.
  public var verifies = true
  /// Whether the copy has every page as it is, with values that were overwritten or removed.
  public var keepsFreePages = false

  private let source: String
  private let target: String
  private let options: StoreOptions
  private let store: ObjectStore

  /// Opens the store, to be read only unless it is open in this process.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - target: The directory of the copy; it is created by ``run(verifying:copying:)``.
  ///   - options: Sizes, limits and permissions; if this process has the store open, the same.
  /// - Throws: As ``ObjectStore/open(_:model:options:)``.
  public init(
    of directory: String, to target: String, options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    let location = StorageLocation.directory(directory)
    var options = options
    if !location.isOpenHere { options.storage.isReadOnly = true }
    (source, self.target, self.options) = (directory, target, options)
    store = try ObjectStore.open(location, options: options)
  }

  /// The warnings about opening the store.
  public var warnings: [Finding] { store.warnings }

  /// Verifies and copies the store, and closes it.
  ///
  /// - Parameters:
  ///   - verifying: Called with the progress of the verification, as in
  ///     ``ObjectStore/verify(_:options:limit:progress:)``.
  ///   - copying: Called with the number of bytes written and their total, which is an estimate until
  ///     the last call.
  /// - Returns: The results.
  /// - Throws: ``StoreError/backup(target:_:)`` if the copy cannot be written, of kind
  ///   `alreadyExists` if the target has a store, and ``StoreError`` if the store cannot be read.
  /// - Complexity: O(*n*) in the size of the store.
  public func run(
    verifying: @escaping (VerificationStep, _ done: Int, _ total: Int) -> Void = { _, _, _ in },
    copying: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> Summary {
    defer { store.close() }
    let total = try store.status().size
    let findings =
      verifies ? try ObjectStore.verify(source, options: options, progress: verifying) : []
    // A copy without free pages needs trees that are whole.
    let compacting = !keepsFreePages && findings.isEmpty
    let size = try write(compacting) { done, isComplete in
      // A copy without free pages is smaller than the store.
      copying(done, isComplete ? done : max(done, total))
    }
    return Summary(size: size, findings: findings)
  }

  private func write(
    _ compacting: Bool, _ progress: (Int, Bool) -> Void
  ) throws(StoreError) -> Int {
    do {
      return try StoreCopy(of: source, to: target).write(progress: progress) {
        try store.copy(to: $0, compacting: compacting)
      }
    } catch let error as StorageError {
      throw .backup(target: target, error.inTarget)
    } catch StoreError.storage(let error) where error.kind == .noSpace {
      throw .backup(target: target, error.inTarget)
    } catch {
      throw StoreError(error)
    }
  }
}

extension StorageError {
  /// The error worded for the directory of a copy: the original error of a full disk names the store.
  fileprivate var inTarget: StorageError {
    if kind != .noSpace { return self }
    return StorageError(
      .noSpace, "cannot be written: there is no space left; make room and try again", code: code)
  }
}
