internal import BoxModel
package import BoxSystem
internal import CSQLite

/// An error of SQLite while it writes a database.
package struct SQLiteFailure: Error, Hashable, Sendable {
  /// The words of SQLite for it.
  package let message: String
  /// The error of the system; nil if SQLite itself refused something.
  package let cause: SystemError?
  /// Whether no database of SQLite can hold the data, wherever it is.
  package let isRefusal: Bool
  /// The code of SQLite.
  let code: Int32

  /// Whether two rows have the same value in a unique column.
  var isConstraint: Bool { code & 0xFF == SQLITE_CONSTRAINT }

  /// The last error of a connection.
  init(_ code: Int32, _ connection: OpaquePointer?) {
    let last = SystemError.last
    self.code = code
    isRefusal = false
    guard let connection = unsafe connection else {
      (message, cause) = ("out of memory", nil)
      return
    }
    message = unsafe String(cString: sqlite3_errmsg(connection))
    switch code & 0xFF {
    case SQLITE_FULL: cause = SystemError(code: Self.noSpace)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      // A commit does not note the number.
      let number = unsafe sqlite3_system_errno(connection)
      let found = number == 0 ? last : SystemError(code: number)
      cause = found.code == 0 ? nil : found
    default: cause = nil
    }
  }

  /// A table that would have more columns than SQLite has by default, which is what other programs can read.
  ///
  /// - Parameters:
  ///   - columns: The number of columns.
  ///   - entity: The entity of the table.
  init(columns: Int, of entity: String) {
    message =
      "\(NamePath([entity])) has \(columns) properties, and a table of SQLite has at most "
      + "\(Self.maximumColumns); choose the fields to export"
    (cause, isRefusal, code) = (nil, true, SQLITE_TOOBIG)
  }

  /// The limit of columns of a table, https://sqlite.org/limits.html.
  static let maximumColumns = 2000

  /// The number of "No space left on device", on all systems of this kind.
  private static let noSpace: Int32 = 28
}
