internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A transaction over a ``Storage``.
///
/// A key is given as its bytes: eight in the order of the machine where the keys of a space are integers.
/// Bytes that a transaction returns stay valid until its next write, and at the longest until its end. A
/// transaction is used by one thread at a time.
@safe package final class StorageTransaction {
  let environment: Storage
  /// Nil once the transaction has ended.
  @exclusivity(unchecked) private var pointer: OpaquePointer?
  /// Whether the transaction may write.
  package let isWritable: Bool
  /// Whether the transaction is inside another one.
  private let isNested: Bool
  private let faults: StorageFaults?
  /// Bytes of a page whose records can be found on the page itself, see ``LeafRecords``; else 0.
  var leafSize: Int { isWritable ? 0 : environment.alignedPageSize }
  @exclusivity(unchecked) private var cursors = RecordCursors()
  @exclusivity(unchecked) private var lookups = LookupCursors()
  /// A cursor of a read transaction that the last look-up left open: opening one took a tenth of
  /// looking up ten members.
  @exclusivity(unchecked) private var spare: LMDBCursor?
  /// Whether there are handles that the end of the transaction must keep.
  private var hasOpenedSpaces = false

  init(
    _ pointer: OpaquePointer, in environment: Storage, isWritable: Bool, isNested: Bool = false
  ) {
    unsafe self.pointer = pointer
    self.environment = environment
    self.isWritable = isWritable
    self.isNested = isNested
    unsafe faults = environment.faults
  }

  deinit { abort() }

  /// The number of the transaction: for a write transaction, one more than the last committed one; for a read
  /// transaction, the number of the state that it sees.
  ///
  /// If a process commits the numbers 7 and 8, no other process wrote in between.
  package var number: UInt64 { unsafe pointer.map { unsafe UInt64(mdb_txn_id($0)) } ?? 0 }

  /// A cursor of a space for exclusive use until it is returned.
  func takeCursor(_ space: Space) throws(StorageError) -> LMDBCursor {
    _ = try unsafe live()
    if let found = unsafe spare, found.space.handle == space.handle {
      unsafe spare = nil
      return found
    }
    return try LMDBCursor(space, in: self)
  }

  func recycle(_ cursor: LMDBCursor) {
    // In a write transaction every write looks after every open cursor.
    if unsafe isWritable || pointer == nil { return cursor.close() }
    unsafe spare?.close()
    unsafe spare = cursor
  }

  private func closeSpare() {
    unsafe spare?.close()
    unsafe spare = nil
  }

  /// Begins a call.
  ///
  /// - Parameter call: The kind of the call, for faults.
  /// - Returns: The transaction of LMDB.
  /// - Throws: ``StorageError`` of kind `closed` after the end.
  @inline(__always)
  func live(_ call: StorageCall = .other) throws(StorageError) -> OpaquePointer {
    if let faults { try faults.strike(call) }
    guard let pointer = unsafe pointer else {
      throw StorageError(.closed, "the transaction has ended")
    }
    return unsafe pointer
  }

  /// Throws unless a function that may write to the file succeeded.
  private func checkWrite(_ code: Int32, _ doing: @autoclosure () -> String) throws(StorageError) {
    if code == MDB_SUCCESS { return }
    // LMDB takes a write that the system cut short for a failed one.
    throw storageError(code == EIO && environment.isDiskFull ? ENOSPC : code, doing())
  }

  /// Ends the transaction and keeps its changes; they are on disk when this returns.
  ///
  /// The transaction has ended even if this throws; then none of its changes are kept.
  package func commit() throws(StorageError) {
    let pointer: OpaquePointer
    do throws(StorageError) {
      unsafe pointer = try unsafe live(isWritable && !isNested ? .commit : .other)
    } catch {
      abort()
      throw error
    }
    // The child process of a fork has a copy of what belongs to the parent's locks.
    if environment.isForked { unsafe self.pointer = nil }
    try environment.requireSameProcess()
    closeSpare()
    unsafe self.pointer = nil
    if isWritable || hasOpenedSpaces {
      try unsafe checkWrite(mdb_txn_commit(pointer), "commit")
    } else {
      unsafe environment.recycle(pointer)
    }
  }

  /// Ends the transaction and discards its changes; does nothing after the end.
  package func abort() {
    guard let pointer = unsafe pointer else { return }
    if environment.isForked { return unsafe self.pointer = nil }
    closeSpare()
    unsafe self.pointer = nil
    if isWritable { unsafe mdb_txn_abort(pointer) } else { unsafe environment.recycle(pointer) }
  }

  /// Begins a transaction inside this write transaction, which must not be used until that ends.
  package func beginNested() throws(StorageError) -> StorageTransaction {
    // It may change the records at the positions of the cursors.
    unsafe cursors.forgetPlaces()
    return try unsafe environment.beginNested(in: live())
  }
}

