import BoxMerge
import BoxModel
import BoxReport
import Testing

/// The earlier versions of both sides answer what would be a conflict of fields.
struct HistoryTests {
  private static func named(_ name: String) -> String {
    Situation.entity("Note", 1, 1000) + "  \(name) 2:1002 string\n" + Situation.user
  }

  private func line(_ names: [String], isComplete: Bool = true) -> SideLine {
    SideLine(
      versions: names.enumerated().map { number, name in
        SideLine.Version(commit: "c\(number)", model: ModelSketch(Self.named(name)).model)
      }, isComplete: isComplete)
  }

  private func merged(_ history: FieldHistory?, favor: MergeSide? = nil) throws -> MergeResult {
    var input = try Situation(
      base: Self.named("text"), ours: Self.named("body"), theirs: Self.named("content")
    ).input()
    (input.history, input.favor) = (history, favor)
    return try input.merged()
  }

  private func name(_ result: MergeResult) throws -> String {
    try ModelDocument(parsing: result.bytes).model.entities[0].properties[1].name
  }

  @Test func aFieldConflictAsksForTheHistory() throws {
    let open = try merged(nil)
    #expect(open.asksForHistory)
    #expect(open.conflicts.map(Situation.text) == ["BOX501 1002"])
    #expect(try merged(nil, favor: .ours).asksForHistory)
    let calm = try Situation(
      base: Self.named("text"), ours: Self.named("body"), theirs: Self.named("text")
    ).input().merged()
    #expect(!calm.asksForHistory)
  }

  @Test func theUsersAnswerNeedsNoHistory() throws {
    var input = try Situation(
      base: Self.named("text"), ours: Self.named("body"), theirs: Self.named("content")
    ).input()
    input.choices = ["edit-edit/property/1002/name": .ours]
    #expect(try !input.merged().asksForHistory)
    input.history = FieldHistory(ours: line([]), theirs: line(["body"]))
    #expect(try name(input.merged()) == "body")
  }

  /// Theirs took over the name of ours, and changed it since.
  @Test(arguments: MergeSide.allCases)
  func theNewerValueIsKept(_ newer: MergeSide) throws {
    let older = line(["other", newer == .theirs ? "body" : "content", "text"])
    let result = try merged(
      newer == .theirs
        ? FieldHistory(ours: line(["text"]), theirs: older)
        : FieldHistory(ours: older, theirs: line(["text"])))
    #expect(result.isClean)
    #expect(!result.asksForHistory)
    #expect(try name(result) == (newer == .theirs ? "content" : "body"))
    let decision = try #require(result.decisions.first { $0.rule == MergeRule.newerValue })
    #expect(decision.rule.severity == .warning)
    #expect(decision.message.contains("stood in c1"))
    #expect(
      decision.consequence
        == "the source has to say \(newer == .theirs ? "content" : "body")")
  }

  @Test func aHistoryWithoutAnAnswerLeavesTheConflict() throws {
    let both = FieldHistory(ours: line(["content"]), theirs: line(["body"]))
    let neither = FieldHistory(ours: line(["x"]), theirs: line(["y"]))
    let cut = FieldHistory(ours: line([], isComplete: false), theirs: line(["body"]))
    let alsoCut = FieldHistory(ours: line([]), theirs: line(["body"], isComplete: false))
    for history in [both, neither, cut, alsoCut] {
      let result = try merged(history)
      #expect(result.conflicts.map(Situation.text) == ["BOX501 1002"])
      #expect(!result.asksForHistory)
    }
  }

  /// The history answers before a side is favoured: there is no conflict left to favour it in.
  @Test func theHistoryComesBeforeTheFavour() throws {
    let history = FieldHistory(ours: line([]), theirs: line(["body"]))
    #expect(try name(merged(history, favor: .ours)) == "content")
  }

  /// It does not say whether an element lives.
  @Test func theHistoryDecidesNoRemoval() throws {
    var input = try Situation(
      base: Self.named("text"),
      ours: Situation.entity("Note", 1, 1000) + "  last 2:1002\n"
        + Situation.user + "retired property 1002", theirs: Self.named("content")
    ).input()
    input.history = FieldHistory(ours: line(["content"]), theirs: line(["text"]))
    #expect(try input.merged().conflicts.map(Situation.text) == ["BOX502 1002"])
  }
}
