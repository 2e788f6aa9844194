import CWorkload
import GRDB

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@main
enum GRDBPeer {
  static func main() throws {
    let request = read_request(CommandLine.argc, CommandLine.unsafeArgv)
    let pool = try openPool(String(cString: request.directory) + "/mixed.sqlite")
    var run = Run(pool: pool, seed: request.seed, count: request.count)
    let batch = Int(BATCH)
    let all = Int(request.count)
    let singles = (request.count + 1)...(request.count + Int64(SINGLE_PUTS))
    switch String(cString: request.operation) {
    case "put-all": try run.put(1...request.count, batch: all)
    case "put-batches": try run.put(1...request.count, batch: batch)
    case "get": try run.get()
    case "get-singles": try run.getSingles()
    case "visit": try run.visit()
    case "put-array": try run.putArray()
    case "get-key": try run.getByKey()
    case "get-prepared": try run.getPrepared()
    case "all": try run.all()
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
  let seed: UInt64
  let count: Int64
  var measurement = measure()
  var objects: Int64 = 0
  var checksum: UInt64 = 0

  init(pool: DatabasePool, seed: UInt64, count: Int64) {
    self.pool = pool
    self.seed = seed
    self.count = count
  }

  mutating func add(_ object: Mixed) {
    checksum &+= object.sum
    objects += 1
  }

  mutating func put(_ ids: ClosedRange<Int64>, batch: Int) throws {
    start_measure(&measurement)
    for first in stride(from: ids.lowerBound, through: ids.upperBound, by: batch) {
      try pool.write { database in
        for id in first...min(first + Int64(batch) - 1, ids.upperBound) {
          let object = Mixed(seed: seed, count: count, id: id)
          add(object)
          try object.insert(database)
        }
        about_to_commit(&measurement)
      }
    }
    stop_measure(&measurement)
  }

  mutating func get() throws {
    var random = seed
    start_measure(&measurement)
    try pool.read { database in
      for _ in 0..<count {
        let id = next_id(&random, count)
        if let object = try Mixed.fetchOne(database, key: id) { add(object) }
      }
    }
    stop_measure(&measurement)
  }

  mutating func getSingles() throws {
    var random = seed
    start_measure(&measurement)
    for _ in 0..<count {
      let id = next_id(&random, count)
      if let object = try pool.read({ try Mixed.fetchOne($0, key: id) }) { add(object) }
    }
    stop_measure(&measurement)
  }

  mutating func visit() throws {
    start_measure(&measurement)
    for object in try pool.read({ try Mixed.fetchAll($0) }) { add(object) }
    stop_measure(&measurement)
  }

  mutating func lookUp() throws {
    var random = seed
    start_measure(&measurement)
    try pool.read { database in
      for _ in 0..<count / Int64(OBJECTS_PER_VALUE) {
        let value = next_value(&random, count)
        for object in try Mixed.filter(Column("f") == value).fetchAll(database) { add(object) }
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
          let read = try Mixed.filter(Column("id") > last).order(Column("id")).limit(chunk)
            .fetchAll(database)
          for var object in read {
            object.a = with_one_added(object.a)
            add(object)
            try object.update(database)
          }
          last = read.last?.id ?? last
        }
        about_to_commit(&measurement)
      }
    }
    stop_measure(&measurement)
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
