import BoxMerge
import BoxModel
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Conflicted files as git and its users leave them, and their resolution.
struct ResolvedFilesTests {
  private let file = "model.json"

  private func resolve(
    _ files: String..., in repository: TemporaryRepository,
    _ change: (inout ResolveRequest) -> Void = { _ in }
  ) async throws -> RequestRun {
    var request = ResolveRequest(files.map { repository.here($0) })
    change(&request)
    return try await repository.run { place in
      let report = try await request.run(in: place)
      return (report.outcome, report.text)
    }
  }

  @Test(arguments: ["merge", "diff3", "zdiff3"])
  func whatGitLeftIsResolvedWithoutAQuestion(style: String) async throws {
    let repository = try await conflicted(
      SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000), style: style)
    #expect(try repository.text(of: file).contains("<<<<<<<"))
    let run = try await resolve(in: repository)
    #expect(run.outcome == .success, "\(run)")
    #expect(run.text.contains("model.json: staged"))
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.pairs["Ant"] == "2:2000")
    #expect(facts.pairs["Bear"] == "3:3000")
    #expect(facts.errors == [])
    #expect(try await repository.git("ls-files", "--unmerged") == "")
    #expect(repository.surroundings.names(in: repository.path) == [".git", file])
    let again = try await resolve(in: repository)
    #expect(again.outcome == .success)
    #expect(again.text == "no model file is conflicted\n")
  }

  /// Markers are enough where git's index has forgotten the versions.
  @Test(arguments: ["merge", "diff3", "zdiff3"], [true, false])
  func markersInACommittedFileAreResolved(style: String, isInRepository: Bool) async throws {
    let repository = try await renamed(style: style)
    let text = try repository.text(of: file)
    let directory = try TemporaryDirectory()
    if isInRepository {
      try await repository.git("add", file)
      let run = try await resolve(in: repository) {
        $0.options.favor = .ours
        $0.options.stages = false
      }
      #expect(run.outcome == .success, "\(run)")
    } else {
      try directory.write(text, to: file)
      var request = ResolveRequest([directory.path(of: file)])
      request.options.favor = .ours
      let report = try await request.run(
        in: Workspace(
          git: GitClient(in: directory.path, environment: repository.environment),
          directory: directory.path))
      #expect(report.outcome == .success)
    }
    let result = isInRepository ? try repository.text(of: file) : try directory.text(of: file)
    let facts = try ModelFacts(result)
    #expect(facts.pairs["Memo"] == "1:1000")
    #expect(facts.errors == [])
    let original =
      isInRepository
      ? try repository.text(of: file + ".orig") : try directory.text(of: file + ".orig")
    #expect(original == text)
  }

  @Test func aFileThatWasEditedIsKept() async throws {
    let repository = try await conflicted(
      SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000))
    try repository.write("{\"edited\": true}", to: file)
    let run = try await resolve(file, in: repository)
    #expect(run.outcome == .success, "\(run.text)")
    #expect(run.text.contains("was edited since it conflicted"))
    #expect(try repository.text(of: file + ".orig") == "{\"edited\": true}")
    #expect(try ModelFacts(try repository.text(of: file)).errors == [])
  }

  @Test func aFileThatASideRemovedIsLeftToGit() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.git("rm", "--quiet", file)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.with("Ant", uid: 2000).text])
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    let before = try repository.text(of: file)
    let run = try await resolve(in: repository) { $0.options.favor = .ours }
    #expect(run.outcome == .findings)
    #expect(run.text.contains("git rm model.json"))
    #expect(run.text.contains("git add model.json"))
    #expect(try repository.text(of: file) == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
  }

  @Test func aReadOnlyFileIsLeftAsItWas() async throws {
    let repository = try await renamed()
    let before = try repository.text(of: file)
    chmod(repository.path + "/" + file, 0o444)
    let run = try await resolve(in: repository) { $0.options.favor = .ours }
    #expect(run.outcome == .failed(.inputOutput))
    #expect(run.messages.contains("the file is read-only"))
    #expect(try repository.text(of: file) == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
  }

  @Test func aSymbolicLinkToAConflictedFileStaysOne() async throws {
    let repository = try await renamed()
    symlink(file, repository.path + "/link.json")
    let run = try await resolve("link.json", in: repository) { $0.options.favor = .ours }
    #expect(run.outcome == .success, "\(run)")
    #expect(try ModelFacts(try repository.text(of: "link.json")).pairs["Memo"] == "1:1000")
    let target = try await ProcessRun.of("readlink", ["link.json"], in: repository.path)
    #expect(target.text == "model.json\n")
  }

  @Test func aRegeneratedSideIsMatchedWhenTold() async throws {
    let regenerated = SmallModel([
      .init(id: 1, uid: 9000, name: "Note", properties: [.init(id: 2, uid: 9002, name: "text")]),
      .init(id: 2, uid: 9100, name: "Bear"),
    ])
    let repository = try await conflicted(SmallModel.with("Ant", uid: 2000), regenerated)
    let before = try repository.text(of: file)
    let run = try await resolve(in: repository)
    #expect(run.outcome == .failed(.impossible))
    #expect(run.text.contains("BOX591"))
    #expect(run.text.contains("boxjoint resolve --rematch model.json"))
    #expect(
      run.text.contains("when matched again: matched theirs by name and type: kept 1 of 1 entity"))
    #expect(try repository.text(of: file) == before)
    let told = try await resolve(file, in: repository) { $0.options.rematches = true }
    #expect(told.outcome == .success, "\(told)")
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.pairs["Note"] == "1:1000")
    #expect(facts.pairs["Note.text"] == "2:1002")
    #expect(facts.pairs["Ant"] == "2:2000")
    #expect(facts.pairs["Bear"] == "3:9100")
    #expect(facts.errors == [])
    #expect(facts.uids.isSuperset(of: [1000, 1002, 2000, 9000, 9001, 9002, 9100]))
  }

  @Test func otherConflictedFilesAreLeftAlone() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["default.json": "{\"a\": 1}\n", "note.txt": "1\n"])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.commit(["default.json": "{\"a\": 2}\n", "note.txt": "2\n"])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["default.json": "{\"a\": 3}\n", "note.txt": "3\n"])
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    let run = try await resolve(in: repository) { $0.options.favor = .ours }
    #expect(run.outcome == .success)
    #expect(run.text == "no model file is conflicted\n")
  }

  // MARK: - Preparations

  /// A merge by git alone that left the model file conflicted.
  private func conflicted(
    _ ours: SmallModel, _ theirs: SmallModel, style: String = "merge"
  ) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository()
    try await repository.git("config", "merge.conflictStyle", style)
    try await repository.commit([file: SmallModel.base.text])
    try await branchOff(repository, file, ours, theirs)
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    return repository
  }

  /// Both branches renamed the entity.
  private func renamed(
    style: String = "merge"
  ) async throws -> TemporaryRepository {
    try await conflicted(
      SmallModel([SmallModel.note(name: "Memo")]), SmallModel([SmallModel.note(name: "Letter")]),
      style: style)
  }
}
