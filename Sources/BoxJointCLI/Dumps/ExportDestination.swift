internal import BoxDump
internal import BoxReport
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A dump that is one file.
final class FileDestination: DumpOutput {
  private let path: String

  init(_ path: String) { self.path = path }

  func open(_ name: String) throws -> any DumpStream { try AtomicFileStream(path) }
}

/// A dump on standard output.
final class StandardOutputDestination: DumpOutput {
  func open(_ name: String) throws -> any DumpStream { Stream() }

  private final class Stream: DumpStream {
    /// On a terminal the dump has escapes for what a terminal would obey; it is the same dump.
    private let escaper = Mutex(Terminal.isTerminal(.output) ? ControlEscaper() : nil)

    func write(_ bytes: UnsafeRawBufferPointer) throws {
      let escaped = escaper.withLock { $0?.escaped(bytes) }
      if let escaped { try StandardOutput.write(escaped) } else { try StandardOutput.write(bytes) }
    }

    func finish() throws { try StandardOutput.write(escaper.withLock { $0?.rest() } ?? []) }
  }
}

/// A dump that is a directory, which is created or must be empty.
///
/// Its manifest is written last: without a manifest it is not a dump.
final class FolderDestination: DumpOutput {
  private let path: String
  private var made: [String] = []
  private let isNew: Bool

  /// Creates the directory.
  ///
  /// - Throws: ``CommandFailure`` with status 2 if something is in it, and 74 if it cannot be made, or
  ///   if a link of a repository leads out of its work tree.
  init(_ path: String) throws(CommandFailure) {
    try WriteTarget.resolve(path)
    self.path = path
    isNew = mkdir(path, 0o700) == 0
    if isNew { return }
    if errno != EEXIST { throw Self.failure("cannot be made", path) }
    guard let folder = opendir(path) else { throw Self.failure("cannot be opened", path) }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let isSelf = withUnsafeBytes(of: entry.pointee.d_name) { name in
        name[0] == UInt8(ascii: ".")
          && (name[1] == 0 || (name[1] == UInt8(ascii: ".") && name[2] == 0))
      }
      if !isSelf {
        throw CommandFailure(
          .impossible, "there is something in the folder; name another one", path: path)
      }
    }
  }

  func open(_ name: String) throws -> any DumpStream {
    let file = joinPath(path, name)
    made.append(file)
    return try AtomicFileStream(file)
  }

  /// Removes what was written of a dump that failed.
  func remove() {
    for file in made { unlink(file) }
    if isNew { rmdir(path) }
  }

  private static func failure(_ message: String, _ path: String) -> CommandFailure {
    CommandFailure(.inputOutput, "\(message): \(SystemError.last.reason)", path: path)
  }
}
