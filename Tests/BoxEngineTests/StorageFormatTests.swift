import BoxModel
import BoxReport
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of docs/storage-format.md, which never change within a format.
struct StorageFormatTests {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func text(_ path: String) throws -> String {
    let directory = try TemporaryDirectory()
    return try directory.text(of: Self.root + "/" + path)
  }

  /// The record in the document is the record that is written.
  @Test func theRecordOfTheDocument() throws {
    let document = try text("docs/storage-format.md")
    let block = document.components(between: "\n```\n62 9d", and: "```")
    let digits = ("62 9d" + (try #require(block))).split(separator: "\n").flatMap { line in
      line.split(separator: " ").prefix {
        $0.count == 2 && $0.allSatisfy(\.isHexDigit)
      }
    }
    let expected = RecordSamples.bytes(hexadecimal: Substring(digits.joined()))
    #expect(expected.count == 52)
    let store = try ObjectStore.open(
      .ownMemory(), model: PeopleModel.document())
    try PeopleModel.fill(store)
    let person = try store.entity(named: "Person")
    try store.read { (transaction) throws in
      let record = try transaction.reading().value(person.space, UInt64(1))
      #expect(record.map { [UInt8]($0) } == expected)
    }
  }

  /// Values of other implementations, and worked out by hand.
  @Test func checksumsAndHashes() {
    func checksum(_ text: String) -> UInt32 {
      Array(text.utf8).withUnsafeBytes { Checksum.crc32c($0) }
    }
    // RFC 3720, appendix B.4.
    #expect(checksum("123456789") == 0xE306_9283)
    let zeros = [UInt8](repeating: 0, count: 32)
    #expect(zeros.withUnsafeBytes { Checksum.crc32c($0) } == 0x8A91_36AA)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    #expect(ones.withUnsafeBytes { Checksum.crc32c($0) } == 0x62A8_AB43)
    func hash(_ text: String) -> UInt64 {
      Array(text.utf8).withUnsafeBytes { StringHash.of($0) }
    }
    #expect(hash("") == 0xEFD0_1F60_BA99_2926)
    #expect(hash("Ada") == 0xCADB_BEBB_4CE7_0B4F)
  }

  @Test func theTableAndTheInstructionAgree() {
    var random = TestSeed.next()
    // Above 776 bytes the instruction works in more than one round.
    for count in Array(0..<900) + [1551, 1552, 1560, 4000, 100_003] {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let key: UInt64 = random.next()
      let keyBytes = withUnsafeBytes(of: key.littleEndian) { [UInt8]($0) }
      let keyed = (keyBytes + bytes).withUnsafeBytes { Checksum.table($0) }
      bytes.withUnsafeBytes { buffer in
        #expect(Checksum.crc32c(buffer) == Checksum.table(buffer))
        #expect(Checksum.crc32c(buffer, after: 77) == Checksum.table(buffer, after: 77))
        #expect(Checksum.crc32c(key, buffer) == keyed)
      }
    }
  }

  // MARK: - Golden stores

  /// The store of format 1 that `BOXJOINT_MAKE_GOLDEN` writes, as tests open it for ever.
  static let golden = root + "/Tests/Fixtures/stores/format-1"

  /// Makes the golden store; run once, when the format was made, and never again.
  @Test(.enabled(if: getenv("BOXJOINT_MAKE_GOLDEN") != nil)) func makesTheGoldenStore() throws {
    var options = StoreOptions()
    options.storage.fileMode = 0o644
    let document = try GoldenStore.document()
    do {
      let store = try ObjectStore.open(.directory(Self.golden), model: document, options: options)
      try GoldenStore.fill(store)
    }
    // With a property and a relation that the last model lacks.
    let last = try GoldenStore.laterDocument()
    _ = try ObjectStore.open(.directory(Self.golden), model: last, options: options)
    try ObjectStore.compact(Self.golden, options: options.storage)
    try GoldenStore.write(last.bytes, Self.golden + "/model.json")
    for name in ["lock.mdb", "store.lock"] { unlink(Self.golden + "/" + name) }
  }

  /// The store of format 2, with constants, that `BOXJOINT_MAKE_GOLDEN` writes.
  static let golden2 = root + "/Tests/Fixtures/stores/format-2"

  /// Makes the golden store of format 2; run once, when the format was made.
  @Test(.enabled(if: getenv("BOXJOINT_MAKE_GOLDEN") != nil)) func makesTheGoldenStoreOfFormat2()
    throws
  {
    var options = StoreOptions()
    options.storage.fileMode = 0o644
    do {
      let store = try ObjectStore.open(
        .directory(Self.golden2), model: GoldenStore.document(), options: options)
      try GoldenStore.fill(store)
    }
    let last = try GoldenStore.documentWithConstants()
    options.constants = GoldenStore.constants
    do {
      let store = try ObjectStore.open(.directory(Self.golden2), model: last, options: options)
      try store.put("Sample", ["rank": 1, "label": "own", "numbers": .integers([])])
    }
    try ObjectStore.compact(Self.golden2, options: options.storage)
    try GoldenStore.write(last.bytes, Self.golden2 + "/model.json")
    for name in ["lock.mdb", "store.lock"] { unlink(Self.golden2 + "/" + name) }
  }

  /// Whoever opens it, with or without constants of its own, finds the same values.
  @Test(arguments: [false, true]) func theGoldenStoreOfFormat2Opens(givesConstants: Bool) throws {
    let directory = try copy(of: Self.golden2)
    let path = directory.path(of: "store")
    #expect(try ObjectStore.verify(path).isEmpty)
    let model = try ModelDocument(parsing: directory.bytes(of: "store/model.json"))
    var options = StoreOptions()
    if givesConstants {
      // The first ones stay.
      options.constants = GoldenStore.constants.mapValues { _ in .null }
    }
    let store = try ObjectStore.open(.directory(path), model: model, options: options)
    #expect(store.schema.catalog.format == 2)
    #expect(store.schema.catalog.features == [.constants])
    try store.read { (transaction) throws in
      for id in [1, 2, 4] as [UInt64] {
        #expect(try transaction.value("Sample", id, "rank") == 7)
        #expect(try transaction.value("Sample", id, "label") == "Grüße\u{0}\"")
        #expect(try transaction.value("Sample", id, "weight") == .double(-0.5))
        #expect(try transaction.value("Sample", id, "tags2") == .strings(["", "ß"]))
        #expect(try transaction.value("Sample", id, "bits") == .floats([0.25]))
      }
      #expect(try transaction.value("Sample", 6, "label") == "own")
      #expect(try transaction.value("Sample", 1, "number") == -2_147_483_648)
      #expect(try transaction.find("Sample", "rank", 7) == [1, 2, 4])
      #expect(try transaction.order("Sample", by: "rank") == [6, 1, 2, 4])
    }
    #expect(try store.verify().isEmpty)
  }

  /// A copy, as opening makes lock files.
  private func copy(of golden: String = Self.golden) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for name in ["data.mdb", "model.json"] {
      try directory.write(directory.bytes(of: golden + "/" + name), to: "store/" + name)
    }
    return directory
  }

