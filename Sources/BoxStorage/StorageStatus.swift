/// The state of a storage: its sizes, its last transaction and its readers.
public struct StorageStatus: Hashable, Sendable {
  /// An open read transaction.
  public struct Reader: Hashable, Sendable {
    /// The process that has the transaction open.
    public var process: Int32
    /// The number of the last write transaction that it sees.
    public var transaction: UInt64
  }

  /// Bytes of a page.
  public var pageSize: Int
  /// Bytes of the data file that are in use, including free pages within it.
  public var size: Int
  /// The number of bytes to which the data file may grow.
  public var limit: Int
  /// Bytes in free pages, which can be reused; nil if unknown because all reader slots are taken.
  public var freeBytes: Int?
  /// Bytes in those free pages that cannot be reused yet, as the oldest reader may still read them;
  /// nil if ``freeBytes`` is.
  public var heldBytes: Int?
  /// The number of the last committed write transaction.
  public var lastTransaction: UInt64
  /// The open read transactions, oldest first.
  public var readers: [Reader]
  /// The number of read transactions that can be open at once, in all processes.
  public var maximumReaders: Int
}
