import BoxEngine
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The operations by slot, as generated code calls the engine.
struct SlotRun {
  let store: ObjectStore
  let entity: EntitySchema
  let slots: Slots
  let indexed: PropertySchema
  let request: request
  var outcome = Outcome()

  init(_ store: ObjectStore, _ request: request) throws {
    self.store = store
    self.request = request
    entity = try store.entity(named: "Mixed")
    slots = Slots(entity)
    guard let indexed = entity.property(named: "f") else { exit(65) }
    self.indexed = indexed
  }

  mutating func put(_ ids: ClosedRange<Int64>, batch: Int64) throws {
    start_measure(&outcome.measurement)
    for first in stride(from: ids.lowerBound, through: ids.upperBound, by: Int(batch)) {
      try store.write { transaction in
        var object = mixed()
        for id in first...min(first + batch - 1, ids.upperBound) {
          make_mixed(&object, request.seed, request.count, id)
          outcome.add(sum_of_mixed(&object))
          try transaction.put(entity) { try slots.write(&object, to: &$0) }
        }
        if batch == request.count {
          // Index entries are written when they are needed, or else by the commit. They are no
          // part of it here, as with the others.
          _ = try transaction.ids(entity, where: indexed, equals: .integer(-1))
        }
        about_to_commit(&outcome.measurement)
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func get() throws {
    var random = request.seed
    start_measure(&outcome.measurement)
    try store.read { transaction in
      for _ in 0..<request.count {
        let id = UInt64(next_id(&random, request.count))
        if let sum = try transaction.get(entity, id, { slots.sum($0) }) { outcome.add(sum) }
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func getSingles() throws {
    var random = request.seed
    start_measure(&outcome.measurement)
    for _ in 0..<request.count {
      let id = UInt64(next_id(&random, request.count))
      try store.read { transaction in
        if let sum = try transaction.get(entity, id, { slots.sum($0) }) { outcome.add(sum) }
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func readNothing() throws {
    start_measure(&outcome.measurement)
    for _ in 0..<request.count { try store.read { _ in outcome.objects += 1 } }
    stop_measure(&outcome.measurement)
  }

  mutating func visit() throws {
    start_measure(&outcome.measurement)
    try store.read { transaction in
      try transaction.visit(entity) { _, record in
        outcome.add(slots.sum(record))
        return .next
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func lookUp() throws {
    var random = request.seed
    start_measure(&outcome.measurement)
    try store.read { transaction in
      for _ in 0..<request.count / Int64(OBJECTS_PER_VALUE) {
        let value = next_value(&random, request.count)
        try transaction.visitIDs(entity, where: indexed, equals: .integer(value)) { id in
          if let sum = try transaction.get(entity, id, { slots.sum($0) }) { outcome.add(sum) }
          return .next
        }
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func rewrite(batch: Int64) throws {
    start_measure(&outcome.measurement)
    for first in stride(from: 1, through: request.count, by: Int(batch)) {
      try store.write { transaction in
        var left = batch
        try transaction.rewrite(entity, from: UInt64(first)) { id, record, writer in
          if left == 0 { return .stop }
          left -= 1
          var object = slots.read(record, id: id)
          object.a = with_one_added(object.a)
          outcome.add(sum_of_mixed(&object))
          try slots.write(&object, to: &writer)
          return .replace
        }
        about_to_commit(&outcome.measurement)
      }
    }
    stop_measure(&outcome.measurement)
  }

  mutating func removeAll() throws {
    start_measure(&outcome.measurement)
    try store.write { transaction in
      _ = try transaction.removeAll(entity)
      about_to_commit(&outcome.measurement)
    }
    stop_measure(&outcome.measurement)
  }
}
