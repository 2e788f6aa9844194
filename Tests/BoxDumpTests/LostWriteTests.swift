import BoxDump
import BoxEngine
import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

/// A page with its earlier content, as a disk leaves it that loses a write, never changes what a store
/// exports without an error.
///
/// Every write in these stores adds something that is counted, indexed or in the catalog; a value that
/// replaces another one of the same object, without an index, would stand in its page alone.
struct LostWriteTests {
  private static let page = 4096

  /// A model with an indexed property, a relation and so many plain properties.
  private static func model(version: Int) throws -> ModelDocument {
    let plain = (0..<version).map { TestModel.Property("x\($0)", UID(1003 + $0), .int) }
    return try TestModel(
      .init(
        name: "Thing", uid: 1000, fields: [.init("name", 1002, .string, .indexHash)] + plain,
        relations: [.init("things", 8001, to: "Thing")])
    ).document()
  }

  /// The data file after each round of writes with a model that has one more property.
  private func history(
    _ random: inout SplitMix64, in directory: TemporaryDirectory, rounds: Int
  ) throws -> [[UInt8]] {
    var states: [[UInt8]] = []
    for version in 0..<rounds {
      let store = try ObjectStore.open(
        .directory(directory.path(of: "truth")), model: Self.model(version: version))
      let thing = try store.entity(named: "Thing")
      let things = try #require(thing.relation(named: "things"))
      for _ in 0..<3 {
        try store.write { (transaction) throws in
          for _ in 0..<10 {
            var object = DynamicObject(thing)
            object["name"] = .string("thing \(random.below(1000))")
            for number in 0..<version { object["x\(number)"] = .integer(Int64(random.below(9))) }
            let id = try transaction.put(object)
            try transaction.link(things, id, UInt64(1 + random.below(Int(id))))
          }
        }
        states.append(try directory.bytes(of: "truth/data.mdb"))
      }
    }
    return states
  }

  private func dump(_ directory: String) throws -> [UInt8] {
    var options = StoreOptions()
    options.storage.isReadOnly = true
    options.storage.pageCheck = PageCheck()
    let output = MemoryOutput()
    try DumpExporter(ObjectStore.open(.directory(directory), options: options)).export(to: output)
    return output.bytes()
  }

  @Test func anEarlierPageIsRefusedOrHarmless() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let states = try history(&random, in: directory, rounds: 5)
    let last = try #require(states.last)
    let truth = try dump(directory.path(of: "truth"))
    let copy = directory.path(of: "copy")
    var seen: Set<[UInt8]> = []
    var (refused, refusedCatalogs) = (0, 0)
    for state in states.dropLast() {
      // The heads have their own check: the older one is in no use.
      for page in 2..<min(state.count, last.count) / Self.page {
        let range = page * Self.page..<(page + 1) * Self.page
        let earlier = Array(state[range])
        if earlier == Array(last[range]) || !seen.insert(earlier).inserted { continue }
        var bytes = last
        bytes.replaceSubrange(range, with: earlier)
        try directory.write(bytes, to: "copy/data.mdb")
        // An earlier page of the names of the spaces may leave no store at all.
        let findings = try? ObjectStore.verify(copy)
        if let findings, findings.contains(where: { $0.rule == StoreRule.damagedCatalog }) {
          refusedCatalogs += 1
        }
        if findings?.isEmpty == true {
          #expect(try dump(copy) == truth, "page \(page)")
        } else {
          refused += 1
          #expect(throws: (any Error).self, "page \(page)") { try dump(copy) }
        }
      }
    }
    print("\(seen.count) earlier pages, \(refused) refused, \(refusedCatalogs) of the catalog")
    #expect(refused > 0)
  }
}
