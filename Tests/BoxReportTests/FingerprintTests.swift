import BoxHash
import BoxJSON
import Testing

@testable import BoxReport

struct FingerprintTests {
  // The test vectors of draft-eastlake-fnv.
  @Test(arguments: [
    ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
  ])
  func isFNV1a(text: String, expected: String) {
    var fingerprint = Fingerprint()
    for byte in text.utf8 { fingerprint.combine(byte) }
    #expect(fingerprint.hexadecimal == expected)
  }

  @Test func survivesMovesIndentationAndWording() {
    var moved = Samples.bear
    moved.region = SourceRegion(line: 900, column: 1, endLine: 900, endColumn: 9)
    moved.message = "two entities have the id 1"
    moved.sourceLine = "\t\"id\": \"1:300\",  \r"
    #expect(moved.fingerprint == Samples.bear.fingerprint)
  }

  @Test func tellsRulesFilesAndLinesApart() {
    var rule = Samples.bear
    rule.rule.id = "BOX112"
    var path = Samples.bear
    path.path = "model.json"
    var line = Samples.bear
    line.sourceLine = #""id": "1:301","#
    let all = [Samples.bear, rule, path, line].map(\.fingerprint)
    #expect(Set(all).count == 4)
  }
}

struct ArtifactURITests {
  @Test(arguments: [
    ("app/model.json", "app/model.json", true),
    ("./app//model.json", "app/model.json", true),
    ("../model.json", "../model.json", false),
    ("/srv/a b.json", "file:///srv/a%20b.json", false),
    ("HEAD:model.json", "HEAD%3Amodel.json", true),
    ("é%?#.json", "%C3%A9%25%3F%23.json", true),
    ("a\nb", "a%0Ab", true),
  ])
  func encodesPaths(path: String, text: String, isBelowRoot: Bool) {
    let uri = ArtifactURI(path: path)
    #expect(uri.text == text)
    #expect(uri.isBelowRoot == isBelowRoot)
  }
}
