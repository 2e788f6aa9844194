import BoxModel
import TestSupport
import Testing

/// The file of rules about removals that the program writes beside the model file.
struct RulesFileTests {
  private let package: GeneratedPackage
  private static let rules = "model-App.rules.json"

  init() throws { package = try GeneratedPackage() }

  private func write(_ annotation: String) throws {
    try package.directory.write(
      GeneratedPackage.book.replacing(
        "var title = \"\"",
        with: "var title = \"\"\n  \(annotation)\n  var author: ToOne<Author> = nil"),
      to: "Sources/App/Book.swift")
  }

  @Test func theFileFollowsTheAnnotations() async throws {
    try write("// without a rule")
    #expect(try await package.generate().status == 0)
    #expect(!package.directory.exists(Self.rules))
    let before = try package.text(GeneratedPackage.bindings)
    #expect(!before.contains("rules:"))

    try write("// objectbox: inverseDeleteRule = \"deny\"")
    let first = try await package.generate()
    #expect(first.status == 0 && first.text.contains("wrote \(Self.rules)\n"), "\(first.text)")
    let text = try package.text(Self.rules)
    #expect(text.hasPrefix("{\"rules\":1,\"declarations\":[\n{\"relation\":\""))
    #expect(text.hasSuffix("\",\"name\":\"Book.author\",\"targetRemoved\":\"deny\"}\n]}\n"))
    #expect(try await package.generate("--check").status == 0)
    #expect(try await !package.generate().text.contains("wrote"))

    // The seal covers it: a file that was edited or lost is written again.
    package.directory.removeEverything(Self.rules)
    #expect(try await package.generate("--check").status == 1)
    #expect(try await package.generate().status == 0)
    #expect(try package.text(Self.rules) == text)

    // Another rule is another fingerprint.
    try write("// objectbox: inverseDeleteRule = \"cascade\"")
    #expect(try await package.generate().status == 0)
    #expect(try package.text(Self.rules) == text.replacing("deny", with: "cascade"))

    try write("// without a rule")
    #expect(try await package.generate().status == 0)
    #expect(try package.text(Self.rules) == "{\"rules\":1,\"declarations\":[\n]}\n")
    #expect(try package.text(GeneratedPackage.bindings).contains("rules:"))
    #expect(try await package.generate("--check").status == 0)
  }

  @Test func aKeptVersionHasItsRules() async throws {
    try write("// objectbox: inverseDeleteRule = \"deny\"")
    #expect(try await package.generate("--keep-version", "1").status == 0)
    let text = try package.text(Self.rules)
    #expect(text.contains("\"deny\""))
    #expect(try package.text("Versions/App/1.rules.json") == text)
    // They stay when the rules become others.
    try write("// objectbox: inverseDeleteRule = \"cascade\"")
    #expect(try await package.generate().status == 0)
    #expect(try await package.generate("--keep-version", "1").status == 0)
    #expect(try package.text("Versions/App/1.rules.json") == text)
    #expect(try await package.generate("--keep-version", "2").status == 0)
    #expect(
      try package.text("Versions/App/2.rules.json") == text.replacing("deny", with: "cascade"))
    try await package.refuses(64, "is not the name of a version", "--keep-version", "1.rules")
  }

  @Test func eitherSideOfAConflictIsReplaced() async throws {
    try write("// objectbox: inverseDeleteRule = \"deny\"")
    #expect(try await package.generate().status == 0)
    let text = try package.text(Self.rules)
    try package.directory.write(
      "<<<<<<< ours\n\(text)=======\n\(text)>>>>>>> theirs\n", to: Self.rules)
    #expect(try await package.generate().status == 0)
    #expect(try package.text(Self.rules) == text)
  }

  @Test(arguments: [
    ("{\"rules\":2}", "format 2 was written by a newer version; this one reads 1"),
    (
      "{\"rules\":1,\"declarations\":[],\"indexes\":[]}", "'indexes' was written by a newer version"
    ),
    ("notes of mine", "the file is not replaced"),
  ])
  func anotherFileStays(_ text: String, _ words: String) async throws {
    #expect(try await package.generate().status == 0)
    try write("// objectbox: inverseDeleteRule = \"deny\"")
    try package.directory.write(text, to: Self.rules)
    try await package.refuses(64, words)
  }
}
