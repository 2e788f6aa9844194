package import BoxDump
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A dump that is one file.
package final class FileDestination: DumpOutput {
  private let path: String

  package init(_ path: String) { self.path = path }

  package func open(_ name: String) throws -> any DumpStream { try AtomicFileStream(path) }

  /// Whether the file replaces another one, or none, when it is complete; not a pipe or a device.
  package var isAtomic: Bool {
    guard let attributes = try? fileAttributes(at: path) else { return true }
    return attributes.isRegularFile
  }
}

/// A dump that is a directory, which is created or must be empty.
///
/// Its manifest is written last: without a manifest it is not a dump.
package final class DirectoryDestination: DumpOutput {
  private let path: String
  private var created: [String] = []
  private let isNew: Bool

  /// Creates the directory.
  ///
  /// - Throws: ``CommandFailure`` with status 2 if something is in it, and 74 if it cannot be made, or
  ///   if a link of a repository leads out of its work tree.
  package init(_ path: String) throws(CommandFailure) {
    try WriteTarget.resolve(path)
    self.path = path
    isNew = mkdir(path, 0o700) == 0
    if isNew { return }
    if errno != EEXIST { throw Self.failure("cannot be created", path) }
    let names: [String]
    do throws(SystemError) {
      names = try entryNames(in: path)
    } catch {
      throw CommandFailure(.inputOutput, "cannot be opened: \(error.reason)", path: path)
    }
    if !names.isEmpty {
      throw CommandFailure(
        .impossible, "the directory is not empty; name another one", path: path)
    }
  }

  package func open(_ name: String) throws -> any DumpStream {
    let file = joinPath(path, name)
    created.append(file)
    return try AtomicFileStream(file)
  }

  /// True: without its manifest a directory is not a dump.
  package var isAtomic: Bool { true }

  /// Removes what was written of a dump that failed.
  package func remove() {
    for file in created { unlink(file) }
    if isNew { rmdir(path) }
  }

  private static func failure(_ message: String, _ path: String) -> CommandFailure {
    CommandFailure(.inputOutput, "\(message): \(SystemError.last.reason)", path: path)
  }
}
