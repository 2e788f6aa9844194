import BoxModel
import TestSupport
import Testing

struct GenerateCommandTests {
  private let package: GeneratedPackage

  init() throws { package = try GeneratedPackage() }

  private func entities() throws -> [String: UID] {
    let model = try ModelDocument(parsing: package.directory.bytes(of: GeneratedPackage.model))
    return Dictionary(uniqueKeysWithValues: model.model.entities.map { ($0.name, $0.pair.uid) })
  }

  @Test(.promise(16, 17, 98)) func theFirstRunWritesAndTheSecondDoesNot() async throws {
    let first = try await package.generate()
    #expect(first.status == 0, "\(first.messages)")
    #expect(
      first.text == """
        wrote \(GeneratedPackage.model)
        wrote converters-App.yml
        wrote converters-App.lock
        wrote \(GeneratedPackage.bindings)
        2 entities

        """)
    let files = try await package.files()
    let second = try await package.generate()
    #expect(second.text == "up to date: 2 entities\n")
    #expect(try await package.files() == files)
    #expect(try package.text("converters-App.yml").contains("\"novel\": 1"))
    #expect(try await package.generate("--quiet").text.isEmpty)
    #expect(try await package.generate("--verbose").text.contains("read Sources/App/Book.swift\n"))
  }

  /// The numbers are those that ObjectBox's generator draws for its tests.
  @Test func uidsCanBeASequence() async throws {
    try package.directory.write(
      """
      // objectbox: entity
      class Note {
        var id: Id = 0
        // objectbox: index
        var text: String = ""
        init() {}
      }
      """, to: "One/Note.swift")
    for option in ["--deterministic-uids", "--debug-parsetree"] {
      package.directory.removeEverything("model-One.json")
      package.directory.removeEverything("One/generated")
      let run = try await package.generate("--sources", "One", option)
      #expect(run.status == 0, "\(run.messages)\(run.text)")
      let model = try package.text("model-One.json")
      for pair in ["\"1:14592\"", "\"1:15616\"", "\"2:16640\"", "\"1:17664\""] {
        #expect(model.contains(pair), "\(pair)")
      }
    }
  }

  /// Both files would declare the same: a run says which to delete, also when it has nothing else to do.
  @Test func bindingsOfObjectBoxAreNotLeftBesideNewOnes() async throws {
    let left = "Sources/App/generated/EntityInfo.generated.swift"
    let text = "// Generated using the ObjectBox Swift Generator — https://objectbox.io\n"
    func leave(_ name: String = left) throws {
      try package.directory.write(text + "extension Book: ObjectBox.Entity {}\n", to: name)
    }
    let message = "\(left):1:1: error: The bindings of ObjectBox's generator are beside"
    try await _ = package.generate()
    try leave()
    try await package.refuses(1, message)
    try await package.refuses(1, message, "--check")
    package.directory.removeEverything(GeneratedPackage.bindings)
    try await package.refuses(1, message)
    let excluded = try await package.generate("--exclude-sources", left)
    #expect(excluded.status == 0, "\(excluded.text)")
    package.directory.removeEverything(left)
    #expect(try await package.generate().status == 0)
    // The file that a run replaces.
    try leave(GeneratedPackage.bindings)
    let replaced = try await package.generate()
    #expect(replaced.status == 0, "\(replaced.text)")
    #expect(try !package.text(GeneratedPackage.bindings).contains("ObjectBox Swift Generator"))
  }

  /// Each run with internal bindings says it once, also when nothing else has changed.
  @Test func bindingsOfPublicEntitiesArePublic() async throws {
    try await _ = package.generate()
    for (name, text) in [("Book", GeneratedPackage.book), ("Author", GeneratedPackage.author)] {
      try package.directory.write(
        text.replacing("final class", with: "public final class"), to: "Sources/App/\(name).swift")
    }
    for _ in 1...2 {
      let run = try await package.generate()
      #expect(run.status == 0)
      #expect(run.text.ranges(of: "BOX978").count == 1, "\(run.text)")
      #expect(run.text.contains("Sources/App/Author.swift:3:20: warning: The entity \"Author\""))
    }
    let visible = try await package.generate("--visibility", "public")
    #expect(visible.status == 0 && !visible.text.contains("BOX978"), "\(visible.text)")
    // A type inside of one that is internal is internal.
    try package.directory.write(
      "import BoxStore\nenum Shelf {\n  public final class Cat: Entity { var id: Id = 0; init() {} }\n}\n",
      to: "Nested/Cat.swift")
    let nested = try await package.generate("--sources", "Nested")
    #expect(nested.status == 0 && !nested.text.contains("BOX978"), "\(nested.text)")
  }

  /// Nothing is written, and what is printed is a patch that makes what a run writes.
  @Test(.promise(147)) func checkPrintsADifference() async throws {
    let first = try await package.generate("--check")
    #expect(first.status == 1)
    #expect(first.text.contains("--- /dev/null\n+++ \(GeneratedPackage.model)\n"))
    #expect(try await package.files().count == 2)
    _ = try await package.generate()
    #expect(try await package.generate("--check").status == 0)
    try package.directory.write(
      GeneratedPackage.author.replacing("var name", with: "var born = 0\n  var name"),
      to: "Sources/App/Author.swift")
    let before = try await package.files()
    let check = try await package.generate("--check")
    #expect(check.status == 1)
    #expect(try await package.files() == before)
    #expect(check.text.hasSuffix("2 entities\n"))
    let patch = try await ProcessRun.of(
      "patch", ["-p0", "--quiet"], in: package.directory.path, input: check.output)
    #expect(patch.status == 0, "\(patch.messages)\(patch.text)")
    // The UIDs are new in each run, so only the text but for them is that of a run.
    #expect(try package.text(GeneratedPackage.model).contains("\"born\""))
    #expect(try package.text(GeneratedPackage.bindings).contains("static var born"))
    #expect(try await package.generate("--check").status == 0)
  }

  /// A warning about a change is printed once; those about the sources in every run.
  @Test(arguments: [
    (
      GeneratedPackage.author.replacing(
        "var name", with: "var born: Int = Int(\"7\") ?? 0\n  var name"), false
    ),
    (
      GeneratedPackage.author.replacing(
        "var name", with: "// objectbox: backlink = \"x\"\n  var name"), true
    ),
  ])
  func checkFindsNothingAfterARunWithAWarning(author: String, isRepeated: Bool) async throws {
    _ = try await package.generate()
    try package.directory.write(author, to: "Sources/App/Author.swift")
    let run = try await package.generate()
    #expect(run.status == 0 && run.text.contains("warning: "), "\(run.text)\(run.messages)")
    let written = try await package.files()
    let check = try await package.generate("--check")
    #expect(check.status == 0, "\(check.text)")
    let again = try await package.generate()
    #expect(again.status == 0 && again.text.contains("warning: ") == isRepeated, "\(again.text)")
    #expect(try await package.files() == written)
  }

  @Test func theModelBeforeIsKept() async throws {
    _ = try await package.generate()
    let before = try package.text(GeneratedPackage.model)
    try package.directory.write(
      GeneratedPackage.author.replacing("var name", with: "var born = 0\n  var name"),
      to: "Sources/App/Author.swift")
    _ = try await package.generate()
    #expect(try package.text(GeneratedPackage.model + ".bak") == before)
    #expect(try package.text(GeneratedPackage.model) != before)
  }

  // MARK: - Wrong input

  @Test func aModelInConflictStopsTheRun() async throws {
    _ = try await package.generate()
    let model = try package.text(GeneratedPackage.model)
    try package.directory.write(
      "<<<<<<< HEAD\n\(model)=======\n\(model)>>>>>>> other\n", to: GeneratedPackage.model)
    try await package.refuses(1, "Run \"boxjoint resolve \(GeneratedPackage.model)\"")
    try package.directory.write("{", to: GeneratedPackage.model)
    try await package.refuses(1, "boxjoint check \(GeneratedPackage.model)")
  }

  @Test func aLostModelStopsTheRun() async throws {
    _ = try await package.generate()
    package.directory.removeEverything(GeneratedPackage.model)
    try await package.refuses(1, "boxjoint recover --output \(GeneratedPackage.model)")
  }

  /// The bindings are gone as well, so only git knows the UIDs.
  @Test func aModelThatGitHasIsNotStartedAgain() async throws {
    _ = try await package.generate()
    let git = { (arguments: [String]) async throws -> ProcessRun in
      try await ProcessRun.of(
        "git", ["-c", "user.name=n", "-c", "user.email=n@example.com"] + arguments,
        in: package.directory.path)
    }
    _ = try await git(["init", "--quiet"])
    _ = try await git(["add", "--all"])
    #expect(try await git(["commit", "--quiet", "-m", "Begin"]).status == 0)
    let model = try package.text(GeneratedPackage.model)
    package.directory.removeEverything(GeneratedPackage.model)
    package.directory.removeEverything(GeneratedPackage.bindings)
    try await package.refuses(1, "The model file is missing, and HEAD has it")
    try await package.refuses(1, "boxjoint recover --output \(GeneratedPackage.model)")
    _ = try await git(["commit", "--quiet", "--all", "-m", "Lose it"])
    _ = try await git(["commit", "--quiet", "--allow-empty", "-m", "Go on"])
    try await package.refuses(1, " removed it [BOX964", "--check")
    #expect(try await package.generate("--new-model").status == 0)
    #expect(try package.text(GeneratedPackage.model) != model)
    #expect(try await package.generate().status == 0)
  }

  @Test func sourcesThatCannotBeReadStopTheRun() async throws {
    _ = try await package.generate()
    _ = try await ProcessRun.of(
      "ln", ["-s", "Book.swift", "Sources/App/Link.swift"], in: package.directory.path)
    try await package.refuses(74, "Sources/App/Link.swift: this is a symbolic link")
    package.directory.removeEverything("Sources/App/Link.swift")
    try package.directory.write(
      [0xFF, 0xFE] + Array("// objectbox: entity".utf8), to: "Sources/App/B.swift")
    try await package.refuses(1, "Sources/App/B.swift:1:1: error: The file is not UTF-8")
    try package.directory.write(
      "<<<<<<< HEAD\nclass A: Entity {}\n=======\n>>>>>>> b\n", to: "Sources/App/B.swift")
    try await package.refuses(1, "Sources/App/B.swift:1:1: error: The file has conflict markers")
    try await package.refuses(64, "there is no such file or directory", "--sources", "Missing")
    try await package.refuses(64, "there is no directory Sources/Missing", "--target", "Missing")
  }

  @Test func otherFilesAreNotReplaced() async throws {
    try await package.refuses(64, "not generated", "--output", "Sources/App/Book.swift")
    try package.directory.write("types: {}\n", to: "c.yml")
    try await package.refuses(64, "not generated", "--converters", "c.yml")
    try package.directory.write("// x\n", to: "Sources/Other/A.swift")
    try await package.refuses(64, "name one by --target: App, Other")
    try await package.refuses(64, "exclude each other", "--check", "--watch", "--target", "App")
  }

  /// Two targets on one model file: with other entities it is an error, not a retirement.
  @Test func theEntitiesOfAnotherTargetStay() async throws {
    _ = try await package.generate("--model-json", "model.json")
    try package.directory.write(
      GeneratedPackage.author.replacing("Author", with: "Pen"), to: "Sources/Other/Pen.swift")
    try await package.refuses(1, "BOX961", "--target", "Other", "--model-json", "model.json")
    // Half of them.
    try package.directory.write(GeneratedPackage.author, to: "Sources/Other/Author.swift")
    try await package.refuses(
      2, "the sources lack 1 entity", "--target", "Other", "--model-json", "model.json")
    package.directory.removeEverything("Sources/Other/Author.swift")
    // With the sources of both, and the generated file of one.
    let both = try await package.generate(
      "--sources", "Sources/App", "--sources", "Sources/Other", "--target", "App", "--model-json",
      "model.json")
    #expect(both.status == 0, "\(both.messages)\(both.text)")
    #expect(both.text.hasSuffix("3 entities\n"))
  }

  /// Two targets with the same entities share both files: the second run finds them up to date.
  @Test(.promise(18)) func targetsWithTheSameEntitiesShareTheirFiles() async throws {
    for name in ["Book.swift", "Author.swift"] {
      try package.directory.write(
        try package.text("Sources/App/" + name), to: "Sources/Other/" + name)
    }
    let shared = [
      "--model-json", "model.json", "--output", "Shared.generated.swift", "--module", "Shared",
      "--converters", "converters.yml",
    ]
    let program = try GeneratedPackage.program()
    func run(_ target: String) async throws -> ProcessRun {
      try await ProcessRun.of(program, ["--target", target] + shared, in: package.directory.path)
    }
    let first = try await run("App")
    #expect(first.status == 0, "\(first.messages)\(first.text)")
    let files = try await package.files()
    let second = try await run("Other")
    #expect(second.status == 0, "\(second.messages)\(second.text)")
    #expect(try await package.files() == files)
    // Once the first target is no longer there, the bindings name the second.
    package.directory.removeEverything("Sources/App")
    #expect(try await run("Other").text.hasPrefix("wrote Shared.generated.swift\n"))
    #expect(try package.text("Shared.generated.swift").contains("--sources \"Sources/Other\""))
    let uids = try ModelDocument(parsing: package.directory.bytes(of: "model.json")).model
    #expect(uids.entities.map(\.name).sorted() == ["Author", "Book"])
    #expect(uids[retired: .entity] ?? [] == [])
  }

  @Test(.promise(14, 19, 20)) func argumentsNameEveryPath() async throws {
    let run = try await package.generate(
      "--sources", "Sources", "--exclude-sources", "Sources/App/Author.swift", "--output",
      "out/Box.swift", "--model-json", "out/model.json", "--converters", "out/c.yml", "--module",
      "Library", "--visibility", "public")
    #expect(run.status == 0, "\(run.messages)\(run.text)")
    #expect(run.text.hasSuffix("1 entity\n"))
    let bindings = try package.text("out/Box.swift")
    #expect(bindings.contains("public static let library = StoreModel("))
    #expect(bindings.contains("public final class BookBinding"))
    #expect(!bindings.contains("AuthorBinding"))
    #expect(try package.text("out/model.json").contains("\"Book\""))
    #expect(try package.text("out/c.yml").contains("novel"))
    #expect(try package.text("out/c.lock").contains("novel"))
    #expect(try await package.files().count == 6)
    // Another word before the colon, and the old one is a comment.
    let prefixed = try await package.generate(
      "--sources", "Sources/App/Author.swift", "--annotation-prefix", "box", "--output", "b.swift",
      "--model-json", "b.json", "--module", "B")
    #expect(prefixed.status == 0, "\(prefixed.messages)\(prefixed.text)")
  }

  @Test(.promise(22)) func theHelpNamesEachOption() async throws {
    let help = try await package.generate("--help")
    #expect(help.status == 0)
    #expect(help.text.contains("USAGE: boxjoint-generate"))
    for option in [
      "--sources", "--exclude-sources", "--output", "--model-json", "--visibility",
      "--annotation-prefix", "--module", "--xcode-module", "--quiet", "--verbose", "--check",
      "--watch", "--no-statistics", "--deterministic-uids", "--allow-removals", "--target",
    ] {
      #expect(help.text.contains(option), "\(option)")
    }
  }

  @Test func mostEntitiesAreNotRemovedAtOnce() async throws {
    try package.directory.write(
      GeneratedPackage.author.replacing("Author", with: "Pen"), to: "Sources/App/Pen.swift")
    _ = try await package.generate()
    package.directory.removeEverything("Sources/App/Pen.swift")
    package.directory.removeEverything("Sources/App/Author.swift")
    try await package.refuses(1, "--allow-removals")
    let run = try await package.generate("--allow-removals")
    #expect(run.text.hasSuffix("1 entity\n"), "\(run.text)\(run.messages)")
  }

  @Test func aFullDiskLosesNothing() async throws {
    _ = try await package.generate()
    let before = try await package.files()
    try package.directory.write(
      GeneratedPackage.author.replacing("var name", with: "var born = 0\n  var name"),
      to: "Sources/App/Author.swift")
    let script = "ulimit -f 1; exec \"$0\""
    let run = try await ProcessRun.of(
      "sh", ["-c", script, GeneratedPackage.program()], in: package.directory.path)
    #expect(run.status == 74, "\(run.messages)")
    var after = try await package.files()
    after["./Sources/App/Author.swift"] = before["./Sources/App/Author.swift"]
    after["./\(GeneratedPackage.model).bak"] = nil
    #expect(after == before)
  }

  // MARK: - At once

  /// Each of several runs sees the model of the one before it: no UID is given twice or lost.
  @Test func runsAtOnceAgree() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { try await package.generate() }
      }
      for try await run in group { #expect(run.status == 0, "\(run.messages)\(run.text)") }
    }
    let check = try await package.generate("--check")
    #expect(check.status == 0, "\(check.text)")
    let names = try entities().keys.sorted()
    #expect(names == ["Author", "Book"])
  }

  #if os(Linux)
    @Test func aWatchGeneratesWithEachChange() async throws {
      let script = """
        import os, signal, subprocess, sys, time
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        run = subprocess.Popen([sys.argv[1], "--watch"], stdout=subprocess.PIPE)
        def until(word):
            while True:
                line = run.stdout.readline().decode()
                if not line: sys.exit("ended")
                if word in line: return
        until("2 entities")
        with open("Sources/App/Pen.swift", "w") as file:
            file.write(open("Sources/App/Author.swift").read().replace("Author", "Pen"))
        until("3 entities")
        os.remove("Sources/App/Pen.swift")
        until("2 entities")
        # An error does not end it.
        os.mkdir("Sources/App/More")
        with open("Sources/App/More/Bad.swift", "w") as file: file.write("// objectbox: entity\\nstruct A {}\\n")
        until("error")
        os.remove("Sources/App/More/Bad.swift")
        until("2 entities")
        run.send_signal(signal.SIGINT)
        print(run.wait(60))
        """
      let run = try await ProcessRun.of(
        "python3", ["-c", script, GeneratedPackage.program()], in: package.directory.path)
      #expect(run.text == "-2\n", "\(run.messages)")
    }
  #endif

  // MARK: - Reports

  @Test(arguments: ["json", "sarif"])
  func reportsAreJSON(_ format: String) async throws {
    try package.directory.write("// objectbox: entity\nstruct A {}\n", to: "Sources/App/A.swift")
    let run = try await package.generate(
      "--format", format, "--report", "\(format)=report", "--report", "github=annotations")
    #expect(run.status == 1)
    let parsed = try await ProcessRun.of(
      "python3", ["-c", "import json, sys; print(len(json.load(sys.stdin)) > 0)"], input: run.output
    )
    #expect(parsed.text == "True\n", "\(run.text)")
    #expect(run.text.contains("BOX956"))
    #expect(try package.text("report") == run.text)
    #expect(try package.text("annotations").hasPrefix("::error file=Sources/App/A.swift,line=2"))
  }
}
