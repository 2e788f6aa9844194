/// The types of the keys and the values of a space.
public enum SpaceKind: UInt8, Hashable, Sendable {
  /// Integer keys in numerical order, each with one value of bytes.
  case records
  /// Integer keys in numerical order, each with a set of integers in numerical order.
  case integerSets
  /// Keys of bytes in the order of the bytes, each with a set of integers in numerical order.
  case byteSets
  /// Keys of bytes in the order of the bytes, each with one value of bytes.
  case bytes
}

/// An ordered collection of entries in a storage, by the handle that the storage gave it.
public struct Space: Hashable, Sendable {
  /// The storage's own number of the space.
  package var handle: UInt32
  /// The types of the keys and the values.
  public var kind: SpaceKind

  package init(handle: UInt32, kind: SpaceKind) {
    self.handle = handle
    self.kind = kind
  }
}

/// An integer under an integer key.
public struct IntegerEntry: Hashable, Sendable, Comparable {
  /// The key.
  public var key: UInt64
  /// A member of the key's set.
  public var member: UInt64

  /// Creates an entry.
  public init(key: UInt64, member: UInt64) {
    self.key = key
    self.member = member
  }

  /// Whether the first comes before the second: by key, then by member.
  public static func < (a: IntegerEntry, b: IntegerEntry) -> Bool {
    a.key != b.key ? a.key < b.key : a.member < b.member
  }
}

/// The direction of a visit.
public enum VisitDirection: Hashable, Sendable {
  case forward, backward
}

/// Whether a visit continues.
public enum VisitStep: Hashable, Sendable {
  case next, stop
}

/// The way in which a value is put under a key.
package enum PutKind {
  /// Replaces the value that is there.
  case replace
  /// Adds the key at the end: it must be above every other key. Faster than `replace`.
  case append
}

/// Sizes of a space.
public struct SpaceStatistics: Hashable, Sendable {
  /// Entries; every member of a set counts.
  public var entries: Int
  /// Bytes of the pages that the space takes, members of large sets aside.
  public var bytes: Int
  /// Levels of the tree.
  public var depth: Int
}

/// Ordered keys in named spaces, changed in transactions.
///
/// One writer at a time; any number of readers, each of which sees the state at its begin and
/// never waits. Nothing above this protocol knows what is behind it.
package protocol Storage: AnyObject, Sendable {
  /// Whether the storage refuses write transactions.
  var isReadOnly: Bool { get }

  /// Whether writers see the readers of this storage; without, nobody may write meanwhile.
  var hasLocks: Bool { get }

  /// Whether nobody else has the storage open, nor can open it until ``share()``.
  var isAlone: Bool { get }

  /// Lets others open a storage that was opened alone.
  ///
  /// - Throws: ``StorageError`` of kind `inUse`.
  func share() throws(StorageError)

  /// Begins a transaction that sees the last committed state and changes nothing.
  ///
  /// - Throws: ``StorageError`` of kind `tooManyReaders`, `usedAfterFork`, `closed` or `other`.
  func beginRead() throws(StorageError) -> any StorageTransaction

  /// Begins the one write transaction; waits until no other is open, in this process or another.
  ///
  /// The transaction belongs to the calling thread.
  ///
  /// - Throws: ``StorageError`` of kind `readOnly`, `usedAfterFork`, `closed`,
  ///   `largerLimitElsewhere`, `noSpace` or `other`.
  func beginWrite() throws(StorageError) -> any StorageTransaction

  /// Sizes, readers and limits.
  func status() throws(StorageError) -> StorageStatus

  /// Writes a consistent copy to an open file while others read and write.
  ///
  /// - Parameters:
  ///   - descriptor: A file that is open for writing.
  ///   - compacting: Whether free pages are left out, at the price of a walk of the trees.
  /// - Throws: ``StorageError`` of kind `noSpace`, `usedAfterFork` or `other`.
  func copy(to descriptor: Int32, compacting: Bool) throws(StorageError)
}

