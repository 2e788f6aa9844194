import BoxMerge
import TestSupport
import Testing

/// The law of histories: what the sources have keeps its UID, however branches were joined.
///
/// `BOXJOINT_SOAK_HISTORIES` says how many.
struct HistoryLawTests {
  @Test(.promise(34)) func noElementOfTheSourcesGetsANewUID() async {
    let count = TestSeed.count("BOXJOINT_SOAK_HISTORIES", default: 400)
    let run = HistoryRun(seed: TestSeed.value(), count: count, merge: { try $0.merged() })
    let outcome = await run.run()
    print(
      "\(outcome.histories) histories, \(outcome.merges) merges,",
      "\(outcome.comparisons) compared with a rebase; broken: \(outcome.broken.mapValues(\.count))")
    for (rule, count) in outcome.counts.sorted(by: { $0.key < $1.key }) {
      print("  \(rule) \(count)")
    }
    print(
      "  ids from commits that were never pushed: \(outcome.unpushedIDs); of teams",
      outcome.arrangements.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))
    print("  asked for the UIDs of \(outcome.demands) declarations")
    for exemption in SourceLaw.Exemption.allCases {
      print("  not asked, as \(exemption.rawValue): \(outcome.exemptions[exemption] ?? 0)")
    }
    #expect(outcome.unpushedIDs * 100 < max(outcome.histories, 500))
    #expect(outcome.comparisons * 20 > outcome.histories || count < 1000)
    for (law, seeds) in outcome.broken.sorted(by: { $0.key < $1.key }) {
      // One that is short is easier to read.
      let reports = seeds.prefix(5).map { run.report($0, law) }
      let report = reports.min { $0.utf8.count < $1.utf8.count } ?? law
      Issue.record("\(seeds.count) of \(outcome.histories) histories\n\(report)")
    }
  }
}
