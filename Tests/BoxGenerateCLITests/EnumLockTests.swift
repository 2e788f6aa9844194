import TestSupport
import Testing

/// The lock of the catalogue that the program writes, and the check of it by the other program.
struct EnumLockTests {
  private let package: GeneratedPackage

  init() throws { package = try GeneratedPackage() }

  private func write(_ cases: String) throws {
    try package.directory.write(
      GeneratedPackage.book.replacing("case other = 0, novel = 1", with: "case \(cases)"),
      to: "Sources/App/Book.swift")
  }

  private func run(_ program: String, _ arguments: String...) async throws -> ProcessRun {
    try await ProcessRun.of(program, arguments, in: package.directory.path)
  }

  /// A case that was renumbered fails the run, and in CI the change of whoever accepted it.
  @Test func aRenumberedCaseIsSeenByRunAndCI() async throws {
    let boxjoint = try GeneratedPackage.program("boxjoint")
    func check(_ arguments: String...) async throws -> ProcessRun {
      try await ProcessRun.of(
        boxjoint,
        ["converters", "check", "--catalogue", "converters-App.yml", GeneratedPackage.model]
          + arguments, in: package.directory.path)
    }
    #expect(try await package.generate().status == 0)
    #expect(try await check().status == 0)
    let lock = try await run(boxjoint, "converters", "lock", "--catalogue", "converters-App.yml")
    #expect(lock.status == 0 && lock.messages.isEmpty, "the lock is the one that is written")
    for command in [["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]] {
      let git = try await ProcessRun.of(
        "git", ["-c", "user.name=a", "-c", "user.email=a@example.org"] + command,
        in: package.directory.path)
      try #require(git.status == 0, "\(git.messages)")
    }
    let before = try await package.files()
    try write("other = 0, poem = 1, novel = 2")
    let refused = try await package.generate()
    #expect(refused.status == 1)
    #expect(
      refused.text.hasPrefix(
        "Sources/App/Book.swift:3:45: error: novel of Book.genre had the raw value 1 and has 2"),
      "\(refused.text)")
    #expect(refused.text.contains("--allow-renumbering"))
    var after = try await package.files()
    after["./Sources/App/Book.swift"] = before["./Sources/App/Book.swift"]
    #expect(after == before)
    #expect(try await package.generate("--allow-renumbering").status == 0)
    #expect(try await check().status == 0, "the lock was written with it")
    let base = try await check("--against", "HEAD")
    #expect(base.status == 1 && base.text.contains("BOX822"), "\(base.text)\(base.messages)")
    // A removed case keeps its meaning.
    try write("other = 0, essay = 3")
    try await _ = ProcessRun.of(
      "git", ["checkout", "-q", "--", "converters-App.lock", "converters-App.yml"],
      in: package.directory.path)
    let removed = try await package.generate()
    #expect(removed.status == 0, "\(removed.text)")
    #expect(try package.text("converters-App.yml").contains("    retired:\n      \"novel\": 1\n"))
    let kept = try await check("--against", "HEAD")
    #expect(kept.status == 0, "\(kept.text)")
    #expect(try await package.generate("--check").status == 0)
  }

  /// The catalogue of unsigned raw values that the model file calls signed is one that the other program reads.
  @Test func rawValuesFitTheSignOfTheModelFile() async throws {
    let source = GeneratedPackage.book.replacing("Genre: Int", with: "Genre: UInt8")
      .replacing("novel = 1", with: "novel = 200")
      .replacing("convert = { \"default\": \".other\" }", with: "convert")
      .replacing("var genre = Genre.other", with: "var genre: Genre?")
    try package.directory.write(source, to: "Sources/App/Book.swift")
    #expect(try await package.generate().status == 0)
    // As ObjectBox's generator writes the file.
    let model = try package.text(GeneratedPackage.model)
    let changed = model.replacing("Keep this file in version control: ", with: "KEEP THIS FILE! ")
      .replacing("\"flags\": 8192", with: "\"flags\": 0")
    try #require(changed.contains("KEEP THIS FILE!") && changed.contains("\"flags\": 0"))
    try package.directory.write(changed, to: GeneratedPackage.model)
    let run = try await package.generate()
    #expect(run.status == 0, "\(run.text)")
    #expect(try package.text("converters-App.yml").contains("\"novel\": -56"))
    #expect(try await package.generate("--check").status == 0)
    let check = try await self.run(
      GeneratedPackage.program("boxjoint"), "converters", "check", "--catalogue",
      "converters-App.yml", GeneratedPackage.model)
    #expect(check.status == 0, "\(check.text)\(check.messages)")
  }

  /// A model that is renamed or moved without its lock would begin another one.
  @Test(arguments: [
    "git mv model-App.json model-Core.json; git mv Sources/App Sources/Core; rm -rf Sources/Core/generated",
    "mkdir apps; git mv model-App.json apps",
  ])
  func aLockThatIsLeftBehindIsFound(_ move: String) async throws {
    func shell(_ script: String) async throws {
      let run = try await ProcessRun.of("sh", ["-e", "-c", script], in: package.directory.path)
      try #require(run.status == 0, "\(run.messages)")
    }
    #expect(try await package.generate().status == 0)
    try await shell(
      "git init -q; git add .; git -c user.name=a -c user.email=a@b.c commit -q -m Begin")
    try await shell(move)
    let isMoved = move.hasPrefix("mkdir")
    try package.directory.write(
      GeneratedPackage.book.replacing(
        "case other = 0, novel = 1", with: "case other = 0, poem = 1, novel = 2"),
      to: "Sources/\(isMoved ? "App" : "Core")/Book.swift")
    let options = isMoved ? ["--model-json", "apps/model-App.json"] : []
    let refused = try await ProcessRun.of(
      GeneratedPackage.program(), options, in: package.directory.path)
    #expect(refused.status == 1)
    #expect(
      refused.text.contains("\"converters-App.lock\" has no model file beside it"),
      "\(refused.text)")
    let parts = refused.text.split(separator: "run \"")
    let command = try #require(parts.last?.split(separator: "\"").first)
    try await shell(String(command))
    let again = try await ProcessRun.of(
      GeneratedPackage.program(), options, in: package.directory.path)
    #expect(
      again.status == 1 && again.text.contains("had the raw value 1 and has 2"), "\(again.text)")
  }

  /// Without the lock the cases would be numbered as the sources have them now.
  @Test(arguments: [false, true]) func aLockThatHistoryHasIsMissed(isCommitted: Bool) async throws {
    func git(_ arguments: String...) async throws {
      let run = try await ProcessRun.of(
        "git", ["-c", "user.name=a", "-c", "user.email=a@example.org"] + arguments,
        in: package.directory.path)
      try #require(run.status == 0, "\(run.messages)")
    }
    #expect(try await package.generate().status == 0)
    try await git("init", "-q")
    try await git("add", ".")
    try await git("commit", "-q", "-m", "Begin")
    try await git("rm", "-q", "converters-App.lock")
    if isCommitted { try await git("commit", "-q", "-m", "Remove the lock") }
    try write("other = 0, poem = 1, novel = 2")
    let before = try await package.files()
    let refused = try await package.generate()
    #expect(refused.status == 1)
    #expect(
      refused.text.hasPrefix(
        "converters-App.lock:1:1: error: The lock of the enums is missing, and "),
      "\(refused.text)")
    #expect(refused.text.contains(isCommitted ? " removed it" : "HEAD has it"))
    #expect(try await package.files() == before)
    #expect(try await package.generate("--allow-renumbering").status == 0)
    #expect(try await package.generate("--check").status == 0)
  }
}
