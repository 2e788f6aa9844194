package import BoxDump

/// The content of a dump that the ending of a file name promises.
package enum ExportEnding {
  /// Endings of formats that `export` does not write.
  private static let otherFormats: Set<String> = [
    "arrow", "avro", "bson", "cbor", "csv", "db", "feather", "html", "ods", "orc", "parquet",
    "pb", "plist", "proto", "sql", "sqlite", "sqlite3", "toml", "tsv", "xls", "xlsx", "xml", "yaml",
    "yml",
  ]
  /// Endings of compressions and archives that `export` does not write.
  private static let otherCompressions: Set<String> = [
    "7z", "br", "bz2", "lz4", "lzma", "rar", "tar", "tbz", "tgz", "txz", "xz", "z", "zip",
  ]

  /// The reason why the name of a file does not fit a dump, with the remedy; nil if the name fits.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - shape: The shape of the dump.
  /// - Returns: The sentence, without a period.
  package static func problem(of path: String, _ shape: DumpShape) -> String? {
    if shape == .directory { return nil }
    var endings = endings(of: path)[...]
    if let last = endings.last, otherCompressions.contains(last) {
      return "export does not write .\(last); compress with .gz or .zst"
    }
    if let last = endings.last, ["gz", "zst"].contains(last) { endings.removeLast() }
    switch (endings.last, shape) {
    case (let last?, _) where otherFormats.contains(last):
      return "export does not write \(last) yet; name the file .ndjson for lines of JSON, or .json "
        + "with --shape document"
    case ("json", .lines):
      return
        "a .json file is one JSON text, and the dump has one for each line; name the file .ndjson, "
        + "or add --shape document"
    case (let last?, .document) where ["jsonl", "ndjson"].contains(last):
      return
        "a .\(last) file has a JSON text in each line, and the dump is one; name the file .json, or "
        + "use --shape lines"
    default: return nil
    }
  }

  /// The endings of the name of a file, in lower case.
  private static func endings(of path: String) -> [String] {
    lastComponent(of: path).lowercased().split(separator: ".").dropFirst().map(String.init)
  }
}
