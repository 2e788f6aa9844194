internal import BoxDump
internal import BoxJSON

/// Names of tables, columns, indexes or views that SQLite tells apart: it ignores the case of ASCII.
struct SQLiteNames {
  private var taken: Set<ExactText> = []

  /// Names next to some that others have already.
  init(_ reserved: [String] = []) { for name in reserved { taken.insert(Self.key(name)) } }

  /// Takes a name that none was given before.
  ///
  /// - Returns: The name; with a number at its end if it is taken, and changed where SQLite would not have it.
  mutating func take(_ wanted: String) -> String {
    // A statement ends at a zero, and names that begin so are for SQLite itself.
    var base = ""
    for scalar in wanted.unicodeScalars {
      base.unicodeScalars.append(scalar == "\0" ? "\u{FFFD}" : scalar)
    }
    if base.asciiLowercased.utf8.starts(with: "sqlite_".utf8) { base = "_" + base }
    if base.isEmpty { base = "_" }
    var (name, number) = (base, 2)
    while !taken.insert(Self.key(name)).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  private static func key(_ name: String) -> ExactText { ExactText(name.asciiLowercased) }
}

extension String {
  /// The name as an identifier of SQL.
  var sqlName: String { quotedForSQL("\"") }

  /// The text as a literal of SQL; nil if it has a zero, at which a statement ends.
  var sqlText: String? { utf8.contains(0) ? nil : quotedForSQL("'") }
}