  @Test func theGoldenStoreOpens() throws {
    let directory = try copy()
    let path = directory.path(of: "store")
    #expect(try ObjectStore.verify(path).isEmpty)
    let model = try ModelDocument(parsing: directory.bytes(of: "store/model.json"))
    let store = try ObjectStore.open(.directory(path), model: model)
    #expect(store.warnings.isEmpty)
    #expect(store.entities.map(\.name) == ["Sample", "Tag"])
    try store.read { (transaction) throws in
      func value(_ property: String) throws -> Value? {
        try transaction.value("Sample", 1, property)
      }
      #expect(try value("flag") == true)
      #expect(try value("tiny") == -128)
      #expect(try value("small") == .unsigned(65535))
      #expect(try value("letter") == .unsigned(0x00DF))
      #expect(try value("number") == -2_147_483_648)
      #expect(try value("large") == .unsigned(18_446_744_073_709_551_615))
      #expect(try value("ratio") == .float(0.5))
      #expect(try value("price") == .double(-0.0))
      #expect(try value("text") == "Grüße 🙂")
      #expect(try value("day") == 1_700_000_000_000)
      #expect(try value("moment") == -1)
      #expect(try value("tag") == .unsigned(2))
      #expect(try value("blob") == .bytes([0, 255, 7]))
      #expect(try value("flags") == .bools([true, false]))
      #expect(try value("numbers") == .integers([1, -1, 2_147_483_647]))
      #expect(try value("point") == .floats([1.5, -2.5]))
      #expect(try value("names") == .strings(["", "ß"]))
      #expect(try value("empty") == .null)
      // The second object has no values, the third was removed.
      #expect(try transaction.value("Sample", 2, "text") == .null)
      #expect(try transaction.get(store.entity(named: "Sample"), 3) == nil)
      #expect(try transaction.find("Sample", "text", "Grüße 🙂") == [1])
      #expect(try transaction.find("Sample", "price", .double(0)) == [1])
      #expect(try transaction.find("Sample", "tag", .unsigned(2)) == [1])
      #expect(try transaction.order("Sample", by: "number") == [1, 4])
      #expect(try transaction.find("Tag", "name", "second") == [2])
      let tags = try #require(store.entity(named: "Sample").relation(named: "tags"))
      #expect(try transaction.targets(tags, of: 1) == [1, 2])
      #expect(try transaction.sources(tags, of: 2) == [1, 4])
    }
    // Ids go on behind the removed ones.
    #expect(try store.put("Sample", [:]) == 6)
    #expect(
      try storeError { try store.put("Tag", ["name": "second"]) }
        == .uniqueViolation(entity: "Tag", property: "name", value: "second", existing: 2))
    #expect(try store.verify().isEmpty)
  }

  @Test func theHiddenPartsOfTheGoldenStoreComeBack() throws {
    let directory = try copy()
    let store = try ObjectStore.open(
      .directory(directory.path(of: "store")), model: GoldenStore.document())
    #expect(try store.value("Sample", 1, "secret") == "kept")
    let old = try #require(store.entity(named: "Sample").relation(named: "old"))
    #expect(try store.read { try $0.targets(old, of: 4) } == [1])
  }
}

