import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Repairs of stores with pages that are undamaged in themselves: what their places, the counts of the file and the
/// indexes say decides.
struct RepairEvidenceTests {
  /// The content of a store.
  private struct Contents: Equatable {
    var notes: [UInt64: [Value]] = [:]
    var tags: [UInt64: [Value]] = [:]
    var links: Set<[UInt64]> = []
  }

  private static let note: UID = 100
  private static let tag: UID = 200
  private static let links: UID = 100_900
  private static let count: UInt64 = 300

  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func document(indexes: Int = 2) throws -> ModelDocument {
    func properties(_ indexes: Int) -> [TestModel.Property] {
      [
        .id(), .init(name: "label", type: .string),
        .init(name: "code", type: .long, flags: indexes > 0 ? [.indexed, .unique] : []),
        .init(name: "rank", type: .long, flags: indexes > 1 ? [.indexed] : []),
      ]
    }
    return try TestModel(
      .init(
        name: "Note", uid: Self.note, properties: properties(indexes),
        relations: [.init("links", Self.links, to: "Note")]),
      .init(name: "Tag", uid: Self.tag, properties: properties(0))
    ).document()
  }

  private func values(
    _ name: String, _ id: UInt64, _ code: Int64, length: Int = 40
  ) -> KeyValuePairs<String, Value> {
    let label = "\(name) \(1000 + id)." + String(repeating: "x", count: length)
    return ["label": .string(label), "code": .integer(code), "rank": .integer(code * 3 + 10_000)]
  }

  /// Fills a store whose trees differ in the number of their pages, unless tags are as long as notes.
  private func fill(_ document: ModelDocument, tagLength: Int = 90) throws {
    try fixture.with(document) { (store) throws in
      let relation = try #require(try store.entity(named: "Note").relation(named: "links"))
      try store.write { (transaction) throws in
        for id in 1...Self.count {
          try transaction.put("Note", values("note", id, Int64(id) + 1000))
          try transaction.put("Tag", values("tags", id, Int64(id) + 5000, length: tagLength))
        }
        for id in 1...Self.count {
          for other in [id % 50 + 1, id % 7 + 60] {
            try transaction.link(relation, id, other)
          }
        }
      }
    }
  }

  private func contents(_ document: ModelDocument) throws -> Contents {
    try fixture.with(document) { (store) throws in
      #expect(try store.verify() == [])
      let ids = (try store.ids("Note"), try store.ids("Tag"))
      return try store.read { (transaction) throws in
        var contents = Contents()
        func values(_ name: String, _ ids: [UInt64]) throws -> [UInt64: [Value]] {
          var found: [UInt64: [Value]] = [:]
          for id in ids {
            found[id] = try ["label", "code", "rank"].map {
              try transaction.value(name, id, $0).orFail("no value")
            }
          }
          return found
        }
        contents.notes = try values("Note", ids.0)
        contents.tags = try values("Tag", ids.1)
        let relation = try #require(try store.entity(named: "Note").relation(named: "links"))
        try transaction.visitEntries(relation) {
          contents.links.insert([$0, $1])
          return .next
        }
        return contents
      }
    }
  }

  private var pages: DataPages {
    get throws { DataPages(bytes: try fixture.directory.bytes(of: "store/data.mdb")) }
  }

  private func repaired(_ pages: DataPages) throws -> RepairReport.Contents {
    try fixture.directory.write(pages.bytes, to: "store/data.mdb")
    var command = StoreRepair(fixture.path)
    command.checks = .everything
    command.isDryRun = true
    let foreseen = try #require(try command.run())
    command.isDryRun = false
    let report = try #require(try command.run())
    #expect(foreseen.contents == report.contents)
    #expect(try command.run() == nil)
    return try #require(report.contents)
  }

