import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxStoreTool

/// The formats of the results of queries.
struct QueryFormatTests {
  private let directory: TemporaryDirectory

  /// Objects with everything that a format has to escape.
  init() async throws {
    directory = try TemporaryDirectory()
    let store = try ObjectStore.open(
      .directory(directory.path(of: "data")),
      model: TestModel(
        .init(
          name: "Note", uid: 1001,
          fields: [
            .init("text", 1012, .string), .init("tags", 1013, .stringVector),
            .init("size", 1014, .double),
          ])
      ).document())
    defer { store.close() }
    let note = try store.entity(named: "Note")
    try store.write { transaction in
      for (text, tags, size) in [
        ("plain", ["a"], 1.5), ("", [], -0.0), (nil, nil, nil),
        ("a,\"b\"\r\nc|*\u{1B}[2J\u{202E}", ["x\ty"], .infinity),
      ] as [(String?, [String]?, Double?)] {
        var object = DynamicObject(note)
        object["text"] = text.map { .string($0) } ?? .null
        object["tags"] = tags.map { .strings($0) } ?? .null
        object["size"] = size.map { .double($0) } ?? .null
        try transaction.put(object)
      }
    }
  }

  private func text(
    _ format: QueryFormat, _ change: (inout QueryRequest) -> Void = { _ in }
  ) async throws -> String {
    let run = try await directory.query("Note") {
      $0.format = format
      change(&$0)
    }
    #expect(run.outcome == .success, "\(run.messages)")
    return run.text
  }

