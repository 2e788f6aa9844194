import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Changes that replace a model, or the directory that it is in.
struct ReviewedPlacesTests {
  private let repository: TemporaryRepository
  private static let base = "refs/heads/main"
  private static let model = "app/objectbox-model.json"

  /// Tag is gone, and nothing says so: an error to `check` too.
  private static let lossy: String = {
    var model = PlanSample.released
    model.entities.removeLast()
    return model.text
  }()

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["README": ""])
  }

  private typealias Change = @Sendable (inout ChangeRequest) -> Void

  private static let gates: [(name: String, change: Change)] = [
    ("plan", { _ in }), ("plan --merge-base", { $0.usesMergeBase = true }),
    ("plan --if-model", { $0.isOptional = true }),
  ]

  private static let job: [String: String?] = ["CI": "true", "GITHUB_ACTIONS": nil]

  /// Runs the gates on a model, and expects each of them to end with an outcome.
  private func expectGates(
    _ outcome: ReportOutcome, _ words: String..., on file: String = model,
    in directory: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for (gate, change) in Self.gates {
      let run = try await repository.plan(
        file, against: Self.base, in: directory, environment: Self.job, change)
      #expect(run.outcome == outcome, "\(gate) \(run)", sourceLocation: sourceLocation)
      for word in words {
        #expect(
          (run.text + run.messages).contains(word), "\(gate) \(run)",
          sourceLocation: sourceLocation)
      }
    }
    let run = try await repository.check(
      file, against: Self.base, in: directory, environment: Self.job)
    #expect(run.outcome == outcome, "check \(run)", sourceLocation: sourceLocation)
    // What is an error to both is called by other words.
    for word in words where outcome > .findings {
      #expect(
        (run.text + run.messages).contains(word), "check \(run)", sourceLocation: sourceLocation)
    }
  }

  private func checkConverters(in directory: String? = nil) async throws -> RequestRun {
    var request = ConverterCheckRequest()
    request.against = Self.base
    return try await repository.run(in: directory, environment: Self.job) { place in
      let check = try await request.run(in: place)
      return (check.outcome, check.report.render(.text))
    }
  }

  private func checkLock(in directory: String? = nil) async throws -> RequestRun {
    try await repository.run(in: directory, environment: Self.job) { place in
      let (report, failure) = try await LockRequest().check(against: Self.base, in: place)
      if let failure { throw failure }
      return (report.hasEdits ? .findings : .success, report.text)
    }
  }

  private func branch() async throws {
    try await repository.git("switch", "--quiet", "--create", "change")
  }

  private func link(_ target: String, at name: String) throws {
    unlink(repository.path + "/" + name)
    #expect(symlink(target, repository.path + "/" + name) == 0)
  }

  // MARK: - Submodules

  /// A repository of the author of a change.
  private func stranger(_ files: [String: String]) async throws -> TemporaryRepository {
    let stranger = try await TemporaryRepository()
    try await stranger.commit(files)
    return stranger
  }

  private func addSubmodule(
    _ other: TemporaryRepository, at path: String, in directory: String = "."
  ) async throws {
    try await repository.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://" + other.path,
      path, in: directory)
  }

  @Test func aSubmoduleIsHeldAgainstTheDirectoryThatItReplaces() async throws {
    try await repository.commit([Self.model: PlanSample.released.text])
    try await branch()
    let stranger = try await stranger(["objectbox-model.json": Self.lossy])
    try await repository.git("rm", "--quiet", "-r", "app")
    try await addSubmodule(stranger, at: "app")
    try await repository.commit()
    try await expectGates(.findings)
    let unnamed = try await repository.plan(against: Self.base, environment: Self.job) {
      $0.isOptional = true
    }
    #expect(unnamed.outcome == .findings, "\(unnamed.messages)")
    #expect(unnamed.text.contains("Tag"), "\(unnamed.messages)")
    // The base of a job that runs in the directory would be the stranger's.
    let own = "refs/remotes/origin/main"
    try await repository.git("update-ref", own, "main")
    for ci in [true, false] {
      let inside = try await repository.plan(
        "objectbox-model.json", against: own, in: "app", environment: ci ? Self.job : [:])
      #expect(inside.outcome == .failed(.usage), "\(inside.text)")
      #expect(inside.messages.contains("this is a submodule of \(repository.path)"))
    }
  }

  @Test func aSubmoduleIsHeldAgainstTheCommitThatTheBaseNames() async throws {
    let library = try await stranger(["schema/model.json": PlanSample.released.text])
    try await addSubmodule(library, at: "deps/library")
    try await repository.commit()
    try await branch()
    let file = "deps/library/schema/model.json"
    try await expectGates(.success, on: file)
    try await library.commit(["schema/model.json": Self.lossy])
    try await repository.git("pull", "--quiet", in: "deps/library")
    try await repository.commit()
    try await expectGates(.findings, "Tag", on: file)
    try await expectGates(.findings, "Tag", on: "library/schema/model.json", in: "deps")
    // Whoever works in a submodule means its own history.
    let inside = try await repository.plan(
      "schema/model.json", against: "refs/remotes/origin/main", in: "deps/library")
    #expect(inside.outcome == .success, "\(inside.messages)")
    // Another repository in its place has no such commit.
    try await repository.git("rm", "--quiet", "--force", "deps/library")
    #expect(rename(repository.path + "/.git/modules", repository.path + "/.git/old") == 0)
    try await addSubmodule(
      try await stranger(["schema/model.json": Self.lossy]), at: "deps/library")
    try await repository.commit()
    try await expectGates(.failed(.inputOutput), "that commit is not here", on: file)
    // Nor has a directory.
    try await repository.git("rm", "--quiet", "--force", "deps/library")
    try await repository.commit([file: Self.lossy])
    try await expectGates(
      .failed(.inputOutput), "this is a submodule, but not here", on: file)
  }

  @Test func submodulesInSubmodulesAreFollowed() async throws {
    let inner = try await stranger(["model.json": PlanSample.released.text])
    let outer = try await stranger(["README": ""])
    try await outer.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://" + inner.path,
      "inner")
    try await outer.commit()
    try await addSubmodule(outer, at: "outer")
    try await repository.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init",
      "--recursive")
    // The link is one of the outer repository.
    try link("outer/inner", at: "schema")
    try await repository.commit()
    try await branch()
    try repository.write(Self.lossy, to: "outer/inner/model.json")
    try await expectGates(.findings, "Tag", on: "outer/inner/model.json")
    try await expectGates(.findings, "Tag", on: "schema/model.json")
  }

  // MARK: - Links

  @Test func aLinkIsFollowedAsTheBaseHasIt() async throws {
    try await repository.commit([
      "v1/objectbox-model.json": PlanSample.released.text, "v1/file.txt": PlanSample.released.text,
      "v2/objectbox-model.json": Self.lossy,
    ])
    try link("current", at: "app")
    try link("v1", at: "current")
    try link("../v1/objectbox-model.json", at: "v2/model.json")
    try await repository.commit()
    try await branch()
    try await expectGates(.success)
    // Another directory, at the end of two links.
    try link("v2", at: "current")
    try await repository.commit()
    try await expectGates(.findings, "Tag")
    // Another file.
    try link("objectbox-model.json", at: "v2/model.json")
    try await repository.commit()
    try await expectGates(.findings, "Tag", on: "v2/model.json")
  }

  @Test func aLinkOfTheBaseThatLeadsOutIsRefused() async throws {
    try repository.surroundings.write(PlanSample.released.text, to: "out/objectbox-model.json")
    try link("../out", at: "app")
    try await repository.commit(["v2/objectbox-model.json": Self.lossy])
    try await branch()
    try link("v2", at: "app")
    try await repository.commit()
    try await expectGates(.failed(.inputOutput), "leads out of the repository")
  }

  /// A report with the lines of a file may be read by everybody.
  @Test func aModelOutsideOfTheRepositoryIsNotRead() async throws {
    try repository.surroundings.write("password: 1234\n", to: "secret")
    try await repository.commit([
      Self.model: PlanSample.released.text, ".boxjoint.yml": "files: [x]\n",
    ])
    try await branch()
    try link("../../secret", at: Self.model)
    try link("../secret", at: ".boxjoint.yml")
    try await repository.commit()
    try await expectGates(.failed(.inputOutput), "'\(Self.model)' leads out of the work tree")
    let revision = try await repository.check(
      Self.model, against: Self.base, environment: Self.job)
    #expect(!(revision.text + revision.messages).contains("1234"))
    #expect(revision.text.contains("BOX902"), "\(revision.text)")
    try await repository.git("rm", "--quiet", ".boxjoint.yml")
    try link("../secret", at: "converters.yml")
    let converters = try await checkConverters()
    #expect(converters.outcome == .failed(.inputOutput), "\(converters.text)\(converters.messages)")
    #expect(!(converters.text + converters.messages).contains("1234"))
    let named = try await repository.plan(
      Self.base + ":" + Self.model, Self.model, environment: Self.job)
    #expect(named.outcome == .failed(.inputOutput), "\(named.text)\(named.messages)")
  }

  /// A job that runs in a directory is somewhere else where the directory has become a link.
  @Test(arguments: [false, true])
  func aWorkingDirectoryThatHasBecomeALinkIsRefused(wasLink: Bool) async throws {
    try await repository.commit([
      Self.model: PlanSample.released.text, "app/.boxjoint-lock.json": "{}",
      "other/objectbox-model.json": Self.lossy,
    ])
    if wasLink {
      try await repository.git("mv", "app", "real")
      try link("real", at: "app")
      try await repository.commit()
    }
    try await branch()
    let file = "objectbox-model.json"
    try await expectGates(.success, on: file, in: "app")
    if !wasLink { try await repository.git("rm", "--quiet", "-r", "app") }
    try link("other", at: "app")
    try await repository.commit()
    try await expectGates(
      .failed(.usage), "run the command in \(repository.path)", on: file, in: "app")
    for run in [
      try await repository.plan(against: Self.base, in: "app", environment: Self.job),
      try await checkLock(in: "app"), try await checkConverters(in: "app"),
    ] {
      #expect(run.outcome == .failed(.usage), "\(run.messages)")
    }
    try await expectGates(.findings, "Tag")
    // A link that leads elsewhere, and one that was nothing before, do no harm.
    try await repository.git("switch", "--quiet", "--create", "second", Self.base)
    try link("app", at: "alias")
    try await repository.commit()
    try await expectGates(.success, on: file, in: "app")
  }

  // MARK: - Several models

  @Test func eachModelOfTheBaseThatIsGoneIsSeen() async throws {
    try await repository.commit([
      "a/objectbox-model.json": PlanSample.released.text,
      "b/objectbox-model.json": SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "B")]).text,
    ])
    try await branch()
    try await repository.git("rm", "--quiet", "-r", "a")
    try await repository.commit()
    func expectRefusal(_ word: String, in directory: String? = nil) async throws {
      for isOptional in [false, true] {
        let run = try await repository.plan(
          against: Self.base, in: directory, environment: Self.job
        ) { $0.isOptional = isOptional }
        #expect(run.outcome == .failed(.usage), "\(run)")
        #expect(run.messages.contains(word), "\(run)")
      }
    }
    try await expectRefusal("now removed (a/objectbox-model.json)")
    try await expectRefusal("now removed (a/objectbox-model.json)", in: "b")
    let named = try await repository.plan(
      "b/objectbox-model.json", against: Self.base, environment: Self.job)
    #expect(named.outcome == .success)
    // A move of the one that is left hides nothing.
    try await repository.git("mv", "b", "c")
    try await repository.commit()
    try await expectRefusal("now removed (a/objectbox-model.json)")
  }

  @Test func aLinkToAnotherFileDoesNotHideTheModelThatIsGone() async throws {
    try await repository.commit([Self.model: PlanSample.released.text, "fixture.txt": Self.lossy])
    try await branch()
    try await repository.git("rm", "--quiet", "-r", "app")
    try link("fixture.txt", at: "model.json")
    try await repository.commit()
    let run = try await repository.plan(against: Self.base, environment: Self.job)
    #expect(run.outcome == .findings, "\(run)")
    #expect(run.text.contains("Tag"), "\(run)")
    // One without a UID in common takes the place of it.
    let other = SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "Other")])
    try await repository.git("branch", "--force", "main", "HEAD")
    try await repository.git("switch", "--quiet", "main")
    try await repository.git("rm", "--quiet", "model.json")
    try await repository.commit([Self.model: PlanSample.released.text, "fixture.txt": other.text])
    try await repository.git("switch", "--quiet", "change")
    try await repository.git("reset", "--quiet", "--hard", "main")
    try await repository.git("rm", "--quiet", "-r", "app")
    try link("fixture.txt", at: "model.json")
    try await repository.commit()
    let replaced = try await repository.plan(against: Self.base, environment: Self.job)
    #expect(replaced.outcome == .findings, "\(replaced)")
    #expect(replaced.messages.contains("takes the place of \(Self.model)"))
  }

  /// Two spellings of one name are equal as texts, and two files to git.
  @Test func aModelUnderAnotherSpellingIsAnotherFile() async throws {
    try await repository.git("config", "core.precomposeUnicode", "false")
    try await repository.commit(["\u{E9}/model.json": PlanSample.released.text])
    try await branch()
    try await repository.git("rm", "--quiet", "-r", "\u{E9}")
    let other = SmallModel([SmallModel.Entity(id: 1, uid: 7000, name: "Note")])
    try await repository.commit(["e\u{301}/model.json": other.text])
    let run = try await repository.plan(against: Self.base, environment: Self.job)
    #expect(run.outcome == .findings, "\(run)")
    #expect(run.messages.contains("takes the place of \u{E9}/model.json"), "\(run.messages)")
  }
}