// MARK: - Spaces

extension StorageTransaction {
  /// LMDB keeps the names of all spaces in a space of its own with the number 1.
  static let names = Space(handle: 1, kind: .bytes)

  /// Whether there are no spaces and no entries.
  package func isEmpty() throws(StorageError) -> Bool { try statistics(Self.names).entries == 0 }

  /// The names of all spaces, in the order of their bytes.
  ///
  /// - Complexity: O(*n*) in the number of spaces.
  package func spaceNames() throws(StorageError) -> [String] {
    var names: [String] = []
    do {
      try unsafe values(Self.names) { name, _ in
        unsafe names.append(String(decoding: name, as: UTF8.self))
        return .next
      }
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.other, "\(error)")
    }
    return names
  }

  /// Opens a space; nil if it does not exist and `create` is false.
  ///
  /// The handle is valid for later transactions once this one is committed. No two transactions of one
  /// storage may open spaces at the same time: ``Storage/spacesLock`` is held meanwhile.
  package func openSpace(
    _ name: String, _ kind: SpaceKind, create: Bool
  ) throws(StorageError) -> Space? {
    var handle: MDB_dbi = 0
    let flags = kind.lmdbFlags | (create ? UInt32(MDB_CREATE) : 0)
    let code = unsafe mdb_dbi_open(try live(), name, flags, &handle)
    if code == MDB_INCOMPATIBLE {
      throw StorageError(.damaged, "the space \(name) is of another kind", code: code)
    }
    guard try found(code, "open the space \(name)") else { return nil }
    // LMDB takes the kind from the file without a look at the one that is asked for.
    var stored: UInt32 = 0
    try unsafe check(mdb_dbi_flags(try live(), handle, &stored), "open the space \(name)")
    if stored != kind.lmdbFlags {
      throw StorageError(.damaged, "the space \(name) is of another kind")
    }
    hasOpenedSpaces = true
    return Space(handle: handle, kind: kind)
  }

  /// Removes a space and its contents.
  package func dropSpace(_ space: Space) throws(StorageError) {
    unsafe cursors.close(space)
    lookups.close(space)
    try unsafe check(mdb_drop(try live(), space.handle, 1), "remove a space")
  }

  /// Removes all entries of a space.
  package func clear(_ space: Space) throws(StorageError) {
    unsafe cursors.forgetPlace(in: space)
    try unsafe check(mdb_drop(try live(), space.handle, 0), "clear a space")
  }

  /// The sizes of a space.
  package func statistics(_ space: Space) throws(StorageError) -> SpaceStatistics {
    var result = MDB_stat()
    try unsafe check(mdb_stat(try live(), space.handle, &result), "inspect a space")
    let pages = result.ms_branch_pages + result.ms_leaf_pages + result.ms_overflow_pages
    return SpaceStatistics(
      entries: Int(result.ms_entries), bytes: Int(pages) * Int(result.ms_psize),
      depth: Int(result.ms_depth))
  }
}

// MARK: - Records and bytes

extension StorageTransaction {
  /// The value under a key of a space of records or bytes; nil if the key does not exist.
  ///
  /// - Complexity: O(log *n*).
  package func value(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    let transaction = try unsafe live()
    var (name, value) = unsafe (MDB_val(key), MDB_val())
    guard isWritable, space.kind == .records else {
      let code: Int32
      if isWritable, space.kind != .bytes,
        let cursor = try unsafe lookups.cursor(space, transaction)
      {
        code = unsafe mdb_cursor_get(cursor, &name, &value, MDB_SET)
      } else {
        code = unsafe mdb_get(transaction, space.handle, &name, &value)
      }
      return try unsafe found(code, "read") ? UnsafeRawBufferPointer(value) : nil
    }
    let id = unsafe key.integer
    var place = try unsafe cursors.cursor(space, transaction)
    defer { unsafe cursors.current = place }
    let isNext = id == place.previous &+ 1
    place.previous = id
    if isNext, let value = unsafe next(place.cursor, id) {
      place.key = id
      place.size = value.count
      return unsafe value
    }
    let code = unsafe mdb_cursor_get(place.cursor, &name, &value, MDB_SET)
    place.key = code == MDB_SUCCESS ? id : nil
    place.size = unsafe value.mv_size
    return try unsafe found(code, "read") ? UnsafeRawBufferPointer(value) : nil
  }

