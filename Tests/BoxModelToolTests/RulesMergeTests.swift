import BoxJSON
import BoxMerge
import BoxModel
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxModelTool

/// The merge of files of rules by UID.
struct RulesMergeTests {
  private typealias Rules = [UID: RelationDeclaration]

  private static let uids: [UID] = Array(1...12)

  private static func declaration(_ uid: UID, _ random: inout SplitMix64) -> RelationDeclaration {
    var result = RelationDeclaration(relation: uid, name: "E.r\(uid)")
    let rule = random.pick(DeleteRule.allCases)
    if random.oneIn(2) { result.sourceRemoved = rule } else { result.targetRemoved = rule }
    if random.oneIn(4) { (result.sourceRemoved, result.targetRemoved) = (rule, .deny) }
    return result
  }

  /// A branch: declarations that come, go and change, and relations that are renamed.
  private static func edited(_ base: Rules, _ random: inout SplitMix64) -> Rules {
    var rules = base
    for uid in uids where random.oneIn(5) {
      switch random.below(3) {
      case 0: rules[uid] = nil
      case 1: rules[uid] = declaration(uid, &random)
      default: rules[uid]?.name = "Renamed.r\(random.below(3))"
      }
    }
    return rules
  }

  private static func text(_ rules: Rules) -> [UInt8] {
    Declarations(relations: rules.values.sorted { $0.relation < $1.relation }).text
  }

  @Test func theSetIsTheUnion() throws {
    var random = TestSeed.next()
    let kind = try #require(KeyedFile.kind(of: "app/model-App.rules.json"))
    var counts = (clean: 0, conflicts: 0)
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_RULES", default: 2_000) {
      var base: Rules = [:]
      for uid in Self.uids where random.oneIn(2) { base[uid] = Self.declaration(uid, &random) }
      let (ours, theirs) = (Self.edited(base, &random), Self.edited(base, &random))
      let merge = KeyedMerge(
        base: try JSONDocument(parsing: Self.text(base)),
        ours: try JSONDocument(parsing: Self.text(ours)),
        theirs: try JSONDocument(parsing: Self.text(theirs)), layout: kind.layout)
      let contested = Self.uids.filter {
        ours[$0] != base[$0] && theirs[$0] != base[$0] && ours[$0] != theirs[$0]
      }
      if contested.isEmpty {
        #expect(merge.conflicts.isEmpty, "\(merge.conflicts)")
      } else if !merge.conflicts.isEmpty {
        counts.conflicts += 1
      }
      let result = kind.normalize(merge.bytes(favoring: .ours))
      // Both may have taken one side of a relation each, and nothing is left.
      guard kind.problem(result) == nil else {
        #expect(!contested.isEmpty)
        continue
      }
      let merged = try DeclarationsDocument(parsing: result).declarations
      #expect(merged.text == result)
      for uid in Self.uids where !contested.contains(uid) {
        #expect(merged.relation(uid) == (ours[uid] == base[uid] ? theirs[uid] : ours[uid]))
      }
      if merge.conflicts.isEmpty {
        counts.clean += 1
        let other = KeyedMerge(
          base: try JSONDocument(parsing: Self.text(base)),
          ours: try JSONDocument(parsing: Self.text(theirs)),
          theirs: try JSONDocument(parsing: Self.text(ours)), layout: kind.layout)
        #expect(kind.normalize(other.bytes(favoring: .ours)) == result)
      }
    }
    print("merges: \(counts)")
    #expect(counts.clean > 0 && counts.conflicts > 0)
  }

  /// A file of rules has a name of the form of a model file, and is none.
  @Test func aFileOfRulesIsNoModel() throws {
    let paths = ["model-App.json", "model-App.rules.json", "objectbox-models/default.rules.json"]
    #expect(FilePattern.standard.matching(paths) == ["model-App.json"])
    #expect(KeyedFile.filePatterns.matching(paths) == Array(paths.dropFirst()))
  }
}
