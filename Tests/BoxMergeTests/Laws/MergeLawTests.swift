import BoxMerge
import TestSupport
import Testing

/// The laws of merging, on generated merges.
///
/// `BOXJOINT_SOAK_MERGES` says how many.
struct MergeLawTests {
  private static let normalCount = 1500

  @Test(.promise(115)) func lawsHold() async {
    let count = TestSeed.count("BOXJOINT_SOAK_MERGES", default: Self.normalCount)
    let outcome = await LawRun(seed: TestSeed.value(), count: count, merge: { try $0.merged() })
      .run(isLong: count > 50_000)
    print("\(outcome.merges) merges, \(outcome.clean) sound and without a conflict; situations:")
    print(outcome.situations.table())
    for (_, failure) in outcome.failures.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(failure)")
    }
    // At least one merge in 23 has each of the situations.
    let least = min(300, count * 3 / 70)
    for situation in 1...32 {
      let found = outcome.situations.counts[situation] ?? 0
      #expect(count < 1000 || found >= least, "situation \(situation)")
    }
  }
}
