internal import CLMDB

/// A cursor of a write transaction over a space of records, and its position.
@safe struct RecordCursor {
  fileprivate let handle: UInt32
  let cursor: OpaquePointer
  /// The key at the position of the cursor, if it has one.
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

/// The cursors of a write transaction over spaces of records, which LMDB closes at its end.
///
/// A record that is read and then replaced is found once, and its neighbour on the same page is found
/// without a descent of the tree.
@safe struct RecordCursors {
  /// The cursor that was used last.
  var current: RecordCursor?
  private var others: [RecordCursor] = []

  /// The cursor of a space, which is ``current`` then.
  @inline(__always)
  mutating func cursor(
    _ space: Space, _ transaction: OpaquePointer
  ) throws(StorageError) -> RecordCursor {
    if let current, current.handle == space.handle { return current }
    return try unsafe change(to: space, transaction)
  }

  private mutating func change(
    to space: Space, _ transaction: OpaquePointer
  ) throws(StorageError) -> RecordCursor {
    putAside()
    let cursor: RecordCursor
    if let position = others.firstIndex(where: { $0.handle == space.handle }) {
      cursor = others.remove(at: position)
    } else {
      var opened: OpaquePointer?
      try unsafe check(mdb_cursor_open(transaction, space.handle, &opened), "open a cursor")
      guard let opened = unsafe opened else { throw StorageError(.other, "cannot open a cursor") }
      cursor = unsafe RecordCursor(handle: space.handle, cursor: opened)
    }
    current = cursor
    return cursor
  }

  private mutating func putAside() {
    if let current { others.append(current) }
    current = nil
  }

  /// Forgets the position of a space's cursor, because the space was changed without it.
  mutating func forgetPlace(in space: Space) {
    if current?.handle == space.handle { current?.forgetPlace() }
    for position in others.indices where others[position].handle == space.handle {
      others[position].forgetPlace()
    }
  }

  /// Forgets the positions of all cursors.
  mutating func forgetPlaces() {
    current?.forgetPlace()
    for position in others.indices { others[position].forgetPlace() }
  }

  /// Closes the cursor of a space.
  mutating func close(_ space: Space) {
    putAside()
    for open in others where open.handle == space.handle { unsafe mdb_cursor_close(open.cursor) }
    others.removeAll { $0.handle == space.handle }
  }
}

/// The cursors with which a write transaction looks members of sets up, and which LMDB closes at its end.
///
/// A key on the page of the last one is found without a descent of the tree.
@safe struct LookupCursors {
  // Every write to a space looks after its open cursors.
  private static let limit = 4

  private var open: [(handle: UInt32, cursor: OpaquePointer)] = []

  /// The cursor of a space; nil if as many are open as may be.
  mutating func cursor(
    _ space: Space, _ transaction: OpaquePointer
  ) throws(StorageError) -> OpaquePointer? {
    for position in open.indices where unsafe open[position].handle == space.handle {
      return unsafe open[position].cursor
    }
    if unsafe open.count == Self.limit { return nil }
    var opened: OpaquePointer?
    try unsafe check(mdb_cursor_open(transaction, space.handle, &opened), "open a cursor")
    guard let opened = unsafe opened else { throw StorageError(.other, "cannot open a cursor") }
    unsafe open.append((space.handle, opened))
    return unsafe opened
  }

  /// Closes the cursor of a space.
  mutating func close(_ space: Space) {
    for position in unsafe open.indices where unsafe open[position].handle == space.handle {
      unsafe mdb_cursor_close(open[position].cursor)
      unsafe open.remove(at: position)
      return
    }
  }
}
