internal import CSQLite

/// A database file that is written by this process alone.
///
/// There is no journal, and nothing is synced: a file that is not completed must be discarded.
@safe final class SQLiteConnection {
  let handle: OpaquePointer

  /// Opens a file, which is created if it does not exist.
  ///
  /// - Throws: ``SQLiteFailure``.
  init(_ path: String) throws(SQLiteFailure) {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
    // No other program knows the file, and locks would be lost by any other descriptor of it.
    let code = unsafe sqlite3_open_v2(path, &opened, flags, "unix-none")
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let failure = unsafe SQLiteFailure(code, opened)
      unsafe sqlite3_close_v2(opened)
      throw failure
    }
    unsafe handle = opened
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements without results.
  ///
  /// - Throws: ``SQLiteFailure``.
  func run(_ sql: String) throws(SQLiteFailure) {
    let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw unsafe SQLiteFailure(code, handle) }
  }
}

/// A statement that inserts rows.
///
/// Its connection has to live as long.
@safe final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: SQLiteConnection
  /// The first error of a binding since the last row.
  private var failed = SQLITE_OK

  /// Prepares a statement.
  ///
  /// - Throws: ``SQLiteFailure``.
  init(_ sql: String, _ connection: SQLiteConnection) throws(SQLiteFailure) {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v2(connection.handle, sql, -1, &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      throw unsafe SQLiteFailure(code, connection.handle)
    }
    unsafe handle = prepared
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  @inline(__always)
  private func note(_ code: Int32) { if code != SQLITE_OK { failed = code } }

  func bindNull(_ column: Int32) { note(unsafe sqlite3_bind_null(handle, column)) }

  func bind(_ value: Int64, _ column: Int32) {
    note(unsafe sqlite3_bind_int64(handle, column, value))
  }

  func bind(_ value: Double, _ column: Int32) {
    note(unsafe sqlite3_bind_double(handle, column, value))
  }

  /// Binds a text, whose bytes are lent until the row is inserted.
  func bind(text: UnsafeRawBufferPointer, _ column: Int32) {
    // No text at all would be null.
    guard let start = text.baseAddress, !text.isEmpty else {
      return note(unsafe sqlite3_bind_text(handle, column, "", 0, Self.transient))
    }
    let code = unsafe sqlite3_bind_text64(
      handle, column, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
      UInt8(SQLITE_UTF8))
    note(code)
  }

  /// Binds bytes, which are lent until the row is inserted.
  func bind(bytes: UnsafeRawBufferPointer, _ column: Int32) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return note(unsafe sqlite3_bind_zeroblob(handle, column, 0))
    }
    note(unsafe sqlite3_bind_blob64(handle, column, start, UInt64(bytes.count), nil))
  }

  /// Binds a text, which is copied; nil is null.
  func bind(_ text: String?, _ column: Int32) {
    guard var text else { return bindNull(column) }
    text.withUTF8 { unsafe bind(copiedText: UnsafeRawBufferPointer($0), column) }
  }

  /// Binds a text, whose bytes are copied.
  func bind(copiedText text: UnsafeRawBufferPointer, _ column: Int32) {
    guard let start = text.baseAddress, !text.isEmpty else {
      return unsafe bind(text: text, column)
    }
    let code = unsafe sqlite3_bind_text64(
      handle, column, start.assumingMemoryBound(to: CChar.self), UInt64(text.count),
      Self.transient, UInt8(SQLITE_UTF8))
    note(code)
  }

  /// Binds bytes, which are copied.
  func bind(copied bytes: UnsafeRawBufferPointer, _ column: Int32) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return note(unsafe sqlite3_bind_zeroblob(handle, column, 0))
    }
    let code = unsafe sqlite3_bind_blob64(
      handle, column, start, UInt64(bytes.count), Self.transient)
    note(code)
  }

  /// Lets SQLite copy what it is given.
  private static var transient: sqlite3_destructor_type? {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// Inserts the row of the values that were bound.
  ///
  /// - Throws: ``SQLiteFailure``.
  func insert() throws(SQLiteFailure) {
    let code = failed == SQLITE_OK ? unsafe sqlite3_step(handle) : failed
    failed = SQLITE_OK
    if code != SQLITE_DONE {
      let failure = unsafe SQLiteFailure(code, connection.handle)
      unsafe sqlite3_reset(handle)
      throw failure
    }
    unsafe sqlite3_reset(handle)
  }
}
