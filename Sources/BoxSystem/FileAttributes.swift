#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The attributes of the file at a path, following symbolic links; nil if nothing exists there.
///
/// - Throws: ``SystemError`` if the system does not report it.
package func fileAttributes(at path: String) throws(SystemError) -> stat? {
  var result = stat()
  return try found { unsafe stat(path, &result) } ? result : nil
}

/// The attributes of the entry at a path, which may be a symbolic link; nil if nothing exists there.
///
/// - Throws: ``SystemError`` if the system does not report it.
package func entryAttributes(at path: String) throws(SystemError) -> stat? {
  var result = stat()
  return try found { unsafe lstat(path, &result) } ? result : nil
}

/// Whether something exists at a path, including a symbolic link without a target.
///
/// - Throws: ``SystemError`` if the system does not report it.
package func entryExists(at path: String) throws(SystemError) -> Bool {
  try entryAttributes(at: path) != nil
}

/// Whether a path is a directory or a symbolic link to one; false if that cannot be determined.
package func isDirectory(at path: String) -> Bool {
  ((try? fileAttributes(at: path)) ?? nil)?.isDirectory ?? false
}

private func found(_ call: () -> Int32) throws(SystemError) -> Bool {
  do throws(SystemError) {
    _ = try retryingInterrupts(call)
    return true
  } catch {
    if error.code == ENOENT || error.code == ENOTDIR { return false }
    throw error
  }
}

/// The attributes of an open file.
///
/// - Throws: ``SystemError``.
package func fileAttributes(of descriptor: Int32) throws(SystemError) -> stat {
  var result = stat()
  _ = try retryingInterrupts { unsafe fstat(descriptor, &result) }
  return result
}

extension stat {
  /// The part of the mode that says what kind of file it is.
  package var fileType: mode_t { st_mode & S_IFMT }
  package var isRegularFile: Bool { fileType == S_IFREG }
  package var isDirectory: Bool { fileType == S_IFDIR }
  package var isSymbolicLink: Bool { fileType == S_IFLNK }

  /// Whether both are attributes of one file.
  package func isSameFile(as other: stat) -> Bool {
    st_dev == other.st_dev && st_ino == other.st_ino
  }
}

/// Whether this process may create entries in a directory, or write to a file.
package func isWritable(at path: String) -> Bool { unsafe access(path, W_OK) == 0 }

/// The number of bytes that this process may still write to the file system of a path; nil if that is not
/// known.
package func availableBytes(at path: String) -> Int? {
  var system = statvfs()
  guard unsafe statvfs(path, &system) == 0 else { return nil }
  return Int(clamping: UInt64(system.f_bavail) &* UInt64(system.f_frsize))
}
