import BoxModel
import BoxReport
import TestSupport
import Testing

/// The highest number that a pair can have is one like any other, and none follows it.
struct HighestIDTests {
  @Test(.promise(114)) func noNumberFollowsTheHighest() {
    #expect(IDPair.nextID(after: 0) == 1)
    #expect(IDPair.nextID(after: .max - 1) == .max)
    #expect(IDPair.nextID(after: .max) == nil)
  }

  private func document(_ first: String, _ second: String) throws -> ModelDocument {
    func entity(_ name: String, _ pair: String, _ uid: Int) -> String {
      """
      {
        "id": "\(pair)", "lastPropertyId": "1:\(uid)", "name": "\(name)",
        "properties": [{"id": "1:\(uid)", "name": "id", "type": 6, "flags": 1}],
        "relations": []
      }
      """
    }
    let text = """
      {
        "entities": [\(entity("Ant", first, 1001)), \(entity("Bear", second, 2001))],
        "lastEntityId": "\(first)", "lastIndexId": "0:0", "lastRelationId": "0:0",
        "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
        "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
        "retiredRelationUids": [], "version": 1
      }
      """
    return try ModelDocument(parsing: Array(text.utf8))
  }

  @Test func anElementMayHaveTheHighestNumber() throws {
    let issues = try document("4294967295:1000", "1:2000").check()
    #expect(issues.filter { $0.severity == .error } == [])
  }

  @Test func theHighestNumberTwiceIsFound() throws {
    let issues = try document("4294967295:1000", "4294967295:2000").check()
    let issue = try #require(issues.first { $0.rule == ModelRule.duplicateEntityID })
    #expect(
      issue.advice
        == "restore the ids from version control: no id above 4294967295 is free")
  }
}
