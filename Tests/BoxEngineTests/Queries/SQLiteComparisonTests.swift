import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Queries that SQL defines in the same way have the same answers in SQLite.
///
/// A condition on a null is false here and unknown there, so every comparison is asked with `IS TRUE`.
struct SQLiteComparisonTests {
  private static let texts = ["", "a", "A", "ab", "Ab", "abc", "b", "B", "ba", "z"]
  private static let scalars = ["id", "rank", "big", "price", "name", "flag", "owner"]

  private static func document(_ random: inout SplitMix64) throws -> ModelDocument {
    func flags() -> PropertyFlags { random.oneIn(2) ? .indexed : [] }
    return try TestModel(
      .init(
        name: "Item", uid: 100,
        properties: [
          .id(), .init(name: "rank", type: .int, flags: flags()),
          .init(name: "big", type: .long, flags: flags()),
          .init(name: "price", type: .double, flags: flags()),
          .init(name: "name", type: .string, flags: flags()),
          .init(name: "flag", type: .bool, flags: flags()),
          .init(name: "owner", type: .relation, flags: flags(), target: "Person"),
        ], relations: [.init("marks", to: "Person")]),
      .init(
        name: "Person", uid: 200,
        properties: [
          .id(), .init(name: "name", type: .string, flags: flags()),
          .init(name: "age", type: .int, flags: flags()),
        ])
    ).document()
  }

  /// A condition, and an expression of SQL that is 1 where it holds and 0 where not.
  private struct Question {
    var condition: Condition
    var sql: String
  }

  private static func literal(
    _ column: String, _ random: inout SplitMix64
  ) -> (Condition.Literal, String) {
    switch column {
    case "name":
      let text = random.pick(texts)
      return (.string(text), "'\(text)'")
    case "flag":
      let flag = random.oneIn(2)
      return (.bool(flag), flag ? "1" : "0")
    case "price":
      let number = random.pick([-1.5, 0, 0.25, 2, 100])
      return (.number(number), "\(number)")
    case "big":
      let number = random.pick([.min, -1, 0, 1, 1 << 40, Int64.max])
      return (.integer(number), "(\(number == .min ? "-9223372036854775807 - 1" : "\(number)"))")
    default:
      let number = Int64(random.below(9)) - 2
      return (.integer(number), "\(number)")
    }
  }

  private static func comparison(
    _ table: String, _ random: inout SplitMix64
  ) -> Question {
    let column = random.pick(table == "item" ? scalars : ["id", "name", "age"])
    let (name, sql) = (Condition.PropertyName(column), "\(table).\(column)")
    switch random.below(column == "name" ? 6 : 4) {
    case 0 where random.oneIn(2):
      return Question(condition: .isNotNull(name), sql: "(\(sql) IS NOT NULL)")
    case 0: return Question(condition: .isNull(name), sql: "(\(sql) IS NULL)")
    case 1 where column != "flag":
      let (low, high) = (literal(column, &random), literal(column, &random))
      return Question(
        condition: .between(name, low.0, high.0),
        sql: "((\(sql) BETWEEN \(low.1) AND \(high.1)) IS TRUE)")
    case 2:
      let values = (0..<random.below(4)).map { _ in literal(column, &random) }
      return Question(
        condition: .isOneOf(name, values.map(\.0)),
        sql: "((\(sql) IN (\(values.map(\.1).joined(separator: ", ")))) IS TRUE)")
    case 4:
      let text = random.pick(texts)
      return Question(
        condition: .match(name, .contains, .string(text)),
        sql: "((instr(\(sql), '\(text)') > 0) IS TRUE)")
    case 5:
      let text = random.pick(texts)
      return random.oneIn(2)
        ? Question(
          condition: .match(name, .startsWith, .string(text), ignoringCase: true),
          sql: "((\(sql) LIKE '\(text)%') IS TRUE)")
        : Question(
          condition: .match(name, .contains, .string(text), ignoringCase: true),
          sql: "((\(sql) LIKE '%\(text)%') IS TRUE)")
    default:
      let comparison = random.pick(Condition.Comparison.allCases)
      let value = literal(column, &random)
      return Question(
        condition: .compare(name, comparison, value.0),
        sql: "((\(sql) \(comparison.rawValue) \(value.1)) IS TRUE)")
    }
  }

