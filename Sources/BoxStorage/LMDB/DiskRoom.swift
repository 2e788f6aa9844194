internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A check whether a file system has room for this process.
package enum DiskRoom {
  /// Bytes that LMDB writes at once.
  private static let wanted = 1 << 18

  /// Whether a directory has no room for as much as LMDB writes at once, determined by writing as
  /// much.
  ///
  /// The system does not report the quota of a user or of a directory: a write is cut short or
  /// refused. The file is unlinked before that, so nothing remains of it.
  package static func isUsedUp(in directory: String) -> Bool {
    do throws(SystemError) {
      let file = try createUnnamedFile(prefix: directory + "/room.")
      defer {
        // A process that is being started has the file open too, for a moment.
        _ = ftruncate(file, 0)
        close(file)
      }
      try writeAll([UInt8](repeating: 0, count: wanted), to: file)
      return false
    } catch {
      return isForWantOfRoom(error.code)
    }
  }

  private static func isForWantOfRoom(_ code: Int32) -> Bool {
    code == ENOSPC || code == EDQUOT || code == EFBIG
  }
}
