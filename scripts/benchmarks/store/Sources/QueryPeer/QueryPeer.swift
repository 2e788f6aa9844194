import BoxEngine
import BoxModel
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Queries of the engine: QueryPeer MODEL OPERATION DIRECTORY COUNT SEED.
@main
enum QueryPeer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6 else { exit(64) }
    // What is left are the arguments of every peer, after a name.
    let request = read_request(CommandLine.argc - 1, CommandLine.unsafeArgv + 1)
    let model = try ModelDocument(parsing: bytes(of: arguments[1]))
    let store = try ObjectStore.open(
      .directory(String(cString: request.directory)), model: model)
    var run = try QueryRuns(store, request)
    switch String(cString: request.operation) {
    case "fill": try run.fill()
    case "look-up": try run.lookUp()
    case "by-hand": try run.lookUpByHand()
    case "count-equal": try run.countEqual()
    case "contains": try run.count("name contains \"abc\"")
    case "contains-nocase": try run.count("name contains \"ABC\" ignoringCase")
    case "first-ten": try run.firstTen("f")
    case "sort-ten": try run.firstTen("name")
    case "join": try run.join()
    case "sum": try run.sum()
    case "group": try run.group()
    case "empty": try run.readNothing()
    default: exit(64)
    }
    print_measure(&run.measurement, run.objects, run.checksum)
  }

  private static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { exit(66) }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }
}

/// The queries, each as often as the peers run it.
struct QueryRuns {
  private let store: ObjectStore
  private let request: request
  private let mixed: EntitySchema
  private let (a, b, c, d, e, f, g, name): (Int, Int, Int, Int, Int, Int, Int, Int)
  private let times: Int
  var measurement = measure()
  var objects: Int64 = 0
  var checksum: UInt64 = 0

  init(_ store: ObjectStore, _ request: request) throws {
    self.store = store
    self.request = request
    let mixed = try store.entity(named: "Mixed")
    func slot(_ name: String) -> Int { mixed.property(named: name)?.slot ?? -1 }
    self.mixed = mixed
    (a, b, c, d) = (slot("a"), slot("b"), slot("c"), slot("d"))
    (e, f, g, name) = (slot("e"), slot("f"), slot("g"), slot("name"))
    times = Int(repetitions_of(request.operation))
  }

  private func sum(_ record: borrowing RecordView) -> UInt64 {
    let a = record.int64(a) ?? 0
    let b = record.int32(b) ?? 0
    let c = record.double(c) ?? 0
    let d = record.float(d) ?? 0
    let e: UInt8 = record.bool(e) ?? false ? 1 : 0
    let f = record.int64(f) ?? 0
    let g = record.int64(g) ?? 0
    return record.withUTF8(name) { sum_of(a, b, c, d, e, f, g, $0.baseAddress, $0.count) } ?? 0
  }

  mutating func fill() throws {
    let owner = try store.entity(named: "Owner")
    guard let ownerName = owner.property(named: "name"), let rank = owner.property(named: "rank"),
      let toOne = mixed.property(named: "owner")
    else { exit(65) }
    start_measure(&measurement)
    try store.write { transaction in
      for id in 1...Int64(OWNERS) {
        try transaction.put(owner) { record in
          try record.set(ownerName.slot, "Owner \(id)")
          record.set(rank.slot, rank_of(id))
        }
      }
    }
    for first in stride(from: Int64(1), through: request.count, by: 100_000) {
      try store.write { transaction in
        for id in first..<min(first + 100_000, request.count + 1) {
          var object = CWorkload.mixed()
          make_mixed(&object, request.seed, request.count, id)
          try transaction.put(mixed) { record in
            record.set(a, object.a)
            record.set(c, object.c)
            record.set(f, object.f)
            record.set(g, object.g)
            record.set(toOne.slot, UInt64(owner_of(id)))
            record.set(b, object.b)
            record.set(d, object.d)
            try withUnsafeBytes(of: &object.name) {
              try record.set(name, utf8: $0.assumingMemoryBound(to: UInt8.self))
            }
            record.set(e, object.e != 0)
          }
          objects += 1
        }
      }
    }
    stop_measure(&measurement)
  }

