import BoxSystem
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxWorkspace

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The targets of paths, and the links that writing follows.
struct WriteTargetTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func link(_ destination: String, at name: String) {
    #expect(symlink(destination, directory.path(of: name)) == 0)
  }

  private func refusal(_ name: String) -> String? {
    do throws(CommandFailure) {
      try AtomicFile.write([1], to: directory.path(of: name))
      return nil
    } catch {
      return error.kind == .inputOutput ? error.message : "kind \(error.kind)"
    }
  }

  /// The system's own answer is the expectation: trees of directories and links in every direction.
  @Test func aPathResolvesAsTheSystemResolvesIt() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_PATHS", default: 300) {
      let directory = try TemporaryDirectory()
      let names = ["a", "b", "a/c", "b/d", "b/d/e"]
      for name in names { try directory.write("", to: name + "/file") }
      for number in 0..<6 {
        var destination = (0..<random.below(4) + 1).map { _ in
          random.pick(["a", "b", "c", "d", "e", ".", "..", "..", "file", "l0", "l1", "l2"])
        }.joined(separator: "/")
        if random.oneIn(4) { destination = directory.path + "/" + destination }
        symlink(destination, directory.path(of: random.pick(names) + "/l\(number)"))
      }
      for _ in 0..<20 {
        let path =
          directory.path + "/"
          + (0..<random.below(5) + 1).map { _ in
            random.pick(["a", "b", "c", "d", "e", "..", ".", "l0", "l1", "l2", "l3", "l4", "l5"])
          }.joined(separator: "/")
        guard let expected = canonicalPath(path) else { continue }
        #expect(try ResolvedPath(path).path == expected, "\(path)")
      }
    }
  }

  @Test func aRelativePathStaysOne() throws {
    #expect(try ResolvedPath("no/./such/../file").path == "no/file")
    #expect(try ResolvedPath("../../x").path == "../../x")
    #expect(try ResolvedPath("x/..").path == ".")
    #expect(try ResolvedPath("/../x").path == "/x")
  }

  @Test(
    arguments: [
      ("link", "../out/file"), ("link", "../out/new"), ("sub/link", "../../out/file"),
      ("link", "sub/../../out/file"), ("link", ".git/config"), ("link", ".git/hooks/pre-commit"),
      ("link", ".GIT/config"), ("sub/link", "../.git/info/exclude"), ("link", "module/../../out/f"),
      // Behind a link that leads to a directory.
      ("link/file", "../out"), ("link/x/../file", "../out"), ("link/config", ".git"),
    ])
  func aLinkOfARepositoryStaysInItsWorkTree(path: String, destination: String) throws {
    try directory.write("old", to: "out/file")
    for name in [".git/config", ".git/hooks/pre-commit", ".git/info/exclude", "sub/file"] {
      try directory.write("old", to: "tree/" + name)
    }
    try directory.write("", to: "tree/module/.git")
    let place = path.hasSuffix("link") ? path : "link"
    link(destination, at: "tree/" + place)
    let refusal = refusal("tree/" + path)
    #expect(
      refusal?.contains("tree/\(place)' leads out of the work tree '") == true, "\(refusal ?? "")")
    #expect(directory.names(in: "out") == ["file"])
    #expect(try directory.text(of: "out/file") == "old")
    #expect(try directory.text(of: "tree/.git/config") == "old")
    #expect(directory.names(in: "tree/.git") == ["config", "hooks", "info"])
  }

  @Test(
    arguments: [
      ("link", "sub/file"), ("link", "sub/new"), ("sub/link", "../file"), ("link/file", "sub"),
      ("link/file", "../tree/sub"), ("sub/link", "../second"),
    ])
  func aLinkThatStaysInTheWorkTreeIsFollowed(path: String, destination: String) throws {
    try directory.write("", to: "tree/.git")
    try directory.write("old", to: "tree/sub/file")
    let place = path.hasSuffix("link") ? path : "link"
    link(destination, at: "tree/" + place)
    link("sub/file", at: "tree/second")
    #expect(refusal("tree/" + path) == nil)
    var attributes = stat()
    #expect(lstat(directory.path(of: "tree/" + place), &attributes) == 0)
    #expect(attributes.st_mode & S_IFMT == S_IFLNK)
    #expect(try directory.bytes(of: "tree/" + path) == [1])
  }

  /// Those that nobody has committed: outside of a repository, on the way to it, in its own directory.
  @Test func linksElsewhereAreFollowed() throws {
    try directory.write("old", to: "out/file")
    try directory.write("", to: "tree/.git/HEAD")
    link("out/file", at: "link")
    link("tree", at: "way")
    link("../../out", at: "tree/.git/info")
    #expect(refusal("link") == nil)
    #expect(refusal("way/file") == nil)
    #expect(refusal("tree/.git/info/attributes") == nil)
    #expect(try directory.bytes(of: "out/file") == [1])
    #expect(directory.names(in: "out") == ["attributes", "file"])
    #expect(directory.names(in: "tree") == [".git", "file"])
  }

  /// A work tree whose repository is elsewhere, as that of `core.worktree`.
  @Test func theCallerMayKnowTheWorkTree() throws {
    try directory.write("old", to: "out/file")
    try directory.write("", to: "tree/file")
    link("../out/file", at: "tree/link")
    #expect(throws: CommandFailure.self) {
      try AtomicFile.write(
        [1], to: directory.path(of: "tree/link"), within: directory.path(of: "tree"))
    }
    #expect(try directory.text(of: "out/file") == "old")
  }

  /// Between the check and the writing somebody puts a link in the place of a directory.
  @Test func aDirectoryThatBecomesALinkIsNotFollowed() throws {
    try directory.write("", to: "tree/.git")
    try directory.write("old", to: "tree/sub/file")
    try directory.write("old", to: "out/file")
    let target = try WriteTarget(directory.path(of: "tree/sub/file"))
    rename(directory.path(of: "tree/sub"), directory.path(of: "tree/moved"))
    link("../out", at: "tree/sub")
    let temporary = TemporaryPath(in: target.directoryPath)
    defer { temporary.remove() }
    do {
      let file = try target.create(temporary, mode: 0o600)
      try file.write([1])
    }
    try target.replace(with: temporary)
    #expect(try directory.text(of: "out/file") == "old")
    #expect(directory.names(in: "out") == ["file"])
    #expect(try directory.bytes(of: "tree/moved/file") == [1])
  }

  @Test func aLinkAtTheNameOfTheTemporaryFileIsNotFollowed() throws {
    try directory.write("old", to: "out")
    let target = try WriteTarget(directory.path(of: "file"))
    let temporary = TemporaryPath(in: target.directoryPath)
    defer { temporary.remove() }
    link("out", at: temporary.name)
    #expect(throws: SystemError.self) { _ = try target.create(temporary, mode: 0o600) }
    #expect(try directory.text(of: "out") == "old")
  }

  @Test func linksInACircleEnd() throws {
    link("b", at: "a")
    link("a", at: "b")
    #expect(refusal("a") == "cannot be written: too many symbolic links")
    #expect(refusal("a/file") == "cannot be written: too many symbolic links")
  }
}
