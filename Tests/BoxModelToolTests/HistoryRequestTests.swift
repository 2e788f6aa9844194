import BoxJSON
import BoxMigration
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// The versions of a model in git, read by calls.
struct HistoryRequestTests {
  private let sample: PlanSample
  private var repository: TemporaryRepository { sample.repository }
  private let file = PlanSample.file

  init() async throws { sample = try await PlanSample() }

  private func history(
    _ file: String? = nil, limit: Int? = nil, in place: Workspace? = nil
  ) async throws -> FileHistory {
    var request = HistoryRequest(repository.path + "/" + (file ?? self.file))
    request.limit = limit
    return try #require(try await request.run(in: place ?? repository.place()))
  }

  @Test func versionsHaveTheirClasses() async throws {
    try await repository.commit([file: PlanSample.changed.text], message: "Change")
    let observer = RecordingObserver()
    let lines = try await history(in: repository.place(observer)).text.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[1].contains("data-loss"))
    #expect(lines[1].contains("main"))
    #expect(lines[2].contains("the first version"))
    #expect(lines[2].contains("v1"))
    #expect(observer.lines.isEmpty)
    let limited = try await history(limit: 1).text
    #expect(limited.split(separator: "\n").count == 2)
    #expect(limited.contains("data-loss"))
  }

  @Test func aCloneOfOneCommitKnowsNoFirstVersion() async throws {
    try await repository.commit([file: PlanSample.changed.text], message: "Change")
    let clone = try await TemporaryRepository(cloning: repository, options: ["--depth", "1"])
    let observer = RecordingObserver()
    let request = HistoryRequest(clone.path + "/" + file)
    let found = try #require(try await request.run(in: clone.place(observer)))
    #expect(!found.text.contains("grafted"), "\(found.text)")
    #expect(found.text.contains("the first that was fetched"))
    #expect(found.text.contains("main"))
    #expect(found.isCutOff)
    #expect(observer.kinds == [.note])
    #expect(observer.lines.contains("'git fetch --unshallow' brings them"))
  }

  /// Each commit is compared with the one before it, not with its neighbour in the list.
  @Test func branchesDoNotMix() async throws {
    var added = PlanSample.released
    added.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Side"))
    added.lastEntity = (3, 3000)
    try await repository.git("switch", "--quiet", "-c", "side")
    try await repository.commit([file: added.text], message: "Add an entity")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: PlanSample.changed.text], message: "Remove one")
    try await repository.git("merge", "--quiet", "-s", "ours", "--no-commit", "side")
    var merged = PlanSample.changed
    merged.entities.append(SmallModel.Entity(id: 3, uid: 3000, name: "Side"))
    merged.lastEntity = (3, 3000)
    try repository.write(merged.text, to: file)
    try await repository.git("commit", "--quiet", "--all", "-m", "Merge")
    try await repository.commit(["other.txt": "x"], message: "Nothing of the model")
    try await repository.git("tag", "v2")
    let text = try await history().text
    let rows = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows.count == 4, "\(text)")
    let hashes = try await repository.git(
      "log", "--format=%H", "main~1", "main~2", "side", "v1", "--no-walk=unsorted"
    ).split(separator: "\n").map { String($0.prefix(12)) }
    func row(_ hash: String) throws -> [String] {
      try #require(rows.first { $0[0] == hash }, "\(text)")
    }
    // The merge brings the entity of the side to main, and has the tag of the commit after it.
    #expect(try row(hashes[0])[2] == "no-rollback", "\(text)")
    #expect(try row(hashes[0]).last == "v2", "\(text)")
    #expect(try row(hashes[1])[2] == "data-loss", "\(text)")
    #expect(try row(hashes[1])[3] == "3", "\(text)")
    #expect(try row(hashes[2])[2] == "no-rollback", "\(text)")
    #expect(try row(hashes[2]).last == "side", "\(text)")
    #expect(try row(hashes[3]).suffix(4) == ["the", "first", "version", "v1"], "\(text)")
  }

  @Test func renamesRemovalsAndReturnsAreSteps() async throws {
    try await repository.git("checkout", "--quiet", file)
    try await repository.git("mv", file, "moved.json")
    try await repository.git("commit", "--quiet", "-m", "Move")
    try await repository.git("rm", "--quiet", "moved.json")
    try await repository.git("commit", "--quiet", "-m", "Remove")
    try await repository.commit(["moved.json": PlanSample.released.text], message: "Return")
    let text = try await history("moved.json").text
    let classes = text.split(separator: "\n").dropFirst().map {
      $0.dropFirst(26).split(separator: "  ").first.map(String.init) ?? ""
    }
    #expect(
      classes == [
        "the file was added again", "the file was removed", "no change", "the first version",
      ],
      "\(text)")
    #expect(try await history("moved.json", limit: .max).text == text)
  }

  @Test func aFileWithoutAHistoryIsRefused() async throws {
    try repository.write(SmallModel.base.text, to: "new.json")
    let failure = await #expect(throws: CommandFailure.self) { try await history("new.json") }
    #expect(failure?.kind == .usage)
  }

  @Test func diagramsShowTheDifference() async throws {
    let diagram = try await SchemaDiagram(
      reading: ["v1:" + file, repository.path + "/" + file], in: repository.place())
    for text in [diagram.graphviz(), diagram.svg()] {
      #expect(text.contains("- Tag"), "\(text)")
      #expect(text.contains("+ createdAt"), "\(text)")
    }
    for text in [diagram.mermaid(), diagram.svg()] { #expect(text.contains("removed"), "\(text)") }
    let check = try await ProcessRun.of(
      "python3", ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.stdin.buffer)"],
      input: Array(diagram.svg().utf8))
    #expect(check.status == 0, "\(check.messages)")
    let one = try await SchemaDiagram(reading: ["v1"], in: repository.place(in: nil))
    #expect(!one.mermaid().contains("removed"))
  }
}
