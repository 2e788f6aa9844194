import BoxJSON
import BoxModel
import TestSupport
import Testing

@testable import BoxMerge

/// Names that look alike do not meet in a merge.
struct LookalikeMergeTests {
  private func document(
    _ properties: [(name: String, id: Int, uid: Int)]
  ) throws -> ModelDocument {
    let members = properties.map {
      "{\"id\": \"\($0.id):\($0.uid)\", \"name\": \(JSONValue.string($0.name).text()), \"type\": 9}"
    }
    let last = properties.last.map { "\($0.id):\($0.uid)" } ?? "1:1001"
    let text = """
      {"entities": [{"id": "1:1000", "lastPropertyId": "\(last)", "name": "E", "properties": [
        \((["{\"id\": \"1:1001\", \"name\": \"id\", \"type\": 6, \"flags\": 1}"] + members)
          .joined(separator: ",\n  "))], "relations": []}],
      "lastEntityId": "1:1000", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "modelVersion": 5, "modelVersionParserMinimum": 5, "retiredEntityUids": [],
      "retiredIndexUids": [], "retiredPropertyUids": [], "retiredRelationUids": [], "version": 1}
      """
    return try ModelDocument(parsing: Array(text.utf8))
  }

  private func names(_ result: MergeResult) throws -> [ExactText] {
    try ModelDocument(parsing: result.bytes).model.entities[0].properties.dropFirst().map {
      ExactText($0.name)
    }
  }

  /// Elements that the sides add under such names stay.
  @Test func bothElementsLive() throws {
    var random = TestSeed.next()
    for _ in 0..<100 {
      let pair = Lookalikes.pair(&random)
      let result = try MergeInput(
        base: try document([]), ours: try document([(pair.first, 2, 1002)]),
        theirs: try document([(pair.second, 2, 1003)])
      ).merged()
      #expect(result.conflicts.isEmpty, "\(pair)")
      #expect(try Set(names(result)) == [ExactText(pair.first), ExactText(pair.second)], "\(pair)")
    }
  }

  /// A side that writes a name in the other way has renamed the element.
  @Test func anotherSpellingIsARename() throws {
    var random = TestSeed.next()
    for _ in 0..<100 {
      let pair = Lookalikes.pair(&random)
      let (old, new) = (
        try document([(pair.first, 2, 1002)]), try document([(pair.second, 2, 1002)])
      )
      for (ours, theirs) in [(old, new), (new, old)] {
        let result = try MergeInput(base: old, ours: ours, theirs: theirs).merged()
        #expect(result.conflicts.isEmpty)
        #expect(try names(result) == [ExactText(pair.second)], "\(pair)")
      }
    }
  }

  /// The members of an object, also one whose key begins with an accent.
  @Test func membersAreMergedByTheirBytes() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let pair = Lookalikes.pair(&random, folds: true)
      let merge = try #require(
        MemberMerge(
          base: "{}", ours: "{\"\(pair.first)\": 1}", theirs: "{\"\(pair.second)\": 2}"))
      let text = try #require(merge.merged())
      let document = try JSONDocument(parsing: Array(text.utf8))
      for (key, value) in [(pair.first, "1"), (pair.second, "2")] {
        let node = try #require(document.value(forKey: key, in: document.root), "\(text)")
        #expect(document.text(of: node) == value)
      }
    }
  }
}
