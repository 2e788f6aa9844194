import BoxDump
import TestSupport
import Testing

@testable import BoxStoreTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of a dump that is a directory have their names when all of them are complete.
struct DirectoryDestinationTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func write(_ names: [String], to destination: DirectoryDestination) throws {
    for name in names {
      let stream = try destination.open(name)
      try Array(name.utf8).withUnsafeBytes { try stream.write($0) }
      try stream.finish()
    }
  }

  @Test(arguments: [false, true]) func nothingHasItsNameBefore(_ exists: Bool) throws {
    let names = ["E.ndjson", "manifest.json", "_SUCCESS"]
    if exists { #expect(mkdir(directory.path(of: "dump"), 0o755) == 0) }
    let failed = try DirectoryDestination(directory.path(of: "dump"))
    try write(names, to: failed)
    #expect(directory.exists("dump") == exists)
    let hidden = directory.names(in: exists ? "dump" : "").filter { $0 != "dump" }
    #expect(hidden.count == 1 && hidden[0].hasPrefix(".boxjoint-"))
    failed.remove()
    #expect(directory.names() == (exists ? ["dump"] : []))
    let destination = try DirectoryDestination(directory.path(of: "dump/"))
    try write(names, to: destination)
    try destination.complete()
    #expect(directory.names() == ["dump"])
    #expect(directory.names(in: "dump").sorted() == names.sorted())
    #expect(try directory.text(of: "dump/E.ndjson") == "E.ndjson")
    #expect(throws: CommandFailure.self) {
      _ = try DirectoryDestination(directory.path(of: "dump"))
    }
  }

  /// A directory that came to the place meanwhile stays as it is.
  @Test func aDirectoryThatCameMeanwhile() throws {
    let destination = try DirectoryDestination(directory.path(of: "dump"))
    try write(["E.ndjson"], to: destination)
    try directory.write("mine", to: "dump/file")
    #expect(throws: CommandFailure.self) { try destination.complete() }
    destination.remove()
    #expect(directory.names() == ["dump"])
    #expect(directory.names(in: "dump") == ["file"])
  }
}
