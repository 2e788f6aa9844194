import BoxEngine
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Names of a model that a dump has for something else.
@Suite struct SectionNameTests {
  /// The first property of `Edge` has the name of the first member of an entry of a relation, and the
  /// other entities have those of the parts of a document.
  private static func document(entities count: Int = 4) throws -> ModelDocument {
    var model = TestModel()
    for (number, name) in ["Edge", "end", "entities", "relations"].prefix(count).enumerated() {
      let uid = UID(100 * (number + 1))
      model.entities.append(
        .init(
          name: name, uid: uid,
          properties: [
            .init("source", uid + 1, .long),
            .init("targets", uid + 2, PropertyType(rawValue: 27)),
            .init("id", uid + 3, .long, .id),
          ], relations: [.init("end", uid + 4, to: "Edge")]))
    }
    return try model.document()
  }

  private static func fill(_ store: ObjectStore, _ random: inout SplitMix64) throws {
    let counts = store.entities.map { _ in 1 + random.below(4) }
    try store.write { transaction in
      for (entity, count) in zip(store.entities, counts) {
        for number in 1...count {
          var object = DynamicObject(entity)
          object["source"] = .integer(Int64(number))
          object["targets"] = .integers((0..<number).map { Int64($0) })
          try transaction.put(object)
        }
      }
      for (entity, count) in zip(store.entities, counts) {
        for relation in entity.relations {
          try transaction.link(relation, UInt64(count), UInt64(counts[0]))
        }
      }
    }
  }

  @Test(arguments: DumpShape.allCases) func areToldApart(_ shape: DumpShape) throws {
    var random = TestSeed.next()
    for run in 0..<5 {
      let fixture = try ImportFixture()
      let store = try fixture.open("a", try Self.document())
      try Self.fill(store, &random)
      var options = ExportOptions()
      options.shape = shape
      let path = try fixture.export(store, to: "dump", options)
      let report = try DumpVerifier.verify(path, isDirectory: shape == .directory)
      #expect(report.problems.isEmpty, "run \(run)")
      #expect(try report.totals == fixture.totals(store), "run \(run)")
      let copy = try fixture.open("b", try Self.document())
      try fixture.load(path, into: copy)
      let (before, after) = try (lines(store), lines(copy))
      #expect(before == after, "run \(run)")
      let kind: DumpDifference.Side.Kind = shape == .directory ? .directory : .file
      let again = try fixture.export(copy, to: "again", options)
      let difference = try DumpDifference.between(.init(path, kind), .init(again, kind)) { _ in }
      #expect(difference.isSame, "run \(run)")
      #expect(difference.sections.map(\.same) == counts(report.totals), "run \(run)")
    }
  }

  /// A store without some of the entities takes the rest, whatever relations the others have.
  @Test(arguments: DumpShape.allCases) func entitiesThatAreMissing(_ shape: DumpShape) throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    let store = try fixture.open("a", try Self.document())
    try Self.fill(store, &random)
    var options = ExportOptions()
    options.shape = shape
    let path = try fixture.export(store, to: "dump", options)
    let smaller = try fixture.open("b", try Self.document(entities: 2))
    let summary = try fixture.load(path, into: smaller)
    #expect(summary.dropped == ["entities", "relations"])
    #expect(summary.entities.map(\.name) == ["Edge", "end"])
    #expect(summary.relations.map(\.name) == ["Edge.end", "end.end"])
  }

  private func lines(_ store: ObjectStore) throws -> String {
    let output = MemoryOutput()
    try DumpExporter(store).export(to: output)
    return output.text()
  }

  private func counts(_ totals: DumpTotals) -> [Int] {
    totals.entities.map(\.objects) + totals.relations.map(\.sources)
  }
}
