import BoxMerge
import BoxModel
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Elements that a build gave new UIDs, in repositories whose commits say if that was meant (BOX210).
struct UnstatedResetTests {
  private let repository: TemporaryRepository
  private let name = "model.json"
  private var file: String { repository.path + "/" + name }

  init() async throws {
    repository = try await TemporaryRepository()
    var editor = ModelEditor(Model(), uids: .sequential)
    try editor.addEntity(
      EntityDraft(
        "Note",
        properties: [.id(), PropertyDraft("p", .long, .indexed), PropertyDraft("q", .string)]))
    try await commit(editor.model, "base")
    try await repository.git("tag", "v1")
  }

  // MARK: - Steps

  private func text(_ model: Model) throws -> String {
    let start = try ModelDocument(parsing: ModelDocument.newFile)
    return String(decoding: start.rendered(model), as: UTF8.self)
  }

  private func commit(_ model: Model, _ message: String) async throws {
    try repository.write(try text(model), to: name)
    try await repository.git("add", "-A")
    try await repository.git("commit", "-q", "--allow-empty", "-m", message)
  }

  private var model: Model {
    get throws { try ModelDocument(parsing: Array(try repository.text(of: name).utf8)).model }
  }

  private func uid(_ name: String) throws -> UID {
    try model.entities[0].properties.first { $0.name == name }?.pair.uid ?? 0
  }

  /// The model after a build that finds no p.
  private func removed() throws -> Model {
    var editor = ModelEditor(try model, uids: .random)
    try editor.remove(ElementKey(.property, uid("p")))
    return editor.model
  }

  /// The model after a build that takes p for something new.
  private func reset(_ model: Model? = nil) throws -> Model {
    var editor = ModelEditor(try model ?? removed(), uids: .random)
    try editor.addProperty(PropertyDraft("p", .long, .indexed), to: "Note")
    return editor.model
  }

  private func check(
    against: String? = nil, fixes: Bool = false, approves: Bool = false, staged: Bool = false
  ) async throws -> (outcome: ReportOutcome, findings: [String]) {
    var request = CheckRequest(staged ? [] : [file])
    request.against = against
    request.fixes = fixes
    request.approvesResets = approves
    request.readsIndex = staged
    let report = try await request.run(in: repository.place())
    let found = report.report.findings.filter { $0.rule.id == "BOX210" }
    return (report.outcome, found.map { "\($0.severity) \($0.message)" })
  }

  /// A merge in which git took p out of the model, and a build afterwards that has it again.
  private func mergeAndBuild() async throws {
    try await repository.git("switch", "-q", "-c", "f")
    try await commit(try removed(), "f removes p")
    try await repository.git("switch", "-q", "main")
    try await repository.commit(["other": "main moves the line of p"])
    try await repository.git("merge", "-q", "--no-edit", "f")
    try repository.write(try text(reset(try model)), to: name)
  }

  // MARK: - What is found

  @Test func aBuildAfterAMergeIsFoundAndTakenBack() async throws {
    let (p, before) = (try uid("p"), try model)
    try await mergeAndBuild()
    let found = try await check()
    #expect(found.outcome == .findings)
    #expect(found.findings.count == 1)
    #expect(found.findings[0].hasPrefix("error Note.p has the UID "), "\(found)")
    #expect(found.findings[0].contains("and had \(p) in HEAD^1"))
    #expect(try await check(fixes: true).outcome == .success)
    #expect(try uid("p") == p)
    #expect(try model.entities[0].properties.contains { $0 == before.entities[0].properties[1] })
    #expect(try await check().findings.isEmpty)
    #expect(try await check(against: "v1").findings.isEmpty)
  }

  /// A squashed commit, and a picked one, have one parent.
  @Test func aBuildAfterASquashIsFound() async throws {
    try await repository.git("switch", "-q", "-c", "f")
    try await commit(try removed(), "f removes p")
    try await repository.git("switch", "-q", "main")
    try await repository.commit(["other": "main moves the line of p"])
    try await repository.git("merge", "-q", "--squash", "f")
    try await repository.git("commit", "-q", "-m", "squashed")
    try repository.write(try text(reset(try model)), to: name)
    let found = try await check()
    #expect(found.outcome == .findings)
    #expect(found.findings.first?.contains("in HEAD^1") == true, "\(found)")
  }

