import BoxMerge
import BoxModel
import TestSupport

/// Many random histories, on all processors.
struct HistoryRun: Sendable {
  struct Outcome: Sendable {
    var histories = 0
    var merges = 0
    var comparisons = 0
    /// The number of decisions and conflicts of each rule.
    var counts: [String: Int] = [:]
    /// The number of times that the law did not apply, by the reason.
    var exemptions: [SourceLaw.Exemption: Int] = [:]
    /// The number of declarations for which the law asked for a UID.
    var demands = 0
    /// The number of ids of elements that come back from a commit which was never pushed by itself.
    var unpushedIDs = 0
    /// The number of histories of each arrangement.
    var arrangements: [PublishedLines.Arrangement: Int] = [:]
    /// The seeds of histories that broke a law.
    var broken: [String: [UInt64]] = [:]

    mutating func add(_ other: Outcome) {
      histories += other.histories
      merges += other.merges
      comparisons += other.comparisons
      counts.merge(other.counts, uniquingKeysWith: +)
      exemptions.merge(other.exemptions, uniquingKeysWith: +)
      demands += other.demands
      unpushedIDs += other.unpushedIDs
      arrangements.merge(other.arrangements, uniquingKeysWith: +)
      broken.merge(other.broken, uniquingKeysWith: +)
    }
  }

  let seed: UInt64
  let count: Int
  let merge: MergeFunction

  func run(tasks: Int = 2) async -> Outcome {
    await withTaskGroup(of: Outcome.self) { group in
      for task in 0..<tasks {
        group.addTask {
          var outcome = Outcome()
          for index in stride(from: task, to: count, by: tasks) {
            outcome.add(one(LawRun.seed(index, of: seed)))
          }
          return outcome
        }
      }
      var total = Outcome()
      for await outcome in group { total.add(outcome) }
      return total
    }
  }

  private func one(_ seed: UInt64) -> Outcome {
    let steps = HistoryStep.random(seed)
    let history = History(seed: seed, steps: steps, merge: merge)
    var outcome = Outcome()
    outcome.histories = 1
    outcome.merges = history.merges
    outcome.comparisons = history.comparisons
    outcome.counts = history.counts
    outcome.exemptions = history.exemptions
    outcome.demands = history.demands
    outcome.unpushedIDs = history.unpushedIDs
    outcome.arrangements = [history.lines.arrangement: 1]
    if let law = history.violations.first?.law {
      outcome.broken[law] = [seed]
    }
    return outcome
  }

  /// The history of a seed without all that is not needed to break the law, as a script to read.
  func report(_ seed: UInt64, _ law: String) -> String {
    let steps = HistoryStep.random(seed)
    func broken(_ steps: [HistoryStep]) -> History? {
      let history = History(seed: seed, steps: steps, merge: merge)
      return history.violations.contains { $0.law == law } ? history : nil
    }
    var best = steps
    var index = best.count - 1
    while index >= 0 {
      var fewer = best
      fewer.remove(at: index)
      if broken(fewer) != nil { best = fewer }
      index -= 1
    }
    guard let history = broken(best) else { return "a history breaks the law only as a whole" }
    return
      (["\(law): again with BOXJOINT_SEED=0x\(String(seed, radix: 16))"]
      + history.log.enumerated().map { "\($0.offset + 1). \($0.element)" }
      + history.violations.map(\.message)
      + history.lastMerge.map { name, tree in
        "\(name) of the last merge:\n\(tree.map { sketch($0.model.model) } ?? "nothing")"
      }).joined(separator: "\n")
  }
}