/// A transaction over a ``Storage``.
///
/// Bytes that a transaction returns stay valid until its next write, and at the longest until its
/// end. A transaction is used by one thread at a time.
package protocol StorageTransaction: AnyObject {
  /// Whether the transaction may write.
  var isWritable: Bool { get }

  /// Of a transaction that writes, one more than that of the last one that was committed; of one that
  /// reads, that of the state that it sees.
  ///
  /// Whoever commits the numbers 7 and 8 knows that nobody else wrote between them.
  var number: UInt64 { get }

  /// Whether there is no space and no entry at all.
  func isEmpty() throws(StorageError) -> Bool

  /// Opens a space; nil if there is none by that name and `create` is false.
  ///
  /// The handle is valid for later transactions once this one is committed. No two transactions of
  /// a process may open spaces at the same time.
  func openSpace(_ name: String, _ kind: SpaceKind, create: Bool) throws(StorageError) -> Space?

  /// Removes a space and all that is in it.
  func dropSpace(_ space: Space) throws(StorageError)

  /// Removes all entries of a space.
  func clear(_ space: Space) throws(StorageError)

  /// The sizes of a space.
  func statistics(_ space: Space) throws(StorageError) -> SpaceStatistics

  /// The value under an integer key of a `records` space. O(log *n*).
  func value(_ space: Space, _ key: UInt64) throws(StorageError) -> UnsafeRawBufferPointer?

  /// The value under a key of a `bytes` space. O(log *n*).
  func value(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer?

  /// Puts a value under an integer key of a `records` space. O(log *n*).
  func put(
    _ space: Space, _ key: UInt64, _ value: UnsafeRawBufferPointer, _ kind: PutKind
  ) throws(StorageError)

  /// Puts a value under a key of a `bytes` space. O(log *n*).
  func put(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError)

  /// Removes an integer key of a `records` space; whether it was there. O(log *n*).
  func remove(_ space: Space, _ key: UInt64) throws(StorageError) -> Bool

  /// Removes a key of a `bytes` space; whether it was there. O(log *n*).
  func remove(_ space: Space, _ key: UnsafeRawBufferPointer) throws(StorageError) -> Bool

  /// Adds a member to the set of an integer key; whether it was not there. O(log *n*).
  func insert(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StorageError) -> Bool

  /// Adds a member to the set of a key of bytes; whether it was not there. O(log *n*).
  func insert(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool

  /// Adds entries that are sorted, much faster than one by one in any order.
  ///
  /// With `atEnd` they come behind all that is in the space, and its pages are filled up.
  func insert(
    _ space: Space, sorted: UnsafeBufferPointer<IntegerEntry>, atEnd: Bool
  ) throws(StorageError)

  /// Adds entries to a `byteSets` space, which a function gives by their position and which are
  /// sorted; much faster than one by one in any order.
  ///
  /// With `atEnd` they come behind all that is in the space, and its pages are filled up.
  func insert(
    _ space: Space, count: Int, atEnd: Bool,
    _ entry: (Int) -> (key: UnsafeRawBufferPointer, member: UInt64)
  ) throws(StorageError)

  /// Whether the set of an integer key has a member. O(log *n*).
  func contains(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StorageError) -> Bool

  /// Whether the set of a key of bytes has a member. O(log *n*).
  func contains(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool

  /// Removes a member from the set of an integer key; whether it was there. O(log *n*).
  func remove(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StorageError) -> Bool

  /// Removes a member from the set of a key of bytes; whether it was there. O(log *n*).
  func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool

  /// Removes the whole set of an integer key; whether there was one. O(log *n*).
  func removeSet(_ space: Space, _ key: UInt64) throws(StorageError) -> Bool

  /// Visits the members of the set of an integer key, in order.
  func members(
    _ space: Space, _ key: UInt64, _ body: (UInt64) throws -> VisitStep
  ) throws

  /// Visits the members of the set of a key of bytes, in order.
  func members(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ body: (UInt64) throws -> VisitStep
  ) throws

  /// Visits the records of a `records` space from a key on (or from the end), in order.
  ///
  /// Where entries do not come in order, or a visit of all of them meets another number than the space
  /// counts, the visits of this protocol throw a ``StorageError`` of kind `damaged`.
  func records(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws

  /// The first record of a `records` space whose key is above another, or of all; nil if there is
  /// none.
  ///
  /// For a walk that replaces records: the next one is found in O(1) if nothing else was done to the
  /// space than to replace the last one by as many bytes, and else in O(log *n*).
  func nextRecord(
    _ space: Space, after key: UInt64?
  ) throws(StorageError) -> (key: UInt64, value: UnsafeRawBufferPointer)?

  /// Visits the entries of an `integerSets` space from a key on (or from the end), in order.
  func entries(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (IntegerEntry) throws -> VisitStep
  ) throws

  /// Visits the entries of a `byteSets` space from a key on (or from the end), in order.
  func entries(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws

  /// Visits the entries of a `bytes` space in the order of their keys.
  func values(
    _ space: Space, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws

  /// The highest key of a `records` or `integerSets` space; nil if it is empty. O(log *n*).
  func lastKey(_ space: Space) throws(StorageError) -> UInt64?

  /// Begins a transaction inside this write transaction, which is not to be used until that ends.
  func beginNested() throws(StorageError) -> any StorageTransaction

  /// Ends the transaction and keeps its changes; they are on disk when this returns.
  ///
  /// The transaction has ended even if this throws; nothing of it is kept then.
  func commit() throws(StorageError)

  /// Ends the transaction and forgets its changes. Does nothing after the end.
  func abort()
}

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
