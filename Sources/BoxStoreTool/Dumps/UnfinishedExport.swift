internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The temporary files and directories of exports, which lie beside what they become.
///
/// An export holds a lock on each, which the system releases with the process, however that ends. So one without a lock
/// was left by an export that was killed, and the next one into the same directory removes it.
enum UnfinishedExport {
  /// The beginning of the names; no other temporary files have it.
  static let prefix = ".boxjoint-export-"

  /// Locks a file or a directory that was just created.
  ///
  /// On a file system without locks, no export removes it.
  ///
  /// - Returns: False if another export took it for a leftover before it was locked; create a new one then.
  static func lock(_ file: borrowing OpenFile, at path: String) -> Bool {
    guard let isLocked = try? lockFile(file.descriptor, .exclusive) else { return true }
    return isLocked && (try? entryExists(at: path)) != false
  }

  /// Removes what exports of this user that were killed have left in a directory.
  ///
  /// A leftover that cannot be removed stays.
  ///
  /// - Complexity: O(*n*) in the number of entries of the directory.
  static func removeAll(in directory: String) {
    for name in (try? entryNames(in: directory)) ?? [] where name.hasPrefix(prefix) {
      remove(joinPath(directory, name))
    }
  }

  private static func remove(_ path: String) {
    // A pipe of that name would wait for its writer.
    guard
      let file = try? OpenFile(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let attributes = try? file.attributes(), attributes.st_uid == geteuid(),
      (try? lockFile(file.descriptor, .exclusive)) == true
    else { return }
    if attributes.isRegularFile {
      unlink(path)
    } else if attributes.isDirectory {
      for name in (try? entryNames(in: path)) ?? [] { unlinkat(file.descriptor, name, 0) }
      rmdir(path)
    }
  }
}