  @Test func linesOfJSON() async throws {
    #expect(
      try await text(.ndjson) == #"""
        {"id":1,"text":"plain","tags":["a"],"size":1.5}
        {"id":2,"text":"","tags":[],"size":-0.0}
        {"id":3,"text":null,"tags":null,"size":null}
        {"id":4,"text":"a,\"b\"\r\nc|*\u001b[2J\#u{202E}","tags":["x\ty"],"size":"Infinity"}

        """#)
    #expect(try await text(.ndjson) { $0.condition = "id > 9" } == "")
  }

  @Test func oneObject() async throws {
    #expect(
      try await text(.json) {
        $0.select("id", "text")
        $0.limit = 2
      } == """
        {
          "schemaVersion": 1,
          "entity": "Note",
          "columns": ["id","text"],
          "rows": [
            {"id":1,"text":"plain"},
            {"id":2,"text":""}
          ]
        }

        """)
    #expect(
      try await text(.json) {
        $0.select("id")
        $0.limit = 0
      } == """
        {
          "schemaVersion": 1,
          "entity": "Note",
          "columns": ["id"],
          "rows": []
        }

        """)
  }

  @Test func commaSeparatedValues() async throws {
    #expect(
      try await text(.csv)
        == "id,text,tags,size\r\n1,plain,\"[\"\"a\"\"]\",1.5\r\n2,\"\",[],-0.0\r\n3,,,\r\n"
        + "4,\"a,\"\"b\"\"\r\nc|*\u{1B}[2J\u{202E}\",\"[\"\"x\\ty\"\"]\",Infinity\r\n")
    // For a terminal each row is a line, and nothing is obeyed.
    let shown = try await text(.csv) { $0.screen = QueryScreen(width: 20) }
    #expect(
      shown.hasSuffix("4,\"a,\"\"b\"\"\\r\\nc|*\\u001b[2J\\u202e\",\"[\"\"x\\ty\"\"]\",Infinity\n"))
  }

  /// Another reader finds the same values.
  @Test(.enabled("needs python3", { try await ProcessRun.of("python3", ["-V"]).status == 0 }))
  func commaSeparatedValuesAreReadByPython() async throws {
    let read = try await ProcessRun.of(
      "python3",
      [
        "-c",
        "import csv,json,sys,io;"
          + "print(json.dumps(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer,newline='')))))",
      ], input: Array(try await text(.csv).utf8))
    #expect(
      read.text == #"""
        [["id", "text", "tags", "size"], ["1", "plain", "[\"a\"]", "1.5"], ["2", "", "[]", "-0.0"], \#
        ["3", "", "", ""], \#
        ["4", "a,\"b\"\r\nc|*\u001b[2J\u202e", "[\"x\\ty\"]", "Infinity"]]

        """#)
  }

  @Test func markdown() async throws {
    #expect(
      try await text(.markdown) == #"""
        | id | text | tags | size |
        | --- | --- | --- | --- |
        | 1 | plain | \["a"\] | 1.5 |
        | 2 |  | \[\] | -0.0 |
        | 3 |  |  |  |
        | 4 | a,"b"\\r\\nc\|\*\\u001b\[2J\\u202e | \["x\\ty"\] | Infinity |

        """#)
  }

  @Test func aTableForPeople() async throws {
    func row(_ id: String, _ text: String, _ tags: String, _ size: String) -> String {
      func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
      }
      return "\(id)  \(padded(text, 27))  \(padded(tags, 8))  \(size)\n"
    }
    #expect(
      try await text(.text)
        == row("id", "text", "tags", "size") + row(" 1", "plain", #"["a"]"#, "1.5")
        + row(" 2", "", "[]", "-0.0") + " 3\n"
        + row(" 4", #"a,"b"\r\nc|*\u001b[2J\u202e"#, #"["x\ty"]"#, "Infinity"))
    #expect(try await text(.text) { $0.condition = "id > 9" } == "no rows\n")
  }

  /// A reader of comma-separated values skips empty lines, and null would be one.
  @Test func aTableOfOneColumnHasNoNull() async throws {
    let refused = try await directory.query("Note") { $0.select("text") }
    #expect(refused.outcome != .success)
    #expect(refused.messages.contains("add a column to --select"), "\(refused.messages)")
    #expect(
      try await text(.csv) {
        $0.select("text")
        $0.condition = "id < 3"
      } == "text\r\nplain\r\n\"\"\r\n")
    #expect(
      try await text(.csv) {
        $0.select("id", "size")
        $0.condition = "id == 3"
      } == "id,size\r\n3,\r\n")
    // The largest value of nothing is no object.
    #expect(
      try await text(.csv) {
        $0.rows = .summary([.of(.max, "id")])
        $0.condition = "id > 9"
      } == "max(id)\r\n\r\n")
  }

  @Test func oneNumberIsWrittenWithoutARange() async throws {
    #expect(try await text(.text) { $0.rows = .summary([.count]) } == "4\n")
    #expect(try await text(.csv) { $0.rows = .summary([.count]) } == "count\r\n4\r\n")
    #expect(try await text(.ndjson) { $0.rows = .summary([.count]) } == "{\"count\":4}\n")
    #expect(
      try await text(.text) { $0.rows = .summary([.count, .of(.max, "id")]) }
        == "count  max(id)\n    4        4\n")
  }

  // MARK: - On a terminal

  @Test func aTableFitsTheTerminal() async throws {
    for width in [20, 30, 40] {
      let table = try await text(.text) { $0.screen = QueryScreen(width: width) }
      let lines = table.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines.allSatisfy { $0.displayWidth <= max(width, 26) }, "\(width): \(table)")
      #expect(table.contains("…"))
    }
  }

  @Test func moreRowsAreCounted() async throws {
    func shown(_ rows: Int, _ change: @escaping (inout QueryRequest) -> Void = { _ in })
      async throws -> String
    {
      try await text(.text) {
        $0.screen = QueryScreen(width: 80, rows: rows)
        $0.select("id")
        change(&$0)
      }
    }
    #expect(try await shown(3) == "id\n 1\n 2\n 3\n… 1 more\n")
    #expect(try await shown(4) == "id\n 1\n 2\n 3\n 4\n")
    #expect(try await shown(2) { $0.offset = 1 } == "id\n 2\n 3\n… 1 more\n")
    // A limit is what the user wants to see.
    #expect(try await shown(2) { $0.limit = 3 } == "id\n 1\n 2\n 3\n")
    #expect(
      try await shown(2) { $0.select("id", distinct: true) } == "id\n 1\n 2\n… 2 more\n")
    #expect(
      try await shown(3) { $0.rows = .groups(by: "id", [.count]) }
        == "id  count\n 1      1\n 2      1\n 3      1\n… 1 more\n")
  }

  @Test func aFileIsNotATerminal() async throws {
    let run = try await directory.query("Note") {
      $0.format = .text
      $0.screen = QueryScreen(width: 20, rows: 1)
      $0.output = directory.path(of: "result.txt")
    }
    #expect(run.only(.success, ""))
    let text = try directory.text(of: "result.txt")
    #expect(text.split(separator: "\n").count == 5)
    #expect(!text.contains("…"))
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func oneObjectFollowsItsSchema() async throws {
    for change in [
      { _ in }, { $0.limit = 0 }, { $0.rows = .summary([.count, .of(.avg, "size")]) },
      { $0.rows = .groups(by: "tags", [.count]) },
    ] as [(inout QueryRequest) -> Void] {
      #expect(
        try await SchemaValidator.violations(
          of: Array(try await text(.json, change).utf8), against: "query-result.schema.json") == "")
    }
  }
}
