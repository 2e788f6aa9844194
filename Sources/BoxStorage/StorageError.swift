/// An error thrown by the storage layer.
public struct StorageError: Error, Hashable, Sendable {
  /// The kind of an error.
  @nonexhaustive public enum Kind: Hashable, Sendable {
    /// The path cannot be a store: a file, a missing directory, another program's file.
    case notAStore
    /// A file lies where the directory of a new store, or one above it, would be.
    case noDirectory
    /// The file system denies access.
    case noPermission
    /// The data file is a symbolic link, and cannot be written or replaced by way of it.
    case symbolicLink
    /// There is a store at the place of a new one.
    case alreadyExists
    /// Another process replaces the store, or has it open while this one wants to replace it.
    case inUse
    /// The store is open in this process with other options.
    case differentOptions
    /// The file lies on a network file system, which LMDB cannot use.
    case networkFileSystem
    /// The store was opened read-only, or the transaction is a read transaction.
    case readOnly
    /// The data has reached the size limit that the store was opened with.
    case sizeLimit
    /// The disk is full, or the process may not make files this large.
    case noSpace
    /// All reader slots are taken.
    case tooManyReaders
    /// Another process opened the store with a larger size limit.
    case largerLimitElsewhere
    /// The store is used in a child process made with `fork`.
    case usedAfterFork
    /// The store is closed.
    case closed
    /// A key or a value is larger than the storage takes.
    case tooLarge
    /// The file is damaged.
    case damaged
    /// The system denies what LMDB needs for its locks.
    case sandboxed
    /// Anything else that LMDB or the system reports.
    case other
  }

  /// The kind of the error.
  public var kind: Kind
  /// The error and the advice, one sentence without a trailing period.
  public var message: String
  /// The code of LMDB (negative) or of the system (`errno`); nil where neither reported anything.
  public var code: Int32?

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, code: Int32? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
  }
}

extension StorageError: CustomStringConvertible {
  /// The message, with the code if it is one of LMDB: codes of the system are in the message as text.
  public var description: String {
    guard let code, code < 0 else { return message }
    return "\(message) (code \(code))"
  }
}
