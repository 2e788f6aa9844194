import BoxReport
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The paths of programs that a careless quoting would break.
private let oddNames = [
  "plain", "with space", "it's", "\"quoted\"", "$HOME", "`id`", "50%Off%A%%P", "back\\slash",
  "semi;colon&", "#hash", "tab\there", "new\nline", "*glob?", "-dash", "\u{FC}ml\u{E4}ut",
  "a'b'%O'c",
]

struct DriverLinesTests {
  /// In a command line to be typed, a path that looks like an option comes behind `--`.
  @Test func pathsInHintsAreNoOptions() {
    #expect(shellOperand("a b.json") == "'a b.json'")
    #expect(shellOperand("-x.json") == "-- -x.json")
    #expect(shellOperands(["a.json", "-x.json"]) == "-- a.json -x.json")
  }

  @Test(arguments: oddNames + ["", "'", "''", "'\\''"])
  func quotingIsReversible(text: String) {
    #expect(shellUnquoted(scriptQuoted(text)) == text)
  }

  @Test(arguments: ["a b", "'", "'a'b'", "\"a\"", "$x", "'plain'"])
  func otherWordsAreNotRead(word: String) {
    #expect(shellUnquoted(word) == nil)
  }

  @Test(arguments: oddNames)
  func theShellReadsTheQuotedText(text: String) async throws {
    let run = try await ProcessRun.of("sh", ["-c", "printf %s " + scriptQuoted("x" + text)])
    #expect(run.text == "x" + text)
  }

  /// A word of a message has no character that a terminal or a page would write out, and is the same to bash.
  @Test(arguments: oddNames + ["\u{202E}", "a\u{1B}'\\n\n", "\u{FFFE}\u{2028}\t\u{85}ß", "\\x41'"])
  func bashReadsAWordOfAMessage(text: String) async throws {
    let word = shellQuoted("x" + text)
    #expect(!word.unicodeScalars.contains { $0.isWrittenOut })
    let run = try await ProcessRun.of("bash", ["-c", "printf %s " + word])
    #expect(run.text == "x" + text)
  }

  @Test(arguments: oddNames)
  func theProgramIsReadBack(name: String) {
    let lines = DriverLines(program: "/opt/" + name + "/boxjoint")
    #expect(DriverLines.program(inMerge: lines.merge) == lines.program)
    #expect(DriverLines.program(inMerge: lines.merge + " ") == nil)
  }

  /// Git starts the program with the arguments as they are, whatever its path is.
  @Test(arguments: oddNames)
  func gitStartsTheProgram(name: String) async throws {
    let repository = try await conflicting()
    let program = repository.surroundings.path(of: "bin/\(name)/boxjoint")
    try repository.surroundings.write(
      """
      #!/bin/sh
      case $1 in
      merge-driver) printf '%s\\n' "$@" > "$HOME/arguments"; cat "$3" "$4" > "$HOME/files"
        echo merged > "$3"; exit 0;;
      show) echo "shown $2 $3"; cat "$4";;
      esac
      """, to: "bin/\(name)/boxjoint")
    chmod(program, 0o755)
    try await install(program, repository)
    try await repository.git("merge", "--quiet", "other")
    #expect(try repository.text(of: "model.json") == "merged\n")
    #expect(try repository.surroundings.text(of: "home/files") == "ours\ntheirs\n")
    let arguments = try repository.surroundings.text(of: "home/arguments").split(separator: "\n")
    #expect(arguments.count == 9)
    #expect(arguments[4...5] == ["7", "model.json"])
    let shown = try await repository.git("log", "-p", "--no-merges", "-1", "--", "model.json")
    #expect(shown.contains("\n shown --textconv --\n"))
  }

  /// The name of a file that looks like an option hides no change, with the program and without it.
  @Test(arguments: ["--version", "--help", "-x.json", "a:b"], [true, false])
  func aNameThatLooksLikeAnOptionIsShown(name: String, isThere: Bool) async throws {
    let program = isThere ? try #require(Tool.path) : "/nowhere/boxjoint"
    let repository = try await TemporaryRepository()
    try await repository.commit([
      name: SmallModel.base.text, ".gitattributes": "* diff=boxjoint merge=boxjoint\n",
    ])
    try await install(program, repository)
    try repository.write(SmallModel([SmallModel.note(name: "Renamed")]).text, to: name)
    let shown = try await repository.git("diff", "--", name)
    #expect(shown.contains("Renamed"), "\(shown)")
    // As a table, where the program is there.
    #expect(shown.contains("\"name\"") != isThere, "\(shown)")
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit()
    try await repository.git("switch", "--quiet", "main")
    var model = SmallModel([SmallModel.note()])
    model.entities[0].properties[0].name = "body"
    try await repository.commit([name: model.text])
    // Without the program the lines merge too: they are some lines apart.
    #expect(try await repository.tryGit(["merge", "other"]).status == 0)
    let merged = try repository.text(of: name)
    #expect(merged.contains("Renamed"))
    #expect(merged.contains("body"))
  }

