import BoxSystem
import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct AtomicFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 100_000])
  func whatIsWrittenIsRead(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let path = folder.path(of: "file")
    try AtomicFile.write(bytes, to: path)
    #expect(try folder.bytes(of: "file") == bytes)
    try AtomicFile.write(bytes + [1], to: path)
    #expect(try folder.bytes(of: "file") == bytes + [1])
    #expect(folder.names() == ["file"])
  }

  @Test(arguments: [0o600, 0o644, 0o755, 0o660] as [mode_t])
  func permissionsStay(mode: mode_t) throws {
    try folder.write("old", to: "file")
    let path = folder.path(of: "file")
    chmod(path, mode)
    try AtomicFile.write([1], to: path)
    #expect(try fileAttributes(at: path).map { $0.st_mode & 0o7777 } == mode)
  }

  @Test func aNewFileIsNeverWritableByOthers() throws {
    try AtomicFile.write([1], to: folder.path(of: "new"))
    let mode = try fileAttributes(at: folder.path(of: "new")).map { $0.st_mode & 0o7777 } ?? 0
    #expect(mode & 0o600 == 0o600)
    #expect(mode & 0o133 == 0)
  }

  @Test func aSymbolicLinkStaysOne() throws {
    try folder.write("old", to: "far/target")
    #expect(symlink("far/target", folder.path(of: "link")) == 0)
    #expect(symlink("link", folder.path(of: "second")) == 0)
    try AtomicFile.write(Array("new".utf8), to: folder.path(of: "second"))
    #expect(try folder.text(of: "far/target") == "new")
    #expect(try resolvingLinks(folder.path(of: "second")) == folder.path(of: "far/target"))
    #expect(folder.names(in: "far") == ["target"])
  }

  @Test func aLinkToNothingGetsItsTarget() throws {
    try folder.write("", to: "far/other")
    #expect(symlink("far/target", folder.path(of: "link")) == 0)
    try AtomicFile.write([7], to: folder.path(of: "link"))
    #expect(try folder.bytes(of: "far/target") == [7])
  }

  @Test func readOnlyFilesAndFoldersAreRefused() throws {
    try folder.write("old", to: "file")
    chmod(folder.path(of: "file"), 0o444)
    #expect(refusal("file")?.message.contains("read-only") == true)
    try folder.write("old", to: "closed/file")
    chmod(folder.path(of: "closed"), 0o555)
    #expect(refusal("closed/file")?.message.contains("directory") == true)
    #expect(refusal("closed/new")?.message.contains("directory") == true)
    #expect(try folder.text(of: "file") == "old")
    #expect(try folder.text(of: "closed/file") == "old")
    #expect(folder.names(in: "closed") == ["file"])
    #expect(folder.names() == ["closed", "file"])
  }

  @Test func whatIsNoFileIsRefused() throws {
    try folder.write("", to: "folder/file")
    #expect(symlink("circle", folder.path(of: "circle")) == 0)
    #expect(refusal("folder")?.kind == .inputOutput)
    #expect(refusal("missing/file")?.kind == .inputOutput)
    #expect(refusal("folder/file/x")?.kind == .inputOutput)
    #expect(refusal("circle")?.message.contains("links") == true)
    #expect(folder.names() == ["circle", "folder"])
  }

  @Test func otherHardLinksKeepTheOldContent() throws {
    try folder.write("old", to: "file")
    #expect(link(folder.path(of: "file"), folder.path(of: "other")) == 0)
    try AtomicFile.write(Array("new".utf8), to: folder.path(of: "file"))
    #expect(try folder.text(of: "other") == "old")
  }

  private func refusal(_ name: String) -> CommandFailure? {
    do throws(CommandFailure) {
      try AtomicFile.write([1, 2, 3], to: folder.path(of: name))
      return nil
    } catch {
      return error
    }
  }
}
