package import BoxDump
package import BoxEngine

/// A database of SQLite that an export fills: a table for each entity and each relation to many, and a view for
/// each entity.
///
/// The file is complete, and can be renamed, after ``finish(_:)``; until then it must be discarded. There is no
/// journal, and it is not synced.
///
/// `@unchecked Sendable` holds because one thread at a time uses it.
package final class SQLiteExport: DatabaseOutput, @unchecked Sendable {
  private let connection: SQLiteConnection
  private var layout: SQLiteLayout?
  private var tables: [SQLiteTable] = []
  private var relations: [SQLiteStatement] = []

  /// The version of the tables about the export.
  private static let version = 1

  /// Opens an empty file, which is created if it does not exist.
  ///
  /// - Throws: ``SQLiteFailure``.
  package init(_ path: String) throws(SQLiteFailure) {
    connection = try SQLiteConnection(path)
    // A file that fails is discarded, and the caller syncs one that is complete.
    try connection.run(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 4096; \
      PRAGMA cache_size = -32768
      """)
  }

  package func begin(_ plan: DatabasePlan) throws {
    let layout = SQLiteLayout(plan)
    for table in layout.tables where table.columns.count > SQLiteFailure.maximumColumns {
      throw SQLiteFailure(columns: table.columns.count, of: table.table.entity.name)
    }
    try connection.run("BEGIN EXCLUSIVE")
    let exact = try SQLiteExactValues(connection)
    for position in layout.tables.indices {
      try connection.run(layout.tableStatement(position))
    }
    for position in layout.relations.indices {
      try connection.run(layout.relationStatement(position))
    }
    for table in layout.tables {
      tables.append(try SQLiteTable(table.table, name: table.name, exact, connection))
    }
    for name in layout.relations {
      relations.append(
        try SQLiteStatement("INSERT INTO \(name.sqlName) VALUES (?,?)", connection))
    }
    try insertNames(layout)
    try insertModel(plan)
    self.layout = layout
  }

  package func insert(_ objects: RecordBatch, into table: Int) throws {
    let table = tables[table]
    unsafe try objects.forEach { (id, record) throws in try table.insert(id, record) }
  }

  package func insert(source: UInt64, target: UInt64, into relation: Int) throws {
    let statement = relations[relation]
    statement.bind(Int64(bitPattern: source), 1)
    statement.bind(Int64(bitPattern: target), 2)
    try statement.insert()
  }

  package func finish(_ totals: DumpTotals) throws {
    // Before the last statements of the connection: a transaction does not end while others are open.
    (tables, relations) = ([], [])
    if var layout {
      for table in layout.tables { try connection.run(SQLiteView(table: table).statement) }
      for statement in layout.indexStatements() { try connection.run(statement) }
    }
    try insertEnd(totals)
    try connection.run("COMMIT")
  }

  // MARK: - The tables about the export

  private func insertNames(_ layout: SQLiteLayout) throws(SQLiteFailure) {
    try connection.run(
      """
      CREATE TABLE boxjoint_names (kind TEXT NOT NULL, entity TEXT NOT NULL, member TEXT, \
      name TEXT NOT NULL) STRICT
      """)
    let statement = try SQLiteStatement("INSERT INTO boxjoint_names VALUES (?,?,?,?)", connection)
    for changed in layout.changed {
      statement.bind(changed.kind, 1)
      statement.bind(changed.entity, 2)
      statement.bind(changed.member, 3)
      statement.bind(changed.name, 4)
      try statement.insert()
    }
  }

  private func insertModel(_ plan: DatabasePlan) throws(SQLiteFailure) {
    try connection.run(
      """
      CREATE TABLE boxjoint_model (version INTEGER NOT NULL, model TEXT NOT NULL, rules TEXT, \
      converters TEXT, options TEXT NOT NULL) STRICT
      """)
    let statement = try SQLiteStatement(
      "INSERT INTO boxjoint_model VALUES (?,?,?,?,?)", connection)
    statement.bind(Int64(Self.version), 1)
    for (position, text) in [plan.model, plan.rules, plan.converters, plan.options].enumerated() {
      statement.bind(text.map { String(decoding: $0, as: UTF8.self) }, Int32(position + 2))
    }
    try statement.insert()
  }

  private func insertEnd(_ totals: DumpTotals) throws(SQLiteFailure) {
    try connection.run(
      """
      CREATE TABLE boxjoint_end (kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, \
      last_id INTEGER) STRICT
      """)
    let statement = try SQLiteStatement("INSERT INTO boxjoint_end VALUES (?,?,?,?)", connection)
    for entity in totals.entities {
      statement.bind("entity", 1)
      statement.bind(entity.name, 2)
      statement.bind(Int64(entity.objects), 3)
      statement.bind(Int64(bitPattern: entity.lastID), 4)
      try statement.insert()
    }
    for relation in totals.relations {
      statement.bind("relation", 1)
      statement.bind(relation.name, 2)
      statement.bind(Int64(relation.targets), 3)
      statement.bindNull(4)
      try statement.insert()
    }
  }
}