  @Test func theIndexIsReadForTheNextCommit() async throws {
    try await mergeAndBuild()
    #expect(try await check(staged: true).findings.isEmpty)
    try await repository.git("add", name)
    #expect(try await check(staged: true).findings.count == 1)
    try await repository.git("show", "HEAD:\(name)")
    try await repository.git("checkout", "-q", "HEAD", "--", name)
    #expect(try await check(staged: true).findings.isEmpty)
  }

  /// The index is compared with the merge base: an element that a revision added since is not gone.
  @Test func theIndexIsComparedFromWhereTheBranchLeft() async throws {
    try await repository.git("switch", "-q", "-c", "f")
    try await repository.git("switch", "-q", "main")
    var editor = ModelEditor(try model, uids: .random)
    try editor.addProperty(PropertyDraft("later", .long), to: "Note")
    try await commit(editor.model, "main goes on")
    try await repository.git("switch", "-q", "f")
    var request = CheckRequest()
    request.readsIndex = true
    request.against = "main"
    let report = try await request.run(in: repository.place())
    #expect(report.report.findings.isEmpty, "\(report.report.findings.map(\.message))")
    #expect(report.report.checkedPaths == [":\(name)"])
  }

  @Test func whatAMergedBranchResetIsItsOwnMatter() async throws {
    try await repository.git("switch", "-q", "-c", "f")
    try await commit(try reset(), "f resets p")
    #expect(try await check(against: "v1").findings.count == 1)
    try await repository.git("switch", "-q", "main")
    try await repository.commit(["other": "main goes on"])
    try await repository.git("merge", "-q", "--no-commit", "f")
    #expect(try await check().findings.isEmpty)
    try await repository.git("commit", "-q", "--no-edit")
    #expect(try await check().findings.isEmpty)
  }

  @Test func anotherTypeOrNameIsNotAReset() async throws {
    var editor = ModelEditor(try removed(), uids: .random)
    try editor.addProperty(PropertyDraft("p", .string), to: "Note")
    try editor.addProperty(PropertyDraft("r", .long, .indexed), to: "Note")
    try repository.write(try text(editor.model), to: name)
    #expect(try await check().findings.isEmpty)
  }

  @Test func anEntityIsFoundAsOne() async throws {
    var editor = ModelEditor(try model, uids: .random)
    try editor.addEntity(EntityDraft("Tag", properties: [.id(), PropertyDraft("t", .long)]))
    try await commit(editor.model, "adds Tag")
    let before = try model
    var next = ModelEditor(before, uids: .random)
    try next.remove(ElementKey(.entity, before.entities[1].pair.uid))
    try next.addEntity(EntityDraft("Tag", properties: [.id(), PropertyDraft("t", .long)]))
    try repository.write(try text(next.model), to: name)
    let found = try await check()
    #expect(found.findings.count == 1 && found.findings[0].contains("Tag has the UID"), "\(found)")
    _ = try await check(fixes: true)
    #expect(try model.entities[1] == before.entities[1])
  }

  // MARK: - Merges that nobody has built

  private func source(_ members: String...) -> [String: String] {
    ["Note.kt": "@Entity\nclass Note {\n" + members.map { "  var \($0)\n" }.joined() + "}\n"]
  }

  private func publish() async throws {
    try await repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
  }

  /// A branch that has merged what removes p, and whose sources keep it.
  ///
  /// - Parameter isReleased: Whether the removal was published before.
  /// - Throws: The error of git.
  private func mergeUnbuilt(isReleased: Bool = false) async throws {
    try await repository.commit(source("p: Long", "q: String"))
    try await publish()
    try await repository.git("switch", "-q", "-c", "f")
    try repository.write(source("q: String")["Note.kt"] ?? "", to: "Note.kt")
    try await commit(try removed(), "f removes p")
    if isReleased { try await publish() }
    try await repository.git("switch", "-q", "main")
    try await repository.commit(source("q: String", "p: Long"))
    try await repository.git("merge", "-q", "--no-edit", "-X", "ours", "f")
    #expect(try repository.text(of: "Note.kt").contains("var p"))
    #expect(try uid("p") == 0)
  }

