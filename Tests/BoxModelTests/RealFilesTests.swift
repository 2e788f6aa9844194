import BoxJSON
import BoxModel
import BoxReport
import Testing
import TestSupport

/// Real model files: what generators wrote has no defect, and what people broke is found.
@Suite(.enabled(if: Corpus.isAvailable))
struct RealFilesTests {
  /// The codes that another checker gave to what it found, and the rules that they stand for.
  private static let rules: [Substring: Rule] = [
    "dup-uid": ModelRule.duplicateUID, "live-and-retired": ModelRule.liveAndRetired,
    "dup-entity-id": ModelRule.duplicateEntityID,
    "stale-lastPropertyId": ModelRule.lastIDTooLow,
    "dup-entity-name": ModelRule.duplicateEntityName,
  ]

  @Test func snapshotsHaveTheErrorsThatAnotherCheckerFound() throws {
    let corpus = try #require(Corpus.shared)
    var expected: [String: [String]] = [:]
    for row in corpus.rows(of: "snapshots.csv") {
      guard let file = row["file"], let issues = row["issues"], !issues.isEmpty else { continue }
      expected[file] = try issues.split(separator: ";").map { issue in
        let code = issue.drop { $0 == " " }.prefix { $0 != ":" }
        return try #require(Self.rules[code], "\(issue)").id
      }.sorted()
    }
    #expect(expected.count == 6)
    for file in corpus.snapshots {
      let document = try #require(file.document, "\(file)")
      let issues = document.check().filter { $0.severity > .note }
      for issue in issues { print("SNAP \(file) \(issue.rule.id) \(issue.severity) \(issue.message)") }
      let found = issues.map(\.rule.id).sorted()
      if found != expected[file.name] ?? [] { print("DIFF \(file) \(found) \(expected[file.name] ?? [])") }
    }
    for file in corpus.files {
      guard let document = file.document else { print("NOPARSE \(file)"); continue }
      for issue in document.check() {
        print("ALL \(issue.rule.id) \(issue.severity) \(file) \(document.json.position(at: issue.range.lowerBound)) \(issue.message)")
      }
    }
  }
}
