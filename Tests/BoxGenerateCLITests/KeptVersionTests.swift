import BoxSources
import TestSupport
import Testing

/// Models that are kept for the stores of releases.
struct KeptVersionTests {
  private let package: GeneratedPackage
  private static let list = "Versions/App/versions.json"
  private static let code = "Sources/App/generated/Versions-App.generated.swift"

  init() throws { package = try GeneratedPackage() }

  @Test func releasesAreKeptOneAfterTheOther() async throws {
    let first = try await package.generate("--keep-version", "1.0")
    #expect(first.status == 0, "\(first.messages)\(first.text)")
    #expect(first.text.contains("wrote Versions/App/1.0.json"))
    let model = try package.text(GeneratedPackage.model)
    #expect(try package.text("Versions/App/1.0.json") == model)
    #expect(try package.text(Self.code).contains("static let appVersions"))
    // The check of a build takes them for no bindings.
    let files = [GeneratedPackage.bindings, Self.code, "Sources/App/Book.swift"]
      .map { package.directory.path(of: $0) }
    #expect(try await BindingCheck.verdict(on: files) == .upToDate)

    // The same once more writes nothing.
    let again = try await package.generate("--keep-version", "1.0")
    #expect(again.status == 0 && !again.text.contains("wrote"))
    let check = try await package.generate("--check", "--keep-version", "1.0")
    #expect(check.status == 0)

    // Another model is another version.
    try package.directory.write(
      GeneratedPackage.book.replacing(
        "required init() {}", with: "var pages: Int = 100\n  required init() {}"),
      to: "Sources/App/Book.swift")
    let taken = try await package.generate("--keep-version", "1.0")
    #expect(taken.status == 2)
    #expect(taken.messages.contains("version 1.0 is kept already with another model"))
    #expect(try package.text(GeneratedPackage.model) == model)
    #expect(try await package.generate("--keep-version", "1.1").status == 0)
    let code = try package.text(Self.code)
    #expect(code.contains("(\"1.0\", version1),\n    (\"1.1\", version2),"))
    #expect(code.contains("PropertyConstant(100 as Int)"))
    // Cases can be removed later.
    #expect(!code.contains(").rawValue)"))
  }

  @Test(arguments: ["", "../1", "a b", "versions"])
  func aNameCanBeTheNameOfAFile(_ name: String) async throws {
    let run = try await package.generate("--keep-version", name)
    #expect(
      run.status == 64 && run.messages.contains("is not the name of a version"), "\(run.messages)")
    #expect(!package.directory.exists("Versions"))
  }

  /// The Swift file follows the list in every run.
  @Test func theCodeOfKeptVersionsIsRestored() async throws {
    _ = try await package.generate("--keep-version", "1")
    let code = try package.text(Self.code)
    package.directory.removeEverything(Self.code)
    #expect(try await package.generate("--check").status == 1)
    _ = try await package.generate()
    #expect(try package.text(Self.code) == code)
    try package.directory.write(code.replacing("\"1\"", with: "\"2\""), to: Self.code)
    #expect(try await package.generate("--check").status == 1)
    _ = try await package.generate()
    #expect(try package.text(Self.code) == code)
    #expect(try await package.generate("--check").status == 0)
  }

  /// Values alone become code.
  @Test(arguments: [
    #"PropertyConstant({ () -> Int32 in print("x"); return 5 as Int32 }())"#,
    #"PropertyConstant(exit(0) as Int32)"#, #"PropertyConstant("\\(run())" as String)"#,
    #"PropertyConstant(5 as Int32); print(1)"#, #"PropertyConstant(5 /* as */ as Int32)"#,
    #"run()"#, "", #"PropertyConstant(run(1) as Int)"#,
  ])
  func codeInAListIsRefused(_ expression: String) async throws {
    _ = try await package.generate("--keep-version", "1")
    let list = try package.text(Self.list)
    let hostile = list.replacing(
      "PropertyConstant(0 as Int)", with: expression.replacing("\"", with: "\\\""))
    try #require(hostile != list)
    try package.directory.write(hostile, to: Self.list)
    for arguments in [["--keep-version", "2"], ["--check"], []] {
      let run = try await ProcessRun.of(
        GeneratedPackage.program(), arguments, in: package.directory.path)
      #expect(run.status == 65, "\(run.messages)")
    }
  }

  @Test func aDamagedModelIsRefused() async throws {
    _ = try await package.generate("--keep-version", "1")
    for text in ["garbage", "<<<<<<< ours\n{}\n"] {
      try package.directory.write(text, to: "Versions/App/1.json")
      let run = try await package.generate("--keep-version", "2")
      #expect(run.status == 65 && run.messages.contains("version 1"), "\(run.messages)")
    }
  }

  /// A target that is renamed takes its versions along.
  @Test func versionsFollowARenamedTarget() async throws {
    _ = try await package.generate("--keep-version", "1")
    let move = try await ProcessRun.of(
      "mv", ["Sources/App", "Sources/Core"], in: package.directory.path)
    #expect(move.status == 0)
    let refused = try await package.generate()
    let text = refused.text + refused.messages
    let line = try #require(
      text.split(separator: "\"").first { $0.hasPrefix("mv ") || $0.hasPrefix("git mv") })
    #expect(line.contains("Versions/App Versions/Core"), "\(text)")
    let moved = try await ProcessRun.of("sh", ["-c", String(line)], in: package.directory.path)
    #expect(moved.status == 0, "\(moved.messages)")
    #expect(try await package.generate("--keep-version", "2").status == 0)
    let code = try package.text("Sources/Core/generated/Versions-Core.generated.swift")
    #expect(code.contains("(\"1\", version1),\n    (\"2\", version2),"))
  }

  @Test(arguments: [
    "{", "[]", #"{"versions":[{"name":"../../../etc/passwd"}]}"#, #"{"versions":[{"name":"1.0"}]}"#,
  ])
  func aListOfAStrangerIsRefused(_ list: String) async throws {
    try package.directory.write(list, to: Self.list)
    let run = try await package.generate("--keep-version", "2")
    #expect([65, 74].contains(run.status), "\(run.messages)")
    #expect(run.messages.contains("Versions/App/"))
    #expect(!package.directory.exists(Self.code))
  }
}
