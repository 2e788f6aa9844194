import TestSupport
import Testing

/// The behaviour of `boxjoint check` with files that it cannot check.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct CheckBadInputTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func check(_ arguments: String...) async throws -> ProcessRun {
    try await runTool(["check"] + arguments, in: directory.path)
  }

  /// A content, the place that is wrong in it, and its rule.
  static let contents: [(String, String, String)] = [
    ("", "1:1", "BOX102"),
    (" \n\n", "1:1", "BOX102"),
    ("not JSON", "1:1", "BOX102"),
    ("{\n  \"entities\": [01]\n}", "2:16", "BOX102"),
    ("[]", "1:1", "BOX103"),
    ("{}", "1:1", "BOX103"),
    ("{\"entities\": 3}", "1:14", "BOX103"),
    // A dump: a line with the model, then one for each object.
    ("{\"model\": {}}\n{\"entity\": \"Ant\", \"id\": 1}\n", "2:1", "BOX103"),
    ("\u{FEFF}{}", "1:2", "BOX103"),
    (SampleModels.conflicted, "32:1", "BOX101"),
    // Half a file: cut in the id of Bear, "2:2000", which starts at 18:13.
    (
      String(SampleModels.sound.prefix(upTo: SampleModels.sound.end(of: "\"2:20"))), "18:18",
      "BOX102"
    ),
  ]

  @Test(arguments: contents)
  func unreadableFilesAre65(content: String, place: String, rule: String) async throws {
    try directory.write(content, to: "m.json")
    let run = try await check("m.json")
    #expect(run.status == 65)
    let line = run.text.split(separator: "\n").first ?? ""
    #expect(line.hasPrefix("m.json:\(place): error: "), "\(line)")
    #expect(line.contains("[\(rule) "))
    if rule == "BOX103", place == "2:1" {
      // The line that is shown is the one that the place is in.
      #expect(run.text.contains("\n  {\"entity\": \"Ant\", \"id\": 1}\n  ^"))
    }
    #expect(try directory.text(of: "m.json") == content)
    let fixed = try await check("--fix", "m.json")
    #expect(fixed.status == 65)
    #expect(try directory.text(of: "m.json") == content)
  }

  @Test func aVersionTooNewIs65() async throws {
    let text = SampleModels.sound.replacingFirst("ParserMinimum\": 5", "ParserMinimum\": 6")
    try directory.write(text, to: "m.json")
    let run = try await check("m.json")
    #expect(run.status == 65)
    #expect(run.text.hasPrefix("m.json:37:32: error: "))
    #expect(run.text.contains("[BOX104 version-too-new]"))
  }

  @Test func unreachableFilesAre74InOneLine() async throws {
    try directory.write(SampleModels.sound, to: "directory/m.json")
    try directory.write(SampleModels.fixable, to: "m.json")
    for (path, reason) in [
      ("none.json", "there is no such file"),
      (
        "directory",
        "this is a directory, not a file; name a file in it, or name a store as store:directory"
      ),
      ("no\nne", "there is no such file"),
    ] {
      let run = try await check(path)
      #expect(run.status == 74)
      #expect(run.output.isEmpty)
      let name = path == "no\nne" ? "no\\nne" : path
      #expect(run.messages == "boxjoint: \(name): \(reason)\n")
      // The other files are checked all the same, and the gravest status wins.
      let several = try await check("m.json", path)
      #expect(several.status == 74)
      #expect(several.text.hasPrefix("m.json:32:19: error: "))
    }
  }

  @Test func theGravestStatusWins() async throws {
    try directory.write(SampleModels.sound, to: "sound.json")
    try directory.write(SampleModels.fixable, to: "wrong.json")
    try directory.write("{", to: "broken.json")
    #expect(try await check("sound.json", "wrong.json").status == 1)
    #expect(try await check("broken.json", "wrong.json", "sound.json").status == 65)
    #expect(try await check("none.json", "broken.json", "wrong.json").status == 74)
  }

  @Test func ifModelSkipsFilesThatAreNotModels() async throws {
    for content in ["{}", "[1]", "name: yaml", "", "<<<<<<< HEAD\n{\"a\": 1}\n"] {
      try directory.write(content, to: "default.json")
      let run = try await check("--if-model", "default.json")
      #expect(run.status == 0)
      #expect(run.text == "no files checked\n")
    }
    try directory.write(SampleModels.conflicted, to: "default.json")
    #expect(try await check("--if-model", "default.json").status == 65)
    try directory.write(String(SampleModels.sound.dropLast(20)), to: "default.json")
    #expect(try await check("--if-model", "default.json").status == 65)
  }

  @Test func aReadOnlyFileIsNotFixed() async throws {
    try directory.write(SampleModels.fixable, to: "m.json")
    _ = try await ProcessRun.of("chmod", ["444", directory.path(of: "m.json")])
    let run = try await check("--fix", "m.json")
    #expect(run.status == 74)
    #expect(run.messages == "boxjoint: m.json: the file is read-only\n")
    #expect(try directory.text(of: "m.json") == SampleModels.fixable)
  }
}

extension String {
  /// The end of the first place where a part stands; the end of the text if there is none.
  func end(of part: String) -> Index {
    let start = indices.first { self[$0...].hasPrefix(part) }
    return start.map { index($0, offsetBy: part.count) } ?? endIndex
  }
}
