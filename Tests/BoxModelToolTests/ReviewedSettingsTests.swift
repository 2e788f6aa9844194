import BoxMigration
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Settings of a change under review, which decide nothing about it.
struct ReviewedSettingsTests {
  private let repository: TemporaryRepository
  private let file = PlanSample.file
  private let base = "refs/heads/main"

  init() async throws {
    repository = try await PlanSample().repository
    try await repository.git("switch", "--quiet", "--create", "feature")
  }

  private static let openGates = [
    "plan:\n  ignore: [BOX302, BOX371, BOX317]\n",
    "plan:\n  severity: ['BOX302=note', 'BOX371=note', 'BOX317=note']\n",
    "plan:\n  fail-on: none\n", "files: [other.json]\n",
  ]

  @Test(arguments: openGates)
  func theSettingsOfTheChangeDoNotLetItPass(_ settings: String) async throws {
    try await repository.commit([file: PlanSample.changed.text, ".boxjoint.yml": settings])
    for run in [
      try await repository.plan(file, against: base),
      try await repository.plan(file, against: base) { $0.usesMergeBase = true },
      try await repository.plan(base + ":" + file, file),
      try await repository.plan(base + ":" + file, "HEAD:" + file),
      try await repository.plan(against: base),
    ] {
      #expect(run.outcome == .findings, "\(run)")
      #expect(run.text.contains("[BOX901 settings-changed]"), "\(run)")
      #expect(run.text.contains(".boxjoint.yml:"), "\(run)")
    }
    // On one's own machine the settings of the work tree count.
    if !settings.hasPrefix("files") {
      #expect(try await repository.plan("v1:" + file, file).outcome == .findings)
      try await repository.git("switch", "--quiet", "--detach")
      try repository.write(PlanSample.released.text, to: "old.json")
      #expect(try await repository.plan("old.json", file).outcome == .success)
    }
  }

  @Test func theSettingsOfTheBaseCount() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([".boxjoint.yml": "plan: {fail-on: [cost]}\n"])
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("stash", "pop", "--quiet")
    // The branch is older than the settings.
    for usesMergeBase in [true, false] {
      let run = try await repository.plan(file, against: base) { $0.usesMergeBase = usesMergeBase }
      #expect(run.outcome == .success, "\(run.text)")
      #expect(run.text.contains("sets 'plan.fail-on' to nothing, where refs/heads/main has [cost]"))
    }
    // What is named wins, wherever it is.
    try repository.write("plan: {fail-on: [data-loss]}\n", to: "strict.yml")
    for (config, outcome) in [
      (repository.path + "/strict.yml", ReportOutcome.findings),
      ("refs/heads/main:.boxjoint.yml", .success),
      ("HEAD:.boxjoint.yml", .failed(.inputOutput)),
    ] {
      for run in [
        try await repository.plan(file, against: base) { $0.configurationPath = config },
        try await repository.plan(file, against: base, environment: ["BOXJOINT_CONFIG": config]),
      ] {
        #expect(run.outcome == outcome, "\(config): \(run.messages)")
        #expect(!run.text.contains("BOX901"))
      }
    }
    let option = try await repository.plan(file, against: base) { $0.failOn = ["data-loss"] }
    #expect(option.outcome == .findings)
  }

  @Test func theNearestSettingsOfTheBaseMatchTheWorkingDirectory() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([
      ".boxjoint.yml": "plan: {fail-on: [data-loss]}\n",
      "app/.boxjoint.yml": "plan: {fail-on: none}\n", "app/x": "",
    ])
    try repository.write(PlanSample.changed.text, to: file)
    let below = try await repository.plan("../" + file, against: base, in: "app")
    #expect(below.outcome == .success, "\(below.text)")
    #expect(try await repository.plan(file, against: base).outcome == .findings)
  }

  @Test func settingsThatCannotBeReadAreSaid() async throws {
    try await repository.commit([
      file: PlanSample.changed.text, ".boxjoint.yml": "plan: {ignore: [nope]}\n",
    ])
    let run = try await repository.plan(file, against: base)
    #expect(run.outcome == .findings, "\(run.messages)")
    #expect(run.text.contains(".boxjoint.yml:1:17: warning: the settings of the change cannot"))
    #expect(run.text.contains("[BOX902 settings-unreadable]"))
  }

  @Test func theChangeDoesNotLeaveRulesOut() async throws {
    var model = PlanSample.released
    model.entities.removeLast()
    try await repository.commit([
      file: model.text, ".boxjoint.yml": "check: {ignore: [BOX202, BOX203, BOX122]}\n",
    ])
    let run = try await repository.check(against: base)
    #expect(run.outcome == .findings, "\(run.text)")
    #expect(run.text.contains("BOX202"), "\(run.text)")
    #expect(run.text.contains("sets 'check.ignore' to"))
    #expect(try await repository.check(file, against: base + ":" + file).outcome == .findings)
  }
}
