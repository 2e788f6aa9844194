import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing

/// A text that is not a model, or only a part of one, is refused by the right rule at the right
/// place.
struct BadInputTests {
  private func refusal(_ text: String) -> ModelError? {
    do throws(ModelError) {
      _ = try ModelDocument(parsing: Array(text.utf8))
      return nil
    } catch {
      return error
    }
  }

  private func position(_ line: Int, _ column: Int) -> JSONPosition {
    JSONPosition(line: line, column: column)
  }

  @Test(arguments: [
    ("", "BOX102", 1, 1),
    ("not JSON", "BOX102", 1, 1),
    ("{\"entities\": [\n{\"id\": \"1:", "BOX102", 2, 11),
    ("[]", "BOX103", 1, 1),
    ("\n  {}", "BOX103", 2, 3),
    ("{\n  \"name\": \"app\", \"version\": \"1.0.0\", \"dependencies\": {}\n}", "BOX103", 1, 1),
    ("{\n  \"entities\": {}\n}", "BOX103", 2, 15),
    ("{\"Comment\": [], \"Entities\": [], \"LastEntityId\": \"0:0\"}", "BOX103", 1, 1),
    ("{\"id\": 1}\n{\"id\": 2}\n", "BOX103", 2, 1),
    ("\n{\"boxjoint\": {\"dump\": 1, \"model\": {}}, \"data\": {}}", "BOX103", 2, 1),
    ("{\"entities\": []} and more", "BOX102", 1, 18),
    ("{\n<<<<<<< ours\n  \"entities\": [],\n=======\n>>>>>>> theirs\n}", "BOX101", 2, 1),
  ])
  func isRefused(text: String, rule: String, line: Int, column: Int) throws {
    let error = try #require(refusal(text))
    #expect(error.rule.id == rule, "\(error)")
    #expect(error.position == position(line, column))
    #expect(!error.message.isEmpty)
  }

  /// Dumps in all shapes, as released versions wrote them.
  @Test(arguments: [
    "format-1/document", "format-1/directory/manifest.json", "format-1/types/document.json",
    "format-1/types/directory/manifest.json", "format-1/lines", "format-1/types/lines.ndjson",
  ])
  func aDumpIsNoModel(path: String) throws {
    let bytes = Corpus.fixture("dumps/\(path)").bytes
    #expect(!bytes.isEmpty)
    let error = try #require(refusal(String(decoding: bytes, as: UTF8.self)))
    #expect(error.rule == ModelRule.notAModel)
    #expect(error.message.contains("dump"), "\(error.message)")
  }

  @Test(arguments: [
    ("\"entities\": [5]", "BOX108", 2, 16),
    ("\"entities\": [{}]", "BOX107", 2, 16),
    ("\"entities\": [{\"id\": 5, \"name\": \"A\", \"properties\": []}]", "BOX108", 2, 23),
    ("\"entities\": [{\"id\": \"1\", \"name\": \"A\", \"properties\": []}]", "BOX109", 2, 23),
    ("\"entities\": [{\"id\": \"1:0\", \"name\": \"A\", \"properties\": []}]", "BOX110", 2, 23),
    ("\"entities\": [{\"id\": \"1:300\", \"name\": null, \"properties\": []}]", "BOX108", 2, 40),
    ("\"entities\": [{\"id\": \"1:300\", \"name\": \"A\", \"properties\": {}}]", "BOX108", 2, 59),
    ("\"entities\": [{\"id\": \"1:300\", \"name\": \"A\", \"properties\": [[]]}]", "BOX108", 2, 60),
    ("\"entities\": [], \"lastEntityId\": \"5:0\"", "BOX109", 2, 35),
    ("\"entities\": [], \"lastEntityId\": 5", "BOX108", 2, 35),
    ("\"entities\": [], \"modelVersion\": 5.5", "BOX108", 2, 35),
    ("\"entities\": [], \"retiredEntityUids\": 5", "BOX108", 2, 40),
    ("\"entities\": [], \"retiredEntityUids\": [\"5\"]", "BOX108", 2, 41),
    ("\"entities\": [], \"retiredEntityUids\": [0]", "BOX110", 2, 41),
    ("\"entities\": [], \"modelVersionParserMinimum\": 6", "BOX104", 2, 48),
  ])
  func hasADefectOfForm(members: String, rule: String, line: Int, column: Int) throws {
    let document = try ModelDocument(parsing: Array("{\n  \(members)\n}".utf8))
    #expect(!document.isComplete)
    let issue = try #require(document.formIssues.first)
    #expect(issue.rule.id == rule, "\(issue.message)")
    #expect(document.json.position(at: issue.range.lowerBound) == position(line, column))
    // Nothing that is left of the model leads to a crash elsewhere, and nothing is changed.
    #expect(document.check().contains(issue))
    #expect(document.rendered(document.model) == document.bytes)
    #expect(document.fixed().document.bytes == document.bytes)
    #expect(document.check(against: document) == [])
  }