  /// A merge is pushed, and other commits follow, before somebody builds.
  @Test func aBuildLongAfterAMergeIsFound() async throws {
    let p = try uid("p")
    try await mergeUnbuilt()
    for number in 1...3 {
      try await publish()
      try await repository.commit(["other": "\(number)"])
    }
    try await publish()
    try repository.write(try text(reset(try model)), to: name)
    for _ in 1...3 {
      let found = try await check()
      #expect(found.outcome == .findings && found.findings.count == 1)
      #expect(found.findings.first?.contains("and had \(p) in") == true, "\(found)")
      try await commit(try model, "build")
    }
    #expect(try await check(against: "refs/remotes/origin/main").outcome == .findings)
    #expect(try await check(fixes: true).outcome == .success)
    #expect(try uid("p") == p)
    #expect(try await check().findings.isEmpty)
  }

  @Test func aBranchThatKeepsWhatWasReleasedIsWarned() async throws {
    try await mergeUnbuilt(isReleased: true)
    try await repository.commit(["other": "1"])
    try repository.write(try text(reset(try model)), to: name)
    for against in [nil, "refs/remotes/origin/main"] {
      for _ in 1...2 {
        let found = try await check(against: against)
        #expect(found.outcome == .success && found.findings.count == 1, "\(found)")
        #expect(found.findings.first?.contains("was published by itself") == true, "\(found)")
        try await commit(try model, "build")
      }
    }
    #expect(try await check(fixes: true, approves: true).findings.isEmpty)
  }

  /// A removal whose sources follow it, and an element of that name later, are two things.
  @Test(arguments: [true, false])
  func whatSourcesRemoveAndAddLaterIsNew(isPublished: Bool) async throws {
    try await repository.commit(source("p: Long", "q: String"))
    if isPublished { try await publish() }
    try repository.write(source("q: String")["Note.kt"] ?? "", to: "Note.kt")
    try await commit(try removed(), "remove p")
    if isPublished { try await publish() }
    for number in 1...2 { try await repository.commit(["other": "\(number)"]) }
    try repository.write(source("q: String", "p: Long")["Note.kt"] ?? "", to: "Note.kt")
    try await commit(try reset(try model), "add p")
    for number in 3...4 {
      #expect(try await check().findings.isEmpty)
      try await repository.commit(["other": "\(number)"])
    }
  }

  /// Both branches add p, and the merge keeps one of the two: its answer (BOX430) is no reset.
  @Test(arguments: [true, false])
  func theAnswerOfAMergeIsNotAReset(isMainPublished: Bool) async throws {
    try await repository.commit(source("q: String"))
    try await commit(try removed(), "without p")
    try await repository.git("tag", "-f", "v1")
    let start = try model
    try await publish()
    var results: [Model] = []
    for branch in ["f", "g"] {
      try await repository.git("switch", "-q", "-c", branch, "v1")
      try repository.write(source("q: String", "p: Long")["Note.kt"] ?? "", to: "Note.kt")
      try await commit(try reset(start), "\(branch) adds p")
      results.append(try model)
      if isMainPublished, branch == "f" { try await publish() }
    }
    for (into, other, kept) in [("f", "g", 1), ("g", "f", 0), ("f", "g", 0), ("g", "f", 1)] {
      // A published element that a merge takes back is another matter.
      if isMainPublished && kept != 0 { continue }
      try await repository.git("switch", "-q", "-C", "m", into)
      try await repository.git("merge", "-q", "--no-commit", "-s", "ours", other)
      try repository.write(try text(results[kept]), to: name)
      let mine = into == "f" ? 0 : 1
      #expect(try await check().findings.isEmpty, "\(into) \(kept)")
      try await repository.git("add", "-A")
      try await repository.git("commit", "-q", "-m", "merge")
      for against in [nil, "v1"] {
        #expect(try await check(against: against).findings.isEmpty, "\(into) \(kept) \(mine)")
      }
      try await repository.commit(["other": "goes on"])
      #expect(try await check().findings.isEmpty, "\(into) \(kept)")
    }
  }

