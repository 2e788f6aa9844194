package import BoxModel
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The content of a file, as it was at one moment.
package struct SourceFile: Hashable, Sendable {
  /// The name by which the user called it.
  package var path: String
  package var bytes: [UInt8]
  /// The rules about removals of the store that the content is the model of; nil for a file, which may have one of
  /// rules beside it.
  package var declarations: Declarations?

  /// Creates the content of a file.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// The largest file that is read: 1 GiB.
  package static let maximumSize = 1 << 30

  /// Reads a regular file, `/dev/null`, standard input for `-`, or what a path such as `/dev/fd/3`
  /// stands for.
  ///
  /// A file that another program changes meanwhile is read once more, and refused if it changed
  /// again. A change within the resolution of the file system's clock (a few milliseconds) that
  /// keeps the size is not noticed.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no file, if it is a
  ///   directory or another special file, if it may not be read, if it keeps changing, or if it is
  ///   larger than ``maximumSize``.
  /// - Complexity: O(*n*) in the size of the file.
  package static func read(_ path: String) throws(CommandFailure) -> SourceFile {
    if path == "-" { return try readStandardInput() }
    if path == "/dev/null" { return SourceFile(path: path, bytes: []) }
    if let descriptor = DescriptorPath.descriptor(of: path) {
      return try readOpen(descriptor, path)
    }
    return try read(path) {}
  }

  /// Reads a file, and calls back between the reading and the check whether it has changed.
  package static func read(_ path: String, afterReading: () -> Void) throws(CommandFailure)
    -> SourceFile
  {
    for _ in 1...2 {
      if let bytes = try readOnce(path, afterReading: afterReading) {
        return SourceFile(path: path, bytes: bytes)
      }
    }
    throw CommandFailure(
      .inputOutput, "the file changes while it is read; try again when no program writes it",
      path: path)
  }

  /// Standard input to its end, under the name `-`.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be read or is too large.
  package static func readStandardInput() throws(CommandFailure) -> SourceFile {
    var source = try readOpen(STDIN_FILENO, "standard input")
    source.path = "-"
    return source
  }

  /// An open descriptor to its end.
  private static func readOpen(
    _ descriptor: Int32, _ path: String
  ) throws(CommandFailure) -> SourceFile {
    do {
      return SourceFile(path: path, bytes: try readAll(descriptor, sizeHint: 64 * 1024))
    } catch {
      throw failure(error, path: path)
    }
  }

  /// The bytes, or nil if the file changed while they were read.
  private static func readOnce(
    _ path: String, afterReading: () -> Void
  ) throws(CommandFailure) -> [UInt8]? {
    do {
      // Without O_NONBLOCK, opening a pipe would wait for a writer.
      let file = try OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK)
      let before = try file.attributes()
      try requireRegularFile(before, path: path)
      let bytes = try readAll(file.descriptor, sizeHint: Int(before.st_size))
      afterReading()
      let after = try file.attributes()
      // A program that replaces files instead of writing into them leaves the open one as it was.
      let now = try fileAttributes(at: path)
      guard isUnchanged(before, after), let now, isUnchanged(before, now) else { return nil }
      return bytes.count == Int(before.st_size) ? bytes : nil
    } catch let error as SystemError {
      throw failure(error, path: path)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.inputOutput, "cannot be read", path: path)
    }
  }

  private static func requireRegularFile(
    _ attributes: stat, path: String
  ) throws(CommandFailure) {
    if attributes.fileType == S_IFIFO {
      throw CommandFailure(
        .inputOutput, "this is a pipe, not a file; use - to read standard input", path: path)
    }
    if attributes.isDirectory {
      throw CommandFailure(
        .inputOutput,
        "this is a directory, not a file; name a file in it, or \(SourceReference.hint(path))",
        path: path)
    }
    guard attributes.isRegularFile else {
      throw CommandFailure(
        .inputOutput, "this is \(attributes.kindDescription), not a file", path: path)
    }
    if Int64(attributes.st_size) > Int64(maximumSize) { throw tooLarge(path) }
  }

  private static func readAll(_ descriptor: Int32, sizeHint: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sizeHint + 1)
    var chunk = [UInt8](repeating: 0, count: min(max(sizeHint + 1, 4096), 1 << 20))
    while true {
      let count = try retryingInterrupts { Int(unsafeRead(descriptor, &chunk)) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > maximumSize { throw SystemError(code: EFBIG) }
    }
  }

  private static func unsafeRead(_ descriptor: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { buffer in
      #if canImport(Glibc)
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
  }

  private static func isUnchanged(_ a: stat, _ b: stat) -> Bool {
    a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size
      && a.modified == b.modified && a.changed == b.changed
  }

  private static func failure(_ error: SystemError, path: String) -> CommandFailure {
    switch error.code {
    case ENOENT: CommandFailure(.inputOutput, "there is no such file", path: path)
    case ENOTDIR:
      CommandFailure(
        .inputOutput, "there is no such file; a part of the path is not a directory", path: path)
    case EACCES, EPERM: CommandFailure(.inputOutput, "permission to read is denied", path: path)
    case ENXIO: CommandFailure(.inputOutput, "this is a socket, not a file", path: path)
    case EISDIR: CommandFailure(.inputOutput, "this is a directory, not a file", path: path)
    case EFBIG: tooLarge(path)
    default: CommandFailure(.inputOutput, "cannot be read: \(error.reason)", path: path)
    }
  }

  private static func tooLarge(_ path: String) -> CommandFailure {
    CommandFailure(.inputOutput, "the file is larger than 1 GiB, the maximum", path: path)
  }
}
