import TestSupport
import Testing

/// The messages of the merge driver, under real git.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct DriverReportTests {
  let repository: TemporaryRepository
  let file = "model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    _ = try await repository.tool("git", "install", "--no-hooks")
    try await repository.commit([file: model().text])
  }

  /// Note and entities with the next free numbers.
  private func model(_ names: [String] = []) -> SmallModel {
    let uids = ["Ant": 2000, "Bear": 3000, "Cat": 4000, "Invoice": 5000, "Payment": 6000]
    return SmallModel(
      [SmallModel.note()]
        + names.enumerated().map { index, name in
          SmallModel.Entity(id: index + 2, uid: uids[name] ?? 9000, name: name)
        })
  }

  private func names() throws -> Set<String> {
    Set(try ModelFacts(repository.text(of: file)).pairs.keys.filter { !$0.contains(".") })
  }

  @Test func inARebaseARenumberingIsReportedOnce() async throws {
    try await repository.git("switch", "--quiet", "--create", "topic")
    try await repository.commit([file: model(["Bear"]).text])
    var changed = model(["Bear"])
    for id in 2...4 {
      changed.entities[1].properties.append(.init(id: id, uid: 3000 + id, name: "p\(id)"))
      try await repository.commit([file: changed.text])
    }
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: model(["Ant"]).text])
    try await repository.git("switch", "--quiet", "topic")
    let rebase = try await repository.tryGit(["rebase", "main"])
    #expect(rebase.status == 0, "\(rebase.messages)")
    let reports = rebase.messages.split(separator: "\n").count { $0.contains("BOX410") }
    #expect(reports == 1, "\(rebase.messages)")
    #expect(try ModelFacts(repository.text(of: file)).pairs["Bear"] == "3:3000")
  }

  /// The other way round ours gets another number, and has to know.
  @Test func aNumberThatTheirsGaveIsReported() async throws {
    try await repository.git("switch", "--quiet", "--create", "topic")
    try await repository.commit([file: model(["Bear"]).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: model(["Ant"]).text])
    try await repository.git("merge", "--quiet", "--no-edit", "topic")
    try await repository.git("switch", "--quiet", "topic")
    var own = model(["Bear"])
    own.entities[1].properties.append(.init(id: 2, uid: 3002, name: "own"))
    try await repository.commit([file: own.text])
    let merge = try await repository.tryGit(["merge", "--no-edit", "main"])
    #expect(merge.status == 0, "\(merge.messages)")
    #expect(merge.messages.contains("BOX410"), "\(merge.messages)")
  }

  /// A commit is picked that comes after another one on its branch; then the branch is merged.
  @Test func whatAPickLeftOutComesWithTheMerge() async throws {
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model(["Invoice"]).text])
    try await repository.commit([file: model(["Invoice", "Payment"]).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: model(["Ant", "Cat"]).text])
    let pick = try await repository.tryGit(["cherry-pick", "feature"])
    #expect(pick.status == 0, "\(pick.messages)")
    #expect(!pick.messages.contains("BOX420"), "\(pick.messages)")
    #expect(try names() == ["Note", "Ant", "Cat", "Payment"])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0, "\(merge.messages)")
    #expect(try names() == ["Note", "Ant", "Cat", "Payment", "Invoice"])
  }

  /// Ours took the commit over, and then removed what it brought; the sources of theirs bring it again.
  @Test func anElementThatStaysAgainstASideIsReported() async throws {
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([file: model(["Invoice"]).text])
    try await repository.commit([file: model(["Invoice", "Payment"]).text])
    try await repository.git("switch", "--quiet", "main")
    // Else the pick would be the very commit.
    try await repository.commit(["other": "1"])
    try await repository.git("cherry-pick", "feature~1")
    var without = model()
    without.lastEntity = (2, 5000)
    without.retiredEntities = [5000]
    without.retiredProperties = [5001]
    try await repository.commit([file: without.text])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0, "\(merge.messages)")
    #expect(merge.messages.contains("BOX451"), "\(merge.messages)")
    #expect(try names() == ["Note", "Payment", "Invoice"])
  }

  @Test func aNewlyGeneratedSideComesWithTheCommandAndWhatItKeeps() async throws {
    try await repository.commit([file: model(["Ant"]).text])
    try await repository.git("switch", "--quiet", "--create", "feature")
    // Note and Ant with other UIDs; the text of Note is not there any more.
    let anew = SmallModel([
      .init(id: 1, uid: 7000, name: "Note"), .init(id: 2, uid: 8000, name: "Ant"),
    ])
    try await repository.commit([file: anew.text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: model(["Ant", "Cat"]).text])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("boxjoint resolve --rematch model.json"), "\(merge.messages)")
    // Two entities and their ids, of two entities with an id each and a text.
    #expect(
      merge.messages.contains(
        "and would keep 4 of 5 elements; `boxjoint recover` finds the file as it was"),
      "\(merge.messages)")
  }

  /// Without a base it is not known which of them was generated again.
  @Test func unrelatedSidesComeWithTheCommandThatFindsTheFile() async throws {
    try await repository.git("switch", "--quiet", "--orphan", "feature")
    try await repository.commit([file: SmallModel([.init(id: 1, uid: 7000, name: "Note")]).text])
    try await repository.git("switch", "--quiet", "main")
    let merge = try await repository.tryGit([
      "merge", "--no-edit", "--allow-unrelated-histories", "feature",
    ])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("have no UID in common"), "\(merge.messages)")
    #expect(merge.messages.contains("`boxjoint recover` finds the file"), "\(merge.messages)")
  }
}
