import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

@Suite struct DumpDifferenceTests {
  /// Exports a store to a file or a directory.
  private func export(
    _ store: ObjectStore, _ shape: DumpShape, to name: String, in directory: TemporaryDirectory,
    _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> DumpDifference.Side {
    var options = ExportOptions()
    options.shape = shape
    change(&options)
    let output = MemoryOutput()
    try DumpExporter(store, options).export(to: output)
    for file in output.files {
      try directory.write(
        output.bytes(file.name), to: file.name.isEmpty ? name : name + "/" + file.name)
    }
    return .init(directory.path(of: name), shape == .directory ? .directory : .file)
  }

  private func compare(
    _ a: DumpDifference.Side, _ b: DumpDifference.Side
  ) throws -> (difference: DumpDifference, items: [DumpDifference.Item]) {
    var items: [DumpDifference.Item] = []
    let difference = try DumpDifference.between(a, b) { items.append($0) }
    return (difference, items)
  }

  @Test(arguments: DumpShape.allCases, DumpShape.allCases)
  func shapesOfOneStoreAreTheSame(_ a: DumpShape, _ b: DumpShape) throws {
    var random = TestSeed.next()
    let store = try DumpModel.store(&random, objects: 40)
    let directory = try TemporaryDirectory()
    let first = try export(store, a, to: "a", in: directory)
    let second = try export(store, b, to: "b", in: directory) {
      $0.integers = .string
      $0.compression = .zstd
    }
    let result = try compare(first, second)
    #expect(result.difference.isSame, "\(result)")
    #expect(result.items.isEmpty, "\(result)")
  }

  /// Whichever side it is, what cannot be read is named: when it is opened, and on the way.
  @Test func theStoreThatFailsIsNamed() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let dump = try export(DumpModel.store(&random, objects: 40), .lines, to: "dump", in: directory)
    func store(_ name: String) throws -> DumpDifference.Side {
      let made = try ObjectStore.open(
        .directory(directory.path(of: name)), model: DumpModel.document())
      let box = try made.entity(named: "Box")
      var object = DynamicObject(box)
      object["label"] = .string("the label to be damaged")
      try made.write { _ = try $0.put(object) }
      return .init(directory.path(of: name), .store)
    }
    let (sound, damaged) = (try store("sound"), try store("damaged"))
    var bytes = try directory.bytes(of: "damaged/data.mdb")
    let text = Array("the label to be damaged".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes[place] ^= 1
    try directory.write(bytes, to: "damaged/data.mdb")
    let missing = DumpDifference.Side(directory.path(of: "missing"), .store)
    for failing in [missing, damaged] {
      for other in [dump, sound] {
        for (a, b) in [(failing, other), (other, failing)] {
          let failure = #expect(throws: DumpDifference.StoreFailure.self) { try compare(a, b) }
          #expect(failure?.path == failing.path)
        }
      }
    }
  }

  /// Every change that is made to a store is found, and nothing else.
  @Test func changesAreFound() throws {
    var random = TestSeed.next()
    for run in 0..<20 {
      let directory = try TemporaryDirectory()
      let (before, expected) = try changedStore(run, in: directory, &random)
      let (difference, items) = try compare(before, .init(directory.path(of: "store"), .store))
      #expect(Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.kind) }) == expected)
      #expect(items.allSatisfy { $0.section == "Box" })
      for item in items where item.kind == .changed {
        #expect(item.fields == [.init(name: "label", before: "\"old\"", after: "\"new\"")])
      }
      let section = try #require(difference.sections.first { $0.name == "Box" })
      #expect(section.added + section.removed + section.changed == expected.count)
    }
  }

  /// Makes a store, a dump of it, and then changes to it; the store is closed again.
  private func changedStore(
    _ run: Int, in directory: TemporaryDirectory, _ random: inout SplitMix64
  ) throws -> (before: DumpDifference.Side, changes: [UInt64: DumpDifference.Item.Kind]) {
    let store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: DumpModel.document())
    let box = try store.entity(named: "Box")
    for _ in 0..<30 {
      var object = DynamicObject(box)
      object["label"] = .string("old")
      try store.write { _ = try $0.put(object) }
    }
    let before = try export(store, random.pick(DumpShape.allCases), to: "a\(run)", in: directory)
    var changes: [UInt64: DumpDifference.Item.Kind] = [:]
    try store.write { transaction in
      for id in 1...30 as ClosedRange<UInt64> {
        switch random.below(4) {
        case 0:
          try transaction.remove(box, id)
          changes[id] = .removed
        case 1:
          var object = DynamicObject(box, id: id)
          object["label"] = .string("new")
          try transaction.put(object)
          changes[id] = .changed
        default: break
        }
      }
      for _ in 0..<random.below(3) { changes[try transaction.put(DynamicObject(box))] = .added }
    }
    return (before, changes)
  }

  @Test func relationsAreCompared() throws {
    let directory = try TemporaryDirectory()
    let store = try ObjectStore.open(.ownMemory(), model: DumpModel.document())
    let thing = try store.entity(named: "Thing")
    let things = try #require(thing.relation(named: "things"))
    try store.write { transaction in
      for code in ["a", "b"] {
        var object = DynamicObject(thing)
        object["code"] = .string(code)
        try transaction.put(object)
      }
      try transaction.link(things, 1, 2)
    }
    let before = try export(store, .lines, to: "a", in: directory)
    try store.write {
      try $0.link(things, 1, 1)
      try $0.link(things, 2, 1)
    }
    let after = try export(store, .document, to: "b", in: directory)
    #expect(
      try compare(before, after).items == [
        .init(
          section: "Thing.things", id: 1, kind: .changed,
          fields: [.init(name: "targets", before: "[2]", after: "[1,2]")]),
        .init(section: "Thing.things", id: 2, kind: .added, fields: []),
      ])
  }

  @Test func whatCannotBeCompared() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let store = try DumpModel.store(&random)
    let plain = try export(store, .lines, to: "a", in: directory)
    let iso = try export(store, .lines, to: "b", in: directory) { $0.dates = .iso }
    #expect(throws: DumpError.self) { try compare(plain, iso) }
    let bytes = try directory.bytes(of: "a")
    try directory.write(bytes.dropLast(30), to: "cut")
    #expect(throws: DumpError.self) {
      try compare(.init(directory.path(of: "cut"), .file), plain)
    }
    let end = try #require(bytes.dropLast().lastIndex(of: 0x0A))
    try directory.write(bytes[...end], to: "endless")
    #expect(throws: DumpError.self) {
      try compare(.init(directory.path(of: "endless"), .file), plain)
    }
    try directory.write("{}\n", to: "other")
    #expect(throws: DumpError.self) {
      try compare(plain, .init(directory.path(of: "other"), .file))
    }
  }

  @Test func aPartIsComparedByWhatItHas() throws {
    var random = TestSeed.next()
    let directory = try TemporaryDirectory()
    let store = try DumpModel.store(&random)
    let whole = try export(store, .lines, to: "a", in: directory)
    let part = try export(store, .lines, to: "b", in: directory) {
      $0.entities = ["Thing", "Box"]
      $0.fields = ["Thing.code", "Thing.boxes", "Thing.things"]
    }
    let result = try compare(whole, part)
    #expect(result.items.isEmpty)
    #expect(result.difference.notes.contains { $0.hasSuffix("has the entity Empty") })
    #expect(result.difference.notes.contains { $0.hasSuffix("has the property Thing.price") })
  }
}
