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

  /// Whether the first is ordered before the second: by key, then by member.
  public static func < (a: IntegerEntry, b: IntegerEntry) -> Bool {
    a.key != b.key ? a.key < b.key : a.member < b.member
  }
}

/// The direction of a visit.
public enum VisitDirection: Hashable, Sendable {
  case forward, backward
}

/// The decision whether a visit continues.
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
  /// Bytes of the pages that the space takes, except for members of large sets.
  public var bytes: Int
  /// Levels of the tree.
  public var depth: Int
}

/// Ordered keys in named spaces, changed in transactions.
///
/// One transaction writes at a time. Any number of transactions read: each sees the state at its
/// begin and never waits. Code above this protocol does not depend on its implementation.
package protocol Storage: AnyObject, Sendable {
  /// Whether the storage refuses write transactions.
  var isReadOnly: Bool { get }

  /// Whether writers see the readers of this storage; if not, no process may write while it reads.
  var hasLocks: Bool { get }

  /// Whether this process holds exclusive access until ``share()``.
  var isAlone: Bool { get }

  /// Held by whoever opens spaces: transactions that do so must not run at the same time.
  var spacesLock: Lock { get }

  /// Gives up exclusive access, so that others can open the storage.
  ///
  /// - Throws: ``StorageError`` of kind `inUse`.
  func share() throws(StorageError)

  /// Begins a transaction that sees the last committed state and changes nothing.
  ///
  /// - Throws: ``StorageError`` of kind `tooManyReaders`, `usedAfterFork`, `closed` or `other`.
  func beginRead() throws(StorageError) -> any StorageTransaction

  /// Begins the write transaction; blocks until no other one is open, in this process or another.
  ///
  /// The transaction belongs to the calling thread.
  ///
  /// - Throws: ``StorageError`` of kind `readOnly`, `usedAfterFork`, `closed`,
  ///   `largerLimitElsewhere`, `noSpace` or `other`.
  func beginWrite() throws(StorageError) -> any StorageTransaction

  /// The sizes, readers and limits of the storage.
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

  /// The number of the transaction: for a write transaction, one more than that of the last
  /// committed one; for a read transaction, that of the state that it sees.
  ///
  /// If a process commits the numbers 7 and 8, no other process wrote in between.
  var number: UInt64 { get }

  /// Whether there are no spaces and no entries.
  func isEmpty() throws(StorageError) -> Bool

  /// The names of all spaces, in the order of their bytes.
  ///
  /// - Throws: ``StorageError``.
  /// - Complexity: O(*n*) in the number of spaces.
  func spaceNames() throws(StorageError) -> [String]

  /// Opens a space; nil if there is none with the name and `create` is false.
  ///
  /// The handle is valid for later transactions once this one is committed. No two transactions of
  /// one storage may open spaces at the same time: ``Storage/spacesLock`` is held meanwhile.
  func openSpace(_ name: String, _ kind: SpaceKind, create: Bool) throws(StorageError) -> Space?

  /// Removes a space and its contents.
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

  /// Removes an integer key of a `records` space; returns whether it was there. O(log *n*).
  func remove(_ space: Space, _ key: UInt64) throws(StorageError) -> Bool

  /// Removes a key of a `bytes` space; returns whether it was there. O(log *n*).
  func remove(_ space: Space, _ key: UnsafeRawBufferPointer) throws(StorageError) -> Bool

  /// Adds a member to the set of an integer key; returns whether it is new. O(log *n*).
  func insert(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StorageError) -> Bool

  /// Adds a member to the set of a key of bytes; returns whether it is new. O(log *n*).
  func insert(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool

  /// Adds sorted entries, much faster than one by one in any order.
  ///
  /// With `atEnd`, they must follow all entries of the space, and its pages are filled completely.
  func insert(
    _ space: Space, sorted: UnsafeBufferPointer<IntegerEntry>, atEnd: Bool
  ) throws(StorageError)

  /// Adds sorted entries to a `byteSets` space, which a function returns by position; much faster
  /// than one by one in any order.
  ///
  /// With `atEnd`, they must follow all entries of the space, and its pages are filled completely.
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

  /// The number of members of the set of an integer key; 0 if the key does not exist.
  ///
  /// O(log *n*) in the keys, whatever the size of the set.
  func memberCount(_ space: Space, _ key: UInt64) throws(StorageError) -> Int

  /// The number of members of the set of a key of bytes; 0 if the key does not exist.
  ///
  /// O(log *n*) in the keys, whatever the size of the set.
  func memberCount(_ space: Space, _ key: UnsafeRawBufferPointer) throws(StorageError) -> Int

  /// Removes a member from the set of an integer key; returns whether it was there. O(log *n*).
  func remove(_ space: Space, _ key: UInt64, _ member: UInt64) throws(StorageError) -> Bool

  /// Removes a member from the set of a key of bytes; returns whether it was there. O(log *n*).
  func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool

  /// Removes the whole set of an integer key; returns whether there was one. O(log *n*).
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
  /// The visits of this protocol throw a ``StorageError`` of kind `damaged` if entries are out of
  /// order, or if a visit of all entries meets another number than the space counts.
  func records(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws

  /// The first record of a `records` space whose key is above another, or of all records; nil if
  /// there is none.
  ///
  /// For a walk that replaces records: the next one is found in O(1) if the only change of the
  /// space is that the last record was replaced by one of the same size, and otherwise in O(log
  /// *n*).
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

  /// Visits the entries of an `integerSets` space from a key down (or from the last one): the keys
  /// in descending order, and the members of each key in ascending order.
  ///
  /// `entries` with the direction `backward` has the members in descending order too.
  func entries(
    _ space: Space, descendingFrom: UInt64?, _ body: (IntegerEntry) throws -> VisitStep
  ) throws

  /// Visits the entries of a `byteSets` space from a key down (or from the last one): the keys in
  /// descending order, and the members of each key in ascending order.
  func entries(
    _ space: Space, descendingFrom: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws

  /// Visits the keys of an `integerSets` space from a key on (or from the end), each once, with the
  /// lowest member of its set and the number of its members.
  ///
  /// O(1) for each key, whatever the size of its set.
  func keys(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (_ key: UInt64, _ first: UInt64, _ count: Int) throws -> VisitStep
  ) throws

  /// Visits the keys of a `byteSets` space from a key on (or from the end), each once, with the
  /// lowest member of its set and the number of its members.
  ///
  /// O(1) for each key, whatever the size of its set.
  func keys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (_ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int) throws -> VisitStep
  ) throws

  /// Visits the entries of a `bytes` space in the order of their keys.
  func values(
    _ space: Space, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws

  /// The highest key of a `records` or `integerSets` space; nil if it is empty. O(log *n*).
  func lastKey(_ space: Space) throws(StorageError) -> UInt64?

  /// Begins a transaction inside this write transaction, which must not be used until that ends.
  func beginNested() throws(StorageError) -> any StorageTransaction

  /// Ends the transaction and keeps its changes; they are on disk when this returns.
  ///
  /// The transaction has ended even if this throws; then none of its changes are kept.
  func commit() throws(StorageError)

  /// Ends the transaction and discards its changes. Does nothing after the end.
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
