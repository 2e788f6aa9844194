package import BoxDump

/// The content of a dump that the ending of a file name promises.
package enum ExportEnding {
  /// Endings of formats that `export` does not write.
  private static let otherFormats: Set<String> = [
    "arrow", "avro", "bson", "cbor", "feather", "html", "ods", "orc", "parquet", "pb", "plist",
    "proto", "sql", "toml", "xls", "xlsx", "xml", "yaml", "yml",
  ]
  /// Endings of compressions and archives that `export` does not write.
  private static let otherCompressions: Set<String> = [
    "7z", "br", "bz2", "lz4", "lzma", "rar", "tar", "tbz", "tgz", "txz", "xz", "z", "zip",
  ]

  /// Endings of texts that an export can write.
  private static let texts: Set<String> = ["csv", "json", "jsonl", "ndjson", "tsv"]

  /// Endings of databases.
  private static let databases: Set<String> = ["db", "sqlite", "sqlite3"]

  /// The reason why the name of a file does not fit a dump.
  package struct Problem: Hashable, Sendable {
    /// The sentence with another name, without a period.
    package var message: String
    /// The shape that the name fits, if there is one.
    package var shape: DumpShape?
    /// The form of tables that the name fits, if there is one.
    package var table: TableForm?
    /// Whether the name fits a database.
    package var isDatabase = false
  }

  /// The reason why the name of a file does not fit an export; nil if it fits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - shape: The shape of the dump.
  ///   - table: The form of a table; nil for a dump.
  /// - Returns: The reason.
  package static func problem(
    of path: String, _ shape: DumpShape, _ table: TableForm? = nil
  ) -> Problem? {
    if shape == .directory { return nil }
    var endings = endings(of: path)[...]
    if let last = endings.last, otherCompressions.contains(last) {
      return Problem(message: "export does not write .\(last); compress with .gz or .zst")
    }
    if let last = endings.last, ["gz", "zst"].contains(last) { endings.removeLast() }
    if let table {
      guard let last = endings.last, last != table.ending,
        otherFormats.union(texts).union(databases).contains(last)
      else { return nil }
      return Problem(
        message: "the export is a table of \(table.ending.uppercased()); name the file "
          + ".\(table.ending)")
    }
    switch (endings.last, shape) {
    case ("csv", _), ("tsv", _):
      return Problem(
        message:
          "a .\(endings.last ?? "") file is a table, and the dump is JSON; name the file .ndjson",
        table: endings.last == "csv" ? .csv : .tsv)
    case (let last?, _) where databases.contains(last):
      return Problem(
        message: "a .\(last) file is a database, and the dump is JSON; name the file .ndjson",
        isDatabase: endings.count == self.endings(of: path).count)
    case (let last?, _) where otherFormats.contains(last):
      return Problem(
        message: "export does not write \(last) yet; name the file .ndjson for lines of JSON, or "
          + ".json for one document")
    case ("json", .lines):
      return Problem(
        message: "a .json file is one JSON text, and the dump has one in each line; name the file "
          + ".ndjson", shape: .document)
    case (let last?, .document) where ["jsonl", "ndjson"].contains(last):
      return Problem(
        message: "a .\(last) file has a JSON text in each line, and the dump is one; name the file "
          + ".json", shape: .lines)
    default: return nil
    }
  }

  /// Whether a file name is the name of a table, compressed or not.
  static func isTable(_ path: String) -> Bool {
    let endings = endings(of: path).suffix(2)
    return endings.last == "csv" || endings.last == "tsv"
      || ["gz", "zst"].contains(endings.last) && ["csv", "tsv"].contains(endings.first)
  }

  /// The reason why the name of a file does not fit a database; nil if it fits.
  ///
  /// - Parameter path: The file.
  /// - Returns: The reason.
  package static func databaseProblem(of path: String) -> Problem? {
    let compressions = otherCompressions.union(["gz", "zst"])
    guard let last = endings(of: path).last,
      otherFormats.union(texts).union(compressions).contains(last)
    else { return nil }
    return Problem(message: "the export is a database of SQLite; name the file .db")
  }

  /// The endings of the name of a file, in lower case.
  private static func endings(of path: String) -> [String] {
    lastComponent(of: path).lowercased().split(separator: ".").dropFirst().map(String.init)
  }
}
