import TestSupport
import Testing

@testable import BoxSources

struct SourceTreeTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["a/B.swift", "a/A.swift", "a/c/D.swift", "a/.hidden/E.swift", "a/text.txt"] {
      try directory.write("// \(name)\n", to: name)
    }
  }

  private func names(_ roots: [String], excluding excluded: [String] = []) throws -> [String] {
    let root = directory.path + "/"
    return try SourceTree(roots.map { root + $0 }, excluding: excluded.map { root + $0 }).files
      .map { $0.path.hasPrefix(root) ? String($0.path.dropFirst(root.count)) : $0.path }
  }

  @Test func swiftFilesAreFound() throws {
    #expect(try names(["a"]) == ["a/A.swift", "a/B.swift", "a/c/D.swift"])
    #expect(try names(["a/c/", "a/A.swift", "a"]) == ["a/A.swift", "a/B.swift", "a/c/D.swift"])
    #expect(try names(["a"], excluding: ["a/c", "a/B.swift"]) == ["a/A.swift"])
    #expect(try names(["a"], excluding: ["a/"]) == [])
    #expect(try names(["a/text.txt"]) == ["a/text.txt"])
  }

  private func failure(_ roots: [String]) throws -> SourceTree.Failure {
    do {
      _ = try names(roots)
      throw TestFailure("no error")
    } catch let failure as SourceTree.Failure {
      return failure
    }
  }

  /// To leave a file out would remove the entities in it.
  @Test func unreadableFilesAreErrors() async throws {
    #expect(try failure(["missing"]).isMissing)
    _ = try await ProcessRun.of("ln", ["-s", "A.swift", "a/Link.swift"], in: directory.path)
    let link = try failure(["a"])
    #expect(link.path.hasSuffix("a/Link.swift"))
    #expect(link.message.contains("symbolic link"))
    #expect(
      try names(["a"], excluding: ["a/Link.swift"]) == ["a/A.swift", "a/B.swift", "a/c/D.swift"])
  }
}
