import BoxMerge
import TestSupport
import Testing

/// The laws of merging, on generated merges.
///
/// `BOXJOINT_SOAK_MERGES` says how many.
struct MergeLawTests {
  private static let normalCount = 7000
  private static let normalSeed: UInt64 = 0x2026_1121

  /// Laws that do not hold everywhere yet, by their names, and what is known of it.
  ///
  /// Each is reported as a known issue with its smallest case when it is met. None loses a UID, lowers
  /// a last id or leads to a file that `check` refuses: those laws are not here.
  private static let knownGaps = [
    "symmetry in bytes": unshownStyle,
    "symmetry of all-ours in bytes": unshownStyle,
    "symmetry of all-theirs in bytes": unshownStyle,
    "merging again":
      "where two published models disagree about an id, a second merge may renumber again",
    "favor is all choices":
      "answering conflicts one by one may end in another sound model than favouring a side",
    "an uncontested id stays":
      "the law does not know that members of two entities that become one contest their ids",
    "taking back ends a conflict":
      "the law takes one edit back where several of them make the conflict",
    "forgotten is repaired, and that is said": ownerIsGone,
    "neverHad is repaired, and that is said": ownerIsGone,
  ]
  private static let unshownStyle =
    "a side that removed all that shows the key order of its generator is written in another"
  private static let ownerIsGone =
    "the law asks for a decision about an element whose entity the other side removed"

  @Test func lawsHold() async {
    let count = TestSeed.count("BOXJOINT_SOAK_MERGES", default: Self.normalCount)
    // The normal run is the same everywhere; new ground is broken by `scripts/soak`.
    let random = count > Self.normalCount ? UInt64.random(in: .min ... .max) : Self.normalSeed
    let seed = TestSeed.given ?? random
    print("lawsHold: BOXJOINT_SEED=0x\(String(seed, radix: 16))")
    let outcome = await LawRun(seed: seed, count: count, merge: { try $0.merged() })
      .run(progress: count > 50_000)
    print("\(outcome.merges) merges, \(outcome.clean) sound and without a conflict; situations:")
    print(outcome.situations.table())
    for (law, failure) in outcome.failures.sorted(by: { $0.key < $1.key }) {
      if let gap = Self.knownGaps[law] {
        withKnownIssue("\(gap)") { Issue.record("\(failure)") }
      } else {
        Issue.record("\(failure)")
      }
    }
    let least = min(300, count * 300 / Self.normalCount)
    for situation in 1...32 {
      let found = outcome.situations.counts[situation] ?? 0
      #expect(count < 1000 || found >= least, "situation \(situation)")
    }
  }
}
