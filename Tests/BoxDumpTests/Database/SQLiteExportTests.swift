import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import BoxSQLite
import BoxStorage
import TestSupport
import Testing

/// The views, redactions and refusals of databases.
@Suite(.enabled("needs Python with SQLite 3.37") { await SQLiteOracle.isThere() })
struct SQLiteExportTests {
  private let directory: TemporaryDirectory
  private let store: ObjectStore

  init() throws {
    directory = try TemporaryDirectory()
    let model = TestModel(
      .init(
        name: "Film", uid: 1001,
        fields: [
          .init("title", 1012, .string, [.unique, .indexed]), .init("genre", 1013, .int),
          .init("rated", 1014, .string), .init("size", 1015, .long, .unsigned),
          .init("seen", 1016, .date), .init("score", 1017, .double, .indexed),
          .init("plot", 1018, .floatVector), .init("cover", 1019, .byteVector),
          .init("mark", 1020, .char), .init("shown", 1021, .dateVector),
        ]))
    store = try ObjectStore.open(.ownMemory(), model: model.document())
    let film = try store.entity(named: "Film")
    try store.write { transaction in
      for number in 0..<4 as Range<Int64> {
        var object = DynamicObject(film)
        object["title"] = .string("film \(number)")
        object["genre"] = .integer(number)
        object["rated"] = .string(["a", "b", "it's"][Int(number % 3)])
        object["size"] = .unsigned(.max - UInt64(number))
        object["seen"] = .integer(-1 - 86_400_000 * number)
        object["score"] = .double(number == 0 ? .nan : number == 1 ? -0.0 : 0.5)
        object["plot"] = .floats([1, Float(number)])
        object["cover"] = .bytes([0xC0, 0xFF, 0xEE, UInt8(number)])
        object["mark"] = .unsigned(UInt64(0x61 + number))
        object["shown"] = .integers(number == 0 ? [] : [number * 1000, -1, .max])
        try transaction.put(object)
      }
      try transaction.put(DynamicObject(film))
    }
  }

  private func catalogue() throws -> Catalogue {
    try Catalogue([
      "properties": [
        "Film.genre": [
          "type": "enum", "values": ["drama": 0, "it's \"odd\"": 1], "retired": ["noir": 2],
          "aliases": ["play": "drama"],
        ], "Film.rated": ["type": "enum", "values": ["General": "a", "Adult": "it's"]],
      ]
    ])
  }

