/// An error of the library.
///
/// Every function that throws throws one of these, or the error of a closure that the caller gave it,
/// unchanged. A message is one sentence: it names the entity and the property, and says what to do.
///
/// The cases are those that ObjectBox documents. Some of them name causes that this library does not
/// have; it never throws those; they exist so that a `switch` over the cases compiles.
public enum ObjectBoxError: Error {
  /// A failure without a case of its own; the code is the one of the system or of LMDB.
  case unknown(code: Int32, message: String)
  /// A write inside a read transaction.
  case cannotWriteWhileReading(message: String)
  /// Another object has the value of a unique property.
  case uniqueViolation(message: String)
  /// An object that has to exist does not.
  case notFound(message: String)
  /// The store or the transaction cannot do this now: it is closed, open already, or failed.
  case illegalState(message: String)
  /// A value that cannot be stored or asked for.
  case illegalArgument(message: String)
  /// Memory ran out; never thrown.
  case allocation(message: String)
  /// A feature that this build lacks.
  case featureNotAvailable(message: String)
  /// An error without a message; never thrown.
  case noErrorInfo(message: String)
  /// An error of the operating system or of the files.
  case general(message: String)
  /// The store has reached its size limit, or the disk is full.
  case dbFull(message: String)
  /// All reader slots are taken.
  case maxReadersExceeded(message: String)
  /// The store is unusable and has to be closed.
  case storeMustShutdown(message: String)
  /// The storage failed.
  case storageGeneral(message: String)
  /// A query for one object found several.
  case nonUniqueResult(message: String)
  /// A binding writes or reads another type than the model says.
  case propertyTypeMismatch(message: String)
  /// An object to be inserted exists, or another constraint does not hold.
  case constraintViolated(message: String)
  /// Never thrown.
  case stdIllegalArgument(message: String)
  /// Never thrown.
  case stdOutOfRange(message: String)
  /// Never thrown.
  case stdLength(message: String)
  /// Never thrown.
  case stdBadAlloc(message: String)
  /// Never thrown.
  case stdRange(message: String)
  /// A sum that does not fit.
  case stdOverflow(message: String)
  /// Never thrown.
  case stdOther(message: String)
  /// The model does not pass the check, or does not fit the store.
  case schema(message: String)
  /// The data file or an object in it is damaged, or belongs to another program.
  case fileCorrupt(message: String)
  /// Pages of the data file are damaged.
  case filePagesCorrupt(message: String)
  /// A to-many relation of an object that was not put yet cannot be written.
  case cannotRelateToUnsavedEntities(message: String)
  /// No store is open at the path.
  case cannotAttachToStore(message: String)
  /// An error of another library.
  case unexpected(error: any Error)
  /// Never thrown: synchronization is another product.
  case sync(message: String)
}

extension ObjectBoxError {
  /// The message: one sentence without a trailing period.
  public var message: String {
    switch self {
    case .unknown(_, let message), .cannotWriteWhileReading(let message),
      .uniqueViolation(let message), .notFound(let message), .illegalState(let message),
      .illegalArgument(let message), .allocation(let message), .featureNotAvailable(let message),
      .noErrorInfo(let message), .general(let message), .dbFull(let message),
      .maxReadersExceeded(let message), .storeMustShutdown(let message),
      .storageGeneral(let message), .nonUniqueResult(let message),
      .propertyTypeMismatch(let message), .constraintViolated(let message),
      .stdIllegalArgument(let message), .stdOutOfRange(let message), .stdLength(let message),
      .stdBadAlloc(let message), .stdRange(let message), .stdOverflow(let message),
      .stdOther(let message), .schema(let message), .fileCorrupt(let message),
      .filePagesCorrupt(let message), .cannotRelateToUnsavedEntities(let message),
      .cannotAttachToStore(let message), .sync(let message):
      message
    case .unexpected(let error): "\(error)"
    }
  }
}

extension ObjectBoxError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
