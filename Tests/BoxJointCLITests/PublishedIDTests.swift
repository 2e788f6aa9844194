import TestSupport
import Testing

/// The ids that are published, under real git.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct PublishedIDTests {
  let repository: TemporaryRepository
  private let file = "model.json"

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text])
    let install = try await repository.tool("git", "install", "--no-hooks")
    #expect(install.status == 0, "\(install.messages)")
  }

  /// The id of each element in the work tree, with its UID.
  private func pairs() throws -> [String: String] {
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.errors == [])
    return facts.pairs
  }

  /// Note with a property of an id.
  private func note(_ properties: SmallModel.Property..., last: (Int, Int)? = nil) -> SmallModel {
    var entity = SmallModel.note(adding: properties)
    entity.lastProperty = last.map { (id: $0.0, uid: $0.1) }
    return SmallModel([entity])
  }

  private func property(_ id: Int, _ uid: Int, _ name: String) -> SmallModel.Property {
    SmallModel.Property(id: id, uid: uid, name: name)
  }

  /// Commits a model on a new branch that starts at another one.
  private func branch(_ name: String, at start: String, _ model: SmallModel) async throws {
    try await repository.git("switch", "--quiet", "--create", name, start)
    try await repository.commit([file: model.text])
  }

  private func merge(_ name: String) async throws -> ProcessRun {
    try await repository.tryGit(["merge", "--no-edit", "--no-ff", name])
  }

  // MARK: - What is published

  /// In a fork, the contributor's own main is old: the project's counts.
  @Test func upstreamCountsInAFork() async throws {
    try await branch("project", at: "main", .with("Up", uid: 9000))
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    try await repository.git("update-ref", "refs/remotes/upstream/main", "project")
    try await branch("mine", at: "main", .with("Mine", uid: 3000))
    let run = try await merge("project")
    #expect(run.status == 0)
    #expect(
      run.messages.contains("Up of theirs is published under it in refs/remotes/upstream/main"))
    #expect(try pairs()["Up"] == "2:9000")
    #expect(try pairs()["Mine"] == "3:3000")
  }

  /// A local main that is not pushed keeps its ids against a branch, and gives way to the remote.
  @Test func aLocalMainComesAfterTheRemote() async throws {
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    try await branch("topic", at: "main", .with("Topic", uid: 3000))
    try await branch("theirs", at: "main", .with("Remote", uid: 9000))
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.with("Local", uid: 5000).text])
    let status = try await repository.tool("git", "status")
    #expect(
      status.text.contains("checked out and not pushed: counts after the others"), "\(status.text)")
    #expect(try await merge("topic").status == 0)
    #expect(try pairs()["Local"] == "2:5000")
    #expect(try pairs()["Topic"] == "3:3000")
    try await repository.git("update-ref", "refs/remotes/origin/main", "theirs")
    #expect(try await merge("theirs").status == 0)
    #expect(try pairs()["Remote"] == "2:9000")
    #expect(Set(["Local", "Topic"].compactMap { try? pairs()[$0] }) == ["4:5000", "3:3000"])
  }

  /// Databases know it by that, also if both sides changed it.
  @Test func aPublishedIDComesBack() async throws {
    let released = note(property(3, 1005, "w"))
    try await repository.commit([file: released.text])
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    let moved = { (last: Int) in note(property(last, 1005, "w"), last: (last, 1005)) }
    try await branch("a", at: "main", moved(5))
    try await branch("b", at: "main", moved(6))
    let run = try await merge("a")
    #expect(run.status == 0)
    #expect(run.messages.contains("gets the id 3 instead of 5"), "\(run.messages)")
    #expect(run.messages.contains("gets the id 3 instead of 6"), "\(run.messages)")
    #expect(try pairs()["Note.w"] == "3:1005")
  }

  // MARK: - The history

  /// A removal on the published branch is reverted.
  @Test func whatWasPublishedBeforeGetsItsIDBack() async throws {
    try await repository.commit([file: note(property(3, 1005, "w")).text])
    try await branch("topic", at: "main", note(property(5, 1005, "w"), property(6, 1006, "x")))
    try await repository.git("switch", "--quiet", "main")
    var without = note(last: (3, 1005))
    without.retiredProperties = [1005]
    try await repository.commit([file: without.text])
    without.entities[0].properties.append(property(4, 1009, "new"))
    without.entities[0].lastProperty = nil
    try await repository.commit([file: without.text])
    // The branch has changed what main removed: the property stays.
    let merge = try await merge("topic")
    #expect(merge.status == 0, "\(merge.messages)")
    let removed = try pairs()
    #expect(removed["Note.new"] == "4:1009")
    #expect(removed["Note.w"] == nil)
    // A revert of the removal.
    try await repository.git("reset", "--quiet", "--hard", "HEAD~1")
    let revert = try await repository.tryGit(["revert", "--no-edit", "HEAD~1"])
    #expect(revert.status == 0, "\(revert.messages)")
    #expect(try pairs()["Note.w"] == "3:1005")
  }

  @Test func aHistoryThatIsCutOffIsAQuestion() async throws {
    try await repository.commit([file: note(property(3, 1005, "w")).text])
    var without = note(last: (3, 1005))
    without.retiredProperties = [1005]
    try await repository.commit([file: without.text])
    try await repository.commit(["other": "1"])
    let shallow = repository.surroundings.path(of: "shallow")
    try await repository.git(
      "clone", "--quiet", "--depth", "1", "file://" + repository.path, shallow)
    var back = note(property(3, 1005, "w"), property(4, 1010, "x"))
    back.entities[0].lastProperty = nil
    let run = try await repository.tool(
      "merge", "--ours", "HEAD:\(file)", "--theirs", "-", "--published", "HEAD",
      in: "../shallow", input: Array(back.text.utf8))
    #expect(run.status == 1, "\(run.messages)")
    #expect((run.text + run.messages).contains("the history that has its id is cut off"))
    #expect((run.text + run.messages).contains("git fetch --unshallow"))
  }

  // MARK: - Published versions that contradict each other

  /// The id that the merge base does not have was decided later.
  @Test func theLaterOfTwoPublishedIDsCounts() async throws {
    try await repository.commit([file: note(property(3, 1005, "w")).text])
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    try await branch("release", at: "main", note(property(5, 1005, "w")))
    try await repository.git("update-ref", "refs/remotes/origin/release/1", "release")
    try await branch("topic", at: "main", note(property(3, 1005, "w"), property(7, 1007, "x")))
    try repository.write(
      "published: [refs/remotes/origin/main, \"refs/remotes/origin/release/*\"]\n",
      to: ".boxjoint.yml")
    let run = try await merge("release")
    #expect(run.status == 0, "\(run.messages)")
    #expect(run.messages.contains("BOX412"), "\(run.messages)")
    #expect(try pairs()["Note.w"] == "5:1005")
  }

  // MARK: - Without a merge

  /// The published ids come back, and who took them moves.
  @Test func checkGivesPublishedIDsBack() async throws {
    try await repository.commit([file: note(property(3, 1005, "w"), property(4, 1006, "x")).text])
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    // Somebody has generated the file again and matched it by hand.
    let wrong = note(property(3, 1010, "y"), property(4, 1005, "w"), property(5, 1006, "x"))
    try repository.write(wrong.text, to: file)
    let check = try await repository.tool("check", "--against", "HEAD")
    #expect(check.status == 1)
    #expect(check.text.contains("BOX204") && check.text.contains("BOX206"), "\(check.text)")
    let fix = try await repository.tool("check", "--fix", "--against", "HEAD", file)
    #expect(fix.status == 0, "\(fix.text)\(fix.messages)")
    let all = fix.text + fix.messages
    #expect(all.contains("fixed: give Note.w the id 3 [BOX204]"), "\(all)")
    #expect(all.contains("fixed: give Note.y the id 6 [BOX206]"), "\(all)")
    let pairs = try pairs()
    #expect(pairs["Note.w"] == "3:1005" && pairs["Note.x"] == "4:1006")
    #expect(pairs["Note.y"] == "6:1010")
    #expect(try await repository.tool("check", "--against", "HEAD").status == 0)
  }

  /// After a merge that renumbered a branch's own element, there is nothing to find.
  @Test func checkFindsNothingAfterAMerge() async throws {
    try await branch("topic", at: "main", .with("Topic", uid: 3000))
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.with("Main", uid: 9000).text])
    try await repository.git("switch", "--quiet", "topic")
    #expect(try await merge("main").status == 0)
    for revision in ["HEAD~1:\(file)", "HEAD^2:\(file)"] {
      let check = try await repository.tool("check", "--against", revision, file)
      #expect(check.status == 0, "\(revision): \(check.text)")
      let fix = try await repository.tool("check", "--fix", "--against", revision, file)
      #expect(fix.status == 0, "\(revision): \(fix.text)")
    }
    #expect(try await repository.git("status", "--porcelain") == "")
  }

  // MARK: - Found by attacks

  /// The published file has another name.
  @Test func aBranchThatRenamesTheFileKnowsWhatIsPublished() async throws {
    try await branch("topic", at: "main", note(property(3, 1003, "x")))
    try await repository.git("mv", file, "model-App.json")
    try await repository.commit(message: "Rename")
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: note(property(3, 9003, "y")).text])
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    try await repository.git("switch", "--quiet", "topic")
    let run = try await merge("main")
    #expect(run.status == 0, "\(run.messages)")
    let pairs = try ModelFacts(try repository.text(of: "model-App.json")).pairs
    #expect(pairs["Note.y"] == "3:9003")
    #expect(pairs["Note.x"] == "4:1003")
  }

  /// A branch that was begun at the remote's main tracks it, and is no local main.
  @Test func aTopicThatTracksMainIsNotMain() async throws {
    try await repository.git("remote", "add", "origin", ".")
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    try await repository.git("switch", "--quiet", "--track", "--create", "a", "origin/main")
    try await repository.commit([file: note(property(3, 7000, "x")).text])
    try await branch("b", at: "main", note(property(3, 5000, "y")))
    try await repository.git("switch", "--quiet", "a")
    let status = try await repository.tool("git", "status")
    #expect(!status.text.contains("checked out and not pushed"), "\(status.text)")
    #expect(try await merge("b").status == 0)
    #expect(try pairs()["Note.y"] == "3:5000")
    #expect(try pairs()["Note.x"] == "4:7000")
  }

  /// A merge of two topics moves one of them, which is no finding against either.
  @Test func checkFindsNothingAfterAMergeOfTopics() async throws {
    try await branch("a", at: "main", note(property(3, 7000, "x")))
    try await branch("b", at: "main", note(property(3, 5000, "y")))
    #expect(try await merge("a").status == 0)
    for revision in ["HEAD~1:\(file)", "HEAD^2:\(file)", "HEAD~1"] {
      let check = try await repository.tool("check", "--against", revision, file)
      #expect(check.status == 0, "\(revision): \(check.text)")
    }
  }

  /// Ours had the element under its number already; the other side still has the old one.
  @Test func aRenumberingIsSaidInTheNextMergeToo() async throws {
    try await branch("a", at: "main", note(property(3, 7000, "x")))
    try await branch("b", at: "main", note(property(3, 5000, "y")))
    #expect(try await merge("a").status == 0)
    #expect(try pairs()["Note.x"] == "4:7000")
    try await repository.git("switch", "--quiet", "a")
    try await repository.commit([file: note(property(3, 7000, "x"), property(4, 8000, "z")).text])
    try await repository.git("switch", "--quiet", "b")
    let run = try await merge("a")
    #expect(run.status == 0)
    #expect(
      run.messages.contains("Note.x of theirs gets the id 4 instead of 3"), "\(run.messages)")
  }

  /// Its UID was retired.
  @Test func aRevivedElementWithAnotherIDIsFound() async throws {
    try await repository.commit([file: note(property(3, 1005, "w")).text])
    var without = note(property(4, 1006, "m"))
    without.retiredProperties = [1005]
    try await repository.commit([file: without.text])
    try await repository.git("update-ref", "refs/remotes/origin/main", "main")
    try repository.write(note(property(4, 1006, "m"), property(5, 1005, "w")).text, to: file)
    let check = try await repository.tool("check", "--against", "HEAD", file)
    #expect(check.status == 1)
    #expect(check.text.contains("is published under 3"), "\(check.text)")
    let fix = try await repository.tool("check", "--fix", "--against", "HEAD", file)
    #expect(fix.status == 0, "\(fix.text)")
    #expect(try pairs()["Note.w"] == "3:1005")
  }
}
