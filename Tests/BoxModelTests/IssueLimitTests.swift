import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing

/// Checks of files with more faults than anybody lists.
struct IssueLimitTests {
  /// A model on one line whose every property has faults, and some retired UIDs that are none.
  private func bytes(_ count: Int) -> [UInt8] {
    let entities = (1...count).map { i in
      let uid = 1_000_000 + i * 10
      return #"{"id":"\#(i):\#(uid)","lastPropertyId":"1:\#(uid + 1)","name":"E\#(i)","#
        + #""properties":[{"id":"1:\#(uid + 1)","name":"é","type":77,"flags":33554432}]}"#
    }
    let retired = (1...count).map { "-\($0)" }.joined(separator: ",")
    return Array(
      (#"{"entities":["# + entities.joined(separator: ",")
        + #"],"lastEntityId":"\#(count):\#(1_000_000 + count * 10)","lastIndexId":"0:0","#
        + #""lastRelationId":"0:0","modelVersion":5,"retiredPropertyUids":[\#(retired)]}"#).utf8)
  }

  @Test func countsIncludeAll() throws {
    let bytes = bytes(500)
    let all = try ModelDocument(parsing: bytes).check()
    for limit in [1, 7, 499, 500, 10_000] {
      let document = try ModelDocument(parsing: bytes, issueLimit: limit)
      #expect(!document.isComplete)
      let found = document.check(limit: limit)
      for severity in Severity.allCases {
        #expect(found.count(of: severity) == all.count { $0.severity == severity })
      }
      let listed = Dictionary(grouping: found.listed, by: \.rule.id).mapValues(\.count)
      let omitted = Dictionary(grouping: found.omitted, by: \.rule.id)
        .mapValues { $0.reduce(0) { $0 + $1.count } }
      for (rule, issues) in Dictionary(grouping: all, by: \.rule.id) {
        #expect(listed[rule] == min(limit, issues.count))
        #expect(omitted[rule] ?? 0 == max(0, issues.count - limit))
      }
      #expect(found.omitted.isEmpty == (limit >= 500))
    }
  }

  @Test func aFindingHoldsAPartOfALongLine() throws {
    let document = try ModelDocument(parsing: bytes(2_000))
    let issues = document.check()
    #expect(issues.count >= 6_000)
    for issue in issues {
      let finding = document.finding(issue, path: "model.json")
      let region = try #require(finding.region)
      let line = try #require(finding.sourceLine)
      #expect(line.text.utf8.count <= SourceLine.maximumLength + 6)
      // The column is that of the file, and leads to the text of the issue in the part too.
      let text = String(decoding: document.bytes[issue.range], as: UTF8.self)
      let part = line.text.unicodeScalars.dropFirst(region.column - line.column)
      #expect(String(part).unicodeScalars.starts(with: text.unicodeScalars))
    }
  }

  @Test func manyFixesAreMadeAtOnce() throws {
    let uids = (1...20_000).map { "\(1_000_000 + $0)" }
    let text =
      #"{"entities":[],"lastEntityId":"0:0","retiredPropertyUids":["#
      + (uids + uids).joined(separator: ",") + "]}"
    let fixed = try ModelDocument(parsing: Array(text.utf8)).fixed()
    #expect(fixed.applied.count == 20_000)
    #expect(fixed.document.model.retiredPropertyUIDs == uids.compactMap { UID($0) })
  }

  @Test func aLongNameIsNotRead() throws {
    func document(_ length: Int) throws -> ModelDocument {
      let name = String(repeating: "n", count: length)
      return try ModelDocument(
        parsing: Array(
          #"{"entities":[{"id":"1:1000","lastPropertyId":"0:0","name":"\#(name)","properties":[]}]}"#
            .utf8))
    }
    #expect(try document(1024).isComplete)
    let long = try document(1025)
    #expect(!long.isComplete)
    #expect(long.formIssues.map(\.rule) == [ModelRule.nameTooLong])
    #expect(long.formIssues.allSatisfy { $0.message.utf8.count < 200 })
  }

  @Test func longWhiteSpaceIsNotTakenOverForWhatIsNew() throws {
    let blanks = String(repeating: " ", count: 100_000)
    let text =
      "{\(blanks)\"entities\"\(blanks):[],\"lastEntityId\":\"0:0\",\"retiredPropertyUids\":"
      + "[\(blanks)1000]}"
    let document = try ModelDocument(parsing: Array(text.utf8))
    var model = document.model
    model.retiredPropertyUIDs = [1000] + (2_000..<4_000).map { UID($0) }
    model.entities = (1...100).map { Entity(pair: IDPair(id: $0, uid: UID($0)), name: "E\($0)") }
    #expect(document.rendered(model).count < document.bytes.count + 100_000)
  }
}
