import CWorkload
import GRDB

/// The operations that `scripts/bench api` measures besides.
extension Run {
  /// Objects that were made before the measurement, in one transaction.
  mutating func putArray() throws {
    let records = (1...count).map { Mixed(seed: seed, count: count, id: $0) }
    start_measure(&measurement)
    try pool.write { database in
      for record in records { try record.insert(database) }
    }
    stop_measure(&measurement)
    for record in records { add(record) }
  }

  /// By a statement that is prepared once: the quickest way to one object that GRDB has.
  mutating func getPrepared() throws {
    var random = seed
    start_measure(&measurement)
    try pool.read { database in
      let statement = try database.makeStatement(sql: "SELECT * FROM mixed WHERE id = ?")
      for _ in 0..<count {
        let id = next_id(&random, count)
        if let record = try Mixed.fetchOne(statement, arguments: [id]) { add(record) }
      }
    }
    stop_measure(&measurement)
  }

  /// By their keys, a part of the objects.
  mutating func getByKey() throws {
    var random = seed
    start_measure(&measurement)
    try pool.read { database in
      for _ in 0..<count / Int64(KEY_PART) {
        let id = next_id(&random, count)
        if let record = try Mixed.fetchOne(database, key: id) { add(record) }
      }
    }
    stop_measure(&measurement)
  }

  /// All records, summed up after the measurement.
  mutating func all() throws {
    start_measure(&measurement)
    let records = try pool.read { try Mixed.fetchAll($0) }
    stop_measure(&measurement)
    for record in records { add(record) }
  }
}
