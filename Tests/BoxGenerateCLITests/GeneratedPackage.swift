import TestSupport
import Testing

/// A package with a target in an empty directory, and the program that generates its bindings.
struct GeneratedPackage {
  let directory: TemporaryDirectory

  static let bindings = "Sources/App/generated/EntityInfo-App.generated.swift"
  static let model = "model-App.json"

  static let book = """
    import BoxStore

    enum Genre: Int { case other = 0, novel = 1 }

    final class Book: Entity {
      var id: Id = 0
      // objectbox: index
      var title = ""
      // objectbox: convert = { "default": ".other" }
      var genre = Genre.other
      required init() {}
    }

    """

  static let author = """
    import BoxStore

    final class Author: Entity {
      var id: Id = 0
      var name = ""
      required init() {}
    }

    """

  /// Creates a package with a book and an author.
  init() throws {
    directory = try TemporaryDirectory()
    try directory.write(Self.book, to: "Sources/App/Book.swift")
    try directory.write(Self.author, to: "Sources/App/Author.swift")
  }

  /// Runs `boxjoint-generate`.
  ///
  /// - Throws: ``TestFailure`` if it is not built.
  func generate(
    _ arguments: String..., in name: String = "."
  ) async throws -> ProcessRun {
    try await ProcessRun.of(Self.program(), arguments, in: directory.path(of: name))
  }

  /// Runs, and expects a status, words of the message, and that nothing is written.
  func refuses(
    _ status: Int32, _ words: String, _ arguments: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try await files()
    let run = try await ProcessRun.of(Self.program(), arguments, in: directory.path)
    let text = run.messages + run.text
    #expect(run.status == status, "\(text)", sourceLocation: sourceLocation)
    #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation)
    #expect(try await files() == before, sourceLocation: sourceLocation)
  }

  static func program(_ name: String = "boxjoint-generate") throws -> String {
    guard let path = builtProgram(name) else {
      throw TestFailure("\(name) is not built: swift build")
    }
    return path
  }

  func text(_ name: String) throws -> String {
    String(decoding: try directory.bytes(of: name), as: UTF8.self)
  }

  /// The bytes of every file, by name.
  func files() async throws -> [String: [UInt8]] {
    let list = try await ProcessRun.of("find", [".", "-type", "f"], in: directory.path)
    var files: [String: [UInt8]] = [:]
    for name in list.text.split(separator: "\n") {
      files[String(name)] = try directory.bytes(of: String(name))
    }
    return files
  }
}
