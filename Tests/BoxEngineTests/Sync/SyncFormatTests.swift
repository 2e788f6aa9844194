import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes that docs/storage-format.md describes.
struct SyncFormatTests {
  @Test func `An operation has the bytes of the page`() throws {
    var writer = OperationWriter()
    writer.begin(.update, 0x0102_0304_0506_0708, 300)
    writer.add(5)
    writer.add(slots: [0b1000_0000_0010])
    ([9, 8, 7] as [UInt8]).withUnsafeBytes { writer.add(record: $0) }
    writer.begin(.link, 0x0102_0304_0506_0708, 1)
    writer.add(2)
    writer.begin(.insert, 1, 1, isFresh: true)
    writer.add(1)
    [UInt8]().withUnsafeBytes { writer.add(record: $0) }
    let update: [UInt8] = [
      2, 8, 7, 6, 5, 4, 3, 2, 1, 0xAC, 0x02, 5, 2, 0x02, 0x08, 3, 9, 8, 7,
    ]
    let link: [UInt8] = [0x44, 1, 2]
    let insert: [UInt8] = [0x81, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]
    #expect(writer.bytes == update + link + insert)
    let operations = try #require(OperationWriter.operations(in: writer.bytes))
    #expect(operations.map(\.kind) == [.update, .link, .insert])
    #expect(operations[0].slots == [1, 11])
    #expect(operations[1].element == 0x0102_0304_0506_0708)
    #expect(operations[2].isFresh)
    for count in 1..<update.count {
      #expect(OperationWriter.operations(in: Array(writer.bytes.prefix(count))) == nil)
    }
  }

  @Test func `A head has the bytes of the page`() throws {
    var head = OutboxHead()
    (head.mark, head.time, head.number, head.n, head.bytes) = (1, 2, 3, 4, 5)
    (head.operations, head.chunks, head.state) = (6, 7, .acknowledged)
    (head.code, head.place) = (71, 8)
    let words: [UInt8] = (1...5).flatMap { [$0, 0, 0, 0, 0, 0, 0, 0] as [UInt8] }
    #expect(head.encoded == words + [6, 0, 0, 0, 7, 0, 0, 0, 1, 71, 0, 0, 0, 8, 0, 0, 0])
    #expect(head.encoded.count == 57)
    #expect(OutboxHead(decoding: head.encoded) == head)
    #expect(OutboxKey.key(3, part: 2) == 3 << 24 + 2)
  }

  @Test(
    arguments: [
      (Shadow.absent(count: 300), [0, 0xAC, 0x02]),
      (.dead(life: 4), [1, 4]), (.dead(life: 4, isParked: true), [0x81, 4]),
      (.object(life: 3, record: [7, 8]), [2, 3, 7, 8]),
      (.object(life: 3, record: [7, 8], isParked: true), [0x82, 3, 7, 8]),
    ] as [(Shadow, [UInt8])])
  func `A version of the server has the bytes of the page`(shadow: Shadow, bytes: [UInt8]) {
    var encoded: [UInt8] = []
    shadow.append(to: &encoded)
    #expect(encoded == bytes)
    #expect(Shadow(decoding: bytes) == shadow)
  }

  // MARK: - The golden store

  private static let golden =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    + "/Tests/Fixtures/stores/sync"

  /// Makes the golden store; run once, when the format was made, and never again.
  @Test(.enabled(if: getenv("BOXJOINT_MAKE_GOLDEN") != nil)) func makesTheGoldenStore() throws {
    var options = StoreOptions()
    options.storage.fileMode = 0o644
    let document = try PeopleModel.document()
    do {
      let store = try ObjectStore.open(.directory(Self.golden), model: document, options: options)
      try PeopleModel.fill(store)
      try store.switchOnSync(store.entities)
      try store.write { try $0.forgetOutbox() }
      try Self.change(store)
    }
    try ObjectStore.compact(Self.golden, options: options.storage)
    try TemporaryDirectory().write(document.bytes, to: Self.golden + "/model.json")
    for name in ["lock.mdb", "store.lock"] { unlink(Self.golden + "/" + name) }
  }

  private static func change(_ store: ObjectStore) throws {
    let person = try store.entity(named: "Person")
    let friends = try person.relation(named: "friends").orFail("no relation")
    try store.write { transaction in
      try transaction.put("Person", ["name": "Ada", "age": 37, "favourite": .unsigned(1)], id: 1)
      try transaction.put("Person", ["name": "Cy"])
      try transaction.link(friends, 1, 3)
    }
    try store.write { transaction in
      try transaction.remove(person, 2)
      try transaction.put("Person", ["name": "Bo"], id: 2)
      try transaction.unlink(friends, 1, 3)
    }
  }

  @Test func `The golden store opens`() throws {
    let directory = try TemporaryDirectory()
    for name in ["data.mdb", "model.json"] {
      try directory.write(directory.bytes(of: Self.golden + "/" + name), to: "store/" + name)
    }
    let path = directory.path(of: "store")
    #expect(try ObjectStore.verify(path).isEmpty)
    let store = try ObjectStore.open(
      .directory(path), model: ModelDocument(parsing: directory.bytes(of: "store/model.json")))
    #expect(store.catalog.format == 2)
    #expect(store.catalog.features == [.sync])
    #expect(store.catalog.sync == [PeopleModel.person, PeopleModel.pet])
    try store.read { (transaction) throws in
      let captured = try transaction.capturedTransactions()
      #expect(captured.map(\.place) == [1, 2])
      #expect(
        captured.map { $0.operations.map(\.kind) }
          == [[.update, .insert, .link], [.remove, .insert, .unlink]])
      #expect(captured.flatMap(\.operations).map(\.id) == [1, 3, 1, 2, 2, 1])
      #expect(captured.flatMap(\.operations).map(\.life) == [1, 1, 0, 1, 3, 0])
      let (storage, spaces) = try transaction.captureSpaces()
      let keys = try storage.entries(of: spaces.shadows).map(\.key)
      #expect(keys == [1, 2, 3].map { SyncKey.object(PeopleModel.person, $0) })
      let pairs = try storage.entries(of: spaces.pairs)
      #expect(pairs.map(\.key) == [2, 3].map { SyncKey.bytes(PeopleModel.friends, 1, $0) })
      #expect(pairs.map(\.content) == [[1], [0]])
      let lives = try storage.entries(of: spaces.localIDs)
      #expect(lives.map(\.key) == [SyncKey.object(PeopleModel.person, 2)])
      #expect(lives.map(\.content) == [[3, 0, 0, 0, 0, 0, 0, 0, 0, 0]])
      var contents = try CapturedContents(transaction)
      try contents.revert(transaction)
      #expect(contents.records.count == 3)
      #expect(contents.pairs == [StoredPair(relation: PeopleModel.friends, source: 1, target: 2)])
    }
  }
}
