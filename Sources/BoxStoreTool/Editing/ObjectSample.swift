internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxStorage
internal import Synchronization

/// Some of the objects that a request is about, for a person or a program to look at.
struct ObjectSample {
  /// A table; empty without objects.
  let text: String
  /// The objects as JSON.
  let json: [JSONValue]

  /// The number of objects that are shown.
  static let maximumCount = 5

  /// A sample of nothing.
  static let empty = ObjectSample(text: "", json: [])

  private init(text: String, json: [JSONValue]) {
    (self.text, self.json) = (text, json)
  }

  /// Reads the first of some objects; those that are damaged are left out.
  ///
  /// - Parameters:
  ///   - ids: The ids of the objects.
  ///   - count: The number of all objects that the request is about.
  ///   - query: A query that finds all objects of the entity.
  ///   - columns: The properties to show.
  ///   - transaction: The transaction to read in.
  /// - Throws: `StoreError` if the store cannot be read, `DumpError` if a value cannot be shown.
  init(
    _ ids: some Sequence<UInt64>, of count: Int, _ query: PreparedQuery, _ columns: [RowColumn],
    in transaction: Transaction
  ) throws {
    let table = MemoryStream()
    let output = ResultOutput(table)
    let rows = TextRows(output, width: nil, maximumRows: nil, isOneValue: false)
    var cells = RowCells(rows.form)
    var json: [JSONValue] = []
    try rows.begin(columns.map(\.name))
    for id in ids.prefix(Self.maximumCount) {
      do throws(any Error) {
        try transaction.visit([id], fulfilling: query) { id, record in
          for column in columns { try column.append(id, record, transaction, to: &cells) }
          var members: [JSONValue.Member] = []
          for (position, column) in columns.enumerated() {
            members.append(.init(column.name, try cells.cell(position).json()))
          }
          json.append(.object(members))
          _ = try rows.append(cells)
          cells.clear()
          return .next
        }
      } catch StoreError.damagedRecord {
        continue
      }
    }
    try rows.end(remaining: json.isEmpty ? 0 : count - json.count)
    try output.finish()
    text = json.isEmpty ? "" : table.text
    self.json = json
  }
}

/// A stream that keeps what is written to it.
final class MemoryStream: DumpStream {
  private let bytes = Mutex<[UInt8]>([])

  /// The bytes as UTF-8.
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  func write(_ part: UnsafeRawBufferPointer) throws {
    let part = Array(part)
    bytes.withLock { $0 += part }
  }

  func finish() throws {}
}
