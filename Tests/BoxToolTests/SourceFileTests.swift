import TestSupport
import Testing

@testable import BoxTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct SourceFileTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 4095, 4096, 65_536, 3_000_001])
  func everyByteIsRead(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try folder.write(bytes, to: "file")
    #expect(try SourceFile.read(folder.path(of: "file")).bytes == bytes)
  }

  @Test func whatIsNoFileIsNamed() throws {
    try folder.write("", to: "folder/file")
    #expect(mkfifo(folder.path(of: "pipe"), 0o600) == 0)
    #expect(symlink("nowhere", folder.path(of: "link")) == 0)
    #expect(symlink("circle", folder.path(of: "circle")) == 0)
    for (name, words) in [
      ("folder", "folder"), ("missing", "no such file"), ("pipe", "pipe"),
      ("link", "no such file"), ("folder/file/below", "not a directory"), ("circle", "symbolic"),
    ] {
      let failure = failure(folder.path(of: name))
      #expect(failure?.kind == .inputOutput)
      #expect(failure?.path == folder.path(of: name))
      #expect(failure?.message.contains(words) == true, "\(name): \(failure?.message ?? "")")
    }
    #expect(failure("/dev/zero")?.message.contains("device") == true)
  }

  @Test func withoutPermissionIsAnError() throws {
    // The system grants everything to root.
    if geteuid() == 0 { return }
    try folder.write("x", to: "file")
    chmod(folder.path(of: "file"), 0)
    #expect(failure(folder.path(of: "file"))?.message.contains("permission") == true)
  }

  @Test func aFileThatChangesOnceIsReadAgain() throws {
    try folder.write("old", to: "file")
    let path = folder.path(of: "file")
    var changes = 0
    let file = try SourceFile.read(path) {
      if changes == 0 { try? folder.write("newer", to: "file") }
      changes += 1
    }
    #expect(file.bytes == Array("newer".utf8))
  }

  @Test func aFileThatKeepsChangingIsAnError() throws {
    try folder.write("", to: "file")
    let path = folder.path(of: "file")
    var text = "x"
    #expect(throws: CommandFailure.self) {
      try SourceFile.read(path) {
        text += "x"
        try? folder.write(text, to: "file")
      }
    }
  }

  @Test func aFileThatIsReplacedIsNoticed() throws {
    try folder.write("same", to: "file")
    let path = folder.path(of: "file")
    #expect(throws: CommandFailure.self) {
      try SourceFile.read(path) {
        try? folder.write("same", to: "other")
        rename(folder.path(of: "other"), path)
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