  /// A condition is made, prepared and run for each value, in a transaction of its own.
  mutating func lookUp() throws {
    var random = request.seed
    start_measure(&measurement)
    for _ in 0..<times {
      let value = next_value(&random, request.count)
      let query = try store.prepare(
        StoreQuery(mixed, .compare(.init("f"), .equal, .integer(value))))
      try store.read { transaction in
        try transaction.visit(query) { _, record in
          checksum &+= sum(record)
          objects += 1
          return .next
        }
      }
    }
    stop_measure(&measurement)
  }

  /// The same without a query: the ids of a value, and an object for each.
  mutating func lookUpByHand() throws {
    guard let property = mixed.property(named: "f") else { exit(65) }
    var random = request.seed
    start_measure(&measurement)
    for _ in 0..<times {
      let value = next_value(&random, request.count)
      try store.read { transaction in
        for id in try transaction.ids(mixed, where: property, equals: .integer(value)) {
          try transaction.get(mixed, id) { record in
            checksum &+= sum(record)
            objects += 1
          }
        }
      }
    }
    stop_measure(&measurement)
  }

  mutating func countEqual() throws {
    var random = request.seed
    start_measure(&measurement)
    for _ in 0..<times {
      let value = next_value(&random, request.count)
      let query = try store.prepare(
        StoreQuery(mixed, .compare(.init("f"), .equal, .integer(value))))
      objects += Int64(try store.read { try $0.count(query) })
    }
    stop_measure(&measurement)
  }

  mutating func count(_ condition: String) throws {
    let query = try store.prepare(mixed, try ConditionParser.parse(condition))
    start_measure(&measurement)
    for _ in 0..<times { objects += Int64(try store.read { try $0.count(query) }) }
    stop_measure(&measurement)
  }

  mutating func firstTen(_ property: String) throws {
    let query = try store.prepare(StoreQuery(mixed, order: [QueryOrder(property)]))
    start_measure(&measurement)
    for _ in 0..<times {
      try store.read { transaction in
        try transaction.visit(query, limit: 10) { _, record in
          checksum &+= sum(record)
          objects += 1
          return .next
        }
      }
    }
    stop_measure(&measurement)
  }

  mutating func join() throws {
    start_measure(&measurement)
    for time in 0..<times {
      let query = try store.prepare(
        StoreQuery(
          mixed, .compare(.init("rank", path: ["owner"]), .equal, .integer(Int64(time)))))
      try store.read { transaction in
        try transaction.visit(query) { _, record in
          checksum &+= sum(record)
          objects += 1
          return .next
        }
      }
    }
    stop_measure(&measurement)
  }

  mutating func sum() throws {
    let query = try store.prepare(StoreQuery(mixed))
    let column = try store.column("b", of: mixed)
    start_measure(&measurement)
    for _ in 0..<times {
      let found = try store.read { try $0.summarize(query, [column]) }
      objects += Int64(found.count)
      if case .integer(let sum)? = found.summaries[0].sum {
        checksum &+= UInt64(truncatingIfNeeded: sum)
      }
    }
    stop_measure(&measurement)
  }

  mutating func group() throws {
    let query = try store.prepare(StoreQuery(mixed))
    let (column, owner) = (try store.column("b", of: mixed), try store.column("owner", of: mixed))
    start_measure(&measurement)
    for _ in 0..<times {
      for group in try store.read({ try $0.groups(query, by: owner, [column]) }) {
        objects += Int64(group.count)
        guard case .unsigned(let key) = group.value,
          case .integer(let sum)? = group.summaries[0].sum
        else { exit(65) }
        checksum &+= key &* UInt64(truncatingIfNeeded: sum)
      }
    }
    stop_measure(&measurement)
  }

  mutating func readNothing() throws {
    start_measure(&measurement)
    for _ in 0..<times {
      try store.read { _ in }
      objects += 1
    }
    stop_measure(&measurement)
  }
}
