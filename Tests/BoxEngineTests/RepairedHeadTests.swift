import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Repairs of stores with a damaged head: page 0 or 1 of the file, of which the newer one leads to the data.
struct RepairedHeadTests {
  private let fixture: StoreFixture
  private let document: ModelDocument
  private static let page = 4096
  /// The offsets of fields in a head.
  private static let (magic, root, transaction) = (16, 128, 144)

  init() throws {
    fixture = try StoreFixture()
    document = try PeopleModel.document()
  }

  /// A file with a transaction for each pet, and the start of its newer head and of its older one.
  private func file(pets: Int) throws -> (bytes: [UInt8], newer: Int, older: Int) {
    try fixture.with(document) { (store) throws in
      for _ in 0..<pets { try store.write { try $0.put("Pet", ["name": "Mia", "weight": 3.0]) } }
    }
    let bytes = try fixture.directory.bytes(of: "store/data.mdb")
    let (first, second) = (number(bytes, 0), number(bytes, Self.page))
    #expect(max(first, second) - min(first, second) == 1)
    return first > second ? (bytes, 0, Self.page) : (bytes, Self.page, 0)
  }

  private func number(_ bytes: [UInt8], _ head: Int) -> UInt64 {
    bytes[(head + Self.transaction)...].prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func set(_ value: UInt64, in bytes: inout [UInt8], _ head: Int) {
    let field = withUnsafeBytes(of: value.littleEndian) { Array($0) }
    bytes.replaceSubrange(head + Self.transaction..<head + Self.transaction + 8, with: field)
  }

  private func repaired(_ bytes: [UInt8]) throws -> RepairReport.Part {
    try fixture.directory.write(bytes, to: "store/data.mdb")
    var command = StoreRepair(fixture.path)
    command.checks = .everything
    command.requiresContents = true
    let report = try #require(try command.run())
    let pets = try #require(report.contents?.entities.first { $0.name == "Pet" })
    #expect(report.hasLoss == (pets.lost != 0))
    try fixture.with(document) { (store) throws in
      #expect(try store.verify() == [])
      #expect(try store.ids("Pet").count == pets.kept)
    }
    return pets
  }

  /// The list of free pages says which of two heads is newer, whatever their numbers are.
  @Test(arguments: [6, 7], [true, false])
  func aWrongNumberLosesNothing(pets: Int, ofNewer: Bool) throws {
    let (whole, newer, older) = try file(pets: pets)
    var bytes = whole
    let last = number(bytes, newer)
    set(ofNewer ? last - 4 : last + 3, in: &bytes, ofNewer ? newer : older)
    #expect(try repaired(bytes) == .init(name: "Pet", kept: pets, lost: 0))
  }

  /// A number that makes the older head look like that of the next transaction.
  @Test(arguments: [6, 7]) func aNumberOfTheNextTransactionLosesNothing(pets: Int) throws {
    let (whole, newer, older) = try file(pets: pets)
    var bytes = whole
    set(number(bytes, newer) + 1, in: &bytes, older)
    #expect(try repaired(bytes) == .init(name: "Pet", kept: pets, lost: 0))
  }

  @Test(arguments: [6, 7], [true, false])
  func aWrongMarkLosesNothing(pets: Int, ofNewer: Bool) throws {
    let (whole, newer, older) = try file(pets: pets)
    var bytes = whole
    bytes[(ofNewer ? newer : older) + Self.magic] ^= 1
    #expect(try repaired(bytes) == .init(name: "Pet", kept: pets, lost: 0))
  }

  /// Without one of the heads it is not known whether there was a later transaction.
  @Test(arguments: [6, 7], [true, false])
  func withoutOneHeadTheLossIsNotKnown(pets: Int, ofNewer: Bool) throws {
    let (whole, newer, older) = try file(pets: pets)
    var bytes = whole
    let head = ofNewer ? newer : older
    bytes.replaceSubrange(head..<head + Self.page, with: repeatElement(0, count: Self.page))
    let kept = ofNewer ? pets - 1 : pets
    #expect(try repaired(bytes) == .init(name: "Pet", kept: kept, lost: nil))
  }

  @Test(arguments: [6, 7]) func aCopyOfTheOtherHeadIsNotTheNewerOne(pets: Int) throws {
    let (whole, newer, older) = try file(pets: pets)
    var bytes = whole
    let copy = Array(bytes[older..<older + Self.page])
    bytes.replaceSubrange(newer..<newer + Self.page, with: copy)
    #expect(try repaired(bytes) == .init(name: "Pet", kept: pets - 1, lost: nil))
  }

  /// A head that leads to the root of the transaction before.
  @Test(arguments: [6, 7]) func aReplacedRootIsAnOlderState(pets: Int) throws {
    let (whole, newer, older) = try file(pets: pets)
    var bytes = whole
    let root = Array(bytes[older + Self.root..<older + Self.root + 8])
    bytes.replaceSubrange(newer + Self.root..<newer + Self.root + 8, with: root)
    #expect(try repaired(bytes) == .init(name: "Pet", kept: pets - 1, lost: nil))
  }
}
