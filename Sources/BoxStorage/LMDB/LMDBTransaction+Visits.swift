internal import CLMDB

extension LMDBTransaction {
  func members(_ space: Space, _ key: UInt64, _ body: (UInt64) throws -> VisitStep) throws {
    var cursor = try takeCursor(space)
    defer { giveBack(cursor) }
    if try cursor.set(key) { try cursor.visitMembers(body) }
  }

  func members(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ body: (UInt64) throws -> VisitStep
  ) throws {
    var cursor = try takeCursor(space)
    defer { giveBack(cursor) }
    if try unsafe cursor.set(key) { try cursor.visitMembers(body) }
  }

  func records(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (UInt64, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    let step = direction == .forward ? MDB_NEXT : MDB_PREV
    var order = EntryOrder(direction)
    var isThere = try cursor.start(from: from, direction)
    var count = 0
    while isThere {
      cursor.prefetch(direction)
      let key = cursor.integerKey
      count += 1
      try order.take(key)
      if try unsafe body(key, cursor.valueBytes) == .stop { return }
      if var leaf = unsafe LeafRecords(after: cursor.keyBytes, pageSize: leafSize, direction) {
        while let (key, value) = try unsafe leaf.next() {
          count += 1
          try order.take(key)
          if try unsafe body(key, value) == .stop { return }
        }
        if let (key, value) = unsafe leaf.last { try unsafe cursor.catchUp(key, value) }
      }
      isThere = try cursor.move(step)
    }
    if from == nil { try require(count, in: space) }
  }

  func entries(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (IntegerEntry) throws -> VisitStep
  ) throws {
    var order = EntryOrder(direction)
    try visit(space, from: from, direction) { cursor in
      let entry = IntegerEntry(key: cursor.integerKey, member: cursor.integerValue)
      try order.take(entry.key, entry.member)
      return try body(entry)
    }
  }

  @inline(__always)
  private func visit(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (LMDBCursor) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    let step = direction == .forward ? MDB_NEXT : MDB_PREV
    var isThere = try cursor.start(from: from, direction)
    var count = 0
    while isThere {
      count += 1
      if try body(cursor) == .stop { return }
      isThere = try cursor.move(step)
    }
    if from == nil { try require(count, in: space) }
  }

  /// Requires that a visit of all entries met as many as the space counts.
  ///
  /// - Throws: ``StorageError`` of kind `damaged`.
  private func require(_ count: Int, in space: Space) throws(StorageError) {
    let counted = try statistics(space).entries
    if count == counted { return }
    throw StorageError(
      .damaged,
      "the file is damaged: a space has \(count) entries and counts \(counted); "
        + "restore a backup")
  }

  func entries(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    let step = direction == .forward ? MDB_NEXT : MDB_PREV
    var order = TextEntryOrder(direction, isWritable: isWritable)
    var isThere = try unsafe cursor.start(from: from, direction)
    var count = 0
    while isThere {
      count += 1
      let (key, member) = unsafe (cursor.keyBytes, cursor.integerValue)
      try unsafe order.take(key, member)
      if try unsafe body(key, member) == .stop { return }
      isThere = try cursor.move(step)
    }
    if unsafe from == nil { try require(count, in: space) }
  }

  func values(
    _ space: Space, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var isThere = try cursor.move(MDB_FIRST)
    var count = 0
    while isThere {
      count += 1
      if try unsafe body(cursor.keyBytes, cursor.valueBytes) == .stop { return }
      isThere = try cursor.move(MDB_NEXT)
    }
    try require(count, in: space)
  }

  func lastKey(_ space: Space) throws(StorageError) -> UInt64? {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    return try cursor.move(MDB_LAST) ? cursor.integerKey : nil
  }
}

// MARK: - Visits by key

extension LMDBTransaction {
  func memberCount(_ space: Space, _ key: UInt64) throws(StorageError) -> Int {
    var cursor = try takeCursor(space)
    defer { giveBack(cursor) }
    return try cursor.set(key) ? cursor.memberCount() : 0
  }

  func memberCount(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Int {
    var cursor = try takeCursor(space)
    defer { giveBack(cursor) }
    return try unsafe cursor.set(key) ? cursor.memberCount() : 0
  }

  func keys(
    _ space: Space, from: UInt64?, _ direction: VisitDirection,
    _ body: (_ key: UInt64, _ first: UInt64, _ count: Int) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var order = EntryOrder(direction)
    let isThere = try cursor.start(from: from, direction)
    try visitKeys(&cursor, isThere, direction, isWhole: from == nil) { cursor, count in
      let key = cursor.integerKey
      try order.take(key)
      return try body(key, cursor.integerValue, count)
    }
  }

  func keys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (_ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var order = TextEntryOrder(direction, isWritable: isWritable)
    let isThere = try unsafe cursor.start(from: from, direction)
    try unsafe visitKeys(&cursor, isThere, direction, isWhole: from == nil) { cursor, count in
      let key = unsafe cursor.keyBytes
      try unsafe order.take(key)
      return try unsafe body(key, cursor.integerValue, count)
    }
  }

  func entries(
    _ space: Space, descendingFrom from: UInt64?, _ body: (IntegerEntry) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var order = EntryOrder(.backward)
    let isThere = try cursor.start(from: from, .backward)
    try visitKeys(&cursor, isThere, .backward, isWhole: from == nil) { cursor, count in
      let key = cursor.integerKey
      try order.take(key)
      return try visitMembers(&cursor, count) { try body(IntegerEntry(key: key, member: $0)) }
    }
  }

  func entries(
    _ space: Space, descendingFrom from: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var order = TextEntryOrder(.backward, isWritable: isWritable)
    let isThere = try unsafe cursor.start(from: from, .backward)
    try unsafe visitKeys(&cursor, isThere, .backward, isWhole: from == nil) { cursor, count in
      let key = unsafe cursor.keyBytes
      try unsafe order.take(key)
      return try visitMembers(&cursor, count) { try unsafe body(key, $0) }
    }
  }

  /// Visits each key once, with a cursor at the first member of its set and the number of members.
  @inline(__always)
  private func visitKeys(
    _ cursor: inout LMDBCursor, _ isAtKey: Bool, _ direction: VisitDirection, isWhole: Bool,
    _ body: (inout LMDBCursor, Int) throws -> VisitStep
  ) throws {
    let step = direction == .forward ? MDB_NEXT_NODUP : MDB_PREV_NODUP
    var isThere = isAtKey
    var total = 0
    while isThere {
      let count = try cursor.memberCount()
      // LMDB walks backwards to the last member.
      if direction == .backward && count > 1 { try cursor.firstOfKey() }
      // The numbers of a damaged file can have any sum.
      total &+= count
      if try body(&cursor, count) == .stop { return }
      isThere = try cursor.move(step)
    }
    if isWhole { try require(total, in: cursor.space) }
  }

  /// Visits the members of the current key's set, which has a number of them.
  ///
  /// - Throws: ``StorageError`` of kind `damaged` if they are out of order or of another number, and
  ///   the error of `body`.
  @inline(__always)
  private func visitMembers(
    _ cursor: inout LMDBCursor, _ count: Int, _ body: (UInt64) throws -> VisitStep
  ) throws -> VisitStep {
    // The cursor would read on in the set of the key before, which LMDB does not put away.
    if count == 1 { return try body(cursor.integerValue) }
    var order = EntryOrder(.forward)
    var (step, met) = (VisitStep.next, 0)
    try cursor.visitMembers { member in
      try order.take(member)
      met += 1
      step = try body(member)
      return step
    }
    if step == .next && met != count { throw EntryOrder.damage }
    return step
  }
}
