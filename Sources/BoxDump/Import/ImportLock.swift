#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that lets only one import at a time run on a store.
///
/// It is a lock on the file `import.lock` in the directory of the store. The file exists while an
/// import runs; after a crash it stays behind unlocked, and does no harm.
public final class ImportLock: Sendable {
  /// The name of the file.
  public static let fileName = "import.lock"

  private let path: String
  private let descriptor: Int32

  /// Takes the lock; it is released with the last reference.
  ///
  /// - Parameter directory: The directory of the store, which must exist.
  /// - Throws: ``DumpError`` of kind `impossible` if an import runs, and of kind `inputOutput` if the
  ///   file cannot be made.
  public init(directory: String) throws(DumpError) {
    path = directory + "/" + Self.fileName
    while true {
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if file < 0 { throw Self.failure(path) }
      do throws(DumpError) {
        try Self.lock(file, LOCK_EX, directory)
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
    unlink(path)
    // A process that is being started may have a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Requires that no import runs.
  ///
  /// - Parameter directory: The directory of the store.
  /// - Throws: ``DumpError`` of kind `impossible`.
  public static func requireNone(in directory: String) throws(DumpError) {
    let file = open(directory + "/" + fileName, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if file < 0 { return }
    defer { close(file) }
    try lock(file, LOCK_SH, directory)
    flock(file, LOCK_UN)
  }

  private static func lock(
    _ file: Int32, _ kind: Int32, _ directory: String
  ) throws(DumpError) {
    while flock(file, kind | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK {
        throw DumpError(
          "an import into \(directory) is running; wait until it has ended", kind: .impossible)
      }
      throw failure(directory + "/" + fileName)
    }
  }

  private static func isSame(_ file: Int32, _ path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
  }

  private static func failure(_ path: String) -> DumpError {
    DumpError(
      "cannot be locked: \(String(cString: strerror(errno)))", kind: .inputOutput, path: path)
  }
}
