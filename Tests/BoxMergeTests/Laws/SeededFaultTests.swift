import BoxMerge
import TestSupport
import Testing

/// The laws are strong enough to find every fault that was thought of.
struct SeededFaultTests {
  /// The number of generated merges within which each fault must be found.
  private static let limit = 1500

  @Test(arguments: SeededFault.allCases)
  func isCaught(_ fault: SeededFault) {
    let seed = TestSeed.value("\(fault)")
    for index in 0..<Self.limit {
      let testCase = CaseGenerator.make(seed: LawRun.seed(index, of: seed))
      let violations = MergeLaws.violations(of: testCase) { try fault.merge($0) }
      if violations.isEmpty { continue }
      if MergeLaws.violations(of: testCase, { try $0.merged() }).isEmpty { return }
    }
    Issue.record(
      "\(fault) stays unseen in \(Self.limit) merges, BOXJOINT_SEED=0x\(String(seed, radix: 16))")
  }
}
