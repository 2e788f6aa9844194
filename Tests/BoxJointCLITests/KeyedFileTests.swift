import BoxModelTool
import TestSupport
import Testing

/// Files of our own that the driver merges by key, under real git.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct KeyedFileTests {
  let repository: TemporaryRepository
  let lock = "app/converters-App.lock"
  let approvals = ".boxjoint-approvals.json"

  init() async throws {
    repository = try await TemporaryRepository()
    _ = try await repository.tool("git", "install", "--no-hooks")
  }

  /// A lock with an enum for each property.
  private func lock(_ properties: [(name: String, values: String)]) -> String {
    let list = properties.map {
      """
          "\($0.name)": {
            "type": "enum",
            "values": {
              \($0.values)
            }
          }
      """
    }
    return """
      {
        "schemaVersion": 1,
        "properties": {
      \(list.joined(separator: ",\n"))
        }
      }

      """
  }

  private func approval(_ digit: Character, _ reason: String, file: String? = nil) -> String {
    let place = file.map { "\n      \"file\": \"\($0)\"," } ?? ""
    return """
          {
            "fingerprint": "\(String(repeating: digit, count: 20))",\(place)
            "reason": "\(reason)",
            "author": "a"
          }
      """
  }

  private func approvals(_ list: [String]) -> String {
    "{\n  \"schemaVersion\": 1,\n  \"approvals\": [\n\(list.joined(separator: ",\n"))\n  ]\n}\n"
  }

  private func diverge(
    _ path: String, base: String, ours: String, theirs: String
  ) async throws -> ProcessRun {
    try await repository.commit([path: base])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([path: theirs])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([path: ours])
    return try await repository.tryGit(["merge", "--no-edit", "feature"])
  }

  @Test func aKeyThatBothSidesAddIsThereOnce() async throws {
    let (book, zine, web) = (
      ("Book.k", #""novel": 0"#), ("Zine.k", #""novel": 0"#), ("Web.k", #""blog": 0"#)
    )
    let run = try await diverge(
      lock, base: lock([book]), ours: lock([book, zine]), theirs: lock([book, web, zine]))
    #expect(run.status == 0, "\(run.messages)")
    #expect(try repository.text(of: lock) == lock([book, web, zine]))
  }

  @Test func differentValuesOfOneKeyAreBetweenMarkers() async throws {
    let run = try await diverge(
      lock, base: lock([]), ours: lock([("Zine.k", #""novel": 0"#)]),
      theirs: lock([("Zine.k", #""novel": 1"#)]))
    #expect(run.status == 1)
    #expect(
      run.messages.contains(
        """
        boxjoint: app/converters-App.lock: merged by key: 1 conflict between markers; keep the values \
        that stored objects have, and run the generator
        boxjoint: app/converters-App.lock:   both sides changed /properties/Zine.k/values/novel
        """), "\(run.messages)")
    let text = try repository.text(of: lock)
    #expect(
      text.contains(
        "<<<<<<< ours\n        \"novel\": 0\n=======\n        \"novel\": 1\n>>>>>>> theirs\n")
        || text.contains(
          "<<<<<<< HEAD\n        \"novel\": 0\n=======\n        \"novel\": 1\n>>>>>>> feature\n"),
      "\(text)")
    #expect(try await repository.git("ls-files", "--unmerged") != "")
  }

  @Test func aFavoredSideAnswers() async throws {
    try await repository.commit([lock: lock([])])
    try await repository.git("switch", "--quiet", "--create", "feature")
    try await repository.commit([lock: lock([("Zine.k", #""novel": 1"#)])])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([lock: lock([("Zine.k", #""novel": 0"#)])])
    let run = try await repository.tryGit(
      ["merge", "--no-edit", "feature"], environment: ["BOXJOINT_MERGE_FAVOR": "theirs"])
    #expect(run.status == 0, "\(run.messages)")
    #expect(try repository.text(of: lock) == lock([("Zine.k", #""novel": 1"#)]))
  }

  /// A key that an earlier merge of texts left twice does not go through once more.
  @Test func aVersionThatIsNotValidIsAConflict() async throws {
    let (book, zine) = (("Book.k", #""novel": 0"#), ("Zine.k", #""novel": 0"#))
    let run = try await diverge(
      lock, base: lock([book]), ours: lock([book, zine, zine]),
      theirs: lock([("Art.k", #""oil": 0"#), book]))
    #expect(run.status == 1)
    #expect(run.messages.contains(#"The key "Zine.k" occurs twice"#), "\(run.messages)")
  }

  @Test func approvalsAreMergedByFingerprintAndFile() async throws {
    let (one, two) = (approval("1", "x"), approval("2", "y"))
    let run = try await diverge(
      approvals, base: approvals([one]), ours: approvals([one, two]),
      theirs: approvals([approval("1", "z"), approval("1", "x", file: "m.json"), two]))
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      try repository.text(of: approvals)
        == approvals([approval("1", "z"), approval("1", "x", file: "m.json"), two]))
  }

  @Test func rulesAreMergedByUID() async throws {
    let path = "app/model-App.rules.json"
    func rules(_ lines: String...) -> String {
      "{\"rules\":1,\"declarations\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
    }
    func line(_ uid: Int, _ name: String, _ rule: String) -> String {
      "{\"relation\":\"\(uid)\",\"name\":\"\(name)\",\"targetRemoved\":\"\(rule)\"}"
    }
    // Neighbours, which git merges with a conflict.
    let run = try await diverge(
      path, base: rules(line(300, "A.b", "deny")),
      ours: rules(line(200, "C.d", "cascade"), line(300, "A.renamed", "deny")),
      theirs: rules(line(100, "E.f", "nullify"), line(300, "A.b", "cascade")))
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      try repository.text(of: path)
        == rules(
          line(100, "E.f", "nullify"), line(200, "C.d", "cascade"),
          line(300, "A.renamed", "cascade")))
    let attributes = try await repository.git("check-attr", "merge", "diff", "--", path)
    #expect(attributes == "\(path): merge: boxjoint\n\(path): diff: unspecified")
    let shown = try await repository.tool("git", "status")
    #expect(shown.text.contains("  \(path): merged by key, diff as text\n"), "\(shown.text)")
    let check = try await repository.tool("check")
    #expect(!check.messages.contains("rules.json"), "\(check.messages)")
  }

  @Test func otherFilesAreMergedAsText() async throws {
    let run = try await diverge(
      "notes.lock", base: "a\nb\nc\n", ours: "a\nb\nd\n", theirs: "e\nb\nc\n")
    #expect(run.status == 0, "\(run.messages)")
    #expect(try repository.text(of: "notes.lock") == "e\nb\nd\n")
  }

  @Test func statusNamesThem() async throws {
    try await repository.commit([lock: lock([]), approvals: approvals([])])
    let shown = try await repository.tool("git", "status")
    #expect(shown.text.contains("  \(lock): merged by key, diff as text\n"), "\(shown.text)")
    #expect(shown.text.contains("  \(approvals): merged by key, diff as text\n"), "\(shown.text)")
    #expect(!shown.text.contains("overridden"), "\(shown.text)")
    let attributes = try await repository.git("check-attr", "merge", "diff", "--", lock)
    #expect(attributes == "\(lock): merge: boxjoint\n\(lock): diff: unspecified")
    _ = try await repository.tool("git", "uninstall")
    #expect(
      try await repository.git("check-attr", "merge", "--", lock) == "\(lock): merge: unspecified")
  }

  /// A merge of branches without a work tree does the same.
  @Test func aBranchIsMergedByKeyToo() async throws {
    let (book, zine, web) = (
      ("Book.k", #""novel": 0"#), ("Zine.k", #""novel": 0"#), ("Web.k", #""blog": 0"#)
    )
    let local = try await diverge(
      lock, base: lock([book]), ours: lock([book, zine]), theirs: lock([book, web, zine]))
    #expect(local.status == 0, "\(local.messages)")
    let tree = try await repository.git("rev-parse", "HEAD^{tree}")
    try await repository.git("reset", "--quiet", "--hard", "HEAD~1")
    let run = try await repository.tool("merge", "feature", "--format", "json")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(run.text.contains(tree), "\(run.text)")
  }
}
