internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxStorage

/// Rows as JSON objects: one in each line, or all in the array of one object.
final class JSONRows: RowWriter {
  let form = CellForm.json
  private let output: ResultOutput
  /// The entity, for one object around the rows; nil for lines.
  private let entity: String?
  /// The keys with the signs around them.
  private var keys: [[UInt8]] = []
  private var isFirst = true

  init(_ output: ResultOutput, around entity: String? = nil) {
    self.output = output
    self.entity = entity
  }

  func begin(_ columns: [String]) throws {
    keys = columns.enumerated().map { number, name in
      Array(((number == 0 ? "{" : ",") + JSONValue.string(name).text(indent: 0) + ":").utf8)
    }
    guard let entity else { return }
    for line in [
      "{", "  \"schemaVersion\": 1,", "  \"entity\": \(JSONValue.string(entity).text(indent: 0)),",
      "  \"columns\": \(JSONValue.array(columns.map { .string($0) }).text(indent: 0)),",
    ] {
      output.append(line)
      try output.endLine()
    }
    output.append("  \"rows\": [")
  }

  func append(_ row: borrowing RowCells) throws -> VisitStep {
    if entity != nil {
      if !isFirst { output.append(",") }
      try output.endLine()
      output.append("    ")
    }
    isFirst = false
    for (position, key) in keys.enumerated() {
      output.append(key)
      output.append(row[position])
    }
    output.append("}")
    if entity == nil { try output.endLine() }
    return .next
  }

  func end(remaining: Int) throws {
    if entity == nil { return }
    if !isFirst {
      try output.endLine()
      output.append("  ")
    }
    output.append("]")
    try output.endLine()
    output.append("}")
    try output.endLine()
  }
}
