internal import BoxEngine
internal import BoxStorage

extension ObjectBoxError {
  /// The error of the library for one of the engine.
  init(_ error: StoreError) {
    let message = "\(error)"
    self =
      switch error {
      case .storage(let error): ObjectBoxError(error)
      case .noStore, .notAStore, .damagedCatalog, .damaged, .damagedRecord, .damagedCheckpoint:
        .fileCorrupt(message: message)
      case .newerFormat, .invalidModel, .incompatibleModel, .unknownEntity, .unknownProperty:
        .schema(message: message)
      case .uniqueViolation: .uniqueViolation(message: message)
      case .wrongValue, .notUTF8, .idNotGiven, .idTooLarge, .objectTooLarge, .notIndexed,
        .notNumeric, .incompatibleConverter:
        .illegalArgument(message: message)
      case .notFound: .notFound(message: message)
      case .alreadyExists, .removalRefused, .replacementRefused:
        .constraintViolated(message: message)
      case .readTransaction: .cannotWriteWhileReading(message: message)
      case .usedWhileCoding:
        .illegalState(
          message:
            "a converter or a binding used a store while an object was being written or read; "
            + "let it compute with values alone")
      case .closed: .illegalState(message: "the store is closed; open it again")
      case .idsExhausted, .interrupted, .modelChangedElsewhere, .foreignSchema, .writingElsewhere,
        .transactionEnded, .transactionFailed, .writtenWhileVisiting, .noCheckpointSpace,
        .synchronized, .unsent:
        .illegalState(message: message)
      case .backup: .general(message: message)
      }
  }

  private init(_ error: StorageError) {
    let message = "\(error)"
    self =
      switch error.kind {
      case .sizeLimit, .noSpace: .dbFull(message: message)
      case .tooManyReaders: .maxReadersExceeded(message: message)
      case .damaged: .filePagesCorrupt(message: message)
      case .notAStore: .fileCorrupt(message: message)
      case .readOnly: .cannotWriteWhileReading(message: message)
      case .closed: .illegalState(message: "the store is closed; open it again")
      case .inUse, .differentOptions, .alreadyExists, .usedAfterFork, .largerLimitElsewhere:
        .illegalState(message: message)
      case .tooLarge: .illegalArgument(message: message)
      case .noPermission, .symbolicLink, .networkFileSystem, .sandboxed: .general(message: message)
      case .noDirectory, .other: .storageGeneral(message: message)
      }
  }

  /// The error of the library for one in a condition or an order.
  init(_ error: ConditionError) { self = .illegalArgument(message: "\(error)") }

  /// Runs a function of the engine, and converts errors of the engine; rethrows all others unchanged.
  package static func wrapping<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch { throw wrapped(error) }
  }

  /// The error of the library for one of the engine; any other error as it is.
  static func wrapped(_ error: any Error) -> any Error {
    switch error {
    case let error as StoreError: ObjectBoxError(error)
    case let error as ConditionError: ObjectBoxError(error)
    default: error
    }
  }
}
