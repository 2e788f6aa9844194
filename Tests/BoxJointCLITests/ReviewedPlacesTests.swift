import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Changes that replace a model, or the directory that it is in.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
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

  private func tool(
    _ words: [String], in folder: String = ".", ci: Bool = true
  ) async throws -> ProcessRun {
    try await runTool(
      words, in: folder == "." ? repository.path : repository.path + "/" + folder,
      environment: repository.environment.merging(
        ["CI": ci ? "true" : nil, "GITHUB_ACTIONS": nil]) { $1 })
  }

  /// Runs the gates on a model, and expects each of them to end with a status.
  private func expectGates(
    _ status: Int32, _ words: String..., on file: String = model, in folder: String = ".",
    ci: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for gate in [
      ["plan", "--against", Self.base], ["plan", "--against", Self.base, "--merge-base"],
      ["plan", "--against", Self.base, "--if-model"], ["check", "--against", Self.base],
    ] {
      let run = try await tool(gate + [file], in: folder, ci: ci)
      #expect(
        run.status == status, "\(gate) \(run.text)\(run.messages)", sourceLocation: sourceLocation)
      // What is an error to both is called by other words.
      for word in words where gate[0] == "plan" || status > 1 {
        #expect(
          (run.text + run.messages).contains(word), "\(gate) \(run.messages)",
          sourceLocation: sourceLocation)
      }
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
    _ other: TemporaryRepository, at path: String, in folder: String = "."
  ) async throws {
    try await repository.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://" + other.path,
      path, in: folder)
  }

  @Test func aSubmoduleIsHeldAgainstTheDirectoryThatItReplaces() async throws {
    try await repository.commit([Self.model: PlanSample.released.text])
    try await branch()
    let stranger = try await stranger(["objectbox-model.json": Self.lossy])
    try await repository.git("rm", "--quiet", "-r", "app")
    try await addSubmodule(stranger, at: "app")
    try await repository.commit()
    try await expectGates(1)
    let unnamed = try await tool(["plan", "--against", Self.base, "--if-model"])
    #expect(unnamed.status == 1, "\(unnamed.messages)")
    #expect(unnamed.text.contains("Tag"), "\(unnamed.messages)")
    // The base of a job that runs in the directory would be the stranger's.
    let own = "refs/remotes/origin/main"
    try await repository.git("update-ref", own, "main")
    for ci in [true, false] {
      let inside = try await tool(
        ["plan", "--against", own, "objectbox-model.json"], in: "app", ci: ci)
      #expect(inside.status == 64, "\(inside.text)")
      #expect(inside.messages.contains("this is a submodule of \(repository.path)"))
    }
  }

  @Test func aSubmoduleIsHeldAgainstTheCommitThatTheBaseNames() async throws {
    let library = try await stranger(["schema/model.json": PlanSample.released.text])
    try await addSubmodule(library, at: "deps/library")
    try await repository.commit()
    try await branch()
    let file = "deps/library/schema/model.json"
    try await expectGates(0, on: file)
    try await library.commit(["schema/model.json": Self.lossy])
    try await repository.git("pull", "--quiet", in: "deps/library")
    try await repository.commit()
    try await expectGates(1, "Tag", on: file)
    try await expectGates(1, "Tag", on: "library/schema/model.json", in: "deps")
    // Whoever works in a submodule means its own history.
    let inside = try await tool(
      ["plan", "--against", "refs/remotes/origin/main", "schema/model.json"], in: "deps/library",
      ci: false)
    #expect(inside.status == 0, "\(inside.messages)")
    // Another repository in its place has no such commit.
    try await repository.git("rm", "--quiet", "--force", "deps/library")
    #expect(rename(repository.path + "/.git/modules", repository.path + "/.git/old") == 0)
    try await addSubmodule(
      try await stranger(["schema/model.json": Self.lossy]), at: "deps/library")
    try await repository.commit()
    try await expectGates(74, "that commit is not here", on: file)
    // Nor has a directory.
    try await repository.git("rm", "--quiet", "--force", "deps/library")
    try await repository.commit([file: Self.lossy])
    try await expectGates(74, "this is a submodule, and here it is none", on: file)
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
    try await expectGates(1, "Tag", on: "outer/inner/model.json")
    try await expectGates(1, "Tag", on: "schema/model.json")
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
    try await expectGates(0)
    // Another directory, at the end of two links.
    try link("v2", at: "current")
    try await repository.commit()
    try await expectGates(1, "Tag")
    // Another file.
    try link("objectbox-model.json", at: "v2/model.json")
    try await repository.commit()
    try await expectGates(1, "Tag", on: "v2/model.json")
  }

  @Test func aLinkOfTheBaseThatLeadsOutIsRefused() async throws {
    try repository.surroundings.write(PlanSample.released.text, to: "out/objectbox-model.json")
    try link("../out", at: "app")
    try await repository.commit(["v2/objectbox-model.json": Self.lossy])
    try await branch()
    try link("v2", at: "app")
    try await repository.commit()
    try await expectGates(74, "leads out of the repository")
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
    try await expectGates(74, "'\(Self.model)' leads out of the work tree")
    let revision = try await tool(["check", "--against", Self.base, Self.model])
    #expect(!(revision.text + revision.messages).contains("1234"))
    #expect(revision.text.contains("BOX902"), "\(revision.text)")
    try await repository.git("rm", "--quiet", ".boxjoint.yml")
    try link("../secret", at: "converters.yml")
    let converters = try await tool(["converters", "check", "--against", Self.base])
    #expect(converters.status == 74, "\(converters.text)\(converters.messages)")
    #expect(!(converters.text + converters.messages).contains("1234"))
    let named = try await tool(["plan", Self.base + ":" + Self.model, Self.model])
    #expect(named.status == 74, "\(named.text)\(named.messages)")
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
    try await expectGates(0, on: file, in: "app")
    if !wasLink { try await repository.git("rm", "--quiet", "-r", "app") }
    try link("other", at: "app")
    try await repository.commit()
    try await expectGates(64, "run the command in \(repository.path)", on: file, in: "app")
    for words in [["plan"], ["lock", "check"], ["converters", "check"]] {
      let run = try await tool(words + ["--against", Self.base], in: "app")
      #expect(run.status == 64, "\(words) \(run.messages)")
    }
    try await expectGates(1, "Tag")
    // A link that leads elsewhere, and one that was nothing before, do no harm.
    try await repository.git("switch", "--quiet", "--create", "second", Self.base)
    try link("app", at: "alias")
    try await repository.commit()
    try await expectGates(0, on: file, in: "app")
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
    let gates = [
      ["plan", "--against", Self.base], ["plan", "--against", Self.base, "--if-model"],
    ]
    func expect(_ status: Int32, _ word: String, in folder: String = ".") async throws {
      for gate in gates {
        let run = try await tool(gate, in: folder)
        #expect(run.status == status, "\(run.text)\(run.messages)")
        #expect(run.messages.contains(word), "\(run.text)\(run.messages)")
      }
    }
    try await expect(64, "now gone (a/objectbox-model.json)")
    try await expect(64, "now gone (a/objectbox-model.json)", in: "b")
    #expect(try await tool(gates[0] + ["b/objectbox-model.json"]).status == 0)
    // A move of the one that is left hides nothing.
    try await repository.git("mv", "b", "c")
    try await repository.commit()
    try await expect(64, "now gone (a/objectbox-model.json)")
  }

  @Test func aLinkToAnotherFileDoesNotHideTheModelThatIsGone() async throws {
    try await repository.commit([Self.model: PlanSample.released.text, "fixture.txt": Self.lossy])
    try await branch()
    try await repository.git("rm", "--quiet", "-r", "app")
    try link("fixture.txt", at: "model.json")
    try await repository.commit()
    let run = try await tool(["plan", "--against", Self.base])
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.text.contains("Tag"), "\(run.text)\(run.messages)")
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
    let replaced = try await tool(["plan", "--against", Self.base])
    #expect(replaced.status == 1, "\(replaced.text)\(replaced.messages)")
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
    let run = try await tool(["plan", "--against", Self.base])
    #expect(run.status == 1, "\(run.text)\(run.messages)")
    #expect(run.messages.contains("takes the place of \u{E9}/model.json"), "\(run.messages)")
  }
}
