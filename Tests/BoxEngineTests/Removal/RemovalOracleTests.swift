import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Removals by the rules that SQL has too do what SQLite does: `deny` is a foreign key that is checked at the commit.
struct RemovalOracleTests {
  private typealias Key = RuledWorld.Key

  private struct Case {
    var statements: [String]
    var deletions: [String]
    var queries: [String]
    var answer: String

    /// The case as JSON in one line.
    var line: String {
      func list(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
      }
      return "{\"statements\":\(list(statements)),\"deletions\":\(list(deletions)),"
        + "\"queries\":\(list(queries))}"
    }
  }

  /// Runs the cases in SQLite; for each, the rows of its queries as JSON, or that the deletions are refused.
  private static let script = """
    import json, sqlite3, sys
    for line in sys.stdin:
      case = json.loads(line)
      database = sqlite3.connect(':memory:', isolation_level=None)
      database.execute('PRAGMA foreign_keys = ON')
      for part in ('statements', 'deletions'):
        database.execute('BEGIN')
        try:
          for statement in case[part]: database.execute(statement)
          database.execute('COMMIT')
        except sqlite3.IntegrityError:
          if part == 'statements': raise
          database.execute('ROLLBACK')
          print('refused')
          break
      else:
        rows = [database.execute(query).fetchall() for query in case['queries']]
        print(json.dumps(rows, separators=(',', ':')))
      database.close()
    """

  @Test(.enabled("needs Python 3.8 with SQLite 3.30") { await SQLiteComparisonTests.hasSQLite() })
  func removesLikeSQLite() async throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_REMOVED_TREES", default: 300)
    var (done, refused) = (0, 0)
    while done < count {
      let cases = try (0..<min(500, count - done)).map { _ in try Self.make(&random) }
      let input = cases.map { $0.line + "\n" }.joined()
      let run = try await ProcessRun.of("python3", ["-c", Self.script], input: Array(input.utf8))
      try #require(run.status == 0, "\(run.messages)")
      let lines = run.text.split(separator: "\n").map(String.init)
      try #require(lines.count == cases.count)
      for (asked, line) in zip(cases, lines) {
        try #require(line == asked.answer, "\(asked)")
        if line == "refused" { refused += 1 }
      }
      done += cases.count
    }
    #expect(refused > count / 20 && refused < count)
  }

  private static func rules(_ model: RuledModel, _ random: inout SplitMix64) -> Declarations {
    Declarations(
      relations: model.relations.map { relation in
        RelationDeclaration(
          relation: relation.uid, name: relation.name,
          targetRemoved: random.pick([.noAction, .nullify, .cascade, .cascade, .deny]))
      })
  }

  private static func make(_ random: inout SplitMix64) throws -> Case {
    let model = RuledModel(&random, isRelational: true)
    let rules = rules(model, &random)
    var options = StoreOptions()
    options.declarations = rules
    let store = try ObjectStore.open(
      .ownMemory(), model: model.document(isWhole: true), options: options)
    defer { store.close() }
    let world = try RuledWorld(filling: store, of: model, &random, leavesDangling: false)
    let named = world.objects.keys.sorted().filter { _ in random.oneIn(5) }
    var result = Case(
      statements: tables(model, rules) + rows(of: world, model), deletions: deletions(named),
      queries: (0..<model.count).map { "SELECT * FROM e\($0) ORDER BY id" }, answer: "refused")
    try store.write { transaction in
      let objects = try named.map { (try store.entity(named: "E\($0.entity)"), [$0.id]) }
      do {
        try transaction.remove(objects)
        result.answer = json(try RuledWorld(reading: transaction, model), model)
      } catch StoreError.removalRefused {}
    }
    return result
  }

  private static func own(_ entity: Int, _ model: RuledModel) -> [RuledModel.Relation] {
    model.relations.filter { $0.source == entity }
  }

  private static func tables(_ model: RuledModel, _ rules: Declarations) -> [String] {
    (0..<model.count).map { entity in
      let columns = own(entity, model).map { relation in
        let rule = rules.relations.first { $0.relation == relation.uid }?.targetRemoved
        let action =
          switch rule {
          case .cascade: "CASCADE"
          case .nullify: "SET NULL"
          case .deny: "NO ACTION"
          case .noAction, nil: ""
          }
        if action.isEmpty { return "\(relation.name) INTEGER" }
        return "\(relation.name) INTEGER REFERENCES e\(relation.target)(id) ON DELETE \(action) "
          + "DEFERRABLE INITIALLY DEFERRED"
      }
      return
        "CREATE TABLE e\(entity) (\((["id INTEGER PRIMARY KEY"] + columns).joined(separator: ", ")))"
    }
  }

  private static func values(_ key: Key, _ world: RuledWorld, _ model: RuledModel) -> [String] {
    ["\(key.id)"]
      + own(key.entity, model).map { relation in
        world.objects[key]?[relation.uid].map { "\($0)" } ?? "null"
      }
  }

  private static func rows(of world: RuledWorld, _ model: RuledModel) -> [String] {
    world.objects.keys.sorted().map { key in
      "INSERT INTO e\(key.entity) VALUES (\(values(key, world, model).joined(separator: ", ")))"
    }
  }

  private static func deletions(_ named: [Key]) -> [String] {
    named.map { "DELETE FROM e\($0.entity) WHERE id = \($0.id)" }
  }

  private static func json(_ world: RuledWorld, _ model: RuledModel) -> String {
    let tables = (0..<model.count).map { entity in
      let keys = world.objects.keys.filter { $0.entity == entity }.sorted()
      return "["
        + keys.map { "[" + values($0, world, model).joined(separator: ",") + "]" }
        .joined(separator: ",") + "]"
    }
    return "[" + tables.joined(separator: ",") + "]"
  }
}
