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
  func aNameIsThatOfAFile(_ name: String) async throws {
    let run = try await package.generate("--keep-version", name)
    #expect(run.status == 64 && run.messages.contains("no name of a version"), "\(run.messages)")
    #expect(!package.directory.exists("Versions"))
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
