internal import CLMDB

/// Visits in order, which a body ends by ``VisitStep/stop``.
///
/// A visit throws a ``StorageError`` of kind `damaged` if entries are out of order, or if a visit of all
/// entries meets another number than the space counts; and the error of the body.
extension StorageTransaction {
  /// Visits the members of the set of a key.
  package func members(
    _ space: Space, _ key: UnsafeRawBufferPointer, _ body: (UInt64) throws -> VisitStep
  ) throws {
    var cursor = try takeCursor(space)
    defer { recycle(cursor) }
    if try unsafe cursor.set(key) { try cursor.visitMembers(body) }
  }

  /// The number of members of the set of a key; 0 if the key does not exist.
  ///
  /// - Complexity: O(log *n*) in the keys, whatever the size of the set.
  package func memberCount(
    _ space: Space, _ key: UnsafeRawBufferPointer
  ) throws(StorageError) -> Int {
    var cursor = try takeCursor(space)
    defer { recycle(cursor) }
    return try unsafe cursor.set(key) ? cursor.memberCount() : 0
  }

  /// Visits the records of a `records` space from a key on (or from the end).
  package func records(
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
      try order.checkNext(key)
      if try unsafe body(key, cursor.valueBytes) == .stop { return }
      if var leaf = unsafe LeafRecords(after: cursor.keyBytes, pageSize: leafSize, direction) {
        while let (key, value) = try unsafe leaf.next() {
          count += 1
          try order.checkNext(key)
          if try unsafe body(key, value) == .stop { return }
        }
        if let (key, value) = unsafe leaf.last { try unsafe cursor.catchUp(key, value) }
      }
      isThere = try cursor.move(step)
    }
    if from == nil { try require(count, in: space) }
  }

  /// Visits the entries of a space of sets from a key on (or from the end).
  ///
  /// In the direction `backward` keys and members are in descending order.
  package func entries(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (_ key: UnsafeRawBufferPointer, _ member: UInt64) throws -> VisitStep
  ) throws {
    if space.kind == .integerSets {
      var order = EntryOrder(direction)
      return try unsafe visit(space, from: from, direction) { key, member in
        try unsafe order.checkNext(key.integer, member)
        return try unsafe body(key, member)
      }
    }
    var order = TextEntryOrder(direction, isWritable: isWritable)
    try unsafe visit(space, from: from, direction) { key, member in
      try unsafe order.checkNext(key, member)
      return try unsafe body(key, member)
    }
  }

  @inline(__always)
  private func visit(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    let step = direction == .forward ? MDB_NEXT : MDB_PREV
    var isThere = try unsafe cursor.start(from: from, direction)
    var count = 0
    while isThere {
      count += 1
      if try unsafe body(cursor.keyBytes, cursor.integerValue) == .stop { return }
      isThere = try cursor.move(step)
    }
    if unsafe from == nil { try require(count, in: space) }
  }

  /// Visits the entries of a `bytes` space in the order of their keys, from a key on or from the first one.
  package func values(
    _ space: Space, from: UnsafeRawBufferPointer? = nil,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var isThere = try unsafe cursor.start(from: from, .forward)
    var count = 0
    while isThere {
      count += 1
      if try unsafe body(cursor.keyBytes, cursor.valueBytes) == .stop { return }
      isThere = try cursor.move(MDB_NEXT)
    }
    if unsafe from == nil { try require(count, in: space) }
  }

  /// The highest key of a `records` or `integerSets` space; nil if it is empty.
  ///
  /// - Complexity: O(log *n*).
  package func lastKey(_ space: Space) throws(StorageError) -> UInt64? {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    return try cursor.move(MDB_LAST) ? cursor.integerKey : nil
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
}

// MARK: - Visits by key

