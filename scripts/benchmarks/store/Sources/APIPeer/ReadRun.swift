import BoxStore
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Reads and queries.
///
/// An array that was read is summed up and released after the measurement.
struct ReadRun {
  let store: Store
  let request: request
  let box: Box<Mixed>
  var outcome = Outcome()

  init(_ request: request) throws {
    self.request = request
    store = try APIPeer.store(request)
    box = store.box()
  }

  static func outcome(of operation: String, _ request: request) throws -> Outcome {
    var run = try ReadRun(request)
    switch operation {
    case "all-classes": try run.all(Mixed.self)
    case "all-structs": try run.all(MixedValue.self)
    case "all-embedding": try run.all(Embedding.self)
    case "all-linked": try run.all(Linked.self)
    case "alone-classes": run.makeAll { Mixed($0) }
    case "alone-structs": run.makeAll { MixedValue($0) }
    case "nothing": run.outcome.measured {}
    case "find": try run.find()
    case "get": try run.get()
    case "get-singles": try run.getSingles()
    case "look-up": try run.lookUp()
    case "contains": try run.contains()
    case "first-ten": try run.firstTen()
    case "sum": try run.sum()
    case "link": try run.link()
    case "resolve": try run.resolve()
    default: exit(64)
    }
    return run.outcome
  }

  private mutating func all<E: EntityInspectable & __EntityRelatable & Summed>(
    _ type: E.Type
  ) throws where E == E.EntityBindingType.EntityType {
    let box = store.box(for: type)
    let objects = try outcome.measured { try box.all() }
    for object in objects { outcome.add(object) }
  }

  /// The same objects without a store, for the memory that they take.
  private mutating func makeAll<E: Summed>(_ make: (mixed) -> E) {
    var objects: [E] = []
    objects.reserveCapacity(Int(request.count))
    outcome.measured { for id in 1...request.count { objects.append(make(mixed(request, id))) } }
    for object in objects { outcome.add(object) }
  }

  private mutating func find() throws {
    let query = try box.query { Mixed.b >= 0 }.build()
    let objects = try outcome.measured { try query.find() }
    for object in objects { outcome.add(object) }
  }

  private mutating func get() throws {
    var random = request.seed
    try outcome.measuring { outcome in
      try store.runInReadOnlyTransaction {
        for _ in 0..<request.count {
          let id = Id(next_id(&random, request.count))
          if let object = try box.get(id) { outcome.add(object) }
        }
      }
    }
  }

  private mutating func getSingles() throws {
    var random = request.seed
    try outcome.measuring { outcome in
      for _ in 0..<request.count {
        let id = Id(next_id(&random, request.count))
        if let object = try box.get(id) { outcome.add(object) }
      }
    }
  }

  /// A condition is made, built and run for each value.
  private mutating func lookUp() throws {
    var random = request.seed
    try outcome.measuring { outcome in
      try store.runInReadOnlyTransaction {
        for _ in 0..<request.count / Int64(OBJECTS_PER_VALUE) {
          let value = next_value(&random, request.count)
          for object in try box.query({ Mixed.f == value }).build().find() { outcome.add(object) }
        }
      }
    }
  }

  private mutating func contains() throws {
    let query = try box.query { Mixed.name.contains("abc") }.build()
    outcome.objects = Int64(try outcome.measured { try query.count() })
  }

  private mutating func firstTen() throws {
    let query = try box.query().ordered(by: Mixed.name, flags: .caseSensitive).build()
    let objects = try outcome.measured { try query.find(limit: 10) }
    for object in objects { outcome.add(object) }
  }

  private mutating func sum() throws {
    let property = try box.query().build().property(Mixed.b)
    let sum = try outcome.measured { try property.sum() }
    outcome.objects = request.count
    outcome.checksum = UInt64(truncatingIfNeeded: sum)
  }

  /// The objects of owners with a rank: a hundredth.
  private mutating func link() throws {
    let query = try store.box(for: Linked.self).query().link(Linked.owner) { Owner.rank == 7 }
      .build()
    let objects = try outcome.measured { try query.find() }
    for object in objects { outcome.add(object) }
  }

  /// Relations to ten objects each, in one read transaction.
  private mutating func resolve() throws {
    let objects = try store.box(for: Linked.self).get(Array(1...Id(RELATED)))
    try outcome.measuring { outcome in
      try store.runInReadOnlyTransaction {
        for object in objects { outcome.objects += Int64(object.related.count) }
      }
    }
  }
}

extension Outcome {
  /// Measures a function that adds what it reads.
  mutating func measuring(_ body: (inout Outcome) throws -> Void) rethrows {
    start_measure(&measurement)
    defer { stop_measure(&measurement) }
    try body(&self)
  }
}
