import BoxModel
import TestSupport
import Testing

/// Targets that are renamed, and others that begin beside one with the same names.
struct RenamedTargetTests {
  private let package: GeneratedPackage

  init() throws { package = try GeneratedPackage() }

  private func shell(_ script: String) async throws -> ProcessRun {
    try await ProcessRun.of("sh", ["-e", "-c", script], in: package.directory.path)
  }

  private func git(_ arguments: String) async throws {
    let run = try await shell("git -c user.name=n -c user.email=n@example.com \(arguments)")
    try #require(run.status == 0, "git \(arguments): \(run.messages)\(run.text)")
  }

  private func begin(inGit: Bool = true) async throws {
    #expect(try await package.generate().status == 0)
    if !inGit { return }
    try await git("init --quiet")
    try await git("add --all")
    try await git("commit --quiet -m Begin")
  }

  private func uids(_ model: String) throws -> [String: UID] {
    let model = try ModelDocument(parsing: package.directory.bytes(of: model)).model
    return Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0.pair.uid) })
  }

  /// The command that a run advises, after "run" or "Run" and between quotation marks.
  private func advice(_ arguments: String...) async throws -> String {
    let run = try await ProcessRun.of(
      GeneratedPackage.program(), arguments, in: package.directory.path)
    #expect(run.status == 1 && run.text.contains("BOX975"), "\(run.text)\(run.messages)")
    let parts = run.text.split(separator: "un \"")
    guard parts.count == 2, let command = parts[1].split(separator: "\"").first else {
      throw TestFailure("no command in \(run.text)")
    }
    return String(command)
  }

  /// The renames that leave the model behind: the directory alone, also without git, and with files that are
  /// gone since, in the work tree or in a commit.
  @Test(arguments: [
    (true, "git mv Sources/App Sources/Core"),
    (true, "mv Sources/App Sources/Core"),
    (false, "mv Sources/App Sources/Core"),
    (true, "git mv Sources/App Sources/Core; rm -r Sources/Core/generated"),
    (true, "git mv Sources/App Sources/Core; rm model-App.json"),
    (true, "git mv Sources/App Sources/Core; git rm -q model-App.json converters-App.*"),
    (true, "mkdir Sources/Deep; git mv Sources/App Sources/Deep/Core"),
    (
      true,
      """
      git mv Sources/App Sources/Core; git rm -q --cached model-App.json; rm model-App.json
      rm -r Sources/Core/generated; git add -A
      git -c user.name=n -c user.email=n@example.com commit -q -m Rename
      """
    ),
  ])
  func aRenamedTargetKeepsItsModelByTheAdvisedCommand(inGit: Bool, rename: String) async throws {
    try await begin(inGit: inGit)
    let before = try uids(GeneratedPackage.model)
    let renamed = try await shell(rename)
    try #require(renamed.status == 0, "\(renamed.messages)")
    let sources = rename.contains("Deep") ? ["--sources", "Sources/Deep/Core"] : []
    let program = try GeneratedPackage.program()
    func run(_ arguments: [String]) async throws -> ProcessRun {
      try await ProcessRun.of(program, sources + arguments, in: package.directory.path)
    }
    let stopped = try await package.files()
    #expect(try await run(["--check"]).text.contains("BOX975"))
    let first = try await run([])
    #expect(first.status == 1, "\(first.text)")
    #expect(first.text.contains("The model file is missing, and "), "\(first.text)")
    #expect(try await package.files() == stopped)
    let command = try #require(
      first.text.split(separator: " run \"").last?.split(separator: "\"").first.map(String.init))
    let typed = try await shell(command)
    #expect(typed.status == 0, "\(command): \(typed.messages)")
    let second = try await run([])
    #expect(second.status == 0, "\(command): \(second.text)\(second.messages)")
    #expect(try uids("model-Core.json") == before)
    let generated = try await package.files().keys.filter { $0.hasSuffix(".generated.swift") }
    #expect(generated.count == 1, "\(generated)")
    #expect(try await package.files()["./model-App.json"] == nil)
    #expect(try await run(["--check"]).status == 0)
  }

  @Test func theCatalogueAndItsLockMoveAlong() async throws {
    try await begin()
    let lock = try package.text("converters-App.lock")
    try await git("mv Sources/App Sources/Core")
    let command = try await advice()
    #expect(
      command == "git mv model-App.json model-Core.json"
        + " && git mv converters-App.yml converters-Core.yml"
        + " && git mv converters-App.lock converters-Core.lock"
        + " && git mv Sources/Core/generated/EntityInfo-App.generated.swift"
        + " Sources/Core/generated/EntityInfo-Core.generated.swift")
    _ = try await shell(command)
    #expect(try await package.generate().status == 0)
    #expect(try package.text("converters-Core.lock") == lock)
  }

  @Test func bindingsWhoseModelIsLostStopTheRun() async throws {
    try await begin(inGit: false)
    let script = "mv Sources/App Sources/Core && rm model-App.json"
    #expect(try await shell(script).status == 0)
    let command = try await advice()
    #expect(command == "boxjoint recover --output model-Core.json")
    try await package.refuses(
      1, "and delete \"Sources/Core/generated/EntityInfo-App.generated.swift\"")
    #expect(try await package.generate("--new-model").status == 0)
  }

  /// A model for each target is what --new-model is for.
  @Test func aTargetWithTheSameNamesBeginsOnDemand() async throws {
    try await begin()
    #expect(try await shell("cp -r Sources/App Sources/Core").status == 0)
    package.directory.removeEverything("Sources/Core/generated")
    try await package.refuses(
      1, "If the targets share a database, add --model-json model-App.json", "--target", "Core")
    let shared = try await package.generate(
      "--target", "Core", "--model-json", "model-App.json", "--check")
    #expect(!shared.text.contains("BOX975"), "\(shared.text)")
    let begun = try await package.generate("--target", "Core", "--new-model")
    #expect(begun.status == 0, "\(begun.text)\(begun.messages)")
    #expect(try uids("model-Core.json").keys.sorted() == ["Author", "Book"])
    #expect(
      Set(try uids("model-Core.json").values).isDisjoint(with: try uids("model-App.json").values))
    // From then on, each has its own.
    for target in ["App", "Core"] {
      #expect(try await package.generate("--target", target, "--check").status == 0)
    }
  }

  /// One name of several, or one of a target with many, says nothing.
  @Test(arguments: [true, false]) func aTargetWithACommonNameBegins(isSmall: Bool) async throws {
    for name in ["Pen", "Shelf"] where isSmall {
      try package.directory.write(
        GeneratedPackage.author.replacing("Author", with: name), to: "Sources/App/\(name).swift")
    }
    try await begin()
    try package.directory.write(GeneratedPackage.author, to: "Sources/Core/Author.swift")
    for name in ["Cup", "Plate"] where !isSmall {
      try package.directory.write(
        GeneratedPackage.author.replacing("Author", with: name), to: "Sources/Core/\(name).swift")
    }
    let run = try await package.generate("--target", "Core")
    #expect(run.status == 0, "\(run.text)\(run.messages)")
  }

  @Test func otherFilesBesideTheModelDoNotStopARun() async throws {
    for (name, text) in [
      ("a.json", "{"), ("b.json", "{\"entities\": []}"), ("model-C.json", "<<<<<<< HEAD\n{"),
      ("d.json", "[1, 2]"),
      ("Sources/App/Old.generated.swift", "// Generated by boxjoint-generate\n"),
    ] {
      try package.directory.write(text, to: name)
    }
    let run = try await package.generate()
    #expect(run.status == 0, "\(run.text)\(run.messages)")
  }

  /// A copy is made of files alone that git does not have.
  @Test func aModelThatGitTracksIsNotKeptTwice() async throws {
    try await begin()
    try package.directory.write(
      GeneratedPackage.author.replacing("var name", with: "var born = 0\n  var name"),
      to: "Sources/App/Author.swift")
    let run = try await package.generate()
    #expect(run.text.contains("wrote model-App.json\n"), "\(run.text)\(run.messages)")
    #expect(try await package.files()["./model-App.json.bak"] == nil)
    try await git("rm --quiet --cached model-App.json")
    try package.directory.write(GeneratedPackage.author, to: "Sources/App/Author.swift")
    #expect(try await package.generate().status == 0)
    #expect(try await package.files()["./model-App.json.bak"] != nil)
  }

  /// Without git nothing is known to be kept.
  @Test func withoutGitAModelIsKept() async throws {
    try await begin()
    try package.directory.write(
      GeneratedPackage.author.replacing("var name", with: "var born = 0\n  var name"),
      to: "Sources/App/Author.swift")
    let run = try await ProcessRun.of(
      "/usr/bin/env", ["PATH=/nowhere", GeneratedPackage.program()], in: package.directory.path)
    #expect(run.status == 0, "\(run.text)\(run.messages)")
    #expect(try await package.files()["./model-App.json.bak"] != nil)
  }
}
