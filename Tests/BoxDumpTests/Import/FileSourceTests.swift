import TestSupport
import Testing

@testable import BoxDump

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

struct FileSourceTests {
  /// A descriptor that was handed over is closed also where the file is none to be read.
  @Test func aDirectoryIsNotLeftOpen() throws {
    let directory = try TemporaryDirectory()
    let descriptor = open(directory.path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    var before = stat()
    let status = fstat(descriptor, &before)
    try #require(status == 0)
    #expect(throws: DumpError.self) {
      _ = try FileSource(descriptor: descriptor, path: directory.path, closes: true)
    }
    // Another test may have got the number meanwhile, for another file.
    var after = stat()
    let isOpen = fstat(descriptor, &after) == 0
    #expect(!isOpen || after.st_ino != before.st_ino || after.st_dev != before.st_dev)
  }
}
