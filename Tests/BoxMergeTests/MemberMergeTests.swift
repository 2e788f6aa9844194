import TestSupport
import Testing

@testable import BoxMerge

/// Objects that are merged member by member.
struct MemberMergeTests {
  private func merged(_ base: String, _ ours: String, _ theirs: String) -> String? {
    MemberMerge(base: base, ours: ours, theirs: theirs)?.merged()
  }

  private func text(_ members: [String: Int], _ random: inout SplitMix64) -> String {
    var keys = members.keys.sorted()
    keys.shuffle(using: &random)
    let gap = random.pick(["", " ", "\n  "])
    let parts = keys.map { "\(gap)\"\($0)\":\(gap)\(members[$0] ?? 0)" }
    return "{" + parts.joined(separator: ",") + gap + "}"
  }

  private func changed(_ members: [String: Int], _ random: inout SplitMix64) -> [String: Int] {
    var members = members
    for key in ["a", "b", "c", "d", "e"] where random.oneIn(2) {
      members[key] = random.oneIn(3) ? nil : random.below(3)
    }
    return members
  }

  /// Each member is that of the side that changed it, whatever their order and white space.
  @Test func eachMemberIsMergedByItself() throws {
    var random = TestSeed.next()
    var (merges, conflicts) = (0, 0)
    for _ in 0..<3000 {
      let base = changed([:], &random)
      let (ours, theirs) = (changed(base, &random), changed(base, &random))
      var expected: [String: Int]? = [:]
      for key in ["a", "b", "c", "d", "e"] {
        let isOurs = ours[key] != base[key]
        if isOurs, theirs[key] != base[key], ours[key] != theirs[key] {
          expected = nil
          break
        }
        expected?[key] = isOurs ? ours[key] : theirs[key]
      }
      let texts = [text(base, &random), text(ours, &random), text(theirs, &random)]
      let result = merged(texts[0], texts[1], texts[2])
      #expect(result.map(numbers) == expected)
      #expect(result.map(numbers) == merged(texts[0], texts[2], texts[1]).map(numbers))
      if !base.isEmpty { #expect(result == merged(texts[0], texts[2], texts[1])) }
      if expected == nil { conflicts += 1 } else { merges += 1 }
    }
    #expect(merges > 500)
    #expect(conflicts > 500)
  }

  /// The members of a flat object of numbers, read without the parser that the merge uses.
  private func numbers(_ text: String) -> [String: Int] {
    let parts = text.filter { !"{}\" \n".contains($0) }.split(separator: ",")
    let members = parts.map { $0.split(separator: ":") }
    return Dictionary(members.map { (String($0[0]), Int($0[1]) ?? -1) }) { first, _ in first }
  }

  @Test func keepsTheLayoutOfTheBase() {
    #expect(
      merged("{ \"a\": 1, \"b\": 2 }", "{\"a\":3,\"b\":2}", "{\"a\":1,\"b\":2,\"c\":[1, 2]}")
        == "{ \"a\": 3, \"b\": 2, \"c\": [1, 2] }")
    #expect(merged("{\"a\": 1}", "{}", "{\"a\": 1}") == "{}")
  }

  @Test func orderAndWhiteSpaceAreNoChange() {
    #expect(MemberMerge.areSame("{\"a\": [1, 2], \"b\": 2}", "{\"b\":2,\"a\":[1,2]}"))
    #expect(!MemberMerge.areSame("{\"a\": 1}", "{\"a\": 1, \"b\": 2}"))
    #expect(!MemberMerge.areSame("{\"a\": 1}", "{\"a\": 2}"))
    #expect(!MemberMerge.areSame("{\"a\": 1}", "1"))
  }

  @Test func otherValuesAreNotMerged() {
    #expect(merged("1", "{}", "{}") == nil)
    #expect(merged("{}", "[]", "{}") == nil)
    #expect(merged("{}", "{\"a\":1,\"a\":2}", "{}") == nil)
    #expect(merged("{}", "{\"\\u0061\":1}", "{\"a\":2}") == nil)
  }
}