extension StorageTransaction {
  /// Visits the keys of a space of sets from a key on (or from the end), each once, with the lowest member of
  /// its set and the number of its members.
  ///
  /// - Complexity: O(1) for each key, whatever the size of its set.
  package func keys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (_ key: UnsafeRawBufferPointer, _ first: UInt64, _ count: Int) throws -> VisitStep
  ) throws {
    try unsafe visitKeys(space, from: from, direction) { key, cursor, count in
      try unsafe body(key, cursor.integerValue, count)
    }
  }

  /// Visits the entries of a space of sets from a key down (or from the last one): the keys in descending
  /// order, and the members of each key in ascending order.
  package func entries(
    _ space: Space, descendingFrom from: UnsafeRawBufferPointer?,
    _ body: (_ key: UnsafeRawBufferPointer, _ member: UInt64) throws -> VisitStep
  ) throws {
    try unsafe visitKeys(space, from: from, .backward) { key, cursor, count in
      try visitMembers(&cursor, count) { try unsafe body(key, $0) }
    }
  }

  /// Visits the entries of a space of sets beyond one, each key with the members of its set.
  ///
  /// - Parameters:
  ///   - space: The space.
  ///   - start: The entry beyond which the visit begins, which need not exist; nil for all entries.
  ///   - keys: The direction of the keys.
  ///   - members: The direction of the members of each key.
  ///   - body: Called with the key and the member; returns whether the visit continues.
  /// - Throws: ``StorageError`` of kind `damaged` for entries out of order, and the error of the body.
  /// - Complexity: O(log *n*) for the start.
  package func entries(
    _ space: Space, beyond start: (key: UnsafeRawBufferPointer, member: UInt64)?,
    keys: VisitDirection, members: VisitDirection,
    _ body: (_ key: UnsafeRawBufferPointer, _ member: UInt64) throws -> VisitStep
  ) throws {
    if space.kind == .integerSets {
      var order = EntryOrder(keys)
      return try unsafe visitSets(space, beyond: start, keys, members, body) {
        try unsafe order.checkNext($0.integer)
      }
    }
    var order = TextEntryOrder(keys, isWritable: isWritable)
    try unsafe visitSets(space, beyond: start, keys, members, body) {
      try unsafe order.checkNext($0)
    }
  }

  private func visitSets(
    _ space: Space, beyond start: (key: UnsafeRawBufferPointer, member: UInt64)?,
    _ keys: VisitDirection, _ members: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep,
    checking check: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    var isThere: Bool
    if let start = unsafe start {
      try unsafe check(start.key)
      if try unsafe cursor.set(start.key, beyond: start.member, members),
        try unsafe visitSet(&cursor, members, body) == .stop
      {
        return
      }
      isThere = try unsafe cursor.start(beyond: start.key, keys)
    } else {
      isThere = try unsafe cursor.start(from: nil as UnsafeRawBufferPointer?, keys)
    }
    var total = 0
    while isThere {
      try unsafe check(cursor.keyBytes)
      let count = try cursor.memberCount()
      total &+= count
      if count > 1 {
        if members == .forward { try cursor.firstOfKey() } else { _ = try cursor.lastOfKey() }
      }
      if try unsafe visitSet(&cursor, members, body) == .stop { return }
      isThere = try cursor.move(keys == .forward ? MDB_NEXT_NODUP : MDB_PREV_NODUP)
    }
    if unsafe start == nil { try require(total, in: space) }
  }

  /// Visits the members of a set from the one that the cursor is at.
  private func visitSet(
    _ cursor: inout LMDBCursor, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, UInt64) throws -> VisitStep
  ) throws -> VisitStep {
    var order = EntryOrder(direction)
    repeat {
      let member = cursor.integerValue
      try order.checkNext(member)
      if try unsafe body(cursor.keyBytes, member) == .stop { return .stop }
    } while try cursor.move(direction == .forward ? MDB_NEXT_DUP : MDB_PREV_DUP)
    return .next
  }

  @inline(__always)
  private func visitKeys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, inout LMDBCursor, Int) throws -> VisitStep
  ) throws {
    if space.kind == .integerSets {
      var order = EntryOrder(direction)
      return try unsafe walkKeys(space, from: from, direction) { key, cursor, count in
        try unsafe order.checkNext(key.integer)
        return try unsafe body(key, &cursor, count)
      }
    }
    var order = TextEntryOrder(direction, isWritable: isWritable)
    try unsafe walkKeys(space, from: from, direction) { key, cursor, count in
      try unsafe order.checkNext(key)
      return try unsafe body(key, &cursor, count)
    }
  }

  /// Visits each key once, with a cursor at the first member of its set and the number of members.
  @inline(__always)
  private func walkKeys(
    _ space: Space, from: UnsafeRawBufferPointer?, _ direction: VisitDirection,
    _ body: (UnsafeRawBufferPointer, inout LMDBCursor, Int) throws -> VisitStep
  ) throws {
    var cursor = try LMDBCursor(space, in: self)
    defer { cursor.close() }
    let step = direction == .forward ? MDB_NEXT_NODUP : MDB_PREV_NODUP
    var isThere = try unsafe cursor.start(from: from, direction)
    var total = 0
    while isThere {
      let count = try cursor.memberCount()
      // LMDB walks backwards to the last member.
      if direction == .backward && count > 1 { try cursor.firstOfKey() }
      // The numbers of a damaged file can have any sum.
      total &+= count
      if try unsafe body(cursor.keyBytes, &cursor, count) == .stop { return }
      isThere = try cursor.move(step)
    }
    if unsafe from == nil { try require(total, in: space) }
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
      try order.checkNext(member)
      met += 1
      step = try body(member)
      return step
    }
    if step == .next && met != count { throw EntryOrder.damage }
    return step
  }
}
