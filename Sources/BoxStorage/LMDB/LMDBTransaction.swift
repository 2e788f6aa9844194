internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A transaction of LMDB.
@safe final class LMDBTransaction: StorageTransaction {
  private let environment: LMDBEnvironment
  /// Nil once the transaction has ended.
  @exclusivity(unchecked) private var pointer: OpaquePointer?
  let isWritable: Bool
  /// Bytes of a page whose records can be found on the page itself, see ``LeafRecords``; else 0.
  var leafSize: Int { isWritable ? 0 : environment.alignedPageSize }
  /// Cursors of a write transaction over spaces of records, which LMDB closes at its end; the one
  /// that was used last aside.
  ///
  /// A record that is read and then replaced is found once, and its neighbour on the same page is
  /// found without a descent of the tree.
  @exclusivity(unchecked) private var cursors: [RecordCursor] = []
  @exclusivity(unchecked) private var current: RecordCursor?
  /// A cursor of a read transaction that the last look-up left open: opening one took a tenth of
  /// looking up ten members.
  @exclusivity(unchecked) private var spare: LMDBCursor?
  /// Whether there are handles that the end of the transaction must keep.
  private var hasOpenedSpaces = false

  init(
    _ pointer: OpaquePointer, in environment: LMDBEnvironment, isWritable: Bool
  ) {
    unsafe self.pointer = pointer
    self.environment = environment
    self.isWritable = isWritable
  }

  deinit { abort() }

  var number: UInt64 { unsafe pointer.map { unsafe UInt64(mdb_txn_id($0)) } ?? 0 }

  @safe private struct RecordCursor {
    let handle: UInt32
    let cursor: OpaquePointer
    /// The key that the cursor stands at, if it does.
    var key: UInt64?
    /// Bytes of the value there.
    var size = 0
    /// The key after which the next one is tried first.
    var previous: UInt64 = .max

    mutating func forgetPlace() {
      key = nil
      previous = .max
    }
  }

  /// The cursor of a space, which is ``current`` then.
  @inline(__always)
  private func cursor(_ space: Space) throws(StorageError) -> RecordCursor {
    if let current = unsafe current, current.handle == space.handle { return current }
    return try changeCursor(to: space)
  }

  private func changeCursor(to space: Space) throws(StorageError) -> RecordCursor {
    if let current = unsafe current { unsafe cursors.append(current) }
    unsafe current = nil
    if let position = unsafe cursors.firstIndex(where: { $0.handle == space.handle }) {
      let found = unsafe cursors.remove(at: position)
      unsafe current = found
      return found
    }
    var opened: OpaquePointer?
    try unsafe check(mdb_cursor_open(try live(), space.handle, &opened), "open a cursor")
    guard let opened = unsafe opened else { throw StorageError(.other, "cannot open a cursor") }
    let new = unsafe RecordCursor(handle: space.handle, cursor: opened)
    unsafe current = new
    return new
  }

  private func forgetPlace(_ space: Space) {
    if unsafe current?.handle == space.handle { unsafe current?.forgetPlace() }
    for position in unsafe cursors.indices where unsafe cursors[position].handle == space.handle {
      unsafe cursors[position].forgetPlace()
    }
  }

  /// A cursor of a space that is nobody else's until it is given back.
  func takeCursor(_ space: Space) throws(StorageError) -> LMDBCursor {
    if let found = unsafe spare, found.space.handle == space.handle {
      unsafe spare = nil
      return found
    }
    return try LMDBCursor(space, in: self)
  }

  func giveBack(_ cursor: LMDBCursor) {
    // In a write transaction every write looks after every open cursor.
    if unsafe isWritable || pointer == nil { return cursor.close() }
    unsafe spare?.close()
    unsafe spare = cursor
  }

  private func closeSpare() {
    unsafe spare?.close()
    unsafe spare = nil
  }

  func live() throws(StorageError) -> OpaquePointer {
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

  func commit() throws(StorageError) {
    let pointer = try unsafe live()
    // The child process of a fork has a copy of what belongs to the parent's locks.
    if environment.isForked { unsafe self.pointer = nil }
    try environment.requireSameProcess()
    closeSpare()
    unsafe self.pointer = nil
    if isWritable || hasOpenedSpaces {
      try unsafe checkWrite(mdb_txn_commit(pointer), "commit")
    } else {
      unsafe environment.rest(pointer)
    }
  }

  func abort() {
    guard let pointer = unsafe pointer else { return }
    if environment.isForked { return unsafe self.pointer = nil }
    closeSpare()
    unsafe self.pointer = nil
    if isWritable { unsafe mdb_txn_abort(pointer) } else { unsafe environment.rest(pointer) }
  }

  func beginNested() throws(StorageError) -> any StorageTransaction {
    // It may change what the cursors stand at.
    unsafe current?.forgetPlace()
    for position in unsafe cursors.indices { unsafe cursors[position].forgetPlace() }
    return try unsafe environment.beginNested(in: live())
  }
}

// MARK: - Spaces

extension LMDBTransaction {
  /// LMDB keeps the names of all spaces in a space of its own with the number 1.
  private static let names = Space(handle: 1, kind: .bytes)

