internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that lets only one import at a time run on a store.
///
/// It is a lock on the file `import.lock` in the directory of the store. The file exists while an import
/// runs; after a crash it stays, unlocked and harmless.
package final class ImportLock: Sendable {
  /// The name of the file.
  package static let fileName = "import.lock"

  private let path: String
  private let descriptor: Int32

  /// Takes the lock; it is released with the last reference.
  ///
  /// - Parameter directory: The directory of the store, which must exist.
  /// - Throws: ``DumpError`` of kind `impossible` if an import runs, and of kind `inputOutput` if the
  ///   file cannot be made.
  init(directory: String) throws(DumpError) {
    path = directory + "/" + Self.fileName
    while true {
      let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if file < 0 { throw Self.failure(.last, directory) }
      do throws(DumpError) {
        try Self.lock(file, .exclusive, directory)
      } catch {
        close(file)
        throw error
      }
      // The one that had it before may have removed the file meanwhile.
      if Self.isSame(file, path) {
        descriptor = file
        return
      }
      close(file)
    }
  }

  deinit {
    unsafe unlink(path)
    unlockAndClose(descriptor)
  }

  /// Requires that no import runs.
  ///
  /// - Parameter directory: The directory of the store.
  /// - Throws: ``DumpError`` of kind `impossible`.
  static func requireNone(in directory: String) throws(DumpError) {
    let file = unsafe open(directory + "/" + fileName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if file < 0 { return }
    defer { unlockAndClose(file) }
    try lock(file, .shared, directory)
  }

  private static func lock(
    _ file: Int32, _ kind: FileLockKind, _ directory: String
  ) throws(DumpError) {
    let isLocked: Bool
    do throws(SystemError) {
      isLocked = try lockFile(file, kind)
    } catch {
      throw failure(error, directory)
    }
    if isLocked { return }
    throw DumpError(
      "an import into \(directory) is running; wait until it has ended", kind: .impossible)
  }

  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    guard let opened = try? fileAttributes(of: file),
      let named = (try? entryAttributes(at: path)) ?? nil
    else { return false }
    return opened.isSameFile(as: named)
  }

  private static func failure(_ error: SystemError, _ directory: String) -> DumpError {
    DumpError("cannot be locked", error, directory + "/" + fileName)
  }
}
