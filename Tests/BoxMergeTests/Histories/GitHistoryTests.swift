import BoxMerge
import TestSupport
import Testing

/// Histories in real repositories, with the built program as the merge driver.
///
/// `BOXJOINT_SOAK_GIT_HISTORIES` says how many.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct GitHistoryTests {
  /// Every commit, and every answer that `resolve` takes, is that of the simulation, which obeys the
  /// law.
  @Test func gitWithTheDriverGivesWhatTheSimulationGives() async throws {
    let count = TestSeed.count("BOXJOINT_SOAK_GIT_HISTORIES", default: 80)
    let seed = TestSeed.value()
    let resolved = await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var resolved = 0
          for index in stride(from: task, to: count, by: 4) {
            resolved += await Self.replay(LawRun.seed(index, of: seed))
          }
          return resolved
        }
      }
      return await group.reduce(0, +)
    }
    print("\(count) histories in git, \(resolved) files resolved")
  }

  private static func replay(_ seed: UInt64) async -> Int {
    let steps = HistoryStep.random(seed, joins: 3)
    let history = History(seed: seed, steps: steps, merge: { try $0.merged() })
    // A break of a law is the matter of another test.
    guard history.violations.isEmpty else { return 0 }
    do {
      var replay = try await GitReplay(history)
      try await replay.run()
      return replay.resolved
    } catch {
      let script = history.log.enumerated().map { "\($0.offset + 1). \($0.element)" }
      Issue.record(
        "BOXJOINT_SEED=0x\(String(seed, radix: 16)): \(error)\n\(script.joined(separator: "\n"))")
      return 0
    }
  }
}
