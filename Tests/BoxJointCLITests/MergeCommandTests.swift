import BoxModel
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint merge` as its users run it.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct MergeCommandTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(SmallModel.base.text, to: "base.json")
    try directory.write(SmallModel.grown("Ant", uid: 2000).text, to: "ours.json")
    try directory.write(SmallModel.grown("Bear", uid: 3000).text, to: "theirs.json")
    for name in ["Memo", "Letter"] {
      try directory.write(SmallModel([SmallModel.note(name: name)]).text, to: name + ".json")
    }
  }

  private func merge(
    _ more: String..., ours: String = "ours.json", theirs: String = "theirs.json",
    base: String? = "base.json"
  ) async throws -> ProcessRun {
    let sides = ["--ours", ours, "--theirs", theirs] + (base.map { ["--base", $0] } ?? [])
    return try await runTool(["merge"] + sides + more, in: directory.path)
  }

  @Test func theResultGoesToStandardOutput() async throws {
    let run = try await merge()
    #expect(run.status == 0)
    let facts = try ModelFacts(run.text)
    #expect(facts.errors == [])
    #expect(facts.pairs["Ant"] == "2:2000")
    #expect(facts.pairs["Bear"] == "3:3000")
    #expect(run.messages.contains("renumbered, with consequences:"))
    let before = directory.names()
    let named = try await merge("-o", "-")
    #expect(named.text == run.text)
    #expect(named.messages == run.messages)
    #expect(directory.names() == before)
  }

  @Test func publishedIdsStay() async throws {
    let run = try await merge("--published", "theirs.json")
    let pairs = try ModelFacts(run.text).pairs
    #expect(pairs["Bear"] == "2:3000")
    #expect(pairs["Ant"] == "3:2000")
    let nothing = try await merge("--published", "nowhere")
    #expect(nothing.status == 74)
    #expect(nothing.output.isEmpty)
  }

  @Test(.enabled("needs jsonschema, as scripts/test has it", SchemaValidator.isAvailable))
  func reportsFollowTheirSchema() async throws {
    try directory.write(
      SmallModel([.init(id: 1, uid: 9000, name: "Note")]).text, to: "regenerated.json")
    let runs = [
      (0, try await merge("--output", "m", "--format", "json", "--published", "ours.json")),
      (
        1,
        try await merge(
          "--output", "m", "--format", "json", ours: "Memo.json", theirs: "Letter.json")
      ),
      (2, try await merge("--output", "m2", "--format", "json", theirs: "regenerated.json")),
    ]
    for (status, run) in runs {
      #expect(run.status == status)
      let violations = try await SchemaValidator.violations(
        of: run.output, against: "merge-report.schema.json")
      #expect(violations == "")
    }
    #expect(!directory.exists("m2"))
  }

  @Test(arguments: ["merge", "diff3", "zdiff3"])
  func conflictsAreMarked(style: String) async throws {
    let run = try await merge(
      "--marker-style", style, "--marker-size", "9", ours: "Memo.json", theirs: "Letter.json")
    #expect(run.status == 1)
    #expect(run.text.contains("<<<<<<<<< Memo.json\n"))
    #expect(run.text.contains(">>>>>>>>> Letter.json\n"))
    #expect(run.text.contains("||||||||| base.json\n") == (style != "merge"))
    #expect(run.messages.contains("BOX501"))
  }

  @Test(.promise(6)) func favorAndDecisionsResolve() async throws {
    let favored = try await merge("--favor", "theirs", ours: "Memo.json", theirs: "Letter.json")
    #expect(favored.status == 0)
    #expect(try ModelFacts(favored.text).pairs["Letter"] == "1:1000")
    try directory.write(
      #"{"schemaVersion": 1, "decisions": {"edit-edit/entity/1000/name": "ours", "x": "ours"}}"#,
      to: "decisions.json")
    let decided = try await merge(
      "--decisions", "decisions.json", ours: "Memo.json", theirs: "Letter.json")
    #expect(decided.status == 0)
    #expect(try ModelFacts(decided.text).pairs["Memo"] == "1:1000")
    #expect(decided.messages.contains("note: the decision about 'x' names no conflict"))
  }

  @Test(arguments: [
    (#"{"decisions": {}}"#, "decisions.json:1:1: "), ("[]", "decisions.json:1:1: "),
    (#"{"schemaVersion": 1, "decisions": {"a": "both"}}"#, "decisions.json:1:41: "),
    ("{", "decisions.json:1:2: "),
  ])
  func badDecisionsAreNamed(text: String, place: String) async throws {
    try directory.write(text, to: "decisions.json")
    let run = try await merge("--decisions", "decisions.json")
    #expect(run.status == 65)
    #expect(run.messages.hasPrefix("boxjoint: \(place)"), "\(run.messages)")
    #expect(run.messages.split(separator: "\n").count == 1)
  }

  @Test func aBaseThatIsNotAModelIsIgnored() async throws {
    try directory.write("<<<<<<< a\n{}\n=======\n{ }\n>>>>>>> b\n", to: "marked.json")
    try directory.write("", to: "empty.json")
    let marked = try await merge(base: "marked.json")
    #expect(marked.status == 0)
    #expect(marked.messages.contains("note: the base is not used"))
    #expect(marked.messages.contains("BOX480"))
    for base in ["empty.json", nil] {
      let run = try await merge(base: base)
      #expect(run.status == 0)
      #expect(run.output == marked.output)
      #expect(!run.messages.contains("note: the base is not used"))
    }
  }

  /// Invalid sides: the content, the status, and the place in the message.
  static let badSides: [(String, Int32, String)] = [
    ("", 65, ":1:1: "), ("{", 65, ":1:2: "), ("[1]", 65, ":1:1: "), ("{\"a\": 1}", 65, ":1:1: "),
    ("{\"a\": 01}", 65, ":1:7: "), ("{}\n{}\n", 65, ":2:1: "),
    ("<<<<<<< a\n=======\n>>>>>>> b\n", 65, ":1:1: "),
    (String(SmallModel.base.text.prefix(600)), 65, ":"),
    (SmallModel.base.text.replacing("\"1:1000\"", with: "\"one\""), 65, ":"),
  ]

  @Test(arguments: badSides)
  func aBadSideIsOneLineAndNothingIsWritten(
    content: String, status: Int32, place: String
  ) async throws {
    try directory.write(content, to: "bad.json")
    try directory.write("old", to: "out.json")
    for sides in [("bad.json", "theirs.json"), ("ours.json", "bad.json")] {
      let run = try await merge("--output", "out.json", ours: sides.0, theirs: sides.1)
      #expect(run.status == status, "\(content.prefix(20))")
      #expect(run.messages.hasPrefix("boxjoint: bad.json\(place)"), "\(run.messages)")
      #expect(run.messages.split(separator: "\n").count == 1)
      #expect(run.output.isEmpty)
      #expect(try directory.text(of: "out.json") == "old")
    }
  }

  @Test func unreadableOrUnwritableFilesExitWith74() async throws {
    mkdir(directory.path(of: "directory"), 0o755)
    for name in ["nowhere.json", "directory"] {
      for run in [try await merge(ours: name), try await merge(base: name)] {
        #expect(run.status == 74)
        #expect(run.messages.hasPrefix("boxjoint: \(name): "))
        #expect(run.output.isEmpty)
      }
      if name == "directory" {
        let run = try await merge("--output", name)
        #expect(run.status == 74)
      }
    }
  }

  @Test func aFullDiskLeavesTheOutputAsItWas() async throws {
    let old = SmallModel.base.text
    try directory.write(old, to: "out.json")
    let run = try await ProcessRun.of(
      "sh",
      [
        "-c",
        #"ulimit -f 1; exec "$0" merge --base base.json --ours ours.json --theirs theirs.json --output out.json"#,
        Tool.path ?? "",
      ], in: directory.path)
    #expect(run.status == 74)
    #expect(run.messages.hasPrefix("boxjoint: out.json: cannot be written"))
    #expect(try directory.text(of: "out.json") == old)
    #expect(directory.names().filter { $0.hasPrefix(".boxjoint") } == [])
  }

  @Test func aRegeneratedSideIsMatchedWhenTold() async throws {
    try directory.write(
      SmallModel([
        .init(id: 1, uid: 9000, name: "Note", properties: [.init(id: 2, uid: 9002, name: "text")])
      ]).text, to: "regenerated.json")
    for base in ["base.json", nil] {
      let refused = try await merge(theirs: "regenerated.json", base: base)
      #expect(refused.status == 2)
      #expect(refused.output.isEmpty)
      #expect(refused.messages.contains("--rematch"))
      let run = try await merge("--rematch", theirs: "regenerated.json", base: base)
      #expect(run.status == 0, "\(run.messages)")
      #expect(run.messages.contains("note: matched theirs by name and type: kept 1 of "))
      let facts = try ModelFacts(run.text)
      #expect(facts.pairs["Note.text"] == "2:1002")
      #expect(facts.pairs["Ant"] == "2:2000")
      #expect(facts.uids.isSuperset(of: [9000, 9002]))
      #expect(facts.errors == [])
    }
  }

  /// Whoever sees both streams reads the reason once, and a script finds it on standard error.
  @Test func theReasonOfARefusalIsSaidOnce() async throws {
    try directory.write(SmallModel([.init(id: 1, uid: 9000, name: "Note")]).text, to: "new.json")
    let refused = try await merge("--output", "out.json", theirs: "new.json")
    #expect(refused.status == 2, "\(refused.text)")
    #expect(refused.output.isEmpty, "\(refused.text)")
    let reason = "new.json has no UID in common with the base: it was newly generated"
    #expect(refused.messages.hasPrefix("[BOX591 regenerated-side] \(reason)\n"))
    #expect(refused.messages.split(separator: "\n").count { $0.contains("newly generated") } == 1)
    #expect(!directory.exists("out.json"))
    let json = try await merge("--output", "out.json", "--format", "json", theirs: "new.json")
    #expect(json.status == 2)
    #expect(json.text.contains("\"BOX591\""))
    #expect(json.messages == "boxjoint: \(reason)\n")
  }

  @Test func theOutputMayBeAnInput() async throws {
    let run = try await merge("--output", "ours.json")
    #expect(run.status == 0)
    #expect(run.messages.isEmpty)
    #expect(try ModelFacts(try directory.text(of: "ours.json")).pairs["Bear"] == "3:3000")
  }

  @Test func revisionsAreRead() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["a b/model.json": SmallModel.base.text])
    try await branchOff(
      repository, "a b/model.json", SmallModel.grown("Ant", uid: 2000),
      SmallModel.grown("Bear", uid: 3000))
    let run = try await repository.tool(
      "merge", "--base", "main~1:a b/model.json", "--ours", "model.json", "--theirs",
      "feature:a b/model.json", "--published", "feature", in: "a b")
    #expect(run.status == 0, "\(run.messages)")
    #expect(try ModelFacts(run.text).pairs["Bear"] == "2:3000")
    #expect(run.messages.contains("published: feature (commit "))
  }
}
