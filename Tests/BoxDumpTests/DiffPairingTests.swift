import TestSupport
import Testing

@testable import BoxDump

/// The pairing of elements in a comparison: by UID, the others by name.
@Suite struct DiffPairingTests {
  private typealias Entity = HandmadeDump.Entity

  private func compare(
    _ a: HandmadeDump, _ b: HandmadeDump
  ) throws -> (difference: DumpDifference, items: [DumpDifference.Item]) {
    let directory = try TemporaryDirectory()
    var items: [DumpDifference.Item] = []
    let sides = (try a.write(to: "a", in: directory), try b.write(to: "b", in: directory))
    var difference = try DumpDifference.between(sides.0, sides.1) { items.append($0) }
    difference.notes = difference.notes.map { $0.replacing(directory.path + "/", with: "") }
    return (difference, items)
  }

  @Test func anEntityThatHasAPartnerIsNotFoundByItsName() throws {
    var a = HandmadeDump([Entity(name: "A", uid: 1), Entity(name: "B", uid: 2)])
    a.lines = [.init(section: "A", json: #"{"id":1}"#), .init(section: "B", json: #"{"id":2}"#)]
    var b = HandmadeDump([Entity(name: "B", uid: 1)])
    b.lines = [.init(section: "B", json: #"{"id":1}"#)]
    let (difference, items) = try compare(a, b)
    #expect(items.isEmpty)
    #expect(difference.notes == ["only a has the entity B"])
    #expect(difference.sections.map(\.name) == ["A"])
    #expect(difference.sections.map(\.same) == [1])
    let back = try compare(b, a)
    #expect(back.items.isEmpty)
    #expect(back.difference.notes == ["only b has the entity B"])
  }

  @Test func aPropertyThatHasAPartnerIsNotFoundByItsName() throws {
    var a = HandmadeDump([
      Entity(
        name: "E", uid: 9,
        properties: [.init(name: "name", uid: 1), .init(name: "title", uid: 2)])
    ])
    a.lines = [.init(section: "E", json: #"{"id":1,"name":"x","title":"y"}"#)]
    var b = HandmadeDump([Entity(name: "E", uid: 9, properties: [.init(name: "name", uid: 2)])])
    b.lines = [.init(section: "E", json: #"{"id":1,"name":"z"}"#)]
    let (difference, items) = try compare(a, b)
    #expect(difference.notes == ["only a has the property E.name"])
    #expect(items.map(\.fields) == [[.init(name: "title", before: "\"y\"", after: "\"z\"")]])
  }

  @Test func aRelationThatHasAPartnerIsNotFoundByItsName() throws {
    var a = HandmadeDump([
      Entity(
        name: "E", uid: 9,
        relations: [
          .init(name: "old", uid: 1, target: 9), .init(name: "new", uid: 2, target: 9),
          .init(name: "Same", uid: 3, target: 9),
        ])
    ])
    let entry = #"{"source":1,"targets":[1]}"#
    a.lines = ["E.old", "E.new", "E.Same"].map { .init(section: $0, json: entry, isEntry: true) }
    var b = HandmadeDump([
      Entity(
        name: "E", uid: 9,
        relations: [
          .init(name: "new", uid: 1, target: 9), .init(name: "same", uid: 4, target: 9),
          .init(name: "more", uid: 5, target: 9),
        ])
    ])
    b.lines = ["E.new", "E.same"].map { .init(section: $0, json: entry, isEntry: true) }
    let (difference, items) = try compare(a, b)
    #expect(items.isEmpty)
    #expect(
      difference.notes == ["only a has the relation E.new", "only b has the relation E.more"])
    #expect(difference.sections.map(\.name) == ["E", "E.old", "E.Same"])
    #expect(difference.sections.map(\.same) == [0, 1, 1])
  }

  /// A section that a dump omits does not count as empty.
  @Test func relationsThatWereNotExportedAreNotCompared() throws {
    var a = HandmadeDump([
      Entity(
        name: "E", uid: 8, properties: [.init(name: "name", uid: 1)],
        relations: [.init(name: "r", uid: 2, target: 8), .init(name: "s", uid: 3, target: 8)])
    ])
    let entry = #"{"source":1,"targets":[1]}"#
    a.lines = ["E.r", "E.s"].map { .init(section: $0, json: entry, isEntry: true) }
    var b = a
    b.fields = ["E.name", "E.s"]
    b.lines.removeFirst()
    let (difference, items) = try compare(a, b)
    #expect(items.isEmpty)
    #expect(difference.notes == ["only a has the relation E.r"])
  }
}
