internal import BoxDump

extension SQLNames {
  /// Names of a database of SQLite, which keeps those that begin with `sqlite_` for itself.
  static func sqlite(_ reserved: [String] = []) -> SQLNames {
    SQLNames(reserved, reservedPrefix: "sqlite_")
  }
}

extension String {
  /// The name as an identifier of SQL.
  var sqlName: String { quotedForSQL("\"") }

  /// The text as a literal of SQL; nil if it has a zero, at which a statement ends.
  var sqlText: String? { utf8.contains(0) ? nil : quotedForSQL("'") }
}
