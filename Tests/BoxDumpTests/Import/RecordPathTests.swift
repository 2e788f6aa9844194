import BoxDump
import TestSupport
import Testing

/// Records in a document are those of an array.
struct RecordPathTests {
  @Test(arguments: [
    (".results", ["results"], false), (".data.items", ["data", "items"], false),
    (".*", [], true), (".a.*", ["a"], true), (".`my key`", ["my key"], false),
    (".`a\\`b`.c", ["a`b", "c"], false),
  ])
  func aPathIsReadAndWritten(_ text: String, _ members: [String], _ areMembers: Bool) throws {
    let path = try #require(RecordPath(text))
    #expect(path.members == members)
    #expect(path.areMembers == areMembers)
    #expect("\(path)" == text)
  }

  @Test(arguments: ["", "results", ".", ".a.", "..a", ".a b", ".*.a", ".a*", ".`a", "*", ".a[0]"])
  func invalidPathsAreRefused(_ text: String) { #expect(RecordPath(text) == nil) }

  /// Documents of all layouts, in which other members of any size surround the records.
  @Test func recordsInADocumentEqualRecordsOfAnArray() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_STORES", default: 100) {
      let fixture = try ImportFixture()
      let records = (0..<random.below(20)).map { id in
        #"{"id":\#(id + 1),"email":"\#(id)@x","name":\#(random.pick(["null", #""results""#, #""]}""#]))}"#
      }
      let expected = try fixture.open("expected")
      try fixture.load(text: "[" + records.joined(separator: ",") + "]", into: expected) {
        $0.entity = "Person"
      }
      let text = random.pick([".results", ".a.results", ".*", ".a.*", ".`a b`.results"])
      let path = try #require(RecordPath(text))
      var number = 0
      let pages = records.isEmpty ? 1 : 1 + random.below(3)
      let space = random.pick(["", " ", "\n  "])
      var rest = records[...]
      let document = (1...pages).map { page in
        let part = page == pages ? rest : rest.prefix(random.below(rest.count + 1))
        rest = rest.dropFirst(part.count)
        var value: String
        if path.areMembers {
          let members = part.map { record in
            number += 1
            return #""k\#(number)":\#(space)\#(record)"#
          }
          value = "{" + space + members.joined(separator: "," + space) + space + "}"
        } else {
          value = "[" + space + part.joined(separator: space + "," + space) + space + "]"
        }
        for name in path.members.reversed() {
          let other = random.pick([
            "1", #""results""#, "[[{}]]", #"{"results":[1]}"#, "null", #""\"]}""#,
            "[" + String(repeating: "0,", count: 20_000) + "0]",
          ])
          let before = random.oneIn(2) ? #""b":\#(other),\#(space)"# : ""
          let after = random.oneIn(2) ? #",\#(space)"c":\#(other)"# : ""
          value = "{\(before)\"\(name)\":\(space)\(value)\(after)\(space)}"
        }
        return value
      }.joined(separator: space)
      try fixture.directory.write(document, to: "document.json")
      var form = InputForm()
      form.records = path
      let store = try fixture.open("store")
      let summary = try fixture.load(
        paths: [fixture.path("document.json")], form, into: store
      ) {
        $0.entity = "Person"
        $0.batch = 1 + random.below(5)
        $0.maximumElement = 4096
      }
      #expect(try fixture.objects(store) == fixture.objects(expected), "round \(round): \(text)")
      #expect(summary.notes.count == (path.areMembers && !records.isEmpty ? 1 : 0))
    }
  }

  @Test(arguments: [
    (#"{"results":[{"id":1}]"#, ".results"), (#"{"result":[{"id":1}]}"#, ".results"),
    (#"{}"#, ".results"), (#"{"results":{"id":1}}"#, ".results"),
    (#"{"results":[],"results":[]}"#, ".results"), (#"{"results":[]} x"#, ".results"),
    (#"{"results":[{"id":1},]}"#, ".results"), (#"[{"id":1}]"#, ".*"), (#"{"a":{"id":1},}"#, ".*"),
    (#"{"a":[1],"results":["#, ".results"), (#"{"a":"x"#, ".results"), ("7", ".*"),
    (#"{"results":[{"id":1}],"b":[}"#, ".results"),
  ])
  func badDocumentsAreRefused(_ text: String, _ path: String) throws {
    let fixture = try ImportFixture()
    try fixture.directory.write(text, to: "document.json")
    var form = InputForm()
    form.records = RecordPath(path)
    let store = try fixture.open("store")
    let error = #expect(throws: DumpError.self) {
      try fixture.load(paths: [fixture.path("document.json")], form, into: store) {
        $0.entity = "Person"
      }
    }
    #expect(error?.position != nil, "\(text): \(error.map { "\($0)" } ?? "none")")
  }

  /// Without a path, the error says which one fits.
  @Test(arguments: [
    (#"{"count":1,"results":[{"id":1}]}"#, ".results"),
    (#"{"data":{"page":1,"items":[{"id":1},{"id":2}]}}"#, ".data.items"),
    (#"{"a":{"id":1},"b":{"id":2}}"#, ".*"),
    (#"{"my key":[{"id":1}]}"#, ".`my key`"), (#"{"results":[1]}"#, nil), (#"{"x":1}"#, nil),
    (#"{"x":{"$oid":"a"},"y":{"$oid":"b"}}"#, nil),
  ])
  func theFittingPathIsNamed(_ text: String, _ path: String?) throws {
    let fixture = try ImportFixture()
    let store = try fixture.open("store")
    let issue = #expect(throws: ImportIssue.self) {
      try fixture.load(text: text, into: store) { $0.entity = "Person" }
    }
    #expect(issue?.remedy == path.flatMap { RecordPath($0) }.map { .nameRecords($0) })
    try fixture.directory.write(text, to: "things.json")
    let inferred = try ModelInference().run([fixture.path("things.json")])
    let notes = inferred.entities.flatMap(\.notes).filter { $0.kind == .records }
    #expect(notes.count == (path == nil ? 0 : 1))
  }
}
