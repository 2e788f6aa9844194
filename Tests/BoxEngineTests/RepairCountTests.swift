import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

/// The numbers of a repair where a page has the content of another one, or an earlier content.
struct RepairCountTests {
  private let fixture: StoreFixture
  private let document: ModelDocument
  private static let page = 4096

  init() throws {
    fixture = try StoreFixture()
    document = try PeopleModel.document()
    try fixture.with(document) { (store) throws in
      try store.write { (transaction) throws in
        for number in 1...300 { try transaction.put("Pet", ["name": .string("pet \(number).")]) }
      }
    }
  }

  private var bytes: [UInt8] {
    get throws { try fixture.directory.bytes(of: "store/data.mdb") }
  }

  /// The starts of the pages that have a text.
  private func pages(with text: String, in bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count - Self.page + 1, by: Self.page).filter {
      bytes[$0..<$0 + Self.page].firstRange(of: Array(text.utf8)) != nil
    }
  }

  /// The pets after a repair of a file in which a page, but for its number, has the bytes of another one.
  private func repaired(_ bytes: [UInt8], _ page: Int, like other: Int) throws -> RepairReport.Part
  {
    var bytes = bytes
    let content = Array(bytes[other + 8..<other + Self.page])
    bytes.replaceSubrange(page + 8..<page + Self.page, with: content)
    try fixture.directory.write(bytes, to: "store/data.mdb")
    var command = StoreRepair(fixture.path)
    command.checks = .everything
    let report = try #require(try command.run())
    #expect(report.hasLoss)
    return try #require(report.contents?.entities.first { $0.name == "Pet" })
  }

  /// A page that another one was written over has entries that are in the file twice.
  @Test func entriesOfACopiedPageAreCountedOnce() throws {
    let bytes = try bytes
    let from = try #require(pages(with: "pet 20.", in: bytes).first)
    let to = try #require(pages(with: "pet 250.", in: bytes).first)
    try #require(from != to)
    let pets = try repaired(bytes, to, like: from)
    let lost = try #require(pets.lost)
    #expect(lost > 0 && pets.kept + lost == 300)
  }

  /// A page whose last write was lost is whole, and the tree records another number.
  @Test func theLossOfAnEarlierPageIsNotKnown() throws {
    let before = try bytes
    let old = try #require(pages(with: "pet 150.", in: before).first)
    let neighbour = try #require(
      ["pet 149.", "pet 151."].first { pages(with: $0, in: before).contains(old) })
    try fixture.with(document) { (store) throws in
      let pet = try store.entity(named: "Pet")
      try store.write { (transaction) throws in try transaction.remove(pet, 150) }
    }
    let after = try bytes
    let new = try #require(pages(with: neighbour, in: after).first { $0 != old })
    #expect(pages(with: "pet 150.", in: after).contains(old))
    #expect(try repaired(after, new, like: old) == .init(name: "Pet", kept: 300, lost: nil))
  }
}
