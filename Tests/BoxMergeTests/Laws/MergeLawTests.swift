import BoxMerge
import TestSupport
import Testing

/// The laws of merging, on generated merges.
///
/// `BOXJOINT_SOAK_MERGES` says how many.
struct MergeLawTests {
  @Test func lawsHold() async {
    let seed = TestSeed.given ?? UInt64.random(in: .min ... .max)
    print("lawsHold: BOXJOINT_SEED=0x\(String(seed, radix: 16))")
    let count = TestSeed.count("BOXJOINT_SOAK_MERGES", default: 5000)
    let outcome = await LawRun(seed: seed, count: count, merge: { try $0.merged() })
      .run(progress: count > 50_000)
    print("\(outcome.merges) merges, \(outcome.clean) sound and without a conflict; situations:")
    print(outcome.situations.table())
    for failure in outcome.failures.values.sorted() { Issue.record("\(failure)") }
    let least = count * 300 / 5000 - (count < 5000 ? count * 100 / 5000 : 0)
    for situation in 1...32 {
      let found = outcome.situations.counts[situation] ?? 0
      #expect(count < 1000 || found >= least, "situation \(situation)")
    }
  }
}
