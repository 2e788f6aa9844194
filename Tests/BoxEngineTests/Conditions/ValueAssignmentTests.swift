import BoxEngine
import BoxJSON
import TestSupport
import Testing

/// New values of properties as text.
struct ValueAssignmentTests {
  /// A literal is read as it is printed, with and without spaces.
  @Test func everyLiteralIsReadAsItIsPrinted() throws {
    var random = TestSeed.next()
    let texts = ["", "a b", "it's", "\"", "\\", "\n", "é", "null", "=", ":=", "x'00'", "3"]
    for _ in 0..<500 {
      let literal: Condition.Literal
      switch random.below(7) {
      case 0: literal = .bool(random.oneIn(2))
      case 1: literal = .integer(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
      case 2: literal = .unsigned(random.next() | 1 << 63)
      case 3: literal = .number(Double(random.below(1000)) / 8 - 40.0625)
      case 4: literal = .string(random.pick(texts))
      case 5: literal = .bytes((0..<random.below(4)).map { _ in UInt8(random.below(256)) })
      default: literal = .name(random.pick(["novel", "odd name", "é"]))
      }
      let space = random.oneIn(2) ? " " : ""
      let assignment = try ValueAssignment(parsing: "pages\(space)=\(space)\(literal)")
      #expect(assignment.property == "pages")
      #expect(assignment.value == .literal(literal), "\(literal)")
    }
  }

  @Test(arguments: [
    ("a=null", "a", ValueAssignment.NewValue.null), ("`odd name` = nil", "odd name", .null),
    ("a:=[1, {\"b\":2}]", "a", .json("[1, {\"b\":2}]")),
    ("a := \u{1F600}\"", "a", .json(" \u{1F600}\"")),
    ("a=2024-02-29", "a", .literal(.date(seconds: 1_709_164_800, nanoseconds: 0))),
  ])
  func nullAndJSON(text: String, property: String, value: ValueAssignment.NewValue) throws {
    let assignment = try ValueAssignment(parsing: text)
    #expect(assignment.property == property)
    #expect(assignment.value == value)
  }

  @Test(arguments: [
    ("", 1), ("=3", 1), ("a", 2), ("a 3", 3), ("a==3", 2), ("a.b=3", 2), ("a=", 3), ("a=[1]", 3),
    ("a=3 b=4", 5), ("a='x", 3), ("null=3", 1), ("a:3", 2),
  ])
  func aMistakeHasItsPlace(text: String, column: Int) {
    #expect {
      try ValueAssignment(parsing: text)
    } throws: {
      ($0 as? ConditionError)?.position == JSONPosition(line: 1, column: column)
    }
  }
}
