internal import BoxEngine
internal import BoxStorage

/// Runs work on a store, and turns its errors into the tool's.
///
/// - Throws: ``CommandFailure``, with the status that the design gives each kind of error.
func onStore<R>(_ path: String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch StoreError.noStore(let place) {
    throw CommandFailure(.inputOutput, "there is no store in \(place)", path: path)
  } catch let error as StoreError {
    throw CommandFailure(error.exitStatus, error.description, path: path)
  } catch let error as StorageError {
    throw CommandFailure(error.exitStatus, error.description, path: path)
  }
}

extension StoreError {
  /// The status that the design gives the error.
  var exitStatus: ExitStatus {
    switch self {
    case .storage(let error): error.exitStatus
    case .noStore: .inputOutput
    case .notAStore, .newerFormat, .damagedCatalog, .invalidModel, .damagedRecord,
      .damagedNote:
      .badInput
    default: .impossible
    }
  }
}

extension StorageError {
  fileprivate var exitStatus: ExitStatus {
    switch kind {
    case .notAStore where code == nil, .damaged: .badInput
    case .inUse, .differentOptions, .networkFileSystem, .tooManyReaders, .largerLimitElsewhere,
      .sizeLimit, .tooLarge, .usedAfterFork, .closed, .readOnly:
      .impossible
    case .notAStore, .noPermission, .noSpace, .sandboxed, .other: .inputOutput
    }
  }
}
