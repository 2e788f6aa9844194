import BoxSystem
import TestSupport
import Testing

@testable import BoxWorkspace

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct AtomicFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [0, 1, 100_000])
  func writtenValuesAreRead(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let path = directory.path(of: "file")
    try AtomicFile.write(bytes, to: path)
    #expect(try directory.bytes(of: "file") == bytes)
    try AtomicFile.write(bytes + [1], to: path)
    #expect(try directory.bytes(of: "file") == bytes + [1])
    #expect(directory.names() == ["file"])
  }

  @Test(arguments: [0o600, 0o644, 0o755, 0o660] as [mode_t])
  func permissionsStay(mode: mode_t) throws {
    try directory.write("old", to: "file")
    let path = directory.path(of: "file")
    chmod(path, mode)
    try AtomicFile.write([1], to: path)
    #expect(try fileAttributes(at: path).map { $0.st_mode & 0o7777 } == mode)
  }

  @Test func aNewFileIsNeverWritableByOthers() throws {
    try AtomicFile.write([1], to: directory.path(of: "new"))
    let mode = try fileAttributes(at: directory.path(of: "new")).map { $0.st_mode & 0o7777 } ?? 0
    #expect(mode & 0o600 == 0o600)
    #expect(mode & 0o133 == 0)
  }

  @Test func aSymbolicLinkStaysOne() throws {
    try directory.write("old", to: "far/target")
    #expect(symlink("far/target", directory.path(of: "link")) == 0)
    #expect(symlink("link", directory.path(of: "second")) == 0)
    try AtomicFile.write(Array("new".utf8), to: directory.path(of: "second"))
    #expect(try directory.text(of: "far/target") == "new")
    #expect(try resolvingLinks(directory.path(of: "second")) == directory.path(of: "far/target"))
    #expect(directory.names(in: "far") == ["target"])
  }

  @Test func aLinkToNothingGetsItsTarget() throws {
    try directory.write("", to: "far/other")
    #expect(symlink("far/target", directory.path(of: "link")) == 0)
    try AtomicFile.write([7], to: directory.path(of: "link"))
    #expect(try directory.bytes(of: "far/target") == [7])
  }

  @Test func readOnlyFilesAndDirectoriesAreRefused() throws {
    try directory.write("old", to: "file")
    chmod(directory.path(of: "file"), 0o444)
    #expect(refusal("file")?.message.contains("read-only") == true)
    try directory.write("old", to: "closed/file")
    chmod(directory.path(of: "closed"), 0o555)
    #expect(refusal("closed/file")?.message.contains("directory") == true)
    #expect(refusal("closed/new")?.message.contains("directory") == true)
    #expect(try directory.text(of: "file") == "old")
    #expect(try directory.text(of: "closed/file") == "old")
    #expect(directory.names(in: "closed") == ["file"])
    #expect(directory.names() == ["closed", "file"])
  }

  @Test func pathsThatAreNotFilesAreRefused() throws {
    try directory.write("", to: "directory/file")
    #expect(symlink("circle", directory.path(of: "circle")) == 0)
    #expect(refusal("directory")?.kind == .inputOutput)
    #expect(refusal("missing/file")?.kind == .inputOutput)
    #expect(refusal("directory/file/x")?.kind == .inputOutput)
    #expect(refusal("circle")?.message.contains("links") == true)
    #expect(directory.names() == ["circle", "directory"])
  }

  @Test func otherHardLinksKeepTheOldContent() throws {
    try directory.write("old", to: "file")
    #expect(link(directory.path(of: "file"), directory.path(of: "other")) == 0)
    try AtomicFile.write(Array("new".utf8), to: directory.path(of: "file"))
    #expect(try directory.text(of: "other") == "old")
  }

  private func refusal(_ name: String) -> CommandFailure? {
    do throws(CommandFailure) {
      try AtomicFile.write([1, 2, 3], to: directory.path(of: name))
      return nil
    } catch {
      return error
    }
  }
}
