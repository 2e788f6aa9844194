import BoxMigration
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Claims that a change under review cannot make about itself.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ReviewedChangeTests {
  let sample: PlanSample
  var repository: TemporaryRepository { sample.repository }
  let file = PlanSample.file

  init() async throws {
    sample = try await PlanSample()
    try await repository.git("switch", "--quiet", "--create", "feature")
  }

  private func tool(_ words: [String]) async throws -> ProcessRun {
    try await runTool(words, in: repository.path, environment: repository.environment)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func everyFormatSaysIt() async throws {
    try await repository.commit([
      file: PlanSample.changed.text, ".boxjoint.yml": "plan:\n  ignore: ['BOX302:<b>']\n",
    ])
    for format in PlanFormat.allCases {
      let run = try await tool(
        ["plan", "--against", "refs/heads/main", "--format", format.rawValue, file])
      #expect(run.status == 1, "\(format): \(run.messages)")
      #expect(run.text.contains("BOX901"), "\(format): \(run.text)")
      #expect(format != .html || !run.text.contains("<b>"))
      if format == .json {
        let problems = try await SchemaValidator.violations(
          of: run.output, against: "plan.schema.json")
        #expect(problems == "")
      }
      // The place of the first element.
      if format == .github { #expect(run.text.contains("file=.boxjoint.yml,line=2,")) }
    }
    let check = try await tool(["check", "--against", "refs/heads/main", "--format", "json"])
    #expect(check.text.contains("BOX901"))
  }

  /// Files of the change do not take the place of its base.
  @Test func aFileByTheNameOfTheBaseIsNotTheBase() async throws {
    let forged = PlanSample.changed.text
    try await repository.commit([
      file: forged, "main": forged, "refs/heads/main": forged, "main:" + file: forged,
      "refs/heads/main:" + file: forged, "v*": "nothing", "HEAD:" + file: PlanSample.released.text,
    ])
    for words in [
      ["plan", "--against", "main", file], ["plan", "--against", "refs/heads/main", file],
      ["plan", "main:" + file, file], ["plan", "refs/heads/main:" + file, file],
      ["plan", "refs/heads/main:" + file, "HEAD:" + file],
      ["plan", "--all-tags", "v*", "--if-model", file], ["diff", "main:" + file, file],
    ] {
      #expect(try await tool(words).status == 1, "\(words)")
    }
    // Nor does a directory, which would be a store.
    try repository.write("", to: "v1:" + file + "/data.mdb")
    #expect(try await tool(["plan", "v1:" + file, file]).status == 1)
    var model = PlanSample.released
    model.entities.removeLast()
    try await repository.commit([file: model.text, "main": model.text])
    #expect(try await tool(["check", "--against", "main", file]).status == 1)
    let missing = try await tool(["plan", "gone:" + file, file])
    #expect(missing.status == 74)
    try repository.write(forged, to: "gone:" + file)
    let hint = try await tool(["show", "gone:" + file])
    #expect(hint.status == 74, "\(hint.messages)")
    #expect(hint.messages.contains("'./gone:\(file)'"), "\(hint.messages)")
    #expect(try await tool(["show", "./gone:" + file]).status == 0)
    #expect(try await tool(["show", "--textconv", "--", "gone:" + file]).status == 0)
  }

  /// A job that runs in a directory is somewhere else where the directory has become a link.
  @Test func aWorkingDirectoryThatHasBecomeALinkIsRefused() async throws {
    try await repository.git("stash", "--quiet")
    try repository.write(PlanSample.changed.text, to: "other/" + file)
    try await repository.commit(["app/" + file: PlanSample.released.text])
    try await repository.git("branch", "--force", "main", "HEAD")
    try await repository.git("rm", "--quiet", "-r", "app")
    #expect(symlink("other", repository.path + "/app") == 0)
    try await repository.commit()
    let run = try await repository.tool("plan", "--against", "refs/heads/main", file, in: "app")
    #expect(run.status == 64, "\(run.text)\(run.messages)")
    #expect(run.messages.contains("run the command in \(repository.path)"), "\(run.messages)")
  }

  @Test func theChangeDoesNotUnlockVersions() async throws {
    try await repository.git("stash", "--quiet")
    try await repository.git("switch", "--quiet", "main")
    #expect(try await tool(["lock", file]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    // Emptied: passes by itself, which is why there is a base.
    try repository.write(LockFile().text, to: ".boxjoint-lock.json")
    #expect(try await tool(["lock", "check"]).status == 0)
    let run = try await tool(["lock", "check", "--against", "refs/heads/main"])
    #expect(run.status == 1, "\(run.text)")
    #expect(run.messages.contains("the lock has no version"), "\(run.messages)")
  }

  /// The lock of converters is part of the change as much as the catalogue is.
  @Test func theChangeDoesNotUnlockConverters() async throws {
    func catalogue(_ value: Int) -> String {
      "properties:\n  User.role:\n    type: enum\n    values: {reader: 1, admin: \(value)}\n"
        + "    default: reader\n"
    }
    try await repository.git("switch", "--quiet", "--force", "main")
    try repository.write(catalogue(2), to: "converters.yml")
    #expect(try await tool(["converters", "lock"]).status == 0)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    try repository.write(catalogue(3), to: "converters.yml")
    #expect(try await tool(["converters", "lock", "--force"]).status == 0)
    let run = try await tool(["converters", "check", "--against", "refs/heads/main"])
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("BOX822"), "\(run.text)\(run.messages)")
  }
}
