import BoxMerge
import BoxModel
import BoxReport
import Testing

/// A merge that asks for what can change its result.
struct MergeSessionTests {
  private static func named(_ name: String) -> String {
    Situation.entity("Note", 1, 1000) + "  \(name) 2:1002 string\n" + Situation.user
  }

  /// Both sides gave a property another name.
  private static let contested = Situation(
    base: named("text"), ours: named("body"), theirs: named("content"))

  /// Each side added a property under the same number.
  private static let numbered = Situation(
    base: Situation.base,
    ours: Situation.note + "  mine 3:1003 string\n" + Situation.user,
    theirs: Situation.note + "  other 3:1004 string\n" + Situation.user)

  private func line(_ names: [String]) -> SideLine {
    SideLine(
      versions: names.map {
        SideLine.Version(commit: $0, model: ModelSketch(Self.named($0)).model)
      }, isComplete: true)
  }

  @Test func aMergeThatNothingCanChangeAsksNothing() throws {
    let calm = Situation(
      base: Self.named("text"), ours: Self.named("body"), theirs: Self.named("text"))
    let session = try MergeSession(calm.input())
    #expect(session.question == nil)
    #expect(session.result.isClean)
  }

  @Test func eachQuestionIsAskedOnce() throws {
    var session = try MergeSession(Self.contested.input())
    #expect(session.question == .history)
    session.answer(history: nil)
    #expect(session.question == .published)
    session.answer(.published, published: nil)
    #expect(session.question == nil)
    #expect(session.result.conflicts.map(Situation.text) == ["BOX501 1002"])
  }

  @Test func anAnswerDecides() throws {
    var session = try MergeSession(Self.contested.input())
    session.answer(history: FieldHistory(ours: line(["text"]), theirs: line(["body", "text"])))
    #expect(session.question == nil)
    #expect(session.result.isClean)
    let names = try ModelDocument(parsing: session.result.bytes).model.entities[0].properties
    #expect(names.map(\.name) == ["id", "content"])
  }

  @Test func whatIsGivenIsNotAskedFor() throws {
    #expect(try MergeSession(Self.numbered.input()).question == .published)
    #expect(try MergeSession(Self.numbered.input(), answered: [.published]).question == nil)
  }

  @Test func aPublishedModelDecidesOnNumbers() throws {
    var session = try MergeSession(Self.numbered.input())
    let theirs = ModelSketch(Self.numbered.theirs).model
    session.answer(
      .published, published: Published(models: [PublishedModel(name: "main", model: theirs)]))
    let properties = try ModelDocument(parsing: session.result.bytes).model.entities[0].properties
    #expect(properties.first { $0.name == "other" }?.pair.id == 3)
    #expect(properties.first { $0.name == "mine" }?.pair.id == 4)
  }

  @Test func theUndecidedMergeHasAllConflicts() throws {
    var input = try Self.contested.input()
    input.favor = .ours
    let session = try MergeSession(input)
    #expect(session.result.isClean)
    #expect(session.undecided.conflicts.map(\.id) == ["edit-edit/property/1002/name"])
  }

  @Test func filesThatHaveNothingInCommonAreRefused() throws {
    let new = "Note 1:7000\n  id 1:7001 long ID\n"
    let input = try Situation(base: Situation.base, ours: Situation.base, theirs: new).input()
    #expect(throws: MergeRefusal.regenerated(.theirs)) { try MergeSession(input) }
  }
}
