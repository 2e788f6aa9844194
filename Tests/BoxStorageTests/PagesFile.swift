import CLMDB
import TestSupport

/// An LMDB file, through LMDB itself.
final class PagesFile {
  /// An entry with the addresses that LMDB gave for its key and value.
  typealias Visitor = (
    _ database: String, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Void

  private let environment: OpaquePointer

  /// Opens or creates a file.
  init(_ path: String, mapSize: Int = 1 << 28) throws {
    var handle: OpaquePointer?
    try Self.check(mdb_env_create(&handle), "mdb_env_create")
    guard let handle else { throw TestFailure("mdb_env_create gives nothing") }
    environment = handle
    try Self.check(mdb_env_set_mapsize(handle, mapSize), "mdb_env_set_mapsize")
    try Self.check(mdb_env_set_maxdbs(handle, 32), "mdb_env_set_maxdbs")
    let flags = UInt32(MDB_NOSUBDIR | MDB_NOSYNC | MDB_NOLOCK)
    try Self.check(mdb_env_open(handle, path, flags, 0o600), "mdb_env_open")
  }

  deinit { mdb_env_close(environment) }

  static func check(_ code: Int32, _ call: String) throws {
    guard code != MDB_SUCCESS else { return }
    throw TestFailure("\(call): \(String(cString: mdb_strerror(code)))")
  }

  /// One write transaction.
  func write(_ body: (PagesTransaction) throws -> Void) throws {
    var handle: OpaquePointer?
    try Self.check(mdb_txn_begin(environment, nil, 0, &handle), "mdb_txn_begin")
    guard let handle else { return }
    do { try body(PagesTransaction(handle: handle)) } catch {
      mdb_txn_abort(handle)
      throw error
    }
    try Self.check(mdb_txn_commit(handle), "mdb_txn_commit")
  }

  /// A copy of the file, compacted or as it is.
  func copy(to path: String, isCompacted: Bool) throws {
    try Self.check(
      mdb_env_copy2(environment, path, isCompacted ? UInt32(MDB_CP_COMPACT) : 0), "mdb_env_copy2")
  }

  /// The statistics that LMDB counts for a database.
  func statistics(of name: String?) throws -> MDB_stat {
    var statistics = MDB_stat()
    try read { transaction in
      let database = try transaction.open(name)
      try Self.check(mdb_stat(transaction.handle, database, &statistics), "mdb_stat")
    }
    return statistics
  }

  /// Visits the entries of the main database, which are the names of the others, and all of theirs.
  ///
  /// Each of them is looked for by its key too, and must be found.
  func visit(_ visitor: Visitor) throws {
    try read { transaction in
      var names: [String] = []
      try transaction.visit(transaction.open(nil)) { key, value in
        names.append(String(decoding: key, as: UTF8.self))
        visitor("", key, value)
      }
      for name in names {
        try transaction.visit(transaction.open(name)) { visitor(name, $0, $1) }
      }
    }
  }

  private func read(_ body: (PagesTransaction) throws -> Void) throws {
    var handle: OpaquePointer?
    try Self.check(
      mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &handle), "mdb_txn_begin")
    guard let handle else { return }
    defer { mdb_txn_abort(handle) }
    try body(PagesTransaction(handle: handle))
  }
}

/// A transaction of a ``PagesFile``.
struct PagesTransaction {
  let handle: OpaquePointer

  func open(_ name: String?, _ flags: Int32 = 0) throws -> MDB_dbi {
    var database = MDB_dbi()
    try PagesFile.check(
      mdb_dbi_open(handle, name, UInt32(bitPattern: flags), &database), "mdb_dbi_open")
    return database
  }

  func put(_ database: MDB_dbi, _ key: [UInt8], _ value: [UInt8], flags: Int32 = 0) throws {
    let code = with(key, value) { mdb_put(handle, database, &$0, &$1, UInt32(flags)) }
    try PagesFile.check(code, "mdb_put")
  }

  /// Removes a key, or one of its duplicates, if it is there.
  func delete(_ database: MDB_dbi, _ key: [UInt8], _ value: [UInt8]? = nil) throws {
    let code = with(key, value ?? []) {
      value == nil ? mdb_del(handle, database, &$0, nil) : mdb_del(handle, database, &$0, &$1)
    }
    if code != MDB_NOTFOUND { try PagesFile.check(code, "mdb_del") }
  }

  func clear(_ database: MDB_dbi, removes: Bool = false) throws {
    try PagesFile.check(mdb_drop(handle, database, removes ? 1 : 0), "mdb_drop")
  }

  func visit(
    _ database: MDB_dbi, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws {
    var flags: UInt32 = 0
    try PagesFile.check(mdb_dbi_flags(handle, database, &flags), "mdb_dbi_flags")
    let hasDuplicates = flags & UInt32(MDB_DUPSORT) != 0
    var cursor: OpaquePointer?
    try PagesFile.check(mdb_cursor_open(handle, database, &cursor), "mdb_cursor_open")
    var search: OpaquePointer?
    try PagesFile.check(mdb_cursor_open(handle, database, &search), "mdb_cursor_open")
    defer {
      mdb_cursor_close(cursor)
      mdb_cursor_close(search)
    }
    var (key, value) = (MDB_val(), MDB_val())
    while true {
      let code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return }
      try PagesFile.check(code, "mdb_cursor_get")
      var (sameKey, sameValue) = (key, value)
      let found = mdb_cursor_get(
        search, &sameKey, &sameValue, hasDuplicates ? MDB_GET_BOTH : MDB_SET_KEY)
      try PagesFile.check(found, "mdb_cursor_get of the same")
      guard sameValue.mv_data == value.mv_data else {
        throw TestFailure("a search finds another entry than the cursor")
      }
      body(
        UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }
  }

  private func with(
    _ key: [UInt8], _ value: [UInt8], _ body: (inout MDB_val, inout MDB_val) -> Int32
  ) -> Int32 {
    var (key, value) = (key, value)
    return key.withUnsafeMutableBytes { key in
      value.withUnsafeMutableBytes { value in
        var first = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
        var second = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
        return body(&first, &second)
      }
    }
  }
}
