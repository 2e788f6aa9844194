/// The format of the result of a query.
package enum QueryFormat: String, CaseIterable, Sendable {
  /// A table for people.
  case text
  /// A JSON object in each line.
  case ndjson
  /// One JSON object, with the rows in an array.
  case json
  /// Comma-separated values (RFC 4180), with the names of the columns in the first line.
  case csv
  /// A table of GitHub's Markdown.
  case markdown
  /// One page of HTML, which needs no other file.
  case html
}

/// A terminal that a result is shown on.
package struct QueryScreen: Hashable, Sendable {
  /// The number of its columns.
  package var width: Int
  /// The number of rows that are shown where the query has no limit of its own.
  package var rows: Int

  /// Creates the size of a terminal.
  package init(width: Int, rows: Int = 40) {
    self.width = width
    self.rows = rows
  }
}
