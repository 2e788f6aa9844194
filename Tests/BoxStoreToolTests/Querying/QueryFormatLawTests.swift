import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// Generated rows say the same in every format.
struct QueryFormatLawTests {
  private let directory: TemporaryDirectory

  private static let fields: [TestModel.Property] = [
    .init("text", 1012, .string), .init("small", 1013, .byte), .init("large", 1014, .long),
    .init("id_", 1015, .long, .unsigned), .init("number", 1016, .double),
    .init("single", 1017, .float), .init("flag", 1018, .bool), .init("bytes", 1019, .byteVector),
    .init("texts", 1020, .stringVector), .init("floats", 1021, .floatVector),
    .init("date", 1022, .date), .init("letter", 1023, .char),
    .init("self", 1024, .relation, target: "Row"),
  ]

  init() throws { directory = try TemporaryDirectory() }

  private static func text(_ random: inout SplitMix64) -> String {
    let parts = [
      "", "a", "\"", ",", "\r\n", "\n", "\\", "\\n", "\u{0}", "\u{1B}[1m", "é", "日", "\u{1F600}",
      "\u{2028}", "null", " ", "\t", "[1]", "{\"a\":1}", "=1+1", "\u{7F}\u{9B}",
    ]
    return (0..<random.below(4)).map { _ in random.pick(parts) }.joined()
  }

  private static func value(_ type: PropertyType, _ random: inout SplitMix64) -> Value {
    if random.oneIn(5) { return .null }
    let numbers = [0, -0.0, 1.5, .nan, .infinity, -.infinity, 1e300, 0.1, 5e-324]
    switch type {
    case .string: return .string(text(&random))
    case .byte: return .integer(Int64(Int8(truncatingIfNeeded: random.next())))
    case .double: return .double(random.pick(numbers))
    case .float: return .float(Float(random.pick(numbers)))
    case .bool: return .bool(random.oneIn(2))
    case .byteVector: return .bytes((0..<random.below(5)).map { _ in UInt8(random.below(256)) })
    case .stringVector: return .strings((0..<random.below(3)).map { _ in text(&random) })
    case .floatVector:
      return .floats((0..<random.below(3)).map { _ in Float(random.pick(numbers)) })
    case .char: return .unsigned(UInt64(random.below(0xFFFF)))
    case .relation: return .unsigned(UInt64(random.below(9)))
    default: return .integer(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
    }
  }

  private func make(_ name: String, _ random: inout SplitMix64) throws {
    let model = TestModel(.init(name: "Row", uid: 1001, fields: Self.fields))
    let store = try ObjectStore.open(.directory(directory.path(of: name)), model: model.document())
    defer { store.close() }
    let entity = try store.entity(named: "Row")
    try store.write { transaction in
      for _ in 0..<random.below(30) {
        var object = DynamicObject(entity)
        for field in Self.fields {
          var value = Self.value(field.type, &random)
          if field.name == "id_", case .integer(let signed) = value {
            value = .unsigned(UInt64(bitPattern: signed))
          }
          object[field.name] = value
        }
        try transaction.put(object)
      }
    }
  }

  private static func json(_ text: String) throws -> JSONValue {
    let document = try JSONDocument(parsing: Array(text.utf8))
    return document.value(of: document.root)
  }

  /// The fields of comma-separated values as RFC 4180 reads them; nil for those that are empty without
  /// quotes.
  private static func fields(_ text: String) -> [[String?]] {
    var (rows, row, field): ([[String?]], [String?], String?) = ([], [], nil)
    var isQuoted = false
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      if isQuoted {
        if scalar != "\"" {
          field?.unicodeScalars.append(scalar)
        } else if scalars.first == "\"" {
          field?.unicodeScalars.append("\"")
          scalars.removeFirst()
        } else {
          isQuoted = false
        }
        continue
      }
      switch scalar {
      case "\"": (isQuoted, field) = (true, "")
      case ",":
        row.append(field)
        field = nil
      case "\r":
        scalars.removeFirst()
        rows.append(row + [field])
        (row, field) = ([], nil)
      default: field = (field ?? "") + String(scalar)
      }
    }
    return rows
  }

  @Test func allFormatsSayTheSame() async throws {
    var random = TestSeed.next()
    var rows = 0
    for round in 0..<40 {
      let name = "store-\(round)"
      try make(name, &random)
      let paths = ["id", "self.text", "self.bytes"] + Self.fields.map(\.name)
      let selected = paths.filter { _ in !random.oneIn(3) } + (random.oneIn(4) ? [] : ["self.id"])
      if selected.isEmpty { continue }
      func answer(_ format: QueryFormat) async throws -> String {
        let run = try await directory.query("Row", of: name) {
          $0.format = format
          $0.rows = .objects(select: selected, isDistinct: round % 4 == 3)
        }
        #expect(run.outcome == .success, "\(run.messages)")
        return run.text
      }
      let lines = try await answer(.ndjson).split(separator: "\n").map { try Self.json(String($0)) }
      let whole = try Self.json(try await answer(.json))
      #expect(whole["rows"]?.isIdentical(to: .array(lines)) == true)
      #expect(whole["columns"] == .array(selected.map { .string($0) }))
      let table = Self.fields(try await answer(.csv))
      #expect(table.first == selected)
      #expect(table.count == lines.count + 1)
      for (line, fields) in zip(lines, table.dropFirst()) {
        #expect(fields.count == selected.count)
        for (path, field) in zip(selected, fields) {
          let value = try #require(line[path], "\(path)")
          switch value {
          case .null: #expect(field == nil, "\(path)")
          case .string(let text): #expect(field?.utf8.elementsEqual(text.utf8) == true, "\(path)")
          default:
            #expect(try Self.json(try #require(field)).isIdentical(to: value), "\(path): \(value)")
          }
        }
        rows += 1
      }
    }
    #expect(rows > 200)
  }
}
