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
    switch operation {
    case "put-classes": try run.put { Mixed($0) }
    case "put-structs": try run.put { MixedValue($0) }
    case "put-linked": try run.putLinked()
    case "put-observed": try run.putObserved()
    case "put-singly": try run.putSingly()
    case "put-durably": try run.putDurably()
    case "put-async": try run.putAsync()
    case "put-monitored": try run.putMonitored()
    case "put-drafted": try run.putDrafted()
    case "put-part": try run.putPart { Mixed($0) }
    case "put-imported": try run.putImported()
    case "put-unique": try run.putPart { Keyed($0) }
    default: exit(64)
    }
    return run.outcome
  }

  private mutating func put<E: EntityInspectable & __EntityRelatable & Summed>(
    _ make: (mixed) -> E
  ) throws where E == E.EntityBindingType.EntityType {
    let objects = (1...request.count).map { make(mixed(request, $0)) }
    let box = store.box(for: E.self)
    try outcome.measured { try box.put(objects) }
    for object in objects { outcome.add(object) }
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

  /// A call for each object, in one transaction.
  private mutating func putSingly() throws {
    let objects = (1...request.count).map { Mixed(mixed(request, $0)) }
    let box = store.box(for: Mixed.self)
    try outcome.measured {
      try store.runInTransaction { for object in objects { try box.put(object) } }
    }
    for object in objects { outcome.add(object) }
  }

  /// A transaction for each object.
  private mutating func putDurably() throws {
    let objects = (1...Int64(SINGLE_PUTS)).map { Mixed(mixed(request, $0)) }
    let box = store.box(for: Mixed.self)
    try outcome.measured { for object in objects { try box.put(object) } }
    for object in objects { outcome.add(object) }
  }

  /// A call for each object, which a thread of the store puts.
  private mutating func putAsync() throws {
    let objects = (1...Int64(ASYNC_PUTS)).map { Mixed(mixed(request, $0)) }
    let box = store.box(for: Mixed.self)
    let succeeds = try outcome.measured {
      for object in objects { try box.async.put(object) }
      return store.awaitAsyncCompleted()
    }
    guard succeeds, try box.count() == objects.count else { exit(65) }
    for object in objects { outcome.add(object) }
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

  /// Objects of which there are as many as with ``putDrafted()`` and ``putImported()``.
  private mutating func putPart<E: EntityInspectable & __EntityRelatable & Summed>(
    _ make: (mixed) -> E
  ) throws where E == E.EntityBindingType.EntityType {
    let objects = (1...Int64(ASYNC_PUTS)).map { make(mixed(request, $0)) }
    let box = store.box(for: E.self)
    try outcome.measured { try box.put(objects) }
    for object in objects { outcome.add(object) }
  }

  private mutating func putDrafted() throws {
    let objects = (1...Int64(ASYNC_PUTS)).map { Mixed(mixed(request, $0)) }
    let draft = store.makeDraft()
    try outcome.measured {
      try draft.box(for: Mixed.self).put(objects)
      try draft.commit()
    }
    for object in objects { outcome.add(object) }
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
