#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Files that are replaced as a whole: a reader sees the old content or the new, never a part.
enum AtomicFile {
  /// Replaces the content of a file, or creates it.
  ///
  /// The bytes go to a temporary file in the same folder, which is synced and takes the place of
  /// the target. The target keeps its permissions and, where the system allows it, its owner. A
  /// symbolic link stays one: the file that it leads to is replaced, or created. Other hard links
  /// to the target keep the old content, since the target becomes another file. A read-only file
  /// or folder is refused for every user, root too.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the target may not or cannot be written; the
  ///   target is as it was, and no temporary file is left, after an interrupt neither.
  /// - Complexity: O(*n*) in the number of bytes.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do {
      let target = try resolvingLinks(path)
      let existing = try fileAttributes(at: target)
      try requireWritable(target, existing: existing, path: path)
      try replace(target, existing: existing, bytes: bytes)
    } catch let error as SystemError {
      throw failure(error, path: path)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.inputOutput, "cannot be written", path: path)
    }
  }

  private static func replace(
    _ target: String, existing: stat?, bytes: [UInt8]
  ) throws(SystemError) {
    let folder = parentFolder(of: target)
    let temporary = TemporaryPath(in: folder)
    defer { temporary.remove() }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    // A new file gets what the umask leaves of 0644; a replaced one is private until it is whole.
    let file = try OpenFile(
      path: temporary.path, flags: flags, mode: existing == nil ? 0o644 : 0o600)
    try file.write(bytes)
    if let existing { try take(existing, on: file.descriptor) }
    let descriptor = file.descriptor
    _ = try retryingInterrupts { fsync(descriptor) }
    _ = try retryingInterrupts { rename(temporary.path, target) }
    synchronizeFolder(folder)
  }

  /// Gives a file the owner, as far as allowed, and the permissions of another.
  static func take(_ attributes: stat, on descriptor: Int32) throws(SystemError) {
    // Another user's file can only be given back to its owner by root; for everybody else the new
    // file is their own, as with every program that replaces files.
    _ = fchown(descriptor, attributes.st_uid, attributes.st_gid)
    _ = try retryingInterrupts { fchmod(descriptor, attributes.st_mode & 0o7777) }
  }

  /// Makes the rename durable.
  ///
  /// The file is in place already, so a file system that cannot sync folders is no failure.
  static func synchronizeFolder(_ folder: String) {
    guard let file = try? OpenFile(path: folder, flags: O_RDONLY | O_DIRECTORY) else { return }
    _ = fsync(file.descriptor)
  }

  /// Refuses a target that may not be replaced.
  static func requireWritable(
    _ target: String, existing: stat?, path: String
  ) throws(CommandFailure) {
    let folder = parentFolder(of: target)
    guard let folderAttributes = try? fileAttributes(at: folder), folderAttributes.isDirectory
    else {
      throw CommandFailure(.inputOutput, "the folder of the file does not exist", path: path)
    }
    if let existing {
      guard existing.isRegularFile else {
        throw CommandFailure(
          .inputOutput, "this is \(existing.kindDescription), and cannot be written as a file",
          path: path)
      }
      guard isWritable(target, existing) else {
        throw CommandFailure(.inputOutput, "the file is read-only", path: path)
      }
    }
    guard isWritable(folder, folderAttributes) else {
      throw CommandFailure(.inputOutput, "the folder of the file is read-only", path: path)
    }
  }

  /// Whether a file may be written.
  ///
  /// The system grants everything to root, who still does not want a file replaced that somebody
  /// has made read-only.
  private static func isWritable(_ path: String, _ attributes: stat) -> Bool {
    if geteuid() == 0 && attributes.st_mode & 0o222 == 0 { return false }
    return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
  }

  /// The failure that an error of the system is to the user.
  static func failure(_ error: SystemError, path: String) -> CommandFailure {
    let message =
      switch error.code {
      case ENOSPC, EDQUOT: "cannot be written: the disk is full; the file is as it was"
      case EFBIG: "cannot be written: the file would be too large; the file is as it was"
      case EROFS: "cannot be written: the file system is read-only"
      case EACCES, EPERM: "permission to write is denied"
      case ELOOP: "cannot be written: too many symbolic links"
      default: "cannot be written: \(error.reason)"
      }
    return CommandFailure(.inputOutput, message, path: path)
  }
}
