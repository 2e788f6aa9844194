internal import CLMDB

/// A cursor of LMDB over one space of a transaction, which it must not outlive.
@safe struct LMDBCursor {
  let space: Space
  private let pointer: OpaquePointer
  private(set) var key = unsafe MDB_val()
  private(set) var value = unsafe MDB_val()

  init(
    _ space: Space, in transaction: StorageTransaction, _ call: StorageCall = .other
  ) throws(StorageError) {
    var opened: OpaquePointer?
    try unsafe check(
      mdb_cursor_open(try transaction.live(call), space.handle, &opened), "open a cursor")
    guard let opened = unsafe opened else { throw StorageError(.other, "cannot open a cursor") }
    self.space = space
    unsafe pointer = opened
  }

  func close() { unsafe mdb_cursor_close(pointer) }

  var integerKey: UInt64 { unsafe keyBytes.integer }
  var integerValue: UInt64 { unsafe valueBytes.integer }
  var keyBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(key) }
  var valueBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(value) }

  /// Moves; whether there is an entry at the new place.
  mutating func move(_ operation: MDB_cursor_op) throws(StorageError) -> Bool {
    try unsafe found(mdb_cursor_get(pointer, &key, &value, operation), "read")
  }

  /// Moves to the first entry whose key is not below the given one.
  mutating func seek(_ wanted: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    unsafe key = MDB_val(wanted)
    return try move(MDB_SET_RANGE)
  }

  /// Moves to an entry that was found without the cursor.
  ///
  /// - Throws: ``StorageError``, of kind `damaged` if the entry is not where it was found.
  mutating func catchUp(
    _ key: UInt64, _ value: UnsafeRawBufferPointer
  ) throws(StorageError) {
    let code = unsafe withIntegerValue(key) {
      unsafe mdb_cursor_get(pointer, $0, &self.value, MDB_SET)
    }
    guard try found(code, "read"),
      unsafe self.value.mv_data == UnsafeMutableRawPointer(mutating: value.baseAddress)
    else { throw EntryOrder.damage }
  }

  /// Moves to the first member of a key's set; returns whether the key exists.
  mutating func set(_ wanted: UnsafeRawBufferPointer) throws(StorageError) -> Bool {
    unsafe key = MDB_val(wanted)
    return try move(MDB_SET)
  }

  /// Moves to the record with which a visit of integer keys starts in a direction.
  mutating func start(from: UInt64?, _ direction: VisitDirection) throws(StorageError) -> Bool {
    guard let from else { return try unsafe start(from: nil as UnsafeRawBufferPointer?, direction) }
    return try unsafe withUnsafeBytes(of: from) { (key) throws(StorageError) in
      try unsafe start(from: key, direction)
    }
  }

  /// Moves to the record with which a visit starts in a direction.
  mutating func start(
    from: UnsafeRawBufferPointer?, _ direction: VisitDirection
  ) throws(StorageError) -> Bool {
    guard let from = unsafe from else {
      return try move(direction == .forward ? MDB_FIRST : MDB_LAST)
    }
    let found = try unsafe seek(from)
    if direction == .forward { return found }
    if !found { return try move(MDB_LAST) }
    if unsafe keyBytes.elementsEqual(from) { return try lastOfKey() }
    return try move(MDB_PREV)
  }

  /// Moves to the first key beyond one in a direction, at any member of its set.
  mutating func start(
    beyond key: UnsafeRawBufferPointer, _ direction: VisitDirection
  ) throws(StorageError) -> Bool {
    let found = try unsafe seek(key)
    if direction == .backward { return try move(found ? MDB_PREV_NODUP : MDB_LAST) }
    return unsafe found && keyBytes.elementsEqual(key) ? try move(MDB_NEXT_NODUP) : found
  }

  /// Moves to the first member beyond one in a direction, which need not exist, of the set of a key.
  mutating func set(
    _ wanted: UnsafeRawBufferPointer, beyond member: UInt64, _ direction: VisitDirection
  ) throws(StorageError) -> Bool {
    if direction == .forward, member == .max { return false }
    unsafe key = MDB_val(wanted)
    let least = direction == .forward ? member + 1 : member
    let code = unsafe withIntegerValue(least) {
      let code = unsafe mdb_cursor_get(pointer, &key, $0, MDB_GET_BOTH_RANGE)
      if code == MDB_SUCCESS { unsafe value = $0.pointee }
      return code
    }
    let isFound = try found(code, "read")
    if direction == .forward { return isFound }
    if isFound { return try move(MDB_PREV_DUP) }
    // All members of the set are below the one, or there is no set.
    guard try unsafe set(wanted) else { return false }
    return try lastOfKey()
  }

  /// Moves to the last entry of the key; where a key has one entry, the cursor is there.
  mutating func lastOfKey() throws(StorageError) -> Bool {
    var last = unsafe MDB_val()
    var unchanged = unsafe key
    if unsafe mdb_cursor_get(pointer, &unchanged, &last, MDB_LAST_DUP) == MDB_SUCCESS,
      unsafe last.mv_data != nil
    {
      unsafe value = last
    }
    return true
  }

  /// Moves to the first entry of the key; where a key has one entry, the cursor is there.
  mutating func firstOfKey() throws(StorageError) {
    var first = unsafe MDB_val()
    var unchanged = unsafe key
    let code = unsafe mdb_cursor_get(pointer, &unchanged, &first, MDB_FIRST_DUP)
    if try found(code, "read"), unsafe first.mv_data != nil { unsafe value = first }
  }

  /// The number of members of the current key's set.
  ///
  /// - Throws: ``StorageError``, of kind `damaged` for a number that no set has.
  func memberCount() throws(StorageError) -> Int {
    var count = 0
    try unsafe check(mdb_cursor_count(pointer, &count), "count")
    if count < 1 { throw EntryOrder.damage }
    return count
  }

  /// Visits what there is of the current key's set, in order; the cursor is at its first member.
  mutating func visitMembers(_ body: (UInt64) throws -> VisitStep) throws {
    // A page of members at a time; where the set has one member, `value` is it already.
    var members = unsafe value
    var ignored = unsafe key
    let code = unsafe mdb_cursor_get(pointer, &ignored, &members, MDB_GET_MULTIPLE)
    guard try found(code, "read") else { return }
    while true {
      let page = unsafe UnsafeRawBufferPointer(members)
      for offset in stride(from: 0, to: page.count - 7, by: 8) {
        if try unsafe body(page.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) == .stop {
          return
        }
      }
      if try unsafe !found(mdb_cursor_get(pointer, &ignored, &members, MDB_NEXT_MULTIPLE), "read") {
        return
      }
    }
  }

  /// Prefetches a record that a visit reaches soon.
  ///
  /// LMDB fills a page from its end, and pages usually follow each other, so processors cannot predict the
  /// addresses of records in key order: waiting for them took a third of a visit. Where the guess is wrong
  /// nothing but the hint is lost.
  @inline(__always)
  func prefetch(_ direction: VisitDirection) {
    // The head of a node and its key precede the value.
    let size = unsafe UInt(value.mv_size) &+ 16
    let start = unsafe UInt(bitPattern: value.mv_data)
    let ahead =
      size > 1024
      ? Self.largeAhead(start, size, direction) : Self.ahead(start, size, direction)
    // Of more, the processor sees by itself that they are read in order.
    boxjoint_prefetch(ahead, Int(min(size, 2048)))
  }

  private static var page: UInt { 4096 }

  /// The probable address of the fourth record after one.
  @inline(__always)
  private static func ahead(_ start: UInt, _ size: UInt, _ direction: VisitDirection) -> UInt {
    let ahead = direction == .forward ? start &- 4 &* size : start &+ 4 &* size
    if ahead / page == start / page { return ahead }
    return direction == .forward ? ahead &+ 2 &* page : ahead &- 2 &* page
  }

  /// The probable address of the record after a large one, of which a page has few, or which has its own
  /// pages: reading one takes as long as prefetching another.
  private static func largeAhead(
    _ start: UInt, _ size: UInt, _ direction: VisitDirection
  ) -> UInt {
    if size > page / 2 {
      let pages = (size &+ page &- 1) / page &* page
      return direction == .forward ? start &+ pages : start &- pages
    }
    let ahead = direction == .forward ? start &- size : start &+ size
    if ahead / page == start / page { return ahead }
    // The first record of a page is at its end, and each further one a record size before that.
    let end = direction == .forward ? (start / page &+ 2) &* page : start / page &* page
    return direction == .forward ? end &- size : end &- page / size &* size
  }

  /// Whether the set of a key has a member.
  func has(_ key: UnsafeRawBufferPointer, _ member: UInt64) throws(StorageError) -> Bool {
    var name = unsafe MDB_val(key)
    let code = unsafe withIntegerValue(member) {
      unsafe mdb_cursor_get(pointer, &name, $0, MDB_GET_BOTH)
    }
    return try found(code, "read")
  }

  /// The place at which an entry is added, as far as the caller knows it.
  enum Placement {
    /// Inserted in order, unless it exists already.
    case anywhere
    /// After all others: its key is above every other key.
    case newKey
    /// After all others: it is the highest member of the last key.
    case lastKey

    fileprivate var flags: UInt32 {
      switch self {
      case .anywhere: UInt32(MDB_NODUPDATA)
      case .newKey: UInt32(MDB_APPEND)
      case .lastKey: UInt32(MDB_APPENDDUP)
      }
    }
  }

  func insert(_ entry: IntegerEntry, _ placement: Placement = .anywhere) -> Int32 {
    let code = unsafe withIntegerValue(entry.key) { key in
      unsafe withIntegerValue(entry.member) {
        unsafe mdb_cursor_put(pointer, key, $0, placement.flags)
      }
    }
    return code == MDB_KEYEXIST && placement == .anywhere ? MDB_SUCCESS : code
  }

  func insert(
    _ key: UnsafeRawBufferPointer, _ member: UInt64, _ placement: Placement = .anywhere
  ) -> Int32 {
    var name = unsafe MDB_val(key)
    let code = unsafe withIntegerValue(member) {
      unsafe mdb_cursor_put(pointer, &name, $0, placement.flags)
    }
    return code == MDB_KEYEXIST && placement == .anywhere ? MDB_SUCCESS : code
  }
}
