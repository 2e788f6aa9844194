import BoxSystem
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The calls of the system that the libraries share.
struct FileCallsTests {
  private func open(_ directory: TemporaryDirectory, _ name: String) throws -> Int32 {
    let path = directory.path(of: name)
    return try retryingInterrupts { systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
  }

  @Test func allBytesAreWrittenAndRead() throws {
    let directory = try TemporaryDirectory()
    let file = try open(directory, "file")
    defer { close(file) }
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try writeAll(bytes, to: file)
    try bytes.prefix(10).withUnsafeBytes { try writeAll($0, to: file, at: bytes.count) }
    try synchronize(file)
    try synchronizeDirectory(directory.path)
    var found = [UInt8](repeating: 0, count: bytes.count + 20)
    let count = try found.withUnsafeMutableBytes { try readAll(file, at: 5, into: $0) }
    #expect(count == bytes.count + 5)
    #expect(found.prefix(count) == (bytes + bytes.prefix(10)).dropFirst(5)[...])
  }

  /// A pipe takes less than all at once, and has nothing to be synced.
  @Test func aPipeTakesEverythingInPieces() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let bytes = [UInt8](repeating: 7, count: 300_000)
    // No task: it would wait for a thread of the pool, as does this test, which holds one.
    let thread = try WorkerThread {
      #expect(throws: Never.self) {
        try writeAll(bytes, to: writing)
        try synchronize(writing)
      }
      close(writing)
    }
    var total = 0
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try readSome(reading, into: $0) }
      if count == 0 { break }
      #expect(buffer[..<count].allSatisfy { $0 == 7 })
      total += count
    }
    #expect(total == bytes.count)
    thread.join()
  }

  @Test func failuresHaveTheWordsOfTheSystem() throws {
    let directory = try TemporaryDirectory()
    let error = try #require(throws: SystemError.self) { try writeAll([1], to: -1) }
    #expect(error.code == EBADF)
    #expect(error.reason == String(cString: strerror(EBADF)))
    #expect(throws: SystemError(code: ENOENT)) {
      try synchronizeDirectory(directory.path(of: "missing"))
    }
  }

  @Test func locksExcludeEachOther() throws {
    let directory = try TemporaryDirectory()
    let (first, second) = (try open(directory, "lock"), try open(directory, "lock"))
    defer { close(second) }
    #expect(try lockFile(first, .shared))
    #expect(try lockFile(second, .shared))
    #expect(try !lockFile(first, .exclusive))
    #expect(try lockFile(second, .shared))
    unlockAndClose(first)
    #expect(try lockFile(second, .exclusive))
  }

  @Test func linksAndMissingFiles() throws {
    let directory = try TemporaryDirectory()
    try directory.write("x", to: "file")
    #expect(symlink("nowhere", directory.path(of: "link")) == 0)
    #expect(try fileAttributes(at: directory.path(of: "file"))?.isRegularFile == true)
    #expect(try fileAttributes(at: directory.path)?.isDirectory == true)
    #expect(try fileAttributes(at: directory.path(of: "link")) == nil)
    #expect(try entryAttributes(at: directory.path(of: "link"))?.isSymbolicLink == true)
    #expect(try entryExists(at: directory.path(of: "link")))
    #expect(try !entryExists(at: directory.path(of: "missing")))
    // Nothing is below a file.
    #expect(try !entryExists(at: directory.path(of: "file/x")))
  }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}
