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
  /// - `write`: commits objects one by one, two milliseconds apart, each with its number; prints the time at which
  ///   each commit returned.
  /// - `pace` and `pace-heard`: commits as fast as it can, the second with an observer that hears others; prints the
  ///   nanoseconds for each.
  /// - `listen`: prints a line when it begins, and then the time at which each number was told, 0 for none.
  /// - `differences`: puts so many objects, changes some of them by another opening, and prints the number and the
  ///   nanoseconds until one observer, and then a thousand, were told, the best of five.
  static func run(
    _ operation: String, _ directory: String, _ model: ModelDocument, count: Int
  ) throws {
    func open(_ options: StoreOptions = StoreOptions()) throws -> ObjectStore {
      try ObjectStore.open(.directory(directory), model: model, options: options)
    }
    switch operation {
    case "write":
      let store = try open()
      let times = try (0..<count).map { number in
        usleep(2000)
        try put(store, number)
        return now()
      }
      print(times.map { "\($0)" }.joined(separator: " "))
    case "pace": try pace(try open(), count, isObserved: false)
    case "pace-heard": try pace(try open(hearing), count, isObserved: true)
    case "listen": try listen(try open(hearing), count)
    case "differences":
      for observers in [1, 1000] {
        try differences(try open(), try open(hearing), count, observers, isFirst: observers == 1)
      }
    default: exit(64)
    }
  }

  private static func differences(
    _ other: ObjectStore, _ store: ObjectStore, _ count: Int, _ observers: Int, isFirst: Bool
  ) throws {
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
    if isFirst { try change(0..<count, to: 0, isNew: true) }
    let observations = try (0..<observers).map { _ in try store.observe(store.entities) { _ in } }
    var value = now()
    for changed in [1, 10, 100, 1000] {
      let best = try (0..<5).map { round -> Int64 in
        value += 1
        // Far from each other, so that each has a page of its own.
        try change((0..<changed).map { ($0 * (count / changed) + round) % count }, to: value)
        let start = now()
        store.waitForObservers()
        return now() - start
      }.min()
      print(observers, changed, best ?? 0)
    }
    for observation in observations { observation.cancel() }
    other.close()
    store.close()
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
    object["a"] = .integer(Int64(number))
    try store.write { _ = try $0.put(object) }
  }

  private static func pace(_ store: ObjectStore, _ count: Int, isObserved: Bool) throws {
    let observation = isObserved ? try store.observe(store.entities) { _ in } : nil
    let start = now()
    for number in 0..<count { try put(store, number) }
    print((now() - start) / Int64(count))
    observation?.cancel()
  }

  private static func listen(_ store: ObjectStore, _ count: Int) throws {
    let entity = try store.entity(named: "Mixed")
    let times = Mutex<[Int64]>(Array(repeating: 0, count: count))
    let end = DispatchSemaphore(value: 0)
    let observation = try store.observe([entity]) { commit in
      let told = now()
      let numbers = try? store.read { transaction in
        try commit.entities.flatMap(\.changes).compactMap { change -> Int? in
          guard case .integer(let number)? = try transaction.get(entity, change.id)?["a"] else {
            return nil
          }
          return Int(number)
        }
      }
      times.withLock { times in
        for number in numbers ?? [] where times.indices.contains(number) { times[number] = told }
      }
      if numbers?.contains(count - 1) ?? false { end.signal() }
    }
    print("listening")
    fflush(nil)
    _ = end.wait(timeout: .now() + .seconds(120))
    observation.cancel()
    print(times.withLock { $0.map { "\($0)" }.joined(separator: " ") })
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
