import TestSupport
import Testing

@testable import BoxStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Links at the places of dumps and backups.
struct LinkedOutputTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func link(_ destination: String, at name: String) {
    #expect(symlink(destination, directory.path(of: name)) == 0)
  }

  @Test func aDumpIsNotWrittenThroughALinkThatLeadsOut() throws {
    try directory.write("", to: "tree/.git")
    try directory.write("old", to: "out/file")
    link("../out/file", at: "tree/link")
    link("../out", at: "tree/sub")
    #expect(throws: CommandFailure.self) {
      _ = try AtomicFileStream(directory.path(of: "tree/link"))
    }
    #expect(throws: CommandFailure.self) {
      _ = try DirectoryDestination(directory.path(of: "tree/sub/d"))
    }
    #expect(throws: CommandFailure.self) {
      _ = try StoreBackup(of: directory.path, to: directory.path(of: "tree/sub/d"))
    }
    #expect(directory.names(in: "out") == ["file"])
  }
}
