import BoxStore
import CWorkload
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Puts of objects that are made before the measurement, which ends when they are on disk.
struct PutRun {
  let store: Store
  let request: request
  var outcome = Outcome()

  static func outcome(of operation: String, _ request: request) throws -> Outcome {
    var run = PutRun(store: try APIPeer.store(request), request: request)
    let part = Int64(ASYNC_PUTS)
    switch operation {
    case "put-classes": try run.put { Mixed($0) }
    case "put-structs": try run.put { MixedValue($0) }
    case "put-embedding": try run.put { Embedding($0) }
    case "put-linked": try run.putLinked()
    case "put-observed": try run.putObserved()
    case "put-singly":
      let store = run.store
      try run.put(nil, { Mixed($0) }) { box, objects in
        try store.runInTransaction { for object in objects { try box.put(object) } }
      }
    case "put-durably":
      try run.put(Int64(SINGLE_PUTS), { Mixed($0) }) { box, objects in
        for object in objects { try box.put(object) }
      }
    case "put-async": try run.putAsync()
    case "put-monitored": try run.putMonitored()
    case "put-drafted":
      let draft = run.store.makeDraft()
      try run.put(part, { Mixed($0) }) { _, objects in
        try draft.box(for: Mixed.self).put(objects)
        try draft.commit()
      }
    case "put-part": try run.put(part) { Mixed($0) }
    case "put-imported": try run.putImported()
    case "put-unique": try run.put(part) { Keyed($0) }
    case "put-matching":
      try run.put(part, { Keyed($0) }) { try $0.put($1, matching: Keyed.key) }
    case "put-replacing":
      try run.putBefore(part)
      try run.put(part, { Keyed($0) }) { try $0.put($1, matching: Keyed.key) }
    case "put-again":
      try run.putBefore(part)
      try run.put(part) { source in
        let object = Keyed(source)
        object.id = Id(source.id)
        return object
      }
    default: exit(64)
    }
    return run.outcome
  }

  /// Makes objects, puts them by a function that is measured, and sums them up.
  private mutating func put<E: EntityInspectable & __EntityRelatable & Summed>(
    _ count: Int64? = nil, _ make: (mixed) -> E, by put: ((Box<E>, [E]) throws -> Void)? = nil
  ) throws where E == E.EntityBindingType.EntityType {
    let objects = (1...(count ?? request.count)).map { make(mixed(request, $0)) }
    let box = store.box(for: E.self)
    if let put {
      try outcome.measured { try put(box, objects) }
    } else {
      try outcome.measured { try box.put(objects) }
    }
    for object in objects { outcome.add(object) }
  }

  /// Puts objects whose ids are their numbers, which is not measured.
  private func putBefore(_ count: Int64) throws {
    try store.box(for: Keyed.self).put((1...count).map { Keyed(mixed(request, $0)) })
  }

  private mutating func putLinked() throws {
    let owners = (1...Int64(OWNERS)).map { Owner(name: "Owner \($0)", rank: rank_of($0)) }
    try store.box(for: Owner.self).put(owners)
    try put { Linked($0) }
    // Not measured: ten owners for some of the objects.
    try store.runInTransaction {
      let box = store.box(for: Linked.self)
      for id in 1...Id(RELATED) {
        guard let object = try box.get(id) else { exit(65) }
        object.related.append(contentsOf: owners[Int(id) % 990..<Int(id) % 990 + 10])
        try object.related.applyToDb()
      }
    }
  }

  private mutating func putObserved() throws {
    let observer = store.box(for: Mixed.self).subscribe(
      dispatchQueue: DispatchQueue(label: "observer"), flags: []
    ) {}
    defer { observer.unsubscribe() }
    try put { Mixed($0) }
  }

  /// A call for each object, which a thread of the store puts.
  private mutating func putAsync() throws {
    let store = store
    try put(Int64(ASYNC_PUTS), { Mixed($0) }) { box, objects in
      for object in objects { try box.async.put(object) }
      guard store.awaitAsyncCompleted() else { exit(65) }
    }
    guard try store.box(for: Mixed.self).count() == Int(ASYNC_PUTS) else { exit(65) }
  }

  /// A list of 10,000 of the objects is followed, to which none of the measured ones belong.
  private mutating func putMonitored() throws {
    let box = store.box(for: Mixed.self)
    let others = (1...Int64(MONITORED)).map { number in
      let object = Mixed(mixed(request, number))
      object.name = "monitored"
      return object
    }
    try box.put(others)
    let monitor = try box.query { Mixed.name == "monitored" }.ordered(by: Mixed.f).build().monitor()
    let subscription = monitor.subscribe(dispatchQueue: DispatchQueue(label: "monitor")) { _ in }
    defer { subscription.unsubscribe() }
    try put { Mixed($0) }
  }

  private mutating func putImported() throws {
    let sources = (1...Int64(ASYNC_PUTS)).map { mixed(request, $0) }
    let objects = try outcome.measured {
      try store.runInTransaction { (transaction: Transaction) in
        try transaction.importUniqueObjects(Keyed.self, from: sources)
      }
    }
    for object in objects { outcome.add(object) }
  }
}