  /// Moves a cursor by one entry; the value if that has a key.
  private func next(_ cursor: OpaquePointer, _ key: UInt64) -> UnsafeRawBufferPointer? {
    var (reached, value) = unsafe (MDB_val(), MDB_val())
    guard unsafe mdb_cursor_get(cursor, &reached, &value, MDB_NEXT) == MDB_SUCCESS,
      unsafe reached.mv_size == 8, unsafe UnsafeRawBufferPointer(reached).integer == key
    else { return nil }
    return unsafe UnsafeRawBufferPointer(value)
  }

  /// The first record of a `records` space whose key is above another, or of all records; nil at the end.
  ///
  /// For a walk that replaces records: the next one is found in O(1) if the only change of the space is that
  /// the last record was replaced by one of the same size, and otherwise in
  ///
  /// - Complexity: O(log *n*).
  package func nextRecord(
    _ space: Space, after key: UInt64?
  ) throws(StorageError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    let transaction = try unsafe live()
    var place = try unsafe cursors.cursor(space, transaction)
    defer { unsafe cursors.current = place }
    var (reached, value) = unsafe (MDB_val(), MDB_val())
    let code: Int32
    if let key, place.key == key {
      code = unsafe mdb_cursor_get(place.cursor, &reached, &value, MDB_NEXT)
    } else if let key {
      code = unsafe withIntegerValue(key &+ 1) {
        let code = unsafe mdb_cursor_get(place.cursor, $0, &value, MDB_SET_RANGE)
        unsafe reached = $0.pointee
        return code
      }
    } else {
      code = unsafe mdb_cursor_get(place.cursor, &reached, &value, MDB_FIRST)
    }
    place.forgetPlace()
    guard try found(code, "read") else { return nil }
    let next = unsafe reached.mv_size == 8 ? UnsafeRawBufferPointer(reached).integer : nil
    guard let next, key.map({ $0 < next }) ?? true else {
      throw StorageError(.damaged, "the keys of a space are not in order")
    }
    place.key = next
    place.previous = next
    place.size = unsafe value.mv_size
    return unsafe (next, UnsafeRawBufferPointer(value))
  }

  /// Puts a value under a key of a space of records or bytes.
  ///
  /// - Complexity: O(log *n*).
  package func put(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ kind: PutKind
  ) throws(StorageError) {
    let transaction = try unsafe live(.put)
    var (name, data) = unsafe (MDB_val(key), MDB_val(value))
    let append = kind == .append ? UInt32(MDB_APPEND) : 0
    guard space.kind == .records else {
      return try unsafe checkWrite(
        mdb_put(transaction, space.handle, &name, &data, append), "write")
    }
    let id = unsafe key.integer
    let place = try unsafe cursors.cursor(space, transaction)
    unsafe cursors.current?.key = nil
    if place.key == id && place.size == value.count {
      return try unsafe replace(place, key, value)
    }
    let flags = place.key == id ? UInt32(MDB_CURRENT) : append
    // Bytes of another number may have moved to another page, where the cursor is not.
    try unsafe checkWrite(mdb_cursor_put(place.cursor, &name, &data, flags), "write")
  }

  /// Replaces the value at a cursor's position with one of the same size.
  private func replace(
    _ place: RecordCursor, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    var (name, data) = unsafe (MDB_val(key), MDB_val(mv_size: value.count, mv_data: nil))
    let flags = UInt32(MDB_CURRENT | MDB_RESERVE)
    try unsafe checkWrite(mdb_cursor_put(place.cursor, &name, &data, flags), "write")
    guard let reserved = unsafe data.mv_data else {
      throw StorageError(.other, "cannot write: no space was reserved")
    }
    if let start = value.baseAddress {
      unsafe reserved.copyMemory(from: start, byteCount: value.count)
    }
    unsafe cursors.current?.key = place.key
  }