  private static func question(
    _ table: String, _ random: inout SplitMix64, depth: Int = 3
  ) -> Question {
    if depth > 0, random.oneIn(2) {
      let parts = (0..<2 + random.below(2)).map { _ in question(table, &random, depth: depth - 1) }
      switch random.below(3) {
      case 0: return Question(condition: .not(parts[0].condition), sql: "(NOT \(parts[0].sql))")
      case 1:
        return Question(
          condition: .and(parts.map(\.condition)),
          sql: "(\(parts.map(\.sql).joined(separator: " AND ")))")
      default:
        return Question(
          condition: .or(parts.map(\.condition)),
          sql: "(\(parts.map(\.sql).joined(separator: " OR ")))")
      }
    }
    if table == "item", random.oneIn(4) {
      let part = question("person", &random, depth: max(0, depth - 1))
      return random.oneIn(2)
        ? Question(
          condition: .link(.forward("owner"), part.condition),
          sql: "EXISTS (SELECT 1 FROM person WHERE person.id = item.owner AND \(part.sql))")
        : Question(
          condition: .link(.forward("marks"), part.condition),
          sql: """
            EXISTS (SELECT 1 FROM marks, person WHERE marks.item = item.id \
            AND person.id = marks.person AND \(part.sql))
            """)
    }
    return comparison(table, &random)
  }

  /// The statements that make the tables of a store.
  private static func statements(_ store: ObjectStore) throws -> [String] {
    var statements = [
      """
      CREATE TABLE item (id INTEGER PRIMARY KEY, rank INTEGER, big INTEGER, price REAL, name TEXT, \
      flag INTEGER, owner INTEGER)
      """,
      "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)",
      "CREATE TABLE marks (item INTEGER, person INTEGER)",
      // As here, case counts only where it is to be ignored.
      "CREATE INDEX item_rank ON item (rank)",
    ]
    try store.read { transaction in
      for entity in store.entities {
        try transaction.visitObjects(entity) { object in
          let values = entity.properties.map { property in
            switch object[property.name] {
            case .null: "NULL"
            case .string(let text): "'\(text)'"
            case .bool(let flag): flag ? "1" : "0"
            case .integer(.min): "(-9223372036854775807 - 1)"
            case .integer(let value): "\(value)"
            case .unsigned(let value): "\(value)"
            case .double(let value): "\(value)"
            default: "NULL"
            }
          }
          statements.append(
            "INSERT INTO \(entity.name.lowercased()) VALUES (\(values.joined(separator: ", ")))")
          return .next
        }
      }
      let marks = try #require(try store.entity(named: "Item").relation(named: "marks"))
      try transaction.visitEntries(marks) { item, person in
        statements.append("INSERT INTO marks VALUES (\(item), \(person))")
        return .next
      }
    }
    return statements
  }

  private static func fill(_ store: ObjectStore, _ random: inout SplitMix64) throws {
    try store.write { transaction in
      let person = try store.entity(named: "Person")
      for _ in 0..<8 {
        var object = DynamicObject(person)
        if !random.oneIn(5) { object["name"] = .string(random.pick(texts)) }
        if !random.oneIn(5) { object["age"] = .integer(Int64(random.below(6))) }
        try transaction.put(object)
      }
      let item = try store.entity(named: "Item")
      let marks = try #require(item.relation(named: "marks"))
      for _ in 0..<60 {
        var object = DynamicObject(item)
        for column in scalars.dropFirst() where !random.oneIn(5) {
          switch column {
          case "name": object[column] = .string(random.pick(texts))
          case "flag": object[column] = .bool(random.oneIn(2))
          case "price": object[column] = .double(random.pick([-1.5, 0, 0.25, 2, 100, 1e300]))
          case "big": object[column] = .integer(random.pick([.min, -1, 0, 1, 1 << 40, .max]))
          case "owner": object[column] = .unsigned(UInt64(1 + random.below(10)))
          default: object[column] = .integer(Int64(random.below(7)) - 1)
          }
        }
        let id = try transaction.put(object)
        for _ in 0..<random.below(4) {
          _ = try transaction.link(marks, id, UInt64(1 + random.below(8)))
        }
      }
    }
  }

  private static func order(
    _ random: inout SplitMix64
  ) -> (order: [QueryOrder], sql: String) {
    let order = (0..<random.below(3)).map { _ in
      let column = random.pick(scalars)
      return QueryOrder(
        column, descending: random.oneIn(2), ignoringCase: column == "name" && random.oneIn(2),
        nulls: random.pick([.smallest, .first, .last]))
    }
    let terms = order.map { term in
      "\(term.property)" + (term.ignoresCase ? " COLLATE NOCASE" : "")
        + (term.isDescending ? " DESC" : "")
        + (term.nulls == .smallest ? "" : " NULLS \(term.nulls.rawValue.uppercased())")
    }
    return (order, (terms + ["id"]).joined(separator: ", "))
  }

  /// Runs statements in SQLite; the rows of the queries among them, as JSON.
  private static let script = """
    import json, sqlite3, sys
    job = json.load(sys.stdin)
    database = sqlite3.connect(':memory:')
    for statement in job['statements']: database.execute(statement)
    for query in job['queries']:
      print(json.dumps(database.execute(query).fetchall(), separators=(',', ':')))
    """

