import BoxSources
import TestSupport
import Testing

/// The check that a build makes, on what the program generated.
struct EntityCheckTests {
  private let package: GeneratedPackage

  init() throws { package = try GeneratedPackage() }

  private func verdict() async throws -> BindingCheck.Verdict {
    let list = try await ProcessRun.of(
      "find", [package.directory.path(of: "Sources/App"), "-name", "*.swift"])
    return try await BindingCheck.verdict(on: list.text.split(separator: "\n").map(String.init))
  }

  private func reason() async throws -> String? {
    guard case .outOfDate(let path, let reason) = try await verdict() else { return nil }
    #expect(path.hasSuffix(GeneratedPackage.bindings))
    return reason
  }

  @Test(.promise(121)) func bindingsAreUpToDateOrNot() async throws {
    #expect(try await verdict() == .missing)
    _ = try await package.generate()
    #expect(try await verdict() == .upToDate)
    // Other code and other files.
    try package.directory.write("func f() {}\n", to: "Sources/App/F.swift")
    try package.directory.write(
      GeneratedPackage.book.replacing(
        "required init() {}", with: "// A\n  required init() { f() }"),
      to: "Sources/App/Book.swift")
    #expect(try await verdict() == .upToDate)
    try package.directory.write(
      GeneratedPackage.book.replacing("novel = 1", with: "novel = 1, poem = 2"),
      to: "Sources/App/Book.swift")
    #expect(try await reason() == "the entities have changed since it was generated")
    _ = try await package.generate()
    #expect(try await verdict() == .upToDate)
    let model = try package.text(GeneratedPackage.model)
    try package.directory.write(model + "\n", to: GeneratedPackage.model)
    #expect(try await reason()?.hasSuffix("is not the one in it") == true)
    package.directory.removeEverything(GeneratedPackage.model)
    #expect(try await reason()?.hasSuffix("is missing") == true)
  }

  @Test func bindingsOfObjectBoxAreNotLeftBeside() async throws {
    let left = "Sources/App/generated/EntityInfo.generated.swift"
    try package.directory.write(
      "// Generated using the ObjectBox Swift Generator — https://objectbox.io\n", to: left)
    #expect(try await verdict() == .missing)
    try await _ = package.generate("--exclude-sources", left)
    guard case .outOfDate(let path, let reason) = try await verdict() else {
      Issue.record("the file was not seen")
      return
    }
    #expect(path.hasSuffix(left) && reason.hasSuffix("declares the same: delete it"))
    package.directory.removeEverything(left)
    #expect(try await verdict() != .missing)
  }

  @Test(.promise(24)) func theProgramFailsWithTheCommandToRun() async throws {
    let stamp = package.directory.path(of: "Stamp.swift")
    let program = try GeneratedPackage.program("BoxEntityCheck")
    func run() async throws -> ProcessRun {
      try await ProcessRun.of(
        program,
        ["App", stamp, "Sources/App/Book.swift", GeneratedPackage.bindings].filter {
          $0 != GeneratedPackage.bindings || package.directory.exists($0)
        }, in: package.directory.path)
    }
    let missing = try await run()
    #expect(missing.status == 1)
    let command =
      "`swift package --allow-writing-to-package-directory objectbox-generator --target App`\n"
    #expect(
      missing.messages == "error: the target App has no bindings of its entities; run \(command)")
    _ = try await package.generate()
    let sound = try await run()
    #expect(sound.status == 0, "\(sound.messages)")
    #expect(try package.text("Stamp.swift").isEmpty)
    try package.directory.write(
      GeneratedPackage.author.replacing("name", with: "title"), to: "Sources/App/Author.swift")
    let old = try await run()
    #expect(old.status == 1)
    #expect(old.messages.hasPrefix("\(GeneratedPackage.bindings):1:1: error: the entities have"))
    #expect(old.messages.hasSuffix(command))
  }
}