  @Test func viewsShowNamesAndDates() async throws {
    let catalogue = try catalogue()
    _ = try directory.database(of: store) { $0.converters = ExportConverters(catalogue) }
    let rows = try await directory.rows("SELECT id, genre, rated, size, seen FROM Film_view")
    #expect(
      rows == #"""
        (1, 'drama', 'General', '18446744073709551615', '1969-12-31T23:59:59.999Z')
        (2, 'it\'s "odd"', 'b', '18446744073709551614', '1969-12-30T23:59:59.999Z')
        (3, 'noir', 'Adult', '18446744073709551613', '1969-12-29T23:59:59.999Z')
        (4, 3, 'General', '18446744073709551612', '1969-12-28T23:59:59.999Z')
        (5, None, None, None, None)

        """#)
    let vectors = try await directory.rows(
      "SELECT mark, shown FROM Film_view WHERE id IN (1, 2, 5)")
    #expect(
      vectors == #"""
        ('a', '[]')
        ('b', '["1970-01-01T00:00:01.000Z","1969-12-31T23:59:59.999Z",9223372036854775807]')
        (None, None)

        """#)
    let stored = try await directory.rows("SELECT genre, size, score FROM Film WHERE id < 3")
    #expect(stored == "(0, -1, None)\n(1, -2, 0.0)\n")
    let exact = try await directory.rows(
      "SELECT * FROM boxjoint_exact WHERE property = 'score' ORDER BY id")
    #expect(
      exact == """
        ('Film', 1, 'score', '7ff8000000000000')
        ('Film', 2, 'score', '8000000000000000')

        """)
    _ = try directory.database(of: store, "raw.db")
    #expect(
      try await directory.rows("SELECT genre FROM Film_view LIMIT 1", of: "raw.db") == "(0,)\n")
  }

  /// Nothing of a redacted value is in the file: neither in the table, nor in its indexes, nor among the exact ones.
  @Test func redactedValuesAreNowhere() async throws {
    let catalogue = try catalogue()
    let totals = try directory.database(of: store) {
      $0.redactions = [
        .init("Film.title", .hash), .init("Film.genre", .mask), .init("Film.size", .null),
        .init("Film.score", .mask), .init("Film.plot", .mask), .init("Film.cover", .hash),
        .init("Film.rated", .mask), .init("Film.mark", .mask), .init("Film.shown", .mask),
      ]
      $0.converters = ExportConverters(catalogue)
    }
    #expect(totals.objects == 5)
    let rows = try await directory.rows(
      """
      SELECT id, length(title), genre, rated, size, score, plot, length(cover), mark, shown FROM Film_view
      """)
    #expect(
      rows == """
        (1, 64, 0, '***', None, 0.0, b'', 32, '*', '[]')
        (2, 64, 0, '***', None, 0.0, b'', 32, '*', '[]')
        (3, 64, 0, '***', None, 0.0, b'', 32, '*', '[]')
        (4, 64, 0, '***', None, 0.0, b'', 32, '*', '[]')
        (5, None, None, None, None, None, None, None, None, None)

        """)
    #expect(try await directory.rows("SELECT count(*) FROM boxjoint_exact") == "(0,)\n")
    let file = try directory.bytes(of: "x.db")
    #expect(!file.contains(Array("film 1".utf8)))
    #expect(!file.contains([0xC0, 0xFF, 0xEE]))
  }

  /// A unique property whose values are all the same has an index that allows it.
  @Test func aMaskOfAUniquePropertyIsNoWarning() async throws {
    var options = ExportOptions()
    options.redactions = [.init("Film.title", .mask)]
    #expect(try !DumpExporter(store, options).warnings.isEmpty)
    options.database = .blob
    let exporter = try DumpExporter(store, options)
    #expect(exporter.warnings.isEmpty)
    try exporter.export(to: SQLiteExport(directory.path(of: "x.db")))
    let schema = "SELECT sql FROM sqlite_master WHERE name = 'Film.title'"
    #expect(
      try await directory.rows(schema) == #"('CREATE INDEX "Film.title" ON "Film" ("title")',)"#
        + "\n")
  }

  /// The view of an entity with as many columns as a table can have would be larger than a statement can be.
  @Test func aViewThatWouldBeTooLargeShowsTheTable() async throws {
    let fields = (1..<2000).map { TestModel.Property(name: "f\($0)", type: .float) }
    let model = TestModel(.init(name: "Wide", uid: 1001, fields: fields))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    var object = DynamicObject(try store.entity(named: "Wide"))
    object["f1999"] = .float(0.1)
    try store.write { _ = try $0.put(object) }
    _ = try directory.database(of: store)
    let rows = try await directory.rows("SELECT f1, f1999 FROM Wide_view")
    #expect(rows == "(None, 0.10000000149011612)\n")
  }

  /// A table cannot have more columns; some of them can be chosen.
  @Test func anEntityWithMoreColumnsIsRefused() throws {
    let fields = (1..<2001).map { TestModel.Property(name: "f\($0)", type: .float) }
    let model = TestModel(.init(name: "Too wide", uid: 1001, fields: fields))
    let store = try ObjectStore.open(.ownMemory(), model: model.document())
    let failure = #expect(throws: SQLiteFailure.self) { _ = try directory.database(of: store) }
    #expect(failure?.isRefusal == true)
    #expect(
      failure?.message == "`Too wide` has 2001 properties, and a table of SQLite has at most 2000; "
        + "choose the fields to export")
  }

  /// The schema is that of the documentation.
  @Test func tablesAreThoseOfTheDocumentation() async throws {
    _ = try directory.database(of: store)
    let schema = "SELECT sql FROM sqlite_master WHERE name IN ('Film', 'Film.title')"
    #expect(
      try await directory.rows(schema) == #"""
        ('CREATE TABLE "Film" ("id" INTEGER PRIMARY KEY, "title" TEXT, "genre" INTEGER, "rated" TEXT, \#
        "size" INTEGER, "seen" INTEGER, "score" REAL, "plot" BLOB, "cover" BLOB, "mark" INTEGER, "shown" TEXT) \#
        STRICT',)
        ('CREATE UNIQUE INDEX "Film.title" ON "Film" ("title")',)

        """#)
  }

  /// Other commands that read dumps say what the file is.
  @Test func aDatabaseIsNotADump() throws {
    _ = try directory.database(of: store)
    let message = #expect(throws: DumpError.self) {
      _ = try DumpInput(path: directory.path(of: "x.db"))
    }
    #expect(message?.message.hasPrefix("this is a database of SQLite") == true)
  }

  /// A database that cannot be created is an error, and one that is full too.
  @Test func failuresAreThoseOfTheSystem() throws {
    #expect(throws: SQLiteFailure.self) { _ = try SQLiteExport(directory.path(of: "no/x.db")) }
    let failure = #expect(throws: SQLiteFailure.self) {
      _ = try DumpExporter(store, ExportOptions()).export(to: SQLiteExport("/dev/full"))
    }
    #expect(failure?.message.isEmpty == false)
  }
}

extension [UInt8] {
  /// Whether the bytes contain others in a row.
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