/// The content of the golden store.
private enum GoldenStore {
  static func document() throws -> ModelDocument {
    func type(_ code: Int32) -> PropertyType { PropertyType(rawValue: code) }
    return try TestModel(
      .init(
        name: "Sample", uid: 1000,
        properties: [
          .id(), .init(name: "flag", type: type(1)), .init(name: "tiny", type: type(2)),
          .init(name: "small", type: type(3), flags: .unsigned),
          .init(name: "letter", type: type(4)),
          .init(name: "number", type: type(5), flags: .indexed),
          .init(name: "large", type: type(6), flags: .unsigned),
          .init(name: "ratio", type: type(7)),
          .init(name: "price", type: type(8), flags: .indexed),
          .init(name: "text", type: type(9), flags: .indexed),
          .init(name: "day", type: type(10)), .init(name: "moment", type: type(12)),
          .init(name: "tag", type: type(11), flags: .indexed, target: "Tag"),
          .init(name: "blob", type: type(23)), .init(name: "flags", type: type(22)),
          .init(name: "numbers", type: type(26)), .init(name: "point", type: type(28)),
          .init(name: "names", type: type(30)), .init(name: "empty", type: type(9)),
          .init(name: "secret", type: type(9), flags: .indexHash64),
        ], relations: [.init("tags", to: "Tag"), .init("old", to: "Tag")]),
      .init(
        name: "Tag", uid: 2000,
        properties: [.id(), .init(name: "name", type: type(9), flags: [.unique, .indexHash])])
    ).document()
  }

  /// With properties that objects were stored without.
  static func documentWithConstants() throws -> ModelDocument {
    try document().changed { model in
      try model.add("rank", .long, uid: 5001, to: "Sample")
      try model.addIndex(.indexed, uid: 6001, to: "rank", of: "Sample")
      try model.add("label", .string, uid: 5002, to: "Sample")
      try model.add("weight", .double, uid: 5003, to: "Sample")
      try model.add("tags2", .stringVector, uid: 5004, to: "Sample")
      try model.add("bits", .floatVector, uid: 5005, to: "Sample")
    }
  }

  static let constants: [UID: Value] = [
    5001: 7, 5002: "Grüße\u{0}\"", 5003: .double(-0.5), 5004: .strings(["", "ß"]),
    5005: .floats([0.25]),
  ]

  /// Without `secret` and `old`, which are retired.
  static func laterDocument() throws -> ModelDocument {
    try document().changed { model in
      var sample = try #require(model.entities.first)
      let property = sample.properties.removeLast()
      let relation = sample.relations?.removeLast()
      model.entities[0] = sample
      model.retiredPropertyUIDs = [property.pair.uid]
      model.retiredIndexUIDs = property.indexID.map { [$0.uid] }
      model.retiredRelationUIDs = relation.map { [$0.pair.uid] }
    }
  }

  static func fill(_ store: ObjectStore) throws {
    try store.write { (transaction) throws in
      try transaction.put("Tag", ["name": "first"])
      try transaction.put("Tag", ["name": "second"])
      try transaction.put(
        "Sample",
        [
          "flag": true, "tiny": -128, "small": .unsigned(65535), "letter": .unsigned(0xDF),
          "number": -2_147_483_648, "large": .unsigned(.max), "ratio": .float(0.5),
          "price": .double(-0.0), "text": "Grüße 🙂", "day": 1_700_000_000_000, "moment": -1,
          "tag": .unsigned(2), "blob": .bytes([0, 255, 7]), "flags": .bools([true, false]),
          "numbers": .integers([1, -1, 2_147_483_647]), "point": .floats([1.5, -2.5]),
          "names": .strings(["", "ß"]), "secret": "kept",
        ])
      for _ in 2...5 { try transaction.put("Sample", [:]) }
      try transaction.put("Sample", ["number": 5], id: 4)
      let sample = try store.entity(named: "Sample")
      let tags = try #require(sample.relation(named: "tags"))
      for (source, target) in [(1, 1), (1, 2), (4, 2)] as [(UInt64, UInt64)] {
        try transaction.link(tags, source, target)
      }
      try transaction.link(#require(sample.relation(named: "old")), 4, 1)
      for id in [3, 5] as [UInt64] { try transaction.remove(sample, id) }
    }
  }

  static func write(_ bytes: [UInt8], _ path: String) throws {
    guard let file = fopen(path, "w") else { throw TestFailure("\(path) cannot be written") }
    defer { fclose(file) }
    if fwrite(bytes, 1, bytes.count, file) != bytes.count { throw TestFailure("cannot write") }
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> String? {
    guard let from = ranges(of: start).first?.upperBound,
      let to = self[from...].ranges(of: end).first?.lowerBound
    else { return nil }
    return String(self[from..<to])
  }
}