  private static func rows(_ statements: [String], _ queries: [String]) async throws -> [String] {
    func list(_ texts: [String]) -> String {
      "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
    let job = "{\"statements\":\(list(statements)),\"queries\":\(list(queries))}"
    let run = try await ProcessRun.of("python3", ["-c", script], input: Array(job.utf8))
    try #require(run.status == 0, "\(run.messages)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test(.enabled("needs Python 3.8 with SQLite 3.30") { await Self.hasSQLite() })
  func answersLikeSQLite() async throws {
    var random = TestSeed.next()
    let count = TestSeed.count("BOXJOINT_SOAK_SQL", default: 2000)
    var (asked, found) = (0, 0)
    while asked < count {
      let store = try ObjectStore.open(.ownMemory(), model: Self.document(&random))
      try Self.fill(store, &random)
      let entity = try store.entity(named: "Item")
      let columns = try ["rank", "price"].map { try store.column($0, of: entity) }
      var queries: [String] = []
      var answers: [String] = []
      for _ in 0..<200 {
        let question = Self.question("item", &random)
        let (order, orderSQL) = Self.order(&random)
        let query = try store.prepare(StoreQuery(entity, question.condition, order: order))
        if random.oneIn(3) {
          let by = random.pick(["rank", "name", "flag", "owner"])
          queries.append(
            """
            SELECT \(by), count(*), count(rank), sum(rank), min(rank), max(rank), count(price) \
            FROM item WHERE \(question.sql) GROUP BY \(by) ORDER BY \(by) NULLS FIRST
            """)
          answers.append(try Self.groups(store, query, by, columns))
        } else {
          let (offset, limit) = (random.pick([0, 0, 2, 7]), random.pick([-1, -1, 1, 5, 20]))
          queries.append(
            """
            SELECT id FROM item WHERE \(question.sql) ORDER BY \(orderSQL) \
            LIMIT \(limit) OFFSET \(offset)
            """)
          let ids = try store.read {
            try $0.ids(query, offset: offset, limit: limit < 0 ? nil : limit)
          }
          found += ids.count
          answers.append("[" + ids.map { "[\($0)]" }.joined(separator: ",") + "]")
        }
      }
      let rows = try await Self.rows(try Self.statements(store), queries)
      try #require(rows.count == queries.count)
      for (query, (row, answer)) in zip(queries, zip(rows, answers)) {
        try #require(answer == row, "\(query)")
      }
      asked += queries.count
    }
    #expect(found > count)
  }

  static func hasSQLite() async -> Bool {
    let script = "import sqlite3; assert sqlite3.sqlite_version_info >= (3, 30)"
    let run = try? await ProcessRun.of("python3", ["-c", script])
    return run?.status == 0
  }

  /// The groups as rows of JSON, in the order of their values.
  private static func groups(
    _ store: ObjectStore, _ query: PreparedQuery, _ by: String, _ columns: [QueryColumn]
  ) throws -> String {
    let column = try store.column(by, of: query.query.entity)
    let groups = try store.read { try $0.groups(query, by: column, columns) }
    func key(_ value: Value) -> (Int, Int64, [UInt8]) {
      switch value {
      case .null: (0, 0, [])
      case .bool(let flag): (1, flag ? 1 : 0, [])
      case .integer(let number): (1, number, [])
      case .unsigned(let number): (1, Int64(number), [])
      case .string(let text): (1, 0, Array(text.utf8))
      default: (2, 0, [])
      }
    }
    func text(_ value: Value?) -> String {
      switch value {
      case .bool(let flag): flag ? "1" : "0"
      case .integer(let number): "\(number)"
      case .unsigned(let number): "\(number)"
      case .string(let text): "\"\(text)\""
      default: "null"
      }
    }
    let sorted = groups.sorted { a, b in
      let (x, y) = (key(a.value), key(b.value))
      if (x.0, x.1) != (y.0, y.1) { return (x.0, x.1) < (y.0, y.1) }
      return x.2.lexicographicallyPrecedes(y.2)
    }
    let rows = sorted.map { group in
      let (rank, price) = (group.summaries[0], group.summaries[1])
      var sum = "null"
      if case .integer(let value)? = rank.sum { sum = "\(value)" }
      let parts = [
        text(group.value), "\(group.count)", "\(rank.count)", sum, text(rank.minimum),
        text(rank.maximum), "\(price.count)",
      ]
      return "[" + parts.joined(separator: ",") + "]"
    }
    return "[" + rows.joined(separator: ",") + "]"
  }
}
