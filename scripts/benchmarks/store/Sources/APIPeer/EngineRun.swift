import BoxEngine
import BoxStore
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The engine called by hand, with the same objects.
struct EngineRun {
  let store: ObjectStore
  let entity: EntitySchema
  let slots: ObjectSlots
  let request: request
  var outcome = Outcome()

  static func outcome(of operation: String, _ request: request) throws -> Outcome {
    // The model of the store is that of the boxes.
    try APIPeer.store(request).close()
    let store = try ObjectStore.open(.directory(String(cString: request.directory)), model: nil)
    let name = operation.hasSuffix("structs") ? "MixedValue" : "Mixed"
    let entity = try store.entity(named: name)
    var run = EngineRun(
      store: store, entity: entity, slots: ObjectSlots(entity), request: request)
    switch operation {
    case "put-engine-classes": try run.put { Mixed($0) }
    case "put-engine-structs": try run.put { MixedValue($0) }
    case "get-engine": try run.get()
    default: exit(64)
    }
    return run.outcome
  }

  private mutating func put<E: Summed & Identified>(_ make: (mixed) -> E) throws {
    let objects = (1...request.count).map { make(mixed(request, $0)) }
    try outcome.measured {
      try store.write { transaction in
        for object in objects {
          let id = try transaction.put(entity) { try slots.write(object, to: &$0) }
          object.setID(id)
        }
      }
    }
    for object in objects { outcome.add(object) }
  }

  private mutating func get() throws {
    var random = request.seed
    try outcome.measuring { outcome in
      try store.read { transaction in
        for _ in 0..<request.count {
          let id = UInt64(next_id(&random, request.count))
          if let object = try transaction.get(entity, id, { slots.read($0, id) }) {
            outcome.add(object)
          }
        }
      }
    }
  }
}

/// An object that keeps its id.
protocol Identified {
  func setID(_ id: UInt64)
}

extension Mixed: Identified {
  func setID(_ id: UInt64) { self.id = id }
}

extension MixedValue: Identified {
  /// Does nothing: boxes do not set the id of a constant struct either.
  func setID(_ id: UInt64) {}
}

/// The slots of the eight fields, looked up once.
struct ObjectSlots {
  private let a, b, c, d, e, f, g, name: Int

  init(_ entity: EntitySchema) {
    func slot(_ name: String) -> Int {
      guard let property = entity.property(named: name) else { exit(65) }
      return property.slot
    }
    a = slot("a")
    b = slot("b")
    c = slot("c")
    d = slot("d")
    e = slot("e")
    f = slot("f")
    g = slot("g")
    name = slot("name")
  }

  @inline(__always)
  func write(_ object: some Summed, to record: inout RecordWriter) throws {
    record.set(a, object.a)
    record.set(b, object.b)
    record.set(c, object.c)
    record.set(d, object.d)
    record.set(e, object.e)
    record.set(f, object.f)
    record.set(g, object.g)
    record.set(name, object.name)
  }

  @inline(__always)
  func read(_ record: borrowing RecordView, _ id: UInt64) -> Mixed {
    let object = Mixed()
    object.id = id
    object.a = record.int64(a) ?? 0
    object.b = record.int32(b) ?? 0
    object.c = record.double(c) ?? 0
    object.d = record.float(d) ?? 0
    object.e = record.bool(e) ?? false
    object.f = record.int64(f) ?? 0
    object.g = record.int64(g) ?? 0
    object.name = record.string(name) ?? ""
    return object
  }
}
