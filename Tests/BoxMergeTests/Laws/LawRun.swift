import BoxMerge
import TestSupport

/// Many cases, on all processors.
struct LawRun: Sendable {
  /// The result of a range of cases.
  struct Outcome: Sendable {
    var situations = SituationCounter()
    var merges = 0
    var clean = 0
    /// A report for each law that was broken, by its name.
    var failures: [String: String] = [:]
  }

  let seed: UInt64
  let count: Int
  let merge: MergeFunction

  /// The seed of a case; that of the first is the seed of the run, so that a failing one alone
  /// shows the failure again.
  static func seed(_ index: Int, of seed: UInt64) -> UInt64 {
    if index == 0 { return seed }
    var generator = SplitMix64(seed: seed &+ UInt64(index))
    return generator.next()
  }

  /// Runs the cases; a run that takes long says how far it is, and what it found, at once.
  func run(tasks: Int = 2, isLong: Bool = false) async -> Outcome {
    await withTaskGroup(of: Outcome.self) { group in
      for task in 0..<tasks {
        group.addTask { self.run(task, of: tasks, isLong: isLong) }
      }
      var total = Outcome()
      for await outcome in group {
        total.situations.add(outcome.situations)
        total.merges += outcome.merges
        total.clean += outcome.clean
        total.failures.merge(outcome.failures) { first, _ in first }
      }
      return total
    }
  }

  private func run(_ task: Int, of tasks: Int, isLong: Bool) -> Outcome {
    var outcome = Outcome()
    for index in stride(from: task, to: count, by: tasks) {
      let testCase = CaseGenerator.make(seed: Self.seed(index, of: seed))
      outcome.merges += 1
      if isLong, task == 0, outcome.merges % 10_000 == 0 {
        print("\(outcome.merges * tasks) merges")
      }
      do {
        outcome.situations.count(testCase, try testCase.input())
      } catch {}
      let (violations, isClean) = MergeLaws.checked(testCase, merge)
      if isClean { outcome.clean += 1 }
      for law in Set(violations.map(\.law)) where outcome.failures[law] == nil {
        let report = Self.report(testCase, law, merge)
        outcome.failures[law] = report
        if isLong { print(report) }
      }
    }
    return outcome
  }

  private static func report(
    _ testCase: MergeCase, _ law: String, _ merge: @escaping MergeFunction
  ) -> String {
    let small = shrunk(testCase) { candidate in
      MergeLaws.violations(of: candidate, merge).contains { $0.law == law }
    }
    let left = MergeLaws.violations(of: small, merge).filter { $0.law == law }
    if left.isEmpty || small.baseScript.isEmpty {
      return "a law is broken; again with BOXJOINT_SEED=0x\(String(testCase.seed, radix: 16))\n"
        + "\(MergeLaws.violations(of: testCase, merge))\n\(testCase)"
    }
    return
      (["a law is broken; again with BOXJOINT_SEED=0x\(String(testCase.seed, radix: 16))"]
      + left.map(\.description) + [small.description]).joined(separator: "\n")
  }

  /// The case without every edit that the failure does not need.
  static func shrunk(_ testCase: MergeCase, while fails: (MergeCase) -> Bool) -> MergeCase {
    var best = testCase
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smaller(best) where fails(candidate) {
        best = candidate
        isSmaller = true
        break
      }
    }
    return best
  }

  private static func smaller(_ testCase: MergeCase) -> [MergeCase] {
    var result: [MergeCase] = []
    for side in MergeSide.allCases {
      result += testCase.script(side).indices.map { testCase.without($0, of: side) }
    }
    for k in testCase.published.indices {
      var candidate = testCase
      candidate.published.remove(at: k)
      result.append(candidate)
    }
    for k in testCase.tail.indices {
      var candidate = testCase
      candidate.tail.remove(at: k)
      result.append(candidate)
    }
    for k in testCase.baseScript.indices {
      var candidate = testCase
      candidate.baseScript.remove(at: k)
      result.append(candidate)
    }
    if testCase.baseDialect != .dart || !testCase.isOfOneDialect {
      var candidate = testCase
      candidate.baseDialect = .dart
      candidate.dialects = [.ours: .dart, .theirs: .dart]
      result.append(candidate)
    }
    return result
  }
}
