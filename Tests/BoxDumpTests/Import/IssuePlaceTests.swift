import BoxDump
import BoxEngine
import TestSupport
import Testing

/// Errors name their line and column, however long the line is.
struct IssuePlaceTests {
  /// Columns are counted in Unicode scalars, also those that are not in memory any more.
  @Test(arguments: ["[", "[\n", "[ \n\n  "])
  func anArrayOnOneLine(_ beginning: String) throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let element = #""name":"é語🙂""#
    // More than four blocks of 256 KiB.
    let objects = (1...40_000).map { "{\"id\":\($0),\(element)}" }.joined(separator: ",")
    let text = beginning + objects + ","
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let before = try #require(lines.last).unicodeScalars.count
    let member = #"{"id":50000,"age":"#
    let refusal = try fixture.refusal(text + member + "1.5}]", into: store) {
      $0.entity = "Person"
      $0.batch = nil
    }
    #expect(refusal?.message.contains("found 1.5") == true)
    #expect(refusal?.line == lines.count)
    #expect(refusal?.column == before + member.unicodeScalars.count + 1)
    // A value that is there already is found later: its column would have to be kept of each object.
    let same = #"{"id":50000,"email":"a"},{"id":50001,"email":"a"}]"#
    let violation = try fixture.refusal(text + same, into: store) {
      $0.entity = "Person"
      $0.batch = nil
    }
    #expect(violation?.message.contains("Person.email") == true)
    #expect(violation?.line == lines.count)
    #expect(violation?.column == 1)
  }

  /// The second time a key comes where the last object had it.
  @Test func keysThatAreThereTwice() throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let text = [String](repeating: #"{"id":1,"id":2}"#, count: 3).joined(separator: "\n")
    let summary = try fixture.load(text: text, into: store, rejects: fixture.path("bad")) {
      $0.entity = "Person"
      $0.maximumErrors = 3
    }
    #expect(summary.rejected == 3)
    let reasons = try fixture.directory.text(of: "bad.reasons").split(separator: "\n")
    for (number, reason) in reasons.enumerated() {
      #expect(reason.contains("\"line\":\(number + 1),\"column\":9"), "\(reason)")
    }
  }
}