  /// A file whose only entity begins again has retired the earlier one: it is no new file.
  @Test func theOnlyEntityOfAModelIsFound() async throws {
    let before = try model
    try await publish()
    try await repository.git("switch", "-q", "-c", "f")
    var editor = ModelEditor(before, uids: .random)
    try editor.remove(ElementKey(.entity, before.entities[0].pair.uid))
    try await commit(editor.model, "f removes Note")
    try await repository.git("switch", "-q", "main")
    try await repository.commit(["other": "main moves the file"])
    try await repository.git("merge", "-q", "--no-edit", "f")
    editor = ModelEditor(try model, uids: .random)
    try editor.addEntity(
      EntityDraft(
        "Note",
        properties: [.id(), PropertyDraft("p", .long, .indexed), PropertyDraft("q", .string)]))
    try repository.write(try text(editor.model), to: name)
    for against in [nil, "v1", "refs/remotes/origin/main"] {
      let found = try await check(against: against)
      #expect(found.findings.count == 1 && found.outcome == .findings, "\(found)")
    }
    try await repository.git("add", "-A")
    #expect(try await check(staged: true).findings.count == 1)
    #expect(try await check(against: "v1", fixes: true).outcome == .success)
    #expect(try model.entities == before.entities)
  }

  /// The published version lacks what the fix gives back; its history has the id.
  @Test func whatIsGivenBackHasItsPublishedID() async throws {
    let before = try model.entities[0].properties[1]
    try await mergeUnbuilt()
    try await publish()
    try await commit(try reset(try model), "built later")
    for against in ["refs/remotes/origin/main", nil] {
      #expect(try await check(against: against, fixes: true).outcome == .success)
      #expect(try model.entities[0].properties.first { $0.name == "p" }?.pair == before.pair)
      #expect(try await check(against: "v1").outcome == .success)
      try await repository.git("checkout", "-q", "HEAD", "--", name)
    }
  }

  /// Somebody asked for the UID, in a commit that has it on offer.
  @Test func aUIDThatWasOnOfferIsStated() async throws {
    try await publish()
    var offering = try model
    offering.newUIDPool = [7_000_000_001]
    try await commit(offering, "offers")
    var next = try removed()
    var editor = ModelEditor(next, uids: .random)
    var draft = PropertyDraft("p", .long, .indexed)
    draft.uid = 7_000_000_001
    try editor.addProperty(draft, to: "Note")
    next = editor.model
    next.newUIDPool = []
    try await commit(next, "takes it")
    for against in [nil, "v1", "refs/remotes/origin/main", "HEAD~2"] {
      #expect(try await check(against: against).findings.isEmpty, "\(against ?? "")")
    }
    // Without the offer it would be one.
    try await repository.git("reset", "-q", "--soft", "HEAD~2")
    try await repository.git("commit", "-q", "-m", "resets p")
    #expect(try await check(against: "v1").findings.count == 1)
  }

  // MARK: - What cannot be taken back

  @Test func aPublishedResetIsAWarning() async throws {
    try await commit(try reset(), "main resets p")
    try await repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    let found = try await check(against: "v1", fixes: true)
    #expect(found.outcome == .success)
    #expect(found.findings.count == 1)
    #expect(found.findings[0].hasPrefix("warning "))
    #expect(found.findings[0].hasSuffix("refs/remotes/origin/main has it under the new one"))
  }

  @Test func aRemovalThatWasReleasedIsAWarning() async throws {
    try await commit(try removed(), "main removes p")
    try await repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try repository.write(try text(reset(try model)), to: name)
    for found in [try await check(), try await check(against: "v1")] {
      #expect(found.outcome == .success)
      #expect(found.findings.count == 1)
      #expect(found.findings[0].contains("had neither"), "\(found)")
    }
    try await commit(try model, "main adds p")
    try await repository.commit(["other": "main goes on"])
    // It is new in every version near by.
    #expect(try await check().findings.isEmpty)
  }

  @Test func aRemovalThatNobodyPushedIsNotReleased() async throws {
    try await repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try await commit(try removed(), "main removes p")
    try await commit(try reset(try model), "main adds p")
    let found = try await check()
    #expect(found.findings.count == 1)
    #expect(found.findings[0].contains("in refs/remotes/origin/main"), "\(found)")
    #expect(found.outcome == .findings)
  }

  // MARK: - What was meant

