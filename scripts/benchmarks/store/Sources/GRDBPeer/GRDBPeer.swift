import CWorkload
import GRDB

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs an operation on a store: `GRDBPeer records|cached OPERATION DIRECTORY COUNT SEED`.
///
/// With `records` objects are read and written by the methods of their type, the usual way. With `cached` they are by
/// cached statements, whose rows are decoded by position: the fastest way that GRDB documents.
@main
enum GRDBPeer {
  static func main() throws {
    let isCached = CommandLine.arguments.contains("cached")
    // Without the way of writing, which no other peer has.
    let request = read_request(CommandLine.argc - 1, CommandLine.unsafeArgv + 1)
    let pool = try openPool(String(cString: request.directory) + "/mixed.sqlite")
    var run = Run(pool: pool, isCached: isCached, seed: request.seed, count: request.count)
    let batch = Int(BATCH)
    let all = Int(request.count)
    let singles = (request.count + 1)...(request.count + Int64(SINGLE_PUTS))
    switch String(cString: request.operation) {
    case "put-all": try run.put(1...request.count, batch: all)
    case "put-batches": try run.put(1...request.count, batch: batch)
    case "get": try run.get(request.count)
    case "get-singles": try run.getSingles()
    case "visit": try run.all(isVisit: true)
    case "put-array": try run.putArray()
    case "upsert": try run.upsert(1...Int64(ASYNC_PUTS))
    case "upsert-again":
      try run.put(1...Int64(ASYNC_PUTS), batch: Int(ASYNC_PUTS))
      (run.objects, run.checksum) = (0, 0)
      try run.upsert(1...Int64(ASYNC_PUTS))
    case "get-key": try run.get(request.count / Int64(KEY_PART))
    case "all": try run.all(isVisit: false)
    case "look-up": try run.lookUp()
    case "rewrite-all": try run.rewrite(batch: all)
    case "rewrite-batches": try run.rewrite(batch: batch)
    case "put-singles": try run.put(singles, batch: 1)
    case "remove-all": try run.removeAll()
    default: exit(64)
    }
    print_measure(&run.measurement, run.objects, run.checksum)
    try pool.close()
  }

  static func openPool(_ path: String) throws -> DatabasePool {
    var configuration = Configuration()
    // As much as SQLite in C gets.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -65536") }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { database in
      // Here and not in the configuration: a pool sets NORMAL after that was applied, with which
      // a commit returns before its data is on disk.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2,
        try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal"
      else { throw NotDurable() }
      try database.create(table: "mixed", options: .ifNotExists) { table in
        table.primaryKey("id", .integer)
        for column in ["a", "b"] { table.column(column, .integer).notNull() }
        for column in ["c", "d"] { table.column(column, .double).notNull() }
        for column in ["e", "f", "g"] { table.column(column, .integer).notNull() }
        table.column("name", .text).notNull()
      }
      try database.create(index: "mixed_f", on: "mixed", columns: ["f"], options: .ifNotExists)
    }
    return pool
  }

  struct NotDurable: Error {}
}

/// The operations, one of which a process carries out.
struct Run {
  let pool: DatabasePool
  let isCached: Bool
  let seed: UInt64
  let count: Int64
  var measurement = measure()
  var objects: Int64 = 0
  var checksum: UInt64 = 0

  init(pool: DatabasePool, isCached: Bool, seed: UInt64, count: Int64) {
    self.pool = pool
    self.isCached = isCached
    self.seed = seed
    self.count = count
  }

  mutating func add(_ object: Mixed) {
    checksum &+= object.sum
    objects += 1
  }

