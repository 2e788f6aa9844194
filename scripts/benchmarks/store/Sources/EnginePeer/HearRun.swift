import BoxEngine
import BoxModel
import CWorkload
import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Commits that another process hears of: the writers, and the listener.
enum HearRun {
  /// Runs an operation, and prints numbers.
  ///
  /// - `write`: commits objects one by one, two milliseconds apart, each with the time before its commit.
  /// - `pace` and `pace-heard`: commits as fast as it can; prints the nanoseconds for each.
  /// - `listen`: prints the delays of so many commits, in nanoseconds.
  /// - `differences`: puts so many objects, changes some of them by another opening, and prints the number and the
  ///   nanoseconds until an observer was told, the best of five.
  static func run(
    _ operation: String, _ directory: String, _ model: ModelDocument, count: Int
  ) throws {
    switch operation {
    case "write":
      let store = try ObjectStore.open(.directory(directory), model: model)
      for number in 0..<count {
        usleep(2000)
        try put(store, number)
      }
    case "pace": try pace(try ObjectStore.open(.directory(directory), model: model), count)
    case "pace-heard":
      try pace(try ObjectStore.open(.directory(directory), model: model, options: hearing), count)
    case "listen":
      try listen(try ObjectStore.open(.directory(directory), model: model, options: hearing), count)
    case "differences": try differences(directory, model, count)
    default: exit(64)
    }
  }

  private static func differences(
    _ directory: String, _ model: ModelDocument, _ count: Int
  ) throws {
    let other = try ObjectStore.open(.directory(directory), model: model)
    let entity = try other.entity(named: "Mixed")
    func change(_ numbers: some Sequence<Int>, to value: Int64, isNew: Bool = false) throws {
      try other.write { transaction in
        for number in numbers {
          var object = DynamicObject(entity, id: isNew ? 0 : UInt64(number + 1))
          (object["a"], object["name"]) = (
            .integer(value), .string(String(repeating: "n", count: 40))
          )
          try transaction.put(object)
        }
      }
    }
    try change(0..<count, to: 0, isNew: true)
    let store = try ObjectStore.open(.directory(directory), model: model, options: hearing)
    let observation = try store.observe(store.entities) { _ in }
    var value: Int64 = 0
    for changed in [1, 10, 100, 1000] {
      let best = try (0..<5).map { round -> Int64 in
        value += 1
        // Far from each other, so that each has a page of its own.
        try change((0..<changed).map { ($0 * (count / changed) + round) % count }, to: value)
        let start = now()
        store.waitForObservers()
        return now() - start
      }.min()
      print(changed, best ?? 0)
    }
    observation.cancel()
  }

  private static var hearing: StoreOptions {
    var options = StoreOptions()
    options.hearing = .everywhere()
    return options
  }

  private static func put(_ store: ObjectStore, _ number: Int) throws {
    let entity = try store.entity(named: "Mixed")
    // The first thousand get the ids 1 to 1,000.
    var object = DynamicObject(entity, id: number < 1000 ? 0 : UInt64(number % 1000 + 1))
    object["a"] = .integer(now())
    try store.write { _ = try $0.put(object) }
  }

  private static func pace(_ store: ObjectStore, _ count: Int) throws {
    let observation = try store.observe(store.entities) { _ in }
    let start = now()
    for number in 0..<count { try put(store, number) }
    print((now() - start) / Int64(count))
    observation.cancel()
  }

  private static func listen(_ store: ObjectStore, _ count: Int) throws {
    let entity = try store.entity(named: "Mixed")
    let delays = Mutex<[Int64]>([])
    let end = DispatchSemaphore(value: 0)
    let observation = try store.observe([entity]) { commit in
      let told = now()
      let written = try? store.read { transaction in
        try commit.entities.flatMap(\.changes).compactMap { change -> Int64? in
          guard case .integer(let time)? = try transaction.get(entity, change.id)?["a"] else {
            return nil
          }
          return time
        }.max()
      }
      let isDone = delays.withLock { delays in
        if let written = written ?? nil { delays.append(max(0, told - written)) }
        return delays.count >= count
      }
      if isDone { end.signal() }
    }
    print("listening")
    fflush(nil)
    _ = end.wait(timeout: .now() + .seconds(600))
    observation.cancel()
    print(delays.withLock { $0.map { "\($0)" }.joined(separator: " ") })
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
