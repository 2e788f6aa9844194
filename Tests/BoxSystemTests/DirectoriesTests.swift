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
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: ["a/b/c", "a/b/c/", "a//b/./c"])
  func missingDirectories(_ path: String) throws {
    let created = try CreatedDirectories(folder.path(of: path), mode: 0o700)
    #expect(folder.names(in: "a/b/c").isEmpty)
    #expect(folder.exists("a/b/c"))
    #expect(try CreatedDirectories(folder.path(of: path), mode: 0o700).paths.isEmpty)
    created.remove()
    #expect(folder.names().isEmpty)
  }

  @Test func whatIsInUseStays() throws {
    let created = try CreatedDirectories(folder.path(of: "a/b"), mode: 0o700)
    try folder.write("x", to: "a/file")
    created.remove()
    #expect(folder.names(in: "a") == ["file"])
  }

  @Test func aFailureLeavesNothing() throws {
    try folder.write("x", to: "file")
    #expect(symlink("circle", folder.path(of: "circle")) == 0)
    for name in ["file", "circle"] {
      let failure = #expect(throws: CreatedDirectories.Failure.self) {
        try CreatedDirectories(folder.path(of: name) + "/a/b", mode: 0o700)
      }
      #expect(failure?.path == folder.path(of: name))
      #expect(failure?.error.code == ENOTDIR)
    }
    let long = String(repeating: "x", count: 300)
    let failure = #expect(throws: CreatedDirectories.Failure.self) {
      try CreatedDirectories(folder.path(of: "new/" + long), mode: 0o700)
    }
    #expect(failure?.path == folder.path(of: "new/" + long))
    #expect(failure?.error.code == ENAMETOOLONG)
    #expect(folder.names() == ["circle", "file"])
  }

  @Test func namesOfTemporaryDirectories() throws {
    let prefix = folder.path(of: "tmp-")
    let paths = try (0..<10).map { _ in try createTemporaryDirectory(prefix: prefix) }
    #expect(Set(paths).count == 10)
    for path in paths {
      #expect(path.hasPrefix(prefix))
      #expect(path.count == prefix.count + 6)
      #expect(try fileAttributes(at: path)?.isDirectory == true)
    }
    #expect(throws: SystemError(code: ENOENT)) {
      try createTemporaryDirectory(prefix: folder.path(of: "none/tmp-"))
    }
  }
}