  /// Removes a key with its value, or with all members of its set; returns whether it existed.
  ///
  /// - Complexity: O(log *n*).
  package func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live(.remove)
    if space.kind == .records {
      // A record that was read before it is removed is found once.
      let place = try unsafe cursors.cursor(space, transaction)
      unsafe cursors.forgetPlace(in: space)
      if unsafe place.key == key.integer {
        try unsafe checkWrite(mdb_cursor_del(place.cursor, 0), "remove")
        return true
      }
    }
    var name = unsafe MDB_val(key)
    return try unsafe found(mdb_del(transaction, space.handle, &name, nil), "remove")
  }
}

// MARK: - Sets

extension StorageTransaction {
  /// Adds a member to the set of a key; returns whether it is new.
  ///
  /// - Complexity: O(log *n*).
  package func insert(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live(.put)
    var name = unsafe MDB_val(key)
    let code = unsafe withIntegerValue(member) {
      unsafe mdb_put(transaction, space.handle, &name, $0, UInt32(MDB_NODUPDATA))
    }
    if code == MDB_KEYEXIST { return false }
    try checkWrite(code, "write")
    return true
  }

  /// Whether the set of a key has a member.
  ///
  /// - Complexity: O(log *n*).
  package func contains(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    return try unsafe cursor.has(key, member)
  }

  /// Adds sorted entries to an `integerSets` space, much faster than one by one in any order.
  ///
  /// With `atEnd`, they must follow all entries of the space, and its pages are filled completely.
  package func insert(
    _ space: Space, sorted entries: UnsafeBufferPointer<IntegerEntry>, atEnd: Bool
  ) throws(StorageError) {
    // One cursor stays near the last place: a descent of the tree for each leaf, not each entry.
    let cursor = try LMDBCursor(space, in: self, .put)
    defer { cursor.close() }
    // What the first one has in common with the entry before it, nobody says.
    var placement = LMDBCursor.Placement.anywhere
    var last: UInt64 = 0
    for position in entries.indices {
      let entry = unsafe entries[position]
      if atEnd && position > 0 { placement = entry.key == last ? .lastKey : .newKey }
      try checkWrite(cursor.insert(entry, placement), "write")
      last = entry.key
    }
  }

  /// Adds sorted entries to a `byteSets` space, which a function returns by position; much faster than one by
  /// one in any order.
  ///
  /// With `atEnd`, they must follow all entries of the space, and its pages are filled completely.
  package func insert(
    _ space: Space, count: Int, atEnd: Bool,
    _ entry: (Int) -> (key: UnsafeRawBufferPointer, member: UInt64)
  ) throws(StorageError) {
    let cursor = try LMDBCursor(space, in: self, .put)
    defer { cursor.close() }
    for position in 0..<count {
      let (key, member) = unsafe entry(position)
      var placement = LMDBCursor.Placement.anywhere
      if atEnd && position > 0 {
        placement = unsafe entry(position - 1).key.elementsEqual(key) ? .lastKey : .newKey
      }
      try unsafe checkWrite(cursor.insert(key, member, placement), "write")
    }
  }

  /// Removes a member from the set of a key; returns whether it existed.
  ///
  /// - Complexity: O(log *n*).
  package func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live(.remove)
    var name = unsafe MDB_val(key)
    let code = unsafe withIntegerValue(member) {
      unsafe mdb_del(transaction, space.handle, &name, $0)
    }
    return try found(code, "remove")
  }
}

// MARK: - Values of LMDB

/// Calls a function with an integer as a value of LMDB, in the byte order of the machine.
@inline(__always)
func withIntegerValue(
  _ integer: UInt64, _ body: (UnsafeMutablePointer<MDB_val>) -> Int32
) -> Int32 {
  var integer = integer
  return unsafe withUnsafeMutableBytes(of: &integer) { bytes in
    var value = unsafe MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
    return unsafe body(&value)
  }
}

extension MDB_val {
  /// A value that stands for bytes which LMDB only reads.
  init(_ bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}

extension UnsafeRawBufferPointer {
  init(_ value: MDB_val) {
    unsafe self.init(start: value.mv_data, count: value.mv_size)
  }

  /// The integer that the first eight bytes are in the order of the machine; 0 if there are fewer, as on a
  /// damaged page.
  @inline(__always)
  package var integer: UInt64 {
    count >= 8 ? unsafe loadUnaligned(as: UInt64.self) : 0
  }
}

extension SpaceKind {
  var lmdbFlags: UInt32 {
    let sets = UInt32(MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP)
    return switch self {
    case .records: UInt32(MDB_INTEGERKEY)
    case .integerSets: UInt32(MDB_INTEGERKEY) | sets
    case .byteSets: sets
    case .bytes: 0
    }
  }
}
