import BoxEngine
import BoxModel
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Some of the operations with dynamic objects, as the tools call the engine.
struct DynamicRun {
  let store: ObjectStore
  let entity: EntitySchema
  let request: request
  var outcome = Outcome()
  private let positions: Positions

  init(_ store: ObjectStore, _ request: request) throws {
    self.store = store
    self.request = request
    let entity = try store.entity(named: "Mixed")
    self.entity = entity
    positions = Positions(entity)
  }

  mutating func putAll() throws {
    start_measure(&outcome.measurement)
    try store.write { transaction in
      var object = mixed()
      for id in 1...request.count {
        make_mixed(&object, request.seed, request.count, id)
        let dynamic = positions.object(entity, &object)
        outcome.add(positions.sum(dynamic))
        try transaction.put(dynamic)
      }
      about_to_commit(&outcome.measurement)
    }
    stop_measure(&outcome.measurement)
  }

  mutating func get() throws {
    var random = request.seed
    start_measure(&outcome.measurement)
    try store.read { transaction in
      for _ in 0..<request.count {
        let id = UInt64(next_id(&random, request.count))
        if let object: DynamicObject = try transaction.get(entity, id) {
          outcome.add(positions.sum(object))
        }
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func visit() throws {
    start_measure(&outcome.measurement)
    try store.read { transaction in
      try transaction.visitObjects(entity) { object in
        outcome.add(positions.sum(object))
        return .next
      }
    }
    stop_measure(&outcome.measurement)
  }
}

/// The positions of the eight fields among the properties, looked up once.
private struct Positions {
  let a, b, c, d, e, f, g, name: Int

  init(_ entity: EntitySchema) {
    func position(_ name: String) -> Int {
      guard let position = entity.properties.firstIndex(where: { $0.name == name }) else {
        exit(65)
      }
      return position
    }
    a = position("a")
    b = position("b")
    c = position("c")
    d = position("d")
    e = position("e")
    f = position("f")
    g = position("g")
    name = position("name")
  }

  func object(_ entity: EntitySchema, _ object: inout mixed) -> DynamicObject {
    var dynamic = DynamicObject(entity)
    dynamic.values[a] = .integer(object.a)
    dynamic.values[b] = .integer(Int64(object.b))
    dynamic.values[c] = .double(object.c)
    dynamic.values[d] = .float(object.d)
    dynamic.values[e] = .bool(object.e != 0)
    dynamic.values[f] = .integer(object.f)
    dynamic.values[g] = .integer(object.g)
    dynamic.values[name] = .string(
      withUnsafeBytes(of: &object.name) { String(decoding: $0, as: UTF8.self) })
    return dynamic
  }

  func sum(_ object: DynamicObject) -> UInt64 {
    guard case .integer(let a) = object.values[a], case .integer(let b) = object.values[b],
      case .double(let c) = object.values[c], case .float(let d) = object.values[d],
      case .bool(let e) = object.values[e], case .integer(let f) = object.values[f],
      case .integer(let g) = object.values[g], case .string(var name) = object.values[name]
    else { return 0 }
    return name.withUTF8 {
      sum_of(a, Int32(truncatingIfNeeded: b), c, d, e ? 1 : 0, f, g, $0.baseAddress, $0.count)
    }
  }
}
