import BoxMerge
import TestSupport
import Testing

/// The law of published ids is strong enough to find what a merge could do wrong.
struct HistoryFaultTests {
  /// A fault of a merge in a team.
  enum Fault: String, CaseIterable, Sendable {
    case ignoresPublished, ignoresHistory

    func merge(_ input: MergeInput) throws -> MergeResult {
      var input = input
      switch self {
      case .ignoresPublished: input.published = .nothing
      case .ignoresHistory:
        for position in input.published.models.indices {
          input.published.models[position].history = nil
        }
      }
      return try input.merged()
    }
  }

  /// The number of histories within which each fault must be found.
  private static let limit = 1500

  @Test(arguments: Fault.allCases)
  func isCaught(_ fault: Fault) {
    let seed = TestSeed.value("\(fault)")
    for index in 0..<Self.limit {
      let one = LawRun.seed(index, of: seed)
      let steps = HistoryStep.random(one)
      let history = History(seed: one, steps: steps, merge: { try fault.merge($0) })
      if history.violations.contains(where: { $0.law.contains(" id ") }),
        History(seed: one, steps: steps, merge: { try $0.merged() }).violations.isEmpty
      {
        return
      }
    }
    Issue.record(
      "\(fault) stays unseen in \(Self.limit) histories, BOXJOINT_SEED=0x\(String(seed, radix: 16))"
    )
  }
}
