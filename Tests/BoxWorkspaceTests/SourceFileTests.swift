import TestSupport
import Testing

@testable import BoxWorkspace

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct SourceFileTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [0, 1, 4095, 4096, 65_536, 3_000_001])
  func everyByteIsRead(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try directory.write(bytes, to: "file")
    #expect(try SourceFile.read(directory.path(of: "file")).bytes == bytes)
  }

  @Test func pathsThatAreNotFilesAreNamed() throws {
    try directory.write("", to: "directory/file")
    #expect(mkfifo(directory.path(of: "pipe"), 0o600) == 0)
    #expect(symlink("nowhere", directory.path(of: "link")) == 0)
    #expect(symlink("circle", directory.path(of: "circle")) == 0)
    for (name, words) in [
      ("directory", "directory"), ("missing", "no such file"), ("pipe", "pipe"),
      ("link", "no such file"), ("directory/file/below", "not a directory"), ("circle", "symbolic"),
    ] {
      let failure = failure(directory.path(of: name))
      #expect(failure?.kind == .inputOutput)
      #expect(failure?.path == directory.path(of: name))
      #expect(failure?.message.contains(words) == true, "\(name): \(failure?.message ?? "")")
    }
    #expect(failure("/dev/zero")?.message.contains("device") == true)
  }

  @Test func withoutPermissionIsAnError() throws {
    // The system grants everything to root.
    if geteuid() == 0 { return }
    try directory.write("x", to: "file")
    chmod(directory.path(of: "file"), 0)
    #expect(failure(directory.path(of: "file"))?.message.contains("permission") == true)
  }

  @Test func aFileThatChangesOnceIsReadAgain() throws {
    try directory.write("old", to: "file")
    let path = directory.path(of: "file")
    var changes = 0
    let file = try SourceFile.read(path) {
      if changes == 0 { try? directory.write("newer", to: "file") }
      changes += 1
    }
    #expect(file.bytes == Array("newer".utf8))
  }

  @Test func aFileThatKeepsChangingIsAnError() throws {
    try directory.write("", to: "file")
    let path = directory.path(of: "file")
    var text = "x"
    #expect(throws: CommandFailure.self) {
      try SourceFile.read(path) {
        text += "x"
        try? directory.write(text, to: "file")
      }
    }
  }

  @Test func aFileThatIsReplacedIsNoticed() throws {
    try directory.write("same", to: "file")
    let path = directory.path(of: "file")
    #expect(throws: CommandFailure.self) {
      try SourceFile.read(path) {
        try? directory.write("same", to: "other")
        rename(directory.path(of: "other"), path)
      }
    }
  }

  private func failure(_ path: String) -> CommandFailure? {
    do throws(CommandFailure) {
      _ = try SourceFile.read(path)
      return nil
    } catch {
      return error
    }
  }
}
