import TestSupport
import Testing

@testable import BoxModelTool

/// The questions of `boxjoint resolve`, and taking answers back.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ResolveOnTerminalTests {
  private let file = "model.json"

  /// Both branches renamed three entities.
  private func renamed() async throws -> TemporaryRepository {
    func model(_ suffix: String) -> SmallModel {
      SmallModel(
        (1...3).map { SmallModel.Entity(id: $0, uid: $0 * 1000, name: "Name\($0)\(suffix)") })
    }
    let repository = try await TemporaryRepository()
    try await repository.commit([file: model("").text])
    try await branchOff(repository, file, model("Ours"), model("Theirs"))
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    return repository
  }

  /// The sides of the names in the file, `o`, `t` or `-` for one that is open.
  private func sides(_ repository: TemporaryRepository) throws -> String {
    let text = try repository.text(of: file)
    return (1...3).map { number in
      let (ours, theirs) = (
        text.contains("Name\(number)Ours"), text.contains("Name\(number)Theirs")
      )
      return ours && theirs ? "-" : ours ? "o" : "t"
    }.joined()
  }

  /// Typed answers, and the resulting file: an undo removes the last answer, and what decides
  /// several conflicts is confirmed.
  @Test(arguments: [
    ("o t o w", "oto"), ("oo w", "ooo"), ("tt w", "ttt"), ("o tt w", "ott"),
    ("o u t t t w", "ttt"), ("u o o o w", "ooo"), ("o t u u t tt w", "ttt"), ("o tt u tt w", "ott"),
    ("s oo w", "-oo"),
    ("s u oo w", "ooo"), ("o o o u t w", "oot"), ("o t t u u u t o t w", "tot"),
    ("s s s w", "---"), ("o t o q", ""), ("o q", ""), ("b ? x o t o w", "oto"),
  ])
  func answersCanBeTakenBack(typed: String, result: String) async throws {
    let repository = try await renamed()
    let before = try repository.text(of: file)
    let run = try await repository.toolOnTerminal(
      ["resolve"], typing: typed.split(separator: " ").map { "\($0)\n" }.joined())
    if typed.hasSuffix("q") {
      #expect(run.status == 1, "\(run.text)")
      #expect(run.text.contains("left as it is"), "\(run.text)")
      #expect(try repository.text(of: file) == before)
      return
    }
    #expect(run.status == (result.contains("-") ? 1 : 0), "\(run.text)")
    #expect(try sides(repository) == result, "\(run.text)")
  }

  @Test func theBaseIsShown() async throws {
    let repository = try await renamed()
    let run = try await repository.toolOnTerminal(["resolve"], typing: "b\nq\n")
    #expect(run.text.contains("Name1 in the base:"), "\(run.text)")
    // Its text as the file has it, moved to the left.
    let lines = run.text.split(whereSeparator: \.isNewline)
    #expect(lines.contains("    \"name\": \"Name1\","), "\(run.text)")
    #expect(!run.text.contains(#""name": "Name2","#))
  }

  @Test func theKeysAreShownAndExplained() async throws {
    let repository = try await renamed()
    let run = try await repository.toolOnTerminal(["resolve"], typing: "u\n?\no\n?\nq\n")
    let keys = "take [o]urs, [t]heirs, [oo] or [tt] for all that follow, [b]ase view, [s]kip, "
    #expect(run.text.contains("conflict 1 of 3: " + keys + "[q]uit, [?] help"), "\(run.text)")
    #expect(run.text.contains("there is no answer in this file to take back"))
    #expect(run.text.contains("conflict 2 of 3: " + keys + "[u]ndo, [q]uit, [?] help"))
    #expect(run.text.contains("oo  takes ours for this conflict and all that follow in this file"))
  }

  // MARK: - git mergetool

  @Test func gitMergetoolAsks() async throws {
    let repository = try await renamed()
    let install = try await repository.tool("git", "install", "--mergetool")
    #expect(install.status == 0, "\(install.messages)")
    #expect(install.text.contains("set mergetool.boxjoint.cmd in the local configuration"))
    let run = try await repository.onTerminal(
      ["git", "mergetool", "--no-prompt", "--tool=boxjoint", file], typing: "o\nt\no\nw\n")
    #expect(run.status == 0, "\(run.text)")
    #expect(try sides(repository) == "oto")
    #expect(try await repository.git("ls-files", "--unmerged") == "")
    let again = try await repository.tool("git", "install", "--mergetool")
    #expect(again.text.hasPrefix("everything is installed already"), "\(again.text)")
    let uninstall = try await repository.tool("git", "uninstall")
    #expect(uninstall.text.contains("removed mergetool.boxjoint.cmd"))
    let left = try await repository.tryGit(["config", "--get-regexp", "boxjoint"])
    #expect(left.text == "")
  }

  @Test func aMergetoolThatQuitsLeavesTheFileConflicted() async throws {
    let repository = try await renamed()
    #expect(try await repository.tool("git", "install", "--mergetool").status == 0)
    let before = try repository.text(of: file)
    let run = try await repository.onTerminal(
      ["git", "mergetool", "--no-prompt", "--tool=boxjoint", file], typing: "o\nq\nn\n")
    #expect(run.status == 1, "\(run.text)")
    #expect(try repository.text(of: file) == before)
    #expect(try await repository.git("ls-files", "--unmerged") != "")
  }

  @Test func withoutTheOptionNoMergetoolIsSetUp() async throws {
    let repository = try await TemporaryRepository()
    #expect(try await repository.tool("git", "install").status == 0)
    #expect(try await repository.tryGit(["config", "mergetool.boxjoint.cmd"]).status == 1)
  }
}