  @Test(arguments: [
    ("\"entities\": [{\"id\": \"0:439\", \"name\": \"A\", \"properties\": []}]", "\"0:439\""),
    ("\"entities\": [{\"id\": \"0:0\", \"name\": \"A\", \"properties\": []}]", "\"0:0\""),
    ("\"entities\": [{\"id\": \"\", \"name\": \"A\", \"properties\": []}]", "\"\""),
    ("\"entities\": [{\"id\": \"01:5\", \"name\": \"A\", \"properties\": []}]", "\"01:5\""),
    ("\"entities\": [], \"lastEntityId\": \"0:439\"", "\"0:439\""),
    ("\"entities\": [], \"lastEntityId\": \"five\"", "\"five\""),
  ])
  func aPairThatIsNoneIsShown(members: String, text: String) throws {
    let document = try ModelDocument(parsing: Array("{\n  \(members)\n}".utf8))
    let issue = try #require(document.formIssues.first)
    #expect(issue.rule == ModelRule.malformedPair)
    #expect(issue.message.hasPrefix("\(text) is not an id: two numbers"))
  }

  @Test func nullForAListIsKept() throws {
    let text = """
      {
        "entities": [],
        "lastEntityId": "",
        "retiredEntityUids": [],
        "retiredRelationUids": null
      }
      """
    let document = try ModelDocument(parsing: Array(text.utf8))
    #expect(document.check() == [])
    #expect(document.model.retiredRelationUIDs == nil)
    var edited = document.model
    edited.retiredEntityUIDs = [300]
    let rendered = String(decoding: document.rendered(edited), as: UTF8.self)
    #expect(rendered.contains("\"retiredRelationUids\": null"))
    edited.retiredRelationUIDs = [301]
    let listed = String(decoding: document.rendered(edited), as: UTF8.self)
    #expect(listed.contains("\"retiredRelationUids\": [\n    301\n  ]"))
  }

  @Test func aRelationMayLackItsTarget() throws {
    let text = """
      {
        "entities": [
          {
            "id": "1:300",
            "lastPropertyId": "1:301",
            "name": "A",
            "properties": [
              {
                "id": "1:301",
                "name": "id"
              }
            ],
            "relations": [
              {
                "id": "1:302",
                "name": "others"
              }
            ]
          }
        ],
        "lastEntityId": "1:300",
        "lastRelationId": "1:302"
      }
      """
    let document = try ModelDocument(parsing: Array(text.utf8))
    let issues = document.check()
    #expect(issues.map(\.rule) == [ModelRule.targetUnset])
    #expect(issues.map(\.severity) == [.note])
    #expect(document.model.entities[0].relations?[0].target == .unset)
    var edited = document.model
    edited.entities[0].relations?[0].name = "more"
    let renamed = String(decoding: document.rendered(edited), as: UTF8.self)
    #expect(renamed == text.replacing("others", with: "more"))
    edited.entities[0].relations?[0].target = IDPair(id: 1, uid: 300)
    let aimed = String(decoding: document.rendered(edited), as: UTF8.self)
    #expect(aimed.contains("\"name\": \"more\",\n          \"targetId\": \"1:300\"\n"))
  }

  /// Generators of the current version write a target: without one no store opens.
  @Test(arguments: [
    ("", Severity.error), (", \"targetId\": \"\"", .warning), (", \"targetId\": \"0:0\"", nil),
  ])
  func aCurrentRelationHasATarget(member: String, severity: Severity?) throws {
    let text = """
      {
        "entities": [
          {
            "id": "1:300", "name": "A", "properties": [],
            "relations": [
              { "id": "1:302", "name": "others"\(member) }
            ]
          }
        ],
        "lastEntityId": "1:300",
        "lastRelationId": "1:302",
        "modelVersion": 5
      }
      """
    let document = try ModelDocument(parsing: Array(text.utf8))
    let issues = document.check().filter { $0.rule != ModelRule.idPropertyCount }
    if let severity {
      #expect(issues.map(\.rule) == [ModelRule.targetUnset])
      #expect(issues.map(\.severity) == [severity])
      #expect(issues.map(\.message) == ["A.others does not say which entity it refers to"])
      #expect(document.line(of: issues[0].range.lowerBound) == 6)
    } else {
      #expect(issues.map(\.rule) == [ModelRule.malformedPair])
    }
  }

  @Test(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
  func partsOfRealFilesAreRefused() throws {
    let corpus = try #require(Corpus.shared)
    var random = TestSeed.next()
    for file in corpus.snapshots {
      let bytes = file.bytes
      let cut = Array(bytes.prefix(random.below(bytes.count - 1)))
      let half = try #require(refusal(String(decoding: cut, as: UTF8.self)), "\(file)")
      #expect(half.rule == ModelRule.notJSON, "\(file) \(cut.count)")
    }
    for file in corpus.conflicted {
      let bytes = file.bytes
      let found = try #require(refusal(String(decoding: bytes, as: UTF8.self)), "\(file)")
      #expect(found.rule == ModelRule.conflictMarkers, "\(file)")
    }
  }
}

extension String {
  fileprivate func replacing(_ old: String, with new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
