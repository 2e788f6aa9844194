import BoxSystem
import TestSupport
import Testing

@testable import BoxWorkspace

/// The paths on `docs/architecture.md`, compared with the files of the repository.
struct ArchitecturePageTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private let page: String

  init() throws {
    page = String(
      decoding: try SourceFile.read(Self.root + "/docs/architecture.md").bytes, as: UTF8.self)
  }

  /// The paths and the names of files in a text: between backticks, and the targets of links.
  ///
  /// Material outside of the repository, which starts with `../`, need not be there.
  static func paths(in text: String) -> [String] {
    let code = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    let links = text.split(separator: "](").dropFirst()
      .map { "docs/" + $0.prefix { $0 != ")" && $0 != "#" } }
    return (code + links).filter { name in
      !name.contains { $0.isWhitespace || "(_".contains($0) } && !name.hasPrefix("../")
        && (name.contains("/") || name.hasSuffix(".swift") || name.hasSuffix(".md"))
    }
  }

  /// Whether a path exists in a repository; for a bare name, whether a source file has it.
  static func exists(_ path: String, in root: String, sources: Set<String>) -> Bool {
    if path.contains("/") { return ((try? fileAttributes(at: root + "/" + path)) ?? nil) != nil }
    return sources.contains(path)
  }

  /// The names of the files below a directory.
  static func names(below directory: String) -> Set<String> {
    var found: Set<String> = []
    for name in namesInDirectory(directory) {
      let path = joinPath(directory, name)
      if isDirectory(at: path) { found.formUnion(names(below: path)) } else { found.insert(name) }
    }
    return found
  }

  @Test func everyPathExists() {
    let sources = Self.names(below: Self.root + "/Sources")
    let paths = Self.paths(in: page)
    #expect(paths.count >= 10)
    for path in paths {
      #expect(Self.exists(path, in: Self.root, sources: sources), "\(path) does not exist")
    }
  }

  @Test func everyTargetIsOnThePage() {
    for target in namesInDirectory(Self.root + "/Sources") {
      #expect(page.contains(target), "\(target) is not on the page")
    }
  }

  @Test func aMissingFileIsFound() {
    let text = "See `Tests/Nowhere`, `Gone.swift` and [this](gone.md#part), not `../elsewhere/x`."
    let paths = Self.paths(in: text)
    #expect(paths == ["Tests/Nowhere", "Gone.swift", "docs/gone.md"])
    #expect(!paths.contains { Self.exists($0, in: Self.root, sources: ["Other.swift"]) })
  }
}
