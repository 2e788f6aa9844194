import BoxModel
import TestSupport
import Testing

/// Files whose form in the work tree is another one than in git: line endings, and the length of
/// conflict markers.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct WorkTreeConversionTests {
  let file = "model.json"

  /// The ways in which a repository asks for CRLF in the work tree: attributes, and
  /// `core.autocrlf`.
  static let formsWithCRLF = [
    ("*.json text eol=crlf\n", "false"), ("* text=auto\n", "true"), ("", "true"),
    ("*.json text\n", "true"),
  ]

  /// The file that `resolve` writes is the one that git itself would check out; the staged one has
  /// LF.
  @Test(arguments: formsWithCRLF, ["merge", "diff3"])
  func resolveWritesAndStagesAsGitDoes(form: (String, String), style: String) async throws {
    let repository = try await conflicted(
      attributes: form.0, autocrlf: form.1, style: style, SmallModel.grown("Ant", uid: 2000),
      SmallModel.grown("Bear", uid: 3000))
    #expect(try repository.text(of: file).hasOnlyCRLF)
    let run = try await repository.tool("resolve")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(!run.text.contains("was edited"), "\(run.text)")
    let written = try repository.text(of: file)
    #expect(written.hasOnlyCRLF)
    let staged = try await repository.git("show", ":" + file)
    #expect(!staged.utf8.contains(0x0D))
    let facts = try ModelFacts(staged)
    #expect(facts.pairs["Ant"] == "2:2000")
    #expect(facts.pairs["Bear"] == "3:3000")
    #expect(!repository.surroundings.exists(repository.path + "/model.json.orig"))
    try await repository.git("checkout-index", "--force", file)
    #expect(try repository.text(of: file) == written)
  }

  @Test(arguments: formsWithCRLF)
  func theDriverLeavesLineEndingsToGit(form: (String, String)) async throws {
    let repository = try await conflicted(
      attributes: form.0, autocrlf: form.1, installs: true, SmallModel.grown("Ant", uid: 2000),
      SmallModel.grown("Bear", uid: 3000))
    #expect(try await repository.git("ls-files", "--unmerged") == "")
    #expect(try repository.text(of: file).hasOnlyCRLF)
    let merged = try await repository.git("show", "HEAD:" + file)
    #expect(!merged.utf8.contains(0x0D))
    #expect(try ModelFacts(merged).pairs["Bear"] == "3:3000")
  }

  @Test func openConflictsHaveTheLineEndingsOfTheWorkTree() async throws {
    let repository = try await conflicted(
      attributes: "*.json text eol=crlf\n", SmallModel([SmallModel.note(name: "Memo")]),
      SmallModel([SmallModel.note(name: "Letter")]))
    let run = try await repository.tool("resolve")
    #expect(run.status == 1)
    #expect(!run.text.contains("was edited"), "\(run.text)")
    let open = try repository.text(of: file)
    #expect(open.hasOnlyCRLF)
    #expect(open.contains("<<<<<<< ours\r\n"))
    // From markers too, where the index has forgotten the versions.
    try await repository.git("add", file)
    let taken = try await repository.tool("resolve", "--take", "theirs", file)
    #expect(taken.status == 0, "\(taken.text)\(taken.messages)")
    #expect(try repository.text(of: file).hasOnlyCRLF)
    let staged = try await repository.git("show", ":" + file)
    #expect(!staged.utf8.contains(0x0D))
    #expect(try ModelFacts(staged).pairs["Letter"] == "1:1000")
  }

  /// A file with CRLF in git itself keeps it.
  @Test func whatHasCRLFInGitKeepsIt() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit([file: SmallModel.base.text.withCRLF])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.commit([file: SmallModel.grown("Bear", uid: 3000).text.withCRLF])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.grown("Ant", uid: 2000).text.withCRLF])
    #expect(try await repository.tryGit(["merge", "feature"]).status == 1)
    #expect(try await repository.tool("resolve").status == 0)
    #expect(try repository.text(of: file).hasOnlyCRLF)
    #expect(try await repository.git("show", ":" + file).hasOnlyCRLF)
  }

  @Test(arguments: [false, true])
  func anEditedFileIsStillNoticed(installs: Bool) async throws {
    let repository = try await conflicted(
      attributes: "*.json text eol=crlf\n", installs: installs,
      SmallModel([SmallModel.note(name: "Memo")]), SmallModel([SmallModel.note(name: "Letter")]))
    let edited = try repository.text(of: file).replacing("\"Letter\"", with: "\"Card\"")
    try repository.write(edited, to: file)
    let run = try await repository.tool("resolve", "--take", "ours")
    #expect(run.text.contains("was edited since it conflicted"))
    #expect(try repository.text(of: file + ".orig") == edited)
  }

  /// The attribute `conflict-marker-size` counts for who writes markers and for who reads them.
  @Test(arguments: [7, 8, 15, 40], ["merge", "diff3", "zdiff3"])
  func markersAreAsLongAsTheAttributeSays(size: Int, style: String) async throws {
    for installs in [false, true] {
      let repository = try await conflicted(
        attributes: "*.json conflict-marker-size=\(size)\n", style: style, installs: installs,
        SmallModel([SmallModel.note(name: "Memo")]), SmallModel([SmallModel.note(name: "Letter")]))
      #expect(markerSizes(try repository.text(of: file)) == [size])
      let open = try await repository.tool("resolve")
      #expect(open.status == 1)
      #expect(!open.text.contains("was edited"), "\(open.text)")
      let text = try repository.text(of: file)
      #expect(markerSizes(text) == [size])
      #expect(text.contains(String(repeating: "<", count: size) + " ours\n"))
      try await repository.git("add", file)
      let taken = try await repository.tool("resolve", "--take", "theirs")
      #expect(taken.status == 0, "\(taken.text)\(taken.messages)")
      #expect(try ModelFacts(try repository.text(of: file)).pairs["Letter"] == "1:1000")
    }
  }

  /// The attributes that git treats as the standard length.
  @Test(arguments: ["-conflict-marker-size", "conflict-marker-size", "conflict-marker-size=x"])
  func anAttributeWithoutANumberMeansSeven(attribute: String) async throws {
    let repository = try await conflicted(
      attributes: "*.json \(attribute)\n", SmallModel([SmallModel.note(name: "Memo")]),
      SmallModel([SmallModel.note(name: "Letter")]))
    #expect(markerSizes(try repository.text(of: file)) == [7])
    _ = try await repository.tool("resolve")
    #expect(markerSizes(try repository.text(of: file)) == [7])
  }

  // MARK: - Preparations

  /// The lengths of the markers in a text, each once.
  private func markerSizes(_ text: String) -> Set<Int> {
    let lines: [Substring] = text.split(separator: "\n")
    return Set(
      lines.filter { $0.hasPrefix("<") || $0.hasPrefix(">") }
        .map { line in line.prefix { $0 == line.first }.count })
  }

  /// A merge of `feature` into `main`, by git alone or with the driver.
  private func conflicted(
    attributes: String, autocrlf: String = "false", style: String = "merge",
    installs: Bool = false, _ ours: SmallModel, _ theirs: SmallModel
  ) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository()
    if installs { try await install(repository) }
    try await repository.git("config", "merge.conflictStyle", style)
    try await repository.git("config", "core.autocrlf", autocrlf)
    try await repository.git("config", "core.safecrlf", "false")
    try await repository.commit([".gitattributes": attributes, file: SmallModel.base.text])
    try await branchOff(repository, file, ours, theirs)
    _ = try await repository.tryGit(["merge", "--no-edit", "feature"])
    return repository
  }
}

extension String {
  /// Whether every line ends in CRLF, and there is one.
  fileprivate var hasOnlyCRLF: Bool {
    let bytes = Array(utf8)
    let ends = bytes.indices.filter { bytes[$0] == 0x0A }
    return !ends.isEmpty && ends.allSatisfy { $0 > 0 && bytes[$0 - 1] == 0x0D }
  }

  fileprivate var withCRLF: String {
    var result: [UInt8] = []
    for byte in utf8 { result += byte == 0x0A ? [0x0D, 0x0A] : [byte] }
    return String(decoding: result, as: UTF8.self)
  }
}
