import BoxModel
import TestSupport
import Testing

/// `boxjoint recover`: its exit statuses, its streams, and its output for programs.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct RecoverCommandTests {
  private let repository: TemporaryRepository
  private let file = "objectbox-model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SampleModels.sound])
    try await repository.git("rm", "--quiet", file)
    try await repository.commit(message: "Delete the model")
  }

  @Test func theFileIsWrittenAndKept() async throws {
    let dry = try await repository.tool("recover")
    #expect(dry.status == 0)
    #expect(dry.text.hasPrefix("found objectbox-model.json in commit "))
    #expect(!repository.surroundings.exists(repository.path + "/" + file))

    let written = try await repository.tool("recover", "--output", file)
    #expect(written.status == 0)
    #expect(written.text.hasSuffix("written to objectbox-model.json\n"))
    #expect(try repository.text(of: file) == SampleModels.sound)

    try repository.write("{}", to: file)
    let refused = try await repository.tool("recover", "--output", file)
    #expect(refused.status == 2)
    #expect(refused.messages.contains("pass --force to replace it"))
    #expect(try repository.text(of: file) == "{}")
    #expect(try await repository.tool("recover", "-o", file, "--force").status == 0)
    #expect(try repository.text(of: file) == SampleModels.sound)
  }

  @Test func standardOutputHasTheFileAlone() async throws {
    let run = try await repository.tool("recover", "--output", "-")
    #expect(run.status == 0)
    #expect(run.text == SampleModels.sound)
    #expect(run.messages.contains("byte for byte"))
  }

  @Test func nothingFoundIsAFinding() async throws {
    let run = try await repository.tool("recover", "--skip", "git")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("no model was found\n"))
    #expect(run.messages.isEmpty)
    let json = try await repository.tool("recover", "--skip", "git", "--format", "json")
    #expect(json.status == 1)
    #expect(json.text.contains("\"result\": \"none\""))
    guard await SchemaValidator.isAvailable() else { return }
    #expect(
      try await SchemaValidator.violations(of: json.output, against: "recover.schema.json") == "")
  }

  @Test(arguments: [
    ["--fact", "Ant"], ["--force"], ["--only", "svn"], ["--format", "json", "--output", "-"],
  ])
  func mistakesAreWrongUsage(_ arguments: [String]) async throws {
    let run = try await runTool(
      ["recover"] + arguments, in: repository.path, environment: repository.environment)
    #expect(run.status == 64, "\(run.messages)")
  }

  @Test func theOutputForProgramsFollowsItsSchema() async throws {
    let run = try await repository.tool("recover", "--format", "json", "--output", "new.json")
    #expect(run.status == 0)
    guard await SchemaValidator.isAvailable() else { return }
    #expect(
      try await SchemaValidator.violations(of: run.output, against: "recover.schema.json") == "")
    #expect(run.text.contains("\"result\": \"found\""))
  }

  /// The check of a repository notices the loss before anything is committed.
  @Test func theCheckNoticesALostFile() async throws {
    try await repository.commit([file: SampleModels.sound])
    #expect(try await repository.tool("check").status == 0)
    repository.surroundings.removeEverything(repository.path + "/" + file)
    let missing = try await repository.tool("check")
    #expect(missing.status == 1)
    #expect(missing.text.contains("BOX211"))
    #expect(missing.text.contains("boxjoint recover"))
    try repository.write(
      SampleModels.sound.replacing("1000", with: "91000").replacing("1001", with: "91001")
        .replacing("2000", with: "92000").replacing("2001", with: "92001"), to: file)
    let again = try await repository.tool("check")
    #expect(again.status == 1)
    #expect(again.text.contains("the model was generated again"))
  }

  /// In CI the loss is committed already.
  @Test func theCheckOfACommitNoticesALostFile() async throws {
    try await repository.commit([file: SampleModels.sound, "README": "x"])
    try await repository.git("rm", "--quiet", file)
    try await repository.commit(message: "Delete it again")
    let missing = try await repository.tool("check", environment: ["CI": "true"])
    #expect(missing.status == 1)
    #expect(missing.text.contains("the commit before HEAD has it"))
    // A new model beside other files is begun on purpose, once the job of its commit has said so.
    try await repository.commit(["model-App.json": SampleModels.fixable])
    try await repository.commit(["README": "y"])
    #expect(
      !(try await repository.tool("check", environment: ["CI": "true"])).text.contains("BOX211"))
  }

  /// The removal is many commits old, and no generated code is there.
  @Test func anOldRemovalIsNamed() async throws {
    for number in 1...3 { try await repository.commit(["README": "\(number)"]) }
    let commit = try await repository.git("rev-parse", "HEAD~3").prefix(10)
    let check = try await repository.tool("check")
    #expect(check.status == 1)
    #expect(
      check.text.contains("the model file is missing, and commit \(commit) of "), "\(check.text)")
    #expect(check.text.contains("BOX211") && check.text.contains("boxjoint recover"))
    let plan = try await repository.tool("plan", "--against", "HEAD")
    #expect(plan.status == 74)
    #expect(plan.messages.contains("commit \(commit) of ") && plan.messages.contains("recover"))
    // A hook saw that commit, and is quick where there has never been a model.
    let hook = try await repository.tool(
      "check", "--if-model", environment: ["CI": nil, "GITHUB_ACTIONS": nil])
    #expect(hook.status == 0)
    let job = try await repository.tool("check", "--if-model", environment: ["CI": "true"])
    #expect(job.status == 1)
  }

  @Test func theCommitThatRemovedItIsNamedAndNotItsMerge() async throws {
    try await repository.commit([file: SampleModels.sound])
    try await repository.git("switch", "--quiet", "-c", "side")
    try await repository.git("rm", "--quiet", file)
    try await repository.commit(message: "Delete it on a branch")
    let commit = try await repository.git("rev-parse", "HEAD").prefix(10)
    try await repository.git("switch", "--quiet", "-")
    try await repository.commit(["README": "x"])
    try await repository.git("merge", "--quiet", "--no-edit", "side")
    try await repository.commit(["README": "y"])
    #expect(try await repository.tool("check").text.contains("and commit \(commit) of "))
  }

  @Test func aModelThatWasMovedIsNotLost() async throws {
    try await repository.commit([file: SampleModels.sound])
    try await repository.git("mv", file, "schema.json")
    try await repository.commit(message: "Move it")
    try await repository.commit(["README": "x"])
    let check = try await repository.tool("check")
    #expect(check.status == 64)
    #expect(check.messages.contains("no file that git tracks"))
  }
}