  @Test func aStatedResetIsSilent() async throws {
    try await mergeAndBuild()
    let (before, new) = (try repository.text(of: name), try uid("p"))
    #expect(try await check(fixes: true, approves: true).findings.isEmpty)
    #expect(try repository.text(of: name) == before)
    let list = try repository.text(of: ".boxjoint-approvals.json")
    #expect(list.contains("\"element\": \"Note.p\"") && list.contains("\"to\": \"\(new)\""))
    #expect(try await check().findings.isEmpty)
    #expect(try await check(against: "v1").findings.isEmpty)
    try await repository.git("add", "-A")
    #expect(try await check(staged: true).findings.isEmpty)
    try await repository.git("rm", "-q", "--cached", ".boxjoint-approvals.json")
    #expect(try await check(staged: true).findings.count == 1)
  }

  /// The answer to a question of a merge says that an element begins again.
  @Test(arguments: [MergeSide.theirs, .ours])
  func anAnswerThatBeginsAgainIsStated(_ side: MergeSide) async throws {
    try await publish()
    let p = try uid("p")
    try await repository.git("switch", "-q", "-c", "f")
    try await commit(try removed(), "f removes p")
    try await commit(try reset(try model), "f adds p")
    let new = try uid("p")
    try await repository.git("switch", "-q", "main")
    var editor = ModelEditor(try model, uids: .random)
    try editor.setFlags([] as PropertyFlags, of: ElementKey(.property, p))
    try await commit(editor.model, "main changes p")
    _ = try await repository.tryGit(["merge", "-q", "f"])
    var request = ResolveRequest([file])
    request.options.favor = side
    let report = try await request.run(in: repository.place())
    #expect(report.outcome == .success, "\(report)")
    #expect(try uid("p") == (side == .theirs ? new : p))
    let staged = try await repository.git("diff", "--cached", "--name-only")
    #expect(staged.contains(".boxjoint-approvals.json") == (side == .theirs))
    for _ in 1...2 {
      for against in [nil, "v1", "refs/remotes/origin/main"] {
        #expect(try await check(against: against).findings.isEmpty)
      }
      try await repository.git("commit", "-q", "--no-edit", "--allow-empty", "-m", "merge")
    }
  }

  @Test func twoStatedResetsInARowAreSilent() async throws {
    let first = try uid("p")
    try await repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    var numbers = [first]
    for _ in 1...2 {
      try repository.write(try text(reset(try removed())), to: name)
      #expect(try await check(fixes: true, approves: true).findings.isEmpty)
      numbers.append(try uid("p"))
      try await commit(try model, "reset")
    }
    #expect(Set(numbers).count == 3)
    #expect(try await check().findings.isEmpty)
    #expect(try await check(against: "v1").findings.isEmpty)
  }

  /// A branch is compared with the published version that it left, too.
  @Test func aBranchThatLeftMainIsHeldAgainstItsMergeBase() async throws {
    let p = try uid("p")
    try await repository.git("switch", "-q", "-c", "f")
    try await repository.git("switch", "-q", "main")
    try await repository.commit(["other": "main goes on"])
    try await repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try await repository.git("switch", "-q", "f")
    try await commit(try removed(), "f removes p")
    try await commit(try reset(try model), "f builds")
    for number in 1...3 { try await repository.commit(["more": "\(number)"]) }
    let found = try await check()
    #expect(found.outcome == .findings && found.findings.count == 1, "\(found)")
    #expect(found.findings.first?.contains("had \(p) in the merge base with") == true, "\(found)")
  }

  @Test func aStatementOfAnotherModelSaysNothing() async throws {
    let p = try uid("p")
    try await mergeAndBuild()
    let list = ApprovalList(
      resets: [StatedReset(element: "", from: p, to: try uid("p"), file: "other.json")])
    try repository.write(list.text, to: ".boxjoint-approvals.json")
    #expect(try await check().findings.count == 1)
  }

  @Test(arguments: [
    "{", #"{"schemaVersion":1,"approvals":[],"resets":[{"file":"a","from":"0","to":"1"}]}"#,
    #"{"schemaVersion":1,"approvals":[],"resets":{}}"#,
  ])
  func damagedApprovalsAreNamed(_ text: String) async throws {
    try await mergeAndBuild()
    try repository.write(text, to: ".boxjoint-approvals.json")
    let observer = RecordingObserver()
    var request = CheckRequest([file])
    request.fixes = true
    let before = try repository.text(of: name)
    let report = try await request.run(in: repository.place(observer))
    #expect(report.outcome == .failed(.badInput))
    #expect(observer.notices.contains { $0.line.contains(".boxjoint-approvals.json:1:") })
    #expect(try repository.text(of: name) == before)
  }
}
