import BoxModel
import BoxStore
import BoxStoreTesting
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The cost of many stores, each in a process in which nothing else runs.
@Suite(.serialized) struct ManyStoresTests {
  #if os(Linux)
    /// Descriptors, maps and memory do not grow with the number of stores that were made.
    @Test func storesLeaveNothing() async {
      await #expect(processExitsWith: .success) {
        let count = TestSeed.count("BOXJOINT_SOAK_TESTING_STORES", default: 300)
        try useStores(100)
        let before = try Usage()
        try useStores(count)
        let after = try Usage()
        record("descriptors", Double(after.descriptors - before.descriptors))
        record("maps", Double(after.maps - before.maps))
        record("kibibytes", Double(after.kibibytes - before.kibibytes))
        try #require(after.descriptors == before.descriptors, "\(before) \(after)")
        try #require(after.maps <= before.maps + 8, "\(before) \(after)")
        try #require(after.kibibytes < before.kibibytes + 8 << 10, "\(before) \(after)")
      }
    }
  #endif

  /// Measured by scripts/bench testing alone, as other tests take the processors.
  @Test(.enabled(if: getenv("BOXJOINT_MEASURED") != nil))
  func theTimeOfAStoreOf50EntitiesIsMeasured() async {
    await #expect(processExitsWith: .success) {
      let model = try manyEntities(50)
      for (name, seed) in [
        ("empty", nil), ("100 objects each", StoreSeed.generated(seed: 1, objects: 100)),
      ] {
        var times: [Duration] = []
        for _ in 0..<200 {
          let start = ContinuousClock.now
          let store = try Store.test(model, seed: seed)
          times.append(ContinuousClock.now - start)
          try store.finishTest()
        }
        record(name, times.sorted()[100] / .milliseconds(1))
      }
    }
  }
}

/// Writes a figure to the file that scripts/bench reads: what a process of its own prints is lost.
private func record(_ name: String, _ value: Double) {
  guard let path = getenv("BOXJOINT_MEASURED"), let file = fopen(path, "a") else { return }
  fputs("\(name)\t\(value)\n", file)
  fclose(file)
}

private func useStores(_ count: Int) throws {
  for number in 0..<count {
    let store = try Store.test(.sample, directory: number % 4 == 0)
    try store.box(for: Setting.self).put(Setting("a"))
    try store.finishTest()
  }
}

private func manyEntities(_ count: Int) throws -> StoreModel {
  var model = TestModel()
  for number in 0..<count {
    model.entities.append(
      .init(
        name: "Entity\(number)", uid: UInt64(1000 + number),
        properties: [
          .id(), .init(name: "name", type: .string, flags: [.indexed]),
          .init(name: "count", type: .long, flags: [.indexed]), .init(name: "price", type: .double),
          .init(name: "date", type: .date), .init(name: "data", type: .byteVector),
        ]))
  }
  return StoreModel(json: try model.text)
}

#if os(Linux)
  /// The resources of the process.
  private struct Usage: CustomStringConvertible {
    var descriptors = 0
    var maps = 0
    var kibibytes = 0

    init() throws {
      descriptors = try Self.entries(in: "/proc/self/fd")
      maps = try Self.text("/proc/self/maps").split(separator: "\n").count
      let status = try Self.text("/proc/self/status").split(separator: "\n")
      let line = status.first { $0.hasPrefix("RssAnon:") } ?? ""
      kibibytes = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private static func entries(in path: String) throws -> Int {
      guard let directory = opendir(path) else { throw TestFailure("cannot list \(path)") }
      defer { closedir(directory) }
      var count = 0
      while readdir(directory) != nil { count += 1 }
      return count
    }

    private static func text(_ path: String) throws -> String {
      guard let file = fopen(path, "r") else { throw TestFailure("cannot read \(path)") }
      defer { fclose(file) }
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        text += buffer[..<count]
      }
      return String(decoding: text, as: UTF8.self)
    }

    var description: String {
      "\(descriptors) descriptors, \(maps) maps, \(kibibytes) KiB"
    }
  }
#endif
