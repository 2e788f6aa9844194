import BoxModel
import TestSupport
import Testing

@testable import BoxEngine

/// Conditions read the names that paths have.
struct ConditionNameTests {
  @Test func pathsWorkAsInConditions() throws {
    var random = TestSeed.next()
    for _ in 0..<5_000 {
      let names = (0..<(1 + random.below(3))).map { _ in
        random.oneIn(2) ? random.pick(HostileName.all) : HostileName.text(&random)
      }
      let parsed = try ConditionParser.parse("\(NamePath(names)) == 1")
      #expect(parsed.condition.names.map(\.components) == [names])
      #expect("\(parsed.condition)" == "\(NamePath(names)) == 1")
      let assignment = try ValueAssignment(parsing: "\(NamePath.quoted(names[0]))=1")
      #expect(assignment.property == names[0])
    }
  }

  @Test(arguments: [
    ("first name=1", "`first name`"), ("1st=3", "`1st`"), ("null:=3", "`null`"),
    ("a,b='x'", "`a,b`"),
  ])
  func anAssignmentSaysHowANameIsWritten(_ text: String, _ name: String) {
    #expect {
      try ValueAssignment(parsing: text)
    } throws: {
      ($0 as? ConditionError)?.message.hasSuffix("; a name such as \(name) goes in backquotes")
        ?? false
    }
  }
}