  func isEmpty() throws(StorageError) -> Bool { try statistics(Self.names).entries == 0 }

  func spaceNames() throws(StorageError) -> [String] {
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

  func openSpace(
    _ name: String, _ kind: SpaceKind, create: Bool
  ) throws(StorageError) -> Space? {
    var handle: MDB_dbi = 0
    let flags = kind.lmdbFlags | (create ? UInt32(MDB_CREATE) : 0)
    let code = unsafe mdb_dbi_open(try create ? live() : live(), name, flags, &handle)
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

  func dropSpace(_ space: Space) throws(StorageError) {
    if let current = unsafe current { unsafe cursors.append(current) }
    unsafe current = nil
    for open in unsafe cursors where open.handle == space.handle {
      unsafe mdb_cursor_close(open.cursor)
    }
    unsafe cursors.removeAll { $0.handle == space.handle }
    try unsafe check(mdb_drop(try live(), space.handle, 1), "remove a space")
  }

  func clear(_ space: Space) throws(StorageError) {
    forgetPlace(space)
    try unsafe check(mdb_drop(try live(), space.handle, 0), "clear a space")
  }

  func statistics(_ space: Space) throws(StorageError) -> SpaceStatistics {
    var result = MDB_stat()
    try unsafe check(mdb_stat(try live(), space.handle, &result), "inspect a space")
    let pages = result.ms_branch_pages + result.ms_leaf_pages + result.ms_overflow_pages
    return SpaceStatistics(
      entries: Int(result.ms_entries), bytes: Int(pages) * Int(result.ms_psize),
      depth: Int(result.ms_depth))
  }
}

// MARK: - Records and bytes

extension LMDBTransaction {
  func value(_ space: Space, _ key: UInt64) throws(StorageError) -> UnsafeRawBufferPointer? {
    let transaction = try unsafe live()
    var value = unsafe MDB_val()
    if !isWritable {
      let code = unsafe withIntegerValue(key) {
        unsafe mdb_get(transaction, space.handle, $0, &value)
      }
      return try unsafe found(code, "read") ? UnsafeRawBufferPointer(value) : nil
    }
    var place = try cursor(space)
    defer { unsafe current = place }
    let isNext = key == place.previous &+ 1
    place.previous = key
    if isNext, let value = unsafe next(place.cursor, key) {
      place.key = key
      place.size = value.count
      return unsafe value
    }
    let code = unsafe withIntegerValue(key) {
      unsafe mdb_cursor_get(place.cursor, $0, &value, MDB_SET)
    }
    place.key = code == MDB_SUCCESS ? key : nil
    place.size = unsafe value.mv_size
    return try unsafe found(code, "read") ? UnsafeRawBufferPointer(value) : nil
  }

  /// Moves a cursor by one entry; the value if that has a key.
  private func next(_ cursor: OpaquePointer, _ key: UInt64) -> UnsafeRawBufferPointer? {
    var (reached, value) = unsafe (MDB_val(), MDB_val())
    guard unsafe mdb_cursor_get(cursor, &reached, &value, MDB_NEXT) == MDB_SUCCESS,
      unsafe reached.mv_size == 8, unsafe reached.mv_data?.loadUnaligned(as: UInt64.self) == key
    else { return nil }
    return unsafe UnsafeRawBufferPointer(value)
  }

  // Part of the protocol's entry for it, as ``put(_:_:_:_:)`` is: a call less for each record.
  @inline(__always)
  func nextRecord(
    _ space: Space, after key: UInt64?
  ) throws(StorageError) -> (key: UInt64, value: UnsafeRawBufferPointer)? {
    var place = try cursor(space)
    defer { unsafe current = place }
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
    let next = unsafe reached.mv_size == 8 ? reached.mv_data?.loadUnaligned(as: UInt64.self) : nil
    guard let next, key.map({ $0 < next }) ?? true else {
      throw StorageError(.damaged, "the keys of a space are not in order")
    }
    place.key = next
    place.previous = next
    place.size = unsafe value.mv_size
    return unsafe (next, UnsafeRawBufferPointer(value))
  }

  func value(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> UnsafeRawBufferPointer? {
    var name = unsafe MDB_val(key)
    var value = unsafe MDB_val()
    let code = unsafe mdb_get(try live(), space.handle, &name, &value)
    return try unsafe found(code, "read") ? UnsafeRawBufferPointer(value) : nil
  }

  @inline(__always)
  func put(
    _ space: Space, _ key: UInt64, _ value: UnsafeRawBufferPointer, _ kind: PutKind
  ) throws(StorageError) {
    let place = try cursor(space)
    unsafe current?.key = nil
    if place.key == key && place.size == value.count {
      return try unsafe replace(place, key, value)
    }
    var data = unsafe MDB_val(value)
    let flags =
      place.key == key ? UInt32(MDB_CURRENT) : kind == .append ? UInt32(MDB_APPEND) : 0
    let code = unsafe withIntegerValue(key) {
      unsafe mdb_cursor_put(place.cursor, $0, &data, flags)
    }
    // Bytes of another number may have moved to another page, where the cursor is not.
    try checkWrite(code, "write")
  }

  /// Replaces the value that a cursor stands at by one of the same size.
  private func replace(
    _ place: RecordCursor, _ key: UInt64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    var data = unsafe MDB_val(mv_size: value.count, mv_data: nil)
    let code = unsafe withIntegerValue(key) {
      unsafe mdb_cursor_put(place.cursor, $0, &data, UInt32(MDB_CURRENT | MDB_RESERVE))
    }
    try checkWrite(code, "write")
    guard let reserved = unsafe data.mv_data else {
      throw StorageError(.other, "cannot write: no room was reserved")
    }
    if let start = value.baseAddress {
      unsafe reserved.copyMemory(from: start, byteCount: value.count)
    }
    unsafe current?.key = key
  }

  func put(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    var name = unsafe MDB_val(key)
    var data = unsafe MDB_val(value)
    try unsafe checkWrite(mdb_put(try live(), space.handle, &name, &data, 0), "write")
  }

  func remove(_ space: Space, _ key: UInt64) throws(StorageError) -> Bool {
    forgetPlace(space)
    let transaction = try unsafe live()
    let code = unsafe withIntegerValue(key) { unsafe mdb_del(transaction, space.handle, $0, nil) }
    return try found(code, "remove")
  }

  func remove(_ space: Space, _ key: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    var name = unsafe MDB_val(key)
    return try unsafe found(mdb_del(try live(), space.handle, &name, nil), "remove")
  }
}

// MARK: - Sets

extension LMDBTransaction {
  func insert(
    _ space: Space, _ key: UInt64, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live()
    let code = unsafe withIntegerValue(key) { key in
      unsafe withIntegerValue(member) {
        unsafe mdb_put(transaction, space.handle, key, $0, UInt32(MDB_NODUPDATA))
      }
    }
    return try inserted(code)
  }

  func insert(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live()
    var name = unsafe MDB_val(key)
    let code = unsafe withIntegerValue(member) {
      unsafe mdb_put(transaction, space.handle, &name, $0, UInt32(MDB_NODUPDATA))
    }
    return try inserted(code)
  }

  private func inserted(_ code: Int32) throws(StorageError) -> Bool {
    if code == MDB_KEYEXIST { return false }
    try checkWrite(code, "write")
    return true
  }

  func contains(
    _ space: Space, _ key: UInt64, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    return try cursor.has(key, member)
  }

  func contains(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    return try unsafe cursor.has(key, member)
  }

  func insert(
    _ space: Space, sorted entries: UnsafeBufferPointer<IntegerEntry>, atEnd: Bool
  ) throws(StorageError) {
    _ = try unsafe live()
    // One cursor stays near the last place: a descent of the tree for each leaf, not each entry.
    let cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    if !atEnd {
      for position in entries.indices {
        try checkWrite(cursor.insert(unsafe entries[position]), "write")
      }
      return
    }
    // What the first one has in common with the entry before it, nobody says.
    var placement = LMDBCursor.Placement.anywhere
    var last: UInt64 = 0
    for position in entries.indices {
      let entry = unsafe entries[position]
      if placement != .anywhere { placement = entry.key == last ? .lastKey : .newKey }
      try checkWrite(cursor.insert(entry, placement), "write")
      (placement, last) = (.newKey, entry.key)
    }
  }

  func insert(
    _ space: Space, count: Int, atEnd: Bool,
    _ entry: (Int) -> (key: UnsafeRawBufferPointer, member: UInt64)
  ) throws(StorageError) {
    _ = try unsafe live()
    let cursor = try LMDBCursor(space, in: self)
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

  func remove(
    _ space: Space, _ key: UInt64, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live()
    let code = unsafe withIntegerValue(key) { key in
      unsafe withIntegerValue(member) { unsafe mdb_del(transaction, space.handle, key, $0) }
    }
    return try found(code, "remove")
  }

  func remove(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ member: UInt64
  ) throws(StorageError) -> Bool {
    let transaction = try unsafe live()
    var name = unsafe MDB_val(key)
    let code = unsafe withIntegerValue(member) {
      unsafe mdb_del(transaction, space.handle, &name, $0)
    }
    return try found(code, "remove")
  }

  func removeSet(_ space: Space, _ key: UInt64) throws(StorageError) -> Bool {
    let transaction = try unsafe live()
    let code = unsafe withIntegerValue(key) { unsafe mdb_del(transaction, space.handle, $0, nil) }
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