  func insert(_ object: Mixed, into database: Database) throws {
    guard isCached else { return try object.insert(database) }
    try database.cachedStatement(sql: "INSERT INTO mixed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .execute(arguments: object.arguments)
  }

  /// Calls a function with each object of a condition of SQL, or of a request in the usual way.
  func read(
    _ sql: String, _ arguments: StatementArguments, or request: QueryInterfaceRequest<Mixed>,
    in database: Database,
    _ body: (Mixed) -> Void
  ) throws {
    guard isCached else { return try request.fetchAll(database).forEach(body) }
    let statement = try database.cachedStatement(sql: "SELECT * FROM mixed " + sql)
    let objects = try Mixed.fetchCursor(statement, arguments: arguments)
    while let object = try objects.next() { body(object) }
  }

  func object(_ id: Int64, in database: Database) throws -> Mixed? {
    guard isCached else { return try Mixed.fetchOne(database, key: id) }
    return try Mixed.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM mixed WHERE id = ?"), arguments: [id])
  }

  mutating func put(_ ids: ClosedRange<Int64>, batch: Int) throws {
    start_measure(&measurement)
    for first in stride(from: ids.lowerBound, through: ids.upperBound, by: batch) {
      try pool.write { database in
        for id in first...min(first + Int64(batch) - 1, ids.upperBound) {
          let object = Mixed(seed: seed, count: count, id: id)
          add(object)
          try insert(object, into: database)
        }
        about_to_commit(&measurement)
      }
    }
    stop_measure(&measurement)
  }

  /// Objects that were made before the measurement, in one transaction.
  mutating func putArray() throws {
    let records = (1...count).map { Mixed(seed: seed, count: count, id: $0) }
    start_measure(&measurement)
    try pool.write { database in
      for record in records { try insert(record, into: database) }
    }
    stop_measure(&measurement)
    for record in records { add(record) }
  }

  /// Objects that are inserted or replaced by their key, in one transaction.
  mutating func upsert(_ ids: ClosedRange<Int64>) throws {
    let records = ids.map { Mixed(seed: seed, count: count, id: $0) }
    let columns = ["a", "b", "c", "d", "e", "f", "g", "name"].map { "\($0) = excluded.\($0)" }
    let sql =
      "INSERT INTO mixed VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
      + columns.joined(separator: ", ")
    start_measure(&measurement)
    try pool.write { database in
      for record in records {
        if isCached {
          try database.cachedStatement(sql: sql).execute(arguments: record.arguments)
        } else {
          try record.upsert(database)
        }
      }
    }
    stop_measure(&measurement)
    for record in records { add(record) }
  }

  /// Objects with random ids, in one transaction.
  mutating func get(_ number: Int64) throws {
    var random = seed
    start_measure(&measurement)
    try pool.read { database in
      for _ in 0..<number {
        if let object = try object(next_id(&random, count), in: database) { add(object) }
      }
    }
    stop_measure(&measurement)
  }

  mutating func getSingles() throws {
    var random = seed
    start_measure(&measurement)
    for _ in 0..<count {
      let id = next_id(&random, count)
      if let object = try pool.read({ try object(id, in: $0) }) { add(object) }
    }
    stop_measure(&measurement)
  }

  /// All objects in an array, summed up after the measurement unless they are visited.
  mutating func all(isVisit: Bool) throws {
    start_measure(&measurement)
    let records = try pool.read { database in
      if !isCached { return try Mixed.fetchAll(database) }
      return try Mixed.fetchAll(database.cachedStatement(sql: "SELECT * FROM mixed"))
    }
    if !isVisit { stop_measure(&measurement) }
    for record in records { add(record) }
    if isVisit { stop_measure(&measurement) }
  }

  mutating func lookUp() throws {
    var random = seed
    start_measure(&measurement)
    try pool.read { database in
      for _ in 0..<count / Int64(OBJECTS_PER_VALUE) {
        let value = next_value(&random, count)
        var found: [Mixed] = []
        try read("WHERE f = ?", [value], or: Mixed.filter(Column("f") == value), in: database) {
          found.append($0)
        }
        for object in found { add(object) }
      }
    }
    stop_measure(&measurement)
  }

  /// Reads some thousands of objects at a time, since all at once would measure memory.
  mutating func rewrite(batch: Int) throws {
    let chunk = Int(BATCH)
    var last: Int64 = 0
    start_measure(&measurement)
    for _ in stride(from: 0, to: Int(count), by: batch) {
      try pool.write { database in
        for _ in stride(from: 0, to: batch, by: chunk) {
          var chunkRead: [Mixed] = []
          try read(
            "WHERE id > ? ORDER BY id LIMIT ?", [last, chunk],
            or: Mixed.filter(Column("id") > last).order(Column("id")).limit(chunk), in: database
          ) { chunkRead.append($0) }
          for var object in chunkRead {
            object.a = with_one_added(object.a)
            add(object)
            try update(object, in: database)
          }
          last = chunkRead.last?.id ?? last
        }
        about_to_commit(&measurement)
      }
    }
    stop_measure(&measurement)
  }

  private func update(_ object: Mixed, in database: Database) throws {
    guard isCached else { return try object.update(database) }
    let columns = "id = ?, a = ?, b = ?, c = ?, d = ?, e = ?, f = ?, g = ?, name = ?"
    try database.cachedStatement(sql: "UPDATE mixed SET \(columns) WHERE id = ?")
      .execute(arguments: object.arguments + [object.id])
  }

  mutating func removeAll() throws {
    start_measure(&measurement)
    try pool.write { database in
      _ = try Mixed.deleteAll(database)
      about_to_commit(&measurement)
    }
    stop_measure(&measurement)
  }
}
