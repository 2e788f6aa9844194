import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Checks of files, compared with earlier versions, by calls.
struct CheckRequestTests {
  private let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  @Test func fixNeverWritesToARevision() async throws {
    try await repository.commit(["m.json": SampleModels.fixable])
    let run = try await repository.check("HEAD:m.json") { $0.fixes = true }
    #expect(run.outcome == .failed(.usage))
    #expect(
      run.messages
        == "boxjoint: HEAD:m.json: a revision cannot be fixed; name the file itself\n")
    #expect(try await repository.check("HEAD:m.json").outcome == .findings)
  }

  @Test func ignoredRulesAreLeftOut() async throws {
    try repository.write(SampleModels.fixable, to: "m.json")
    for rule in ["BOX121", "last-id-too-low"] {
      try repository.write("check:\n  ignore: [\(rule)]\n", to: ".boxjoint.yml")
      #expect(try await repository.check("m.json").outcome == .success)
      #expect(try await repository.check("m.json") { $0.fixes = true }.messages.isEmpty)
    }
  }

  @Test func theEarlierVersionIsTheSamePathInARevision() async throws {
    try await repository.commit(["sub/m.json": SampleModels.sound])
    // Bear gets another number: its databases do not open any more.
    let renumbered = SampleModels.model(lastEntityID: "3:2000", secondID: 3)
    try repository.write(renumbered, to: "sub/m.json")
    #expect(try await repository.check("sub/m.json").outcome == .success)
    let run = try await repository.check("sub/m.json", against: "HEAD")
    #expect(run.outcome == .findings)
    #expect(run.text.contains("[BOX204 id-changed]"))
    #expect(try await repository.check("m.json", against: "main", in: "sub").outcome == .findings)
    try repository.write(SampleModels.sound, to: "earlier.json")
    let earlier = repository.here("earlier.json")
    #expect(try await repository.check("sub/m.json", against: earlier).outcome == .findings)
    #expect(try await repository.check("HEAD:sub/m.json", against: "HEAD").outcome == .success)
  }

  @Test func aNewFileHasNoEarlierVersion() async throws {
    try await repository.commit()
    try repository.write(SampleModels.sound, to: "m.json")
    let run = try await repository.check("m.json", against: "main")
    #expect(run.outcome == .success)
    #expect(
      run.messages
        == "m.json: note: there is no such file in main, so it is compared with nothing\n")
    let nowhere = try await repository.check("m.json", against: "gone")
    #expect(nowhere.outcome == .failed(.inputOutput))
    #expect(nowhere.messages.hasPrefix("boxjoint: there is no revision 'gone' in this repository"))
    let several = try await repository.check(
      "m.json", "m.json", against: repository.here("m.json"))
    #expect(several.outcome == .failed(.usage))
    #expect(try await repository.check("-", against: "main").outcome == .failed(.usage))
  }
}
