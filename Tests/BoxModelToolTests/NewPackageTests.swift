import BoxGenerateTool
import BoxModel
import BoxSources
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// New packages, in directories of their own.
struct NewPackageTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Writes a package.
  private func write(_ name: String, library: String? = nil) async throws(CommandFailure)
    -> NewPackageReport
  {
    var request = NewPackageRequest(name)
    request.library = library
    return try await request.run(in: Workspace(directory: directory.path))
  }

  /// The failure of a request, after which everything is as before.
  private func failure(
    _ name: String, library: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> CommandFailure {
    let before = DirectorySnapshot(of: directory.path)
    var failure: CommandFailure?
    do throws(CommandFailure) {
      _ = try await write(name, library: library)
    } catch {
      failure = error
    }
    let changes = before.changes(to: DirectorySnapshot(of: directory.path))
    #expect(changes.isEmpty, "\(name)", sourceLocation: sourceLocation)
    return try #require(failure, "\(name)", sourceLocation: sourceLocation)
  }

  private static let characters = Array("aB3_zQ7")

  /// A name of a module: of letters, digits and underscores, the first a letter.
  private static func name(_ random: inout SplitMix64) -> String {
    let rest = (0..<random.below(12)).map { _ in random.pick(characters) }
    return String(random.pick(["a", "N", "swift", "Kit", "class"])) + String(rest)
  }

  // MARK: - Laws

  /// The generator, the check of a build and the check of the model find nothing to do in a new package.
  @Test func aNewPackageIsUpToDate() async throws {
    var random = TestSeed.next()
    var written: Set<String> = []
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_PACKAGES", default: 12) {
      let name = Self.name(&random)
      if !written.insert(name).inserted || (try? NewPackageName(name)) == nil { continue }
      let report = try await write(name)
      let files = try #require(
        await ProcessRun.of("find", [".", "-type", "f"], in: directory.path(of: name)))
      #expect(
        files.text.split(separator: "\n").map { String($0.dropFirst(2)) }.sorted() == report.paths)
      try await expectUpToDate(name)
      let second = try await failure(name)
      #expect(second.kind == .usage)
    }
    #expect(Set(directory.names()).isSubset(of: written), "something is left beside")
  }

  private func expectUpToDate(_ name: String) async throws {
    let sources = directory.path(of: "\(name)/Sources/\(name)")
    let model = directory.path(of: "\(name)/model-\(name).json")
    let layout = try TargetLayout(
      target: name, sources: [sources], excluded: [], output: nil, model: model, catalogue: nil)
    let check = try await GenerationRun(layout, module: name).check()
    #expect(check.changes.isEmpty, "\(name): \(check.changes.map(\.path))")
    #expect(check.findings.isEmpty, "\(name): \(check.findings.map(\.message))")
    let paths = try SourceTree([sources]).files.map(\.path)
    #expect(try await BindingCheck.verdict(on: paths) == .upToDate, "\(name)")
    let document = try ModelDocument(parsing: TemporaryDirectory.bytes(ofFile: model))
    #expect(document.check().isEmpty, "\(name)")
    #expect(document.model.entities.map(\.name).sorted() == ["Folder", "Note"])
  }

  /// A text that cannot be a name is refused with one that can be.
  @Test func aNameThatIsAdvisedCanBeUsed() throws {
    var random = TestSeed.next()
    let pieces = [
      "a", "N", "9", "_", "-", "/", "..", " ", "Ä", "é", "日本", "class", "Box", "Swift", "\n",
      "\"", "'", "\\", "\u{1b}", "main", "",
    ]
    for _ in 0..<3_000 {
      let text = (0..<random.below(6)).map { _ in random.pick(pieces) }.joined()
      do throws(CommandFailure) {
        let name = try NewPackageName(text).text
        #expect(name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]{0,99}/) != nil)
      } catch {
        #expect(error.kind == .usage)
        let advised = try #require(error.message.split(separator: " ").last).description
        #expect(throws: Never.self, "\(text.debugDescription): \(advised)") {
          _ = try NewPackageName(advised)
        }
      }
    }
  }

  @Test(arguments: [
    ("my-notes", "MyNotes"), ("apps/Notes", "Notes"), ("9lives", "lives"), ("Größe", "GrE"),
    ("", "Notes"), ("-", "Notes"), ("Swift", "MySwift"), ("class", "MyClass"),
    ("BoxStore", "MyBoxStore"),
    (String(repeating: "a", count: 200), String(repeating: "a", count: 98)),
  ])
  func theAdvisedNameIsLikeTheText(text: String, name: String) async throws {
    let failure = try await failure(text)
    #expect(failure.kind == .usage)
    #expect(failure.message.hasSuffix("; pass \(name)"), "\(failure.message)")
  }

  /// A package manager refuses a target of a name that another package has.
  @Test func noTargetOfThisPackageIsAName() throws {
    let manifest = try RepositoryFile.text(of: "Package.swift")
    let targets = manifest.matches(
      of: /(?:library|\.target|\.executableTarget|\.systemLibrary|\.plugin)\(\s*(?:name: )?"(\w+)"/)
    #expect(targets.count > 40)
    for target in targets {
      #expect(throws: CommandFailure.self, "\(target.output.1)") {
        _ = try NewPackageName(String(target.output.1))
      }
    }
  }

  // MARK: - Names in use

  @Test(arguments: [
    ("Notes/a.txt", "it exists already"), ("Notes", "it exists already"),
    ("Sources/Notes/a.swift", "a target has the name 'Notes'"),
    ("Tests/NotesTests/a.swift", "a target has the name 'Notes'"),
    ("model-Notes.json", "a target has the name 'Notes'"),
    ("Package.swift", "the package has the name 'Notes' in it already"),
  ])
  func aNameInUseIsRefused(file: String, message: String) async throws {
    try directory.write(#"let package = Package(name: "Notes")"#, to: file)
    let failure = try await failure("Notes")
    #expect(failure.kind == .usage)
    #expect(failure.message.hasPrefix(message), "\(failure.message)")
    #expect(failure.path?.hasPrefix(directory.path) == true)
    _ = try await write("Others")
  }

  /// Of several requests for one name one writes all files, and the others none.
  @Test func oneOfSeveralRequestsWritesThePackage() async throws {
    let count = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { (try? await write("Notes")) != nil } }
      var count = 0
      for await isWritten in group where isWritten { count += 1 }
      return count
    }
    #expect(count == 1)
    #expect(directory.names() == ["Notes"])
    try await expectUpToDate("Notes")
  }

  @Test func aLinkIsNotFollowed() async throws {
    #expect(symlink("nowhere", directory.path(of: "Notes")) == 0)
    #expect(try await failure("Notes").kind == .usage)
  }

  /// A directory that nobody may write to refuses users, and root too.
  @Test func aReadOnlyDirectoryStaysEmpty() async throws {
    chmod(directory.path, 0o555)
    defer { chmod(directory.path, 0o755) }
    let failure = try await failure("Notes")
    #expect(failure.kind == .inputOutput)
    #expect(directory.names().isEmpty)
  }

  @Test func permissionsAreThoseOfOtherFiles() async throws {
    _ = try await write("Notes")
    mkdir(directory.path(of: "other"), 0o777)
    let modes = try await ProcessRun.of(
      "stat", ["-c", "%a", "Notes", "Notes/Sources", "other"], in: directory.path)
    #expect(Set(modes.text.split(separator: "\n")).count == 1, "\(modes.text)")
  }

  // MARK: - The library

  @Test func aDirectoryOfTheLibraryIsNamedFromThePackage() async throws {
    let root = RepositoryFile.root
    _ = try await write("Absolute", library: root + "/")
    let absolute = try directory.text(of: "Absolute/Package.swift")
    #expect(absolute.contains(".package(name: \"BoxJoint\", path: \"\(root)\", traits: [])"))
    try directory.write("  name: \"BoxJoint\",\n", to: "a \"b\"\\c/Package.swift")
    let here = try #require(realpath(".", nil).map { String(cString: $0) })
    let relative = PathArithmetic.path(
      directory.path(of: "a \"b\"\\c"), from: here, here: here)
    _ = try await write("Relative", library: relative)
    let text = try directory.text(of: "Relative/Package.swift")
    #expect(text.contains(#"path: "../a \u{22}b\u{22}\u{5c}c","#), "\(text)")
  }

  @Test(arguments: ["missing", "other", "Package.swift"])
  func anotherDirectoryIsNotTheLibrary(name: String) async throws {
    try directory.write("let package = Package(name: \"Other\")", to: "other/Package.swift")
    let failure = try await failure("Notes", library: directory.path(of: name))
    #expect(failure.kind == .usage)
    #expect(failure.path == directory.path(of: name))
  }

  // MARK: - Documentation

  /// The tutorial shows the files as they are written.
  @Test func theTutorialShowsTheFiles() async throws {
    _ = try await write("Notes")
    let page = try RepositoryFile.text(of: "docs/tutorial.md")
    let blocks = page.matches(of: /```swift (\S+)\n((?:.*\n)*?)```/)
    #expect(
      Set(blocks.map { String($0.output.1) })
        == ["Package.swift", "Sources/Notes/Entities.swift", "Sources/Notes/main.swift"])
    for block in blocks {
      let file = try directory.text(of: "Notes/\(block.output.1)")
      #expect(file == String(block.output.2), "\(block.output.1)")
    }
  }

  /// One placeholder stands for the address of the library.
  @Test(arguments: ["installing", "swift", "tutorial"])
  func pagesHaveTheSameAddress(name: String) throws {
    let lines = try RepositoryFile.text(of: "docs/\(name).md").split(separator: "\n")
      .filter { $0.contains(".package(url:") }
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(
        line.contains(#".package(url: "\#(NewPackageFiles.address)", branch: "main", traits: []"#),
        "\(name): \(line)")
    }
  }
}