  @Test(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
  func linesOfEarlierVersionsAreOutdated() async throws {
    let program = try #require(Tool.path)
    let repository = try await TemporaryRepository()
    try await repository.commit(["model.json": SmallModel.base.text])
    _ = try await repository.tool("git", "install", "--program", program)
    let earlier = [
      "diff.boxjoint.textconv":
        #"sh -c 'if command -v "$1" >/dev/null 2>&1 && "$1" show --textconv "$2" 2>/dev/null; "#
        + #"then exit 0; fi; exec cat "$2"' boxjoint "# + program,
      "merge.boxjoint.driver": try await repository.git("config", "merge.boxjoint.driver")
        .replacing(#" -- "$2""#, with: #" "$2""#),
    ]
    for (key, line) in earlier {
      let current = try await repository.git("config", key)
      #expect(current != line)
      try await repository.git("config", key, line)
      let status = try await repository.tool("git", "status")
      #expect(
        status.status == 1,
        "\(status.text)")
      #expect(
        status.text.contains(
          "problem: \(key) was written by another version of this program; "
            + "run 'boxjoint git install' to replace it\n"),
        "\(status.text)")
      #expect(!status.text.contains("not as this version writes it;"), "\(status.text)")
      _ = try await repository.tool("git", "install", "--program", program)
      #expect(try await repository.git("config", key) == current)
      #expect(try await repository.tool("git", "status").status == 0)
    }
  }

  @Test(arguments: ["merge", "diff3", "zdiff3"])
  func aMissingProgramLosesNoSide(style: String) async throws {
    let repository = try await conflicting()
    try await repository.git("config", "merge.conflictStyle", style)
    try await install("/nowhere/it's/boxjoint", repository)
    let merge = try await repository.tryGit(["merge", "other"])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("boxjoint: not found, so git merges model.json as text\n"))
    let text = try repository.text(of: "model.json")
    #expect(text.contains("<<<<<<< ours\nours\n"))
    #expect(text.contains("=======\ntheirs\n>>>>>>> theirs\n"))
    #expect(text.contains("||||||| base\nbase\n") == (style != "merge"))
    #expect(try await repository.git("ls-files", "-u").split(separator: "\n").count == 3)
    let shown = try await repository.git("log", "-p", "-1", "other", "--", "model.json")
    #expect(shown.contains("-base\n+theirs"))
  }

  @Test func withoutAConflictAMissingProgramMergesCleanly() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["model.json": "1\n2\n3\n4\n5\n6\n7\n"])
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit(["model.json": "1\n2\n3\n4\n5\n6\nseven\n"])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["model.json": "one\n2\n3\n4\n5\n6\n7\n"])
    try await install("/nowhere/boxjoint", repository)
    try await repository.git("merge", "--quiet", "other")
    #expect(try repository.text(of: "model.json") == "one\n2\n3\n4\n5\n6\nseven\n")
  }

  /// A crash, a library that is not there, an error: git's own merge is left in every case.
  @Test(arguments: ["exit 2", "exit 127", "kill -9 $$", "exit 74"])
  func aBrokenProgramLosesNoSide(body: String) async throws {
    let repository = try await conflicting()
    let program = repository.surroundings.path(of: "boxjoint")
    try repository.surroundings.write("#!/bin/sh\n\(body)\n", to: "boxjoint")
    chmod(program, 0o755)
    try await install(program, repository)
    #expect(try await repository.tryGit(["merge", "other"]).status == 1)
    let text = try repository.text(of: "model.json")
    #expect(text == "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n")
    let shown = try await repository.git("log", "-p", "-1", "other", "--", "model.json")
    #expect(shown.contains("-base\n+theirs"))
  }

  @Test func conflictsOfTheProgramStayConflicts() async throws {
    let repository = try await conflicting()
    let program = repository.surroundings.path(of: "boxjoint")
    try repository.surroundings.write("#!/bin/sh\necho kept > \"$3\"\nexit 1\n", to: "boxjoint")
    chmod(program, 0o755)
    try await install(program, repository)
    #expect(try await repository.tryGit(["merge", "other"]).status == 1)
    #expect(try repository.text(of: "model.json") == "kept\n")
  }

  @Test func bothSidesMayHaveAddedTheFile() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit(["sub dir/model.json": "theirs\n"])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["sub dir/model.json": "ours\n"])
    try await install("/nowhere/boxjoint", repository)
    #expect(try await repository.tryGit(["merge", "other"]).status == 1)
    let text = try repository.text(of: "sub dir/model.json")
    #expect(text == "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n")
  }

  /// A repository in which `main` and `other` have changed the same line of a model.
  private func conflicting() async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository()
    try await repository.commit(["model.json": "base\n"])
    try await repository.git("switch", "--quiet", "-c", "other")
    try await repository.commit(["model.json": "theirs\n"])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit(["model.json": "ours\n"])
    return repository
  }

  private func install(_ program: String, _ repository: TemporaryRepository) async throws {
    _ = try await GitIntegration(git: GitClient(in: repository.path)).install(
      .local, program: program, patterns: FilePattern.standard)
  }
}
