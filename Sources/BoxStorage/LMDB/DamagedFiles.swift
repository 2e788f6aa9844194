internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The damaged data files that were set aside, in a directory of the store's directory.
///
/// No code removes one.
struct DamagedFiles {
  private let files: StoreFiles

  init(_ files: StoreFiles) { self.files = files }

  /// Gives the data file a second name, which no later file takes: the time in UTC, and a number.
  ///
  /// A file system without hard links moves the file. One that got its name before a crash keeps it.
  ///
  /// - Parameter step: Called before each step that changes the directory.
  /// - Returns: The path.
  /// - Throws: ``StorageError``, and the error of `step`; the data file is in its place then, unless it was
  ///   moved and the directories cannot be synced.
  /// - Complexity: O(*n*) in the number of damaged files.
  func keep(_ step: () throws -> Void) throws -> String {
    let mode = mode_t(files.dataMode)
    try step()
    if unsafe mkdir(files.damaged, 0o700 | mode | (mode & 0o444) >> 2) == 0 {
      giveToOwner()
    } else if errno != EEXIST {
      throw systemError(.other, "create the directory \(files.damaged)")
    }
    // By way of a link the file would leave the store's directory.
    guard StoreDirectory.isDirectoryItself(files.damaged) else {
      throw StorageError(.other, "\(files.damaged) is not a directory; move it away")
    }
    try step()
    let path = try known() ?? add()
    try step()
    try StoreDirectory.sync(files.damaged)
    try StoreDirectory.sync(files.directory)
    return path
  }

  /// Gives the new directory to the owner of the data file, whose next repair writes to it.
  ///
  /// Only root can; for others it is their own.
  private func giveToOwner() {
    var attributes = stat()
    guard unsafe lstat(files.data, &attributes) == 0 else { return }
    // The directory may have been replaced by a link meanwhile.
    _ = unsafe lchown(files.damaged, attributes.st_uid, attributes.st_gid)
  }

  /// The second name that the data file has already.
  private func known() throws(StorageError) -> String? {
    let data = identity(of: files.data)
    do throws(SystemError) {
      let names = try entryNames(in: files.damaged).sorted()
      return names.lazy.map { "\(files.damaged)/\($0)" }
        .first { data != nil && identity(of: $0) == data }
    } catch {
      throw systemError(error, .other, "read the directory \(files.damaged)")
    }
  }

  /// The identity of what is at a path itself: a link to the data file would soon stand for another one.
  private func identity(of path: String) -> FileIdentity? {
    var attributes = stat()
    return unsafe lstat(path, &attributes) == 0 ? FileIdentity(attributes) : nil
  }

  private func add() throws(StorageError) -> String {
    let time = Self.timestamp()
    var number = 1
    while true {
      let path = "\(files.damaged)/\(time)-\(number).mdb"
      if unsafe link(files.data, path) == 0 { return path }
      switch errno {
      case EEXIST: number += 1
      case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK:
        // A file that has the name is never replaced: the exclusive lock keeps others from making one.
        if try isFree(path) {
          if unsafe rename(files.data, path) == 0 { return path }
          throw systemError(.other, "move \(files.data)")
        }
        number += 1
      default: throw systemError(.other, "set \(files.data) aside")
      }
    }
  }

  private func isFree(_ path: String) throws(StorageError) -> Bool {
    var attributes = stat()
    if unsafe lstat(path, &attributes) == 0 { return false }
    if errno == ENOENT { return true }
    throw systemError(.other, "inspect \(path)")
  }

  /// The time in UTC, such as `20260214T091503Z`.
  private static func timestamp() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    unsafe gmtime_r(&now, &parts)
    func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return unsafe "\(parts.tm_year + 1900)\(digits(parts.tm_mon + 1))\(digits(parts.tm_mday))T"
      + "\(digits(parts.tm_hour))\(digits(parts.tm_min))\(digits(parts.tm_sec))Z"
  }
}
