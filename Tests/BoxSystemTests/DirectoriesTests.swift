import BoxSystem
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Directories that are created for a path, and removed again.
struct DirectoriesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: ["a/b/c", "a/b/c/", "a//b/./c"])
  func missingDirectories(_ path: String) throws {
    let created = try CreatedDirectories(directory.path(of: path), mode: 0o700)
    #expect(directory.names(in: "a/b/c").isEmpty)
    #expect(directory.exists("a/b/c"))
    #expect(try CreatedDirectories(directory.path(of: path), mode: 0o700).paths.isEmpty)
    created.remove()
    #expect(directory.names().isEmpty)
  }

  @Test func elementsInUseStay() throws {
    let created = try CreatedDirectories(directory.path(of: "a/b"), mode: 0o700)
    try directory.write("x", to: "a/file")
    created.remove()
    #expect(directory.names(in: "a") == ["file"])
  }

  @Test func aFailureLeavesNothing() throws {
    try directory.write("x", to: "file")
    #expect(symlink("circle", directory.path(of: "circle")) == 0)
    for name in ["file", "circle"] {
      let failure = #expect(throws: CreatedDirectories.Failure.self) {
        try CreatedDirectories(directory.path(of: name) + "/a/b", mode: 0o700)
      }
      #expect(failure?.path == directory.path(of: name))
      #expect(failure?.error.code == ENOTDIR)
    }
    let long = String(repeating: "x", count: 300)
    let failure = #expect(throws: CreatedDirectories.Failure.self) {
      try CreatedDirectories(directory.path(of: "new/" + long), mode: 0o700)
    }
    #expect(failure?.path == directory.path(of: "new/" + long))
    #expect(failure?.error.code == ENAMETOOLONG)
    #expect(directory.names() == ["circle", "file"])
  }

  @Test func namesOfTemporaryDirectories() throws {
    let prefix = directory.path(of: "tmp-")
    let paths = try (0..<10).map { _ in try createTemporaryDirectory(prefix: prefix) }
    #expect(Set(paths).count == 10)
    for path in paths {
      #expect(path.hasPrefix(prefix))
      #expect(path.count == prefix.count + 6)
      #expect(try fileAttributes(at: path)?.isDirectory == true)
    }
    #expect(throws: SystemError(code: ENOENT)) {
      try createTemporaryDirectory(prefix: directory.path(of: "none/tmp-"))
    }
  }
}
