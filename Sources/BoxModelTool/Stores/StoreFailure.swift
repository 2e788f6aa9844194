package import BoxEngine
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

/// Runs work on a store, and turns its errors into the tool's.
///
/// - Throws: ``CommandFailure``, with the kind of failure that the error is.
package func onStore<R>(_ path: String, _ body: () throws -> R) throws -> R {
  do { return try body() } catch { throw CommandFailure.ofStore(error, path) }
}

extension CommandFailure {
  /// The failure of an error of stores; another error as it is.
  package static func ofStore(_ error: any Error, _ path: String) -> any Error {
    switch error {
    case StoreError.noStore(let place):
      return CommandFailure(.inputOutput, "there is no store in \(place)", path: path)
    case StoreError.backup(let target, let error):
      return CommandFailure(error.failureKind, error.description, path: target)
    case let error as StoreError:
      return CommandFailure(
        error.failureKind, error.description + error.damageAdvice(path), path: path)
    case let error as StorageError:
      let advice = StoreError.storage(error).damageAdvice(path)
      return CommandFailure(error.failureKind, error.description + advice, path: path)
    default: return error
    }
  }
}

/// Runs work on an existing store, and turns its errors into the tool's.
///
/// A path without a store, and one that leaves its work tree by a link, are refused before anything
/// is written or locked.
///
/// - Throws: ``CommandFailure``, as ``onStore(_:_:)`` does.
package func onExistingStore<R>(_ path: String, _ body: () throws -> R) throws -> R {
  try requireStoreInWorkTree(path)
  return try onStore(path) {
    try StorageLocation.directory(path).requireStore()
    return try body()
  }
}

extension StoreError {
  /// The advice for a damaged store, to be appended to the message; empty for other errors.
  ///
  /// - Parameters:
  ///   - path: The directory of the store.
  ///   - isCopied: Whether the store is being copied.
  /// - Returns: The advice.
  package func damageAdvice(_ path: String, isCopied: Bool = false) -> String {
    if !isDamage { return "" }
    let directory = (SourceReference(path).storeDirectory ?? path).withoutLastSlashes
    let copy = shellOperands([directory, directory + "-copy"])
    // A store with damaged pages is not opened for a copy.
    let canBeCopied = if case .storage = self { false } else { !isCopied }
    return "; `boxjoint store verify \(shellOperand(directory))` finds all damage, "
      + (canBeCopied ? "`boxjoint store backup \(copy)` copies the store as it is, " : "")
      + "and `boxjoint export --salvage --store \(shellQuoted(directory))` writes the undamaged part"
  }

  private var isDamage: Bool {
    switch self {
    case .damaged, .damagedRecord: true
    case .storage(let error): error.kind == .damaged
    default: false
    }
  }

  /// The kind of failure that the error is.
  package var failureKind: FailureKind {
    switch self {
    case .storage(let error), .backup(_, let error): error.failureKind
    case .noStore: .inputOutput
    case .notAStore, .newerFormat, .damagedCatalog, .damaged, .invalidModel, .damagedRecord,
      .damagedCheckpoint:
      .badInput
    default: .impossible
    }
  }
}

extension StorageError {
  fileprivate var failureKind: FailureKind {
    switch kind {
    case .notAStore where code == nil, .noDirectory, .damaged: .badInput
    case .alreadyExists, .inUse, .symbolicLink, .differentOptions, .networkFileSystem,
      .tooManyReaders,
      .largerLimitElsewhere,
      .sizeLimit, .tooLarge, .usedAfterFork, .closed, .readOnly:
      .impossible
    case .notAStore, .noPermission, .noSpace, .sandboxed, .other: .inputOutput
    }
  }
}
