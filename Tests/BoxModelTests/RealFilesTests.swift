import BoxJSON
import BoxModel
import BoxReport
import TestSupport
import Testing

/// Real model files: what generators wrote has no defect, and what people broke is found.
@Suite(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
struct RealFilesTests {
  /// The codes that another checker gave to what it found, and the rules that they stand for.
  private static let rules: [Substring: Rule] = [
    "dup-uid": ModelRule.duplicateUID, "live-and-retired": ModelRule.liveAndRetired,
    "dup-entity-id": ModelRule.duplicateEntityID,
    "stale-lastPropertyId": ModelRule.lastIDTooLow,
    "dup-entity-name": ModelRule.duplicateEntityName,
  ]

  /// The rules of issues that the other checker did not look for, in test files of generators.
  ///
  /// These are a last id whose UID no element has, or an element with another id, an index with a
  /// UID of the pool, and the types and targets that a generator omits when it stops with an error.
  private static let others: [String: [Rule]] = [
    "objectbox__objectbox-generator__objectbox-model.expected-153d6f34.json": [
      ModelRule.targetUnset, ModelRule.targetUnset, ModelRule.targetUnset,
    ],
    "objectbox__objectbox-generator__objectbox-model.expected-5862251d.json": [
      ModelRule.targetUnset, ModelRule.targetUnset, ModelRule.targetUnset,
    ],
    "objectbox__objectbox-generator__objectbox-model.initial-ea88ed34.json": [
      ModelRule.typeMissing, ModelRule.typeMissing,
    ],
    "objectbox__objectbox-java-generator__uid-relation-b6103705.json": [
      ModelRule.targetUnset, ModelRule.typeMissing, ModelRule.typeMissing,
    ],
    "objectbox__objectbox-swift__model22-d057686d.json": [
      ModelRule.typeMissing, ModelRule.typeMissing, ModelRule.typeMissing,
    ],
    "objectbox__objectbox-swift__model25-6d2bcd8d.json": [ModelRule.typeMissing],
    "objectbox__objectbox-swift__model25-d57a2e78.json": [ModelRule.typeMissing],
    "objectbox__objectbox-java-generator__backlink-missing-42eb0b2d.json": [
      ModelRule.lastIDMismatch
    ],
    "objectbox__objectbox-java-generator__unique-generated-0dc35679.json": [
      ModelRule.lastIDUnknown
    ],
    "objectbox__objectbox-swift__model19-5d60c259.json": [
      ModelRule.offeredAndUsed, ModelRule.typeMissing, ModelRule.typeMissing,
      ModelRule.typeMissing,
    ],
    "objectbox__objectbox-swift__model19-baea0c2d.json": [
      ModelRule.offeredAndUsed, ModelRule.typeMissing, ModelRule.typeMissing,
      ModelRule.typeMissing,
    ],
    "relaystr__ndk__objectbox-model-ebedd7af.json": [ModelRule.lastIDMismatch],
  ]

  @Test(.promise(112)) func snapshotsHaveTheErrorsThatAnotherCheckerFound() throws {
    let corpus = try #require(Corpus.shared)
    var expected = Self.others.mapValues { $0.map(\.id) }
    var listed = 0
    for row in corpus.rows(of: "snapshots.csv") {
      guard let file = row["file"], let issues = row["issues"], !issues.isEmpty else { continue }
      listed += 1
      expected[file, default: []] += try issues.split(separator: ";").map { issue in
        let code = issue.drop { $0 == " " }.prefix { $0 != ":" }
        return try #require(Self.rules[code], "\(issue)").id
      }
    }
    #expect(listed == 6)
    for file in corpus.snapshots {
      let document = try #require(file.document, "\(file)")
      let found = document.check().filter { $0.severity > .note }.map(\.rule.id).sorted()
      #expect(found == expected[file.name, default: []].sorted(), "\(file)")
    }
  }

  @Test(.promise(5)) func everyModelCanBeEdited() throws {
    let corpus = try #require(Corpus.shared)
    var count = 0
    for file in corpus.files {
      guard let document = file.document else { continue }
      count += 1
      #expect(document.isComplete, "\(file): \(document.formIssues.map(\.message))")
    }
    print("models: \(count)")
  }

  /// The check finds the changes in steps of real histories that another program counted; that
  /// program looked at entities and properties.
  @Test func stepsHaveTheIssuesThatAnotherProgramCounted() throws {
    let corpus = try #require(Corpus.shared)
    var steps = 0
    var counts: [String: Int] = [:]
    var regenerated: [String] = []
    for (step, kinds) in corpus.evolutionKinds {
      guard let old = step.old.document, let new = step.new.document else { continue }
      steps += 1
      #expect(new.check(against: new).isEmpty, "\(step.new)")
      let rules = Set(new.check(against: old).map(\.rule))
      for rule in rules { counts[rule.name, default: 0] += 1 }
      if kinds["regenerated"] ?? 0 > 0 { continue }
      // What the other program counts is found; that looks at less: at no counters of properties,
      // and at a property that is in another entity as if it were a new one.
      for (rule, kind) in [
        (ModelRule.typeChanged, "prop_retype"), (ModelRule.idChanged, "id_changed_same_uid"),
        (ModelRule.lastIDLowered, "last_id_decreased"),
      ] where kinds[kind] ?? 0 > 0 {
        #expect(rules.contains(rule), "\(step.old) \(step.new) \(rule.name)")
      }
      if rules.contains(ModelRule.regenerated) { regenerated.append("\(step.new)") }
    }
    print("regenerated for this check only: \(regenerated)")
    #expect(regenerated.count < 5)
    print("steps: \(steps), with an issue: \(counts.sorted { $0.key < $1.key })")
  }
}
