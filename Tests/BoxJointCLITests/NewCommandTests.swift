import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

/// `boxjoint new` on the command line.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct NewCommandTests {
  private let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  private func shell(_ script: String) async throws -> ProcessRun {
    try await ProcessRun.of(
      "bash", ["-c", "set -eu; boxjoint() { \"$0\" \"$@\"; }; " + script, Tool.path ?? ""],
      in: repository.path, environment: repository.environment)
  }

  @Test func itPrintsTheFilesAndTheNextCommand() async throws {
    let run = try await shell("boxjoint new Notes")
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      run.text == """
        wrote Notes/.gitattributes
        wrote Notes/.github/workflows/model.yml
        wrote Notes/.gitignore
        wrote Notes/Package.swift
        wrote Notes/README.md
        wrote Notes/Sources/Notes/Entities.swift
        wrote Notes/Sources/Notes/generated/EntityInfo-Notes.generated.swift
        wrote Notes/Sources/Notes/main.swift
        wrote Notes/Tests/NotesTests/NotesTests.swift
        wrote Notes/model-Notes.json
        next: write the address of BoxJoint into Notes/Package.swift, in place of \
        https://example.org/BoxJoint.git; then cd Notes && swift test

        """)
    let again = try await shell("boxjoint new Notes")
    #expect(again.status == 64)
    #expect(
      again.messages
        == "boxjoint: Notes: it exists already, and is not overwritten; pass another name\n")
    let path = try await shell("boxjoint new Others --path '\(RepositoryFile.root)'")
    #expect(path.text.hasSuffix("\nnext: cd Others && swift test\n"), "\(path.messages)")
    let wrong = try await shell("boxjoint new my-notes")
    #expect(wrong.status == 64)
    #expect(wrong.messages.hasSuffix("; pass MyNotes\n"), "\(wrong.messages)")
  }

  /// The lines of the job as a runner runs them, without a change, on one that hides values, and on a damaged file.
  @Test func itsJobChecksAndPlans() async throws {
    let setup = try await shell(
      """
      boxjoint new Notes >&2; mv Notes/* Notes/.git* .; rmdir Notes
      git add .; git commit -q -m first; git update-ref refs/remotes/origin/main HEAD
      git check-attr merge -- model-Notes.json
      """)
    #expect(setup.status == 0, "\(setup.messages)")
    #expect(setup.text == "model-Notes.json: merge: boxjoint\n")
    let workflow = try YAMLReader.read(
      Array(try repository.text(of: ".github/workflows/model.yml").utf8))
    let steps = try #require(workflow?["jobs"]?["model"]?["steps"]).elements
      .compactMap { $0["run"]?.text }.filter { $0.hasPrefix("boxjoint ") }
    #expect(steps.count == 2)
    let job = "export BASE=main; " + steps.joined(separator: "\n")
    let same = try await shell(job)
    #expect(same.status == 0, "\(same.text)\(same.messages)")
    let reset = "boxjoint model set-type model-Notes.json Note.text long --reset >&2; "
    let planned = try await shell(reset + job)
    #expect(planned.status == 0, "\(planned.messages)")
    #expect(planned.text.contains("::warning file=model-Notes.json"), "\(planned.text)")
    let damage = #"sed -i.old 's/"lastEntityId": "2:/"lastEntityId": "1:/' model-Notes.json; "#
    let checked = try await shell(damage + job)
    #expect(checked.status == 1, "\(checked.messages)")
    #expect(checked.text.contains("::error file=model-Notes.json"), "\(checked.text)")
  }

  /// A disk that is full at any file leaves nothing.
  @Test(arguments: [0, 1, 2, 4])
  func aFullDiskLeavesNothing(blocks: Int) async throws {
    let before = DirectorySnapshot(of: repository.path)
    let run = try await shell("ulimit -f \(blocks); boxjoint new Notes")
    #expect(run.status == 74, "\(run.messages)")
    #expect(run.messages.hasPrefix("boxjoint: Notes"), "\(run.messages)")
    #expect(run.messages.split(separator: "\n").count == 1, "\(run.messages)")
    let changes = before.changes(to: DirectorySnapshot(of: repository.path))
    #expect(changes.isEmpty, "\(changes)")
  }
}
