internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// The statement that creates a view of the lines of an entity or a relation to many for DuckDB.
struct DuckDBView {
  private let schema: ReaderSchema
  private let name: String
  private let files: SchemaFiles

  /// The largest object in bytes that DuckDB reads by default, less a few for its own use.
  private static let readSize = 15 << 20

  /// Creates the view.
  ///
  /// - Parameters:
  ///   - schema: The types of the lines.
  ///   - files: The files with the lines.
  ///   - names: The names of the views that exist.
  init(_ schema: ReaderSchema, of files: SchemaFiles, _ names: inout SQLNames) {
    self.schema = schema
    self.files = files
    name = names.take(schema.name)
  }

  /// A comment of one line: after a line feed in a name of the model, the rest would be SQL of a stranger.
  private static func comment(_ text: String) -> String { "-- \(text.escapedForDisplay)\n" }

  /// The statement with a line feed, after comments about what is left out or has another name.
  var statement: String {
    var (names, comments) = (Set<ExactText>(), "")
    if name.asciiLowercased != schema.name.asciiLowercased {
      comments += Self.comment(
        "The view of \(schema.name.quotedForDisplay) has another name: its own is taken, or none of SQL."
      )
    }
    var columns: [ReaderSchema.Column] = []
    for column in schema.columns {
      // DuckDB ignores the case of A to Z, and its statements end at a zero.
      if !column.name.utf8.contains(0),
        names.insert(ExactText(column.name.asciiLowercased)).inserted
      {
        columns.append(column)
      } else {
        comments += Self.comment(
          "\(column.name.quotedForDisplay) is left out: SQL has no such name beside the others.")
      }
    }
    if columns.isEmpty { return comments }
    let types = columns.map { "\($0.name.quotedForSQL("'")): '\($0.type.duckdb)'" }
    let shown = columns.map { column -> String in
      let name = column.name.quotedForSQL("\"")
      if schema.isRelation { return column.name == "targets" ? "unnest(targets) AS target" : name }
      let value = column.type.duckdbValue(name)
      return value == name ? name : "\(value) AS \(name)"
    }
    return comments + """
      CREATE OR REPLACE VIEW \(name.quotedForSQL("\"")) AS SELECT
        \(shown.joined(separator: ",\n  "))
      FROM read_json(\(paths), format = 'newline_delimited'\(size), columns = {
        \(types.joined(separator: ",\n  "))
      });

      """
  }

  /// The option for an object that DuckDB refuses otherwise; empty if all are small.
  private var size: String {
    if files.longestLine < Self.readSize { return "" }
    return ", maximum_object_size = \((files.longestLine >> 20 + 2) << 20)"
  }

  private var paths: String {
    let patterns = files.names.map(Self.pattern)
    return patterns.count == 1 ? patterns[0] : "[\(patterns.joined(separator: ",\n  "))]"
  }

  /// The path of a file, which DuckDB takes for a pattern, and with a tilde for one of a home.
  private static func pattern(_ file: String) -> String {
    var pattern = "./"
    for scalar in file.unicodeScalars {
      pattern += "*?[".unicodeScalars.contains(scalar) ? "[\(scalar)]" : String(scalar)
    }
    return pattern.quotedForSQL("'")
  }
}

extension ReaderType {
  /// The type in which DuckDB reads a value.
  fileprivate var duckdb: String {
    switch self {
    case .bool: "BOOLEAN"
    case .integer(let bits, let isUnsigned, _): Self.integer(bits, isUnsigned)
    case .date(_, let isUnsigned, _): Self.integer(64, isUnsigned)
    // As texts: a NaN may have its bits with it.
    case .number, .text, .base64, .hex, .writtenDate: "VARCHAR"
    case .array(let element): element.duckdb + "[]"
    }
  }

  private static func integer(_ bits: Int, _ isUnsigned: Bool) -> String {
    let name =
      switch bits {
      case 8: "TINYINT"
      case 16: "SMALLINT"
      case 32: "INTEGER"
      default: "BIGINT"
      }
    return isUnsigned ? "U" + name : name
  }

  /// The expression that makes a value of the model of what was read.
  fileprivate func duckdbValue(_ name: String) -> String {
    switch self {
    case .bool, .integer, .text: name
    case .number(let bits):
      "CAST(CASE WHEN starts_with(\(name), 'NaN') THEN 'NaN' ELSE \(name) END AS "
        + "\(bits == 32 ? "FLOAT" : "DOUBLE"))"
    case .base64: "from_base64(\(name))"
    case .hex: "unhex(substr(\(name), 3))"
    // Beyond the dates of DuckDB it is null.
    case .date(let unit, _, _):
      "TRY(\(unit == .nanoseconds ? "make_timestamp_ns" : "epoch_ms")(CAST(\(name) AS BIGINT)))"
    case .writtenDate(let unit):
      "TRY_CAST(\(name) AS \(unit == .nanoseconds ? "TIMESTAMP_NS" : "TIMESTAMP"))"
    case .array(let element):
      element.duckdbValue("x") == "x"
        ? name : "[\(element.duckdbValue("x")) FOR x IN \(name)]"
    }
  }
}