  /// Expects that a repair of damaged pages brings everything back.
  private func expectWhole(_ damage: (inout DataPages) throws -> Void) throws {
    let document = try document()
    try fill(document)
    let truth = try contents(document)
    var pages = try pages
    try damage(&pages)
    let contents = try repaired(pages)
    #expect(
      contents.entities == [
        .init(name: "Note", kept: 300, lost: 0), .init(name: "Tag", kept: 300, lost: 0),
      ])
    #expect(
      contents.relations == [
        .init(name: "Note.links", kept: truth.links.count, lost: 0)
      ])
    #expect(try self.contents(document) == truth)
  }

  // MARK: - Pages in two places

  @Test func aBranchThatRefersToAnotherEntityTakesNothingFromIt() throws {
    try expectWhole { pages in
      let other = try pages.children(of: "o\(Self.tag)")[1]
      try pages.setChild(1, of: "o\(Self.note)", to: other)
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (2, 1)])
  func aPageThatIsTwiceInATreeStaysInItsPlace(index: Int, other: Int) throws {
    try expectWhole { pages in
      let page = try pages.children(of: "o\(Self.note)")[other]
      try pages.setChild(index, of: "o\(Self.note)", to: page)
    }
  }

  @Test func aRootThatWasOverwrittenByAnotherTakesNothingFromIt() throws {
    try expectWhole { pages in
      let (root, other) = try (
        pages.root(of: "o\(Self.note)"), pages.root(of: "o\(Self.tag)")
      )
      pages.replace(root, by: other, of: pages)
    }
  }

  /// The other direction has the same form, and its entries would be links turned round.
  @Test(arguments: [true, false]) func linksAreNotTurnedRound(forward: Bool) throws {
    try expectWhole { pages in
      let names = ("r\(Self.links)", "b\(Self.links)")
      let (root, other) = try (pages.root(of: names.0), pages.root(of: names.1))
      if forward {
        pages.replace(root, by: other, of: pages)
      } else {
        pages.replace(other, by: root, of: pages)
      }
    }
  }

  /// A branch of an earlier state refers to leaves that are free now, and have earlier objects.
  @Test func anEarlierBranchBringsNoEarlierObjectsBack() throws {
    let document = try document()
    try fill(document)
    let before = try pages
    try fixture.with(document) { (store) throws in
      try store.write { try $0.put("Note", values("note", 100, 7000), id: 100) }
    }
    let truth = try contents(document)
    var after = try pages
    let space = "o\(Self.note)"
    after.replace(try after.root(of: space), by: try before.root(of: space), of: before)
    let contents = try repaired(after)
    #expect(contents.entities.first == .init(name: "Note", kept: 300, lost: 0))
    #expect(try self.contents(document) == truth)
  }

  // MARK: - Pages with another content

  /// The file after changes, in which the leaf with a note has its content from before them.
  private func withEarlierLeaf(
    _ document: ModelDocument, of id: UInt64, _ change: (Transaction) throws -> Void
  ) throws -> (pages: DataPages, truth: Contents) {
    try fill(document)
    let before = try pages
    try fixture.with(document) { (store) throws in
      try store.write { try change($0) }
    }
    let truth = try contents(document)
    var after = try pages
    let space = "o\(Self.note)"
    let label = Array("note \(1000 + id).".utf8)
    let (old, new) = (try before.children(of: space), try after.children(of: space))
    #expect(old.count == new.count)
    let index = try #require(
      old.firstIndex {
        before.bytes[$0 * DataPages.size..<($0 + 1) * DataPages.size].firstRange(of: label) != nil
      })
    try #require(old[index] != new[index])
    after.replace(new[index], by: old[index], of: before)
    return (after, truth)
  }

  private func setValue(
    of property: String, _ value: Int64, of id: UInt64, _ transaction: Transaction
  ) throws {
    var object = try #require(
      try transaction.get(try transaction.store.entity(named: "Note"), id))
    object[property] = .integer(value)
    try transaction.put(object)
  }

  @Test func anEarlierVersionIsCounted() throws {
    let document = try document()
    let (pages, truth) = try withEarlierLeaf(document, of: 100) { (transaction) throws in
      try setValue(of: "rank", 1, of: 100, transaction)
    }
    let contents = try repaired(pages)
    #expect(contents.entities.first == .init(name: "Note", kept: 300, lost: 0, doubtful: 1))
    #expect(RepairReport(damage: "", contents: contents).hasLoss)
    var found = try self.contents(document)
    found.notes[100] = truth.notes[100]
    #expect(found == truth)
  }

  /// Of two objects with a unique value, the one stays that the index has.
  @Test func theObjectThatTheIndexHasStays() throws {
    let document = try document()
    let (pages, truth) = try withEarlierLeaf(document, of: 5) { (transaction) throws in
      try setValue(of: "code", 9999, of: 5, transaction)
      try setValue(of: "code", 1005, of: 250, transaction)
    }
    let contents = try repaired(pages)
    #expect(contents.entities.first == .init(name: "Note", kept: 299, lost: 1))
    let found = try self.contents(document)
    #expect(found.notes[5] == nil && found.notes[250] == truth.notes[250])
  }

  @Test func aRemovedObjectDoesNotComeBack() throws {
    let document = try document()
    let (pages, truth) = try withEarlierLeaf(document, of: 100) { (transaction) throws in
      try transaction.remove(try transaction.store.entity(named: "Note"), 100)
    }
    let contents = try repaired(pages)
    #expect(contents.entities.first == .init(name: "Note", kept: 299, lost: nil))
    #expect(try self.contents(document) == truth)
  }

  /// A checksum does not cover the entity; with one index, that the object is there as well decides.
  @Test(arguments: [1, 2]) func objectsOfAnotherEntityAreNotKept(indexes: Int) throws {
    let document = try document(indexes: indexes)
    try fill(document, tagLength: 40)
    let truth = try contents(document)
    var pages = try pages
    let (page, other) = try (
      pages.children(of: "o\(Self.note)")[1], pages.children(of: "o\(Self.tag)")[1]
    )
    pages.replace(page, by: other, of: pages)
    let contents = try repaired(pages)
    let notes = try #require(contents.entities.first)
    #expect(notes.kept < 300 && notes.doubtful == 0)
    #expect(notes.lost == nil || notes.lost == 300 - notes.kept)
    let found = try self.contents(document)
    for (id, values) in found.notes { #expect(values == truth.notes[id], "\(id)") }
    #expect(found.notes.count == notes.kept)
    #expect(found.tags == truth.tags)
  }
}
