internal import BoxJSON
internal import BoxModel

/// The statement that creates a view of the lines of an entity or a relation to many for DuckDB.
struct DuckDBView {
  private let schema: ReaderSchema
  private let file: String

  init(_ schema: ReaderSchema, of file: String) { (self.schema, self.file) = (schema, file) }

  /// The statement with a line feed, after comments about what is left out.
  var statement: String {
    var (names, comments) = (Set<ExactText>(), "")
    var columns: [ReaderSchema.Column] = []
    for column in schema.columns {
      // DuckDB ignores the case of A to Z, and its statements end at a zero.
      if !column.name.utf8.contains(0),
        names.insert(ExactText(column.name.asciiLowercased)).inserted
      {
        columns.append(column)
      } else {
        comments +=
          "-- \(column.name.quotedForDisplay) is left out: SQL has no such name beside the others.\n"
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
      CREATE OR REPLACE VIEW \(viewName) AS SELECT
        \(shown.joined(separator: ",\n  "))
      FROM read_json(\(pattern), format = 'newline_delimited', columns = {
        \(types.joined(separator: ",\n  "))
      });

      """
  }

  private var viewName: String {
    schema.name.split(separator: "\0", omittingEmptySubsequences: false).joined(
      separator: "\u{FFFD}"
    )
    .quotedForSQL("\"")
  }

  /// The path of the file, which DuckDB takes for a pattern, and with a tilde for one of a home.
  private var pattern: String {
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
    case .number, .text, .base64, .writtenDate: "VARCHAR"
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
