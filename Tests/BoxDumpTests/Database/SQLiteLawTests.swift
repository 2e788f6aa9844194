import BoxConvert
import BoxDump
import BoxEngine
import BoxModel
import BoxSQLite
import TestSupport
import Testing

/// A database has what a dump of the same store has.
struct SQLiteLawTests {
  /// Every cell, every relation and every number that a cell cannot hold, whatever the names are.
  @Test(.enabled("needs Python with SQLite 3.37") { await SQLiteOracle.isThere() })
  func everyCellIsThatOfTheDump() async throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_DATABASES", default: 40)
    let directory = try TemporaryDirectory()
    for number in 0..<count {
      let generated = GeneratedModel(&random)
      let store = try generated.store(&random, objects: random.oneIn(10) ? 3000 : 15)
      try directory.export(store, "\(number)", &random)
      store.close()
    }
    let run = try await SQLiteOracle.compare(count, in: directory)
    #expect(run.status == 0, "\(run.messages)")
    #expect(Int(run.text.dropLast()) ?? 0 > count)
  }

  /// Of a selection a database has what a dump of the same selection has.
  @Test(.enabled("needs Python with SQLite 3.37") { await SQLiteOracle.isThere() })
  func aSelectionIsThatOfTheDump() async throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let count = TestSeed.count("BOXJOINT_SOAK_DATABASES", default: 20)
    for number in 0..<count {
      let store = try DumpModel.store(&random, objects: 40)
      try directory.export(store, "\(number)", &random) { options, random in
        if random.oneIn(2) { options.limit = random.below(10) }
        if random.oneIn(2) { options.condition = "Thing.long > 0" }
        if random.oneIn(3) { options.entities = ["Thing", "Empty"] }
      }
    }
    let run = try await SQLiteOracle.compare(count, in: directory)
    #expect(run.status == 0, "\(run.messages)")
  }
}

extension TemporaryDirectory {
  /// Exports a store to a database and to two dumps, one of them with ISO dates.
  func export(
    _ store: ObjectStore, _ name: String, _ random: inout SplitMix64,
    _ change: (inout ExportOptions, inout SplitMix64) -> Void = { _, _ in }
  ) throws {
    var options = ExportOptions()
    change(&options, &random)
    options.shape = .directory
    try DumpExporter(store, options).export(
      to: DirectoryOutput(self, name, isDirectory: true))
    options.dates = .iso
    try DumpExporter(store, options).export(
      to: DirectoryOutput(self, name + ".iso", isDirectory: true))
    options.dates = .number
    options.database = random.pick(VectorForm.allCases)
    try write(options.database?.rawValue ?? "", to: name + ".vectors")
    try DumpExporter(store, options).export(to: SQLiteExport(path(of: name + ".db")))
  }

  /// Exports a store to a database.
  func database(
    of store: ObjectStore, _ name: String = "x.db",
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> DumpTotals {
    var options = ExportOptions()
    options.database = .blob
    change(&options)
    return try DumpExporter(store, options).export(to: SQLiteExport(path(of: name)))
  }

  /// The rows of a query, as Python prints them.
  func rows(_ query: String, of name: String = "x.db") async throws -> String {
    let script = """
      import sqlite3, sys
      for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(row)
      """
    let run = try await ProcessRun.of("python3", ["-c", script, path(of: name), query])
    return run.text + run.messages
  }
}
