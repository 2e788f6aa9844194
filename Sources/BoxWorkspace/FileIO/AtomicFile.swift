package import BoxSystem

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// Files that are replaced as a whole: a reader sees the old content or the new, never a part.
package enum AtomicFile {
  /// Replaces the content of a file, or creates it.
  ///
  /// The bytes are written to a temporary file in the same directory, which is synced and replaces
  /// the target. The target keeps its permissions and, where the system allows it, its owner. A
  /// symbolic link stays one: its target is replaced, or created. A link of a repository that
  /// leaves the work tree is refused (``WriteTarget``). Other hard links to the target keep the old
  /// content, since the target becomes another file. A read-only file or directory is refused for
  /// every user, including root. A pipe and a device, such as `/dev/null` and `/dev/stdout`, are
  /// written to directly.
  ///
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - path: The file, as the user named it.
  ///   - root: The top of the work tree that the file is in, if the caller knows it; otherwise it is
  ///     looked for.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the target may not or cannot be
  ///   written; the target is as it was, and no temporary file is left, after an interrupt neither.
  /// - Complexity: O(*n*) in the number of bytes.
  package static func write(
    _ bytes: [UInt8], to path: String, within root: String? = nil
  ) throws(CommandFailure) {
    if try writeDirectly(bytes, to: path, within: root) { return }
    let target = try WriteTarget(path, within: root)
    do {
      let existing = try target.attributes()
      try target.requireWritable(existing: existing)
      try replace(target, existing: existing, bytes: bytes)
    } catch let error as SystemError {
      throw failure(error, path: path)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.inputOutput, "cannot be written", path: path)
    }
  }

  /// Refuses a path that could not be written now, as far as that is known; writes nothing.
  ///
  /// A command that changes something calls it before the change for each file that it writes after.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`, as ``write(_:to:within:)``.
  /// - Complexity: O(1).
  package static func requireWritable(_ path: String) throws(CommandFailure) {
    do throws(SystemError) {
      if DescriptorPath.isStandardOutput(path) {
        return try BoxSystem.requireWritable(STDOUT_FILENO)
      }
      if let descriptor = DescriptorPath.descriptor(of: path) {
        return try BoxSystem.requireWritable(descriptor)
      }
      if let existing = try fileAttributes(at: path), existing.isWrittenDirectly {
        // To open a pipe would wait for its reader.
        if existing.st_mode & S_IFMT == S_IFIFO { return }
        return try BoxSystem.requireWritable(OpenFile(path: path, flags: O_WRONLY).descriptor)
      }
    } catch {
      throw failure(error, path: path)
    }
    let target = try WriteTarget(path)
    do {
      let existing = try target.attributes()
      try target.requireWritable(existing: existing)
      let temporary = TemporaryPath(in: target.directoryPath)
      defer { temporary.remove() }
      _ = try target.create(temporary, mode: 0o600)
    } catch let error as SystemError {
      throw failure(error, path: path)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(.inputOutput, "cannot be written", path: path)
    }
  }

  /// Writes to a file that is not regular.
  ///
  /// - Returns: False if the path is a regular file or a directory, or does not exist.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  private static func writeDirectly(
    _ bytes: [UInt8], to path: String, within root: String?
  ) throws(CommandFailure) -> Bool {
    if DescriptorPath.isStandardOutput(path) {
      try writeStandardOutput(bytes)
      return true
    }
    do throws(SystemError) {
      if let descriptor = DescriptorPath.descriptor(of: path) {
        try writeAll(bytes, to: descriptor)
        return true
      }
      guard let existing = try fileAttributes(at: path), existing.isWrittenDirectly else {
        return false
      }
    } catch {
      throw failure(error, path: path)
    }
    try WriteTarget.resolve(path, within: root)
    do throws(SystemError) {
      try OpenFile(path: path, flags: O_WRONLY).write(bytes)
    } catch {
      throw failure(error, path: path)
    }
    return true
  }

  private static func writeStandardOutput(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(SystemError) {
      try writeAll(bytes, to: STDOUT_FILENO)
    } catch {
      throw CommandFailure(standardOutput: error)
    }
  }

  private static func replace(
    _ target: borrowing WriteTarget, existing: stat?, bytes: [UInt8]
  ) throws(SystemError) {
    let temporary = TemporaryPath(in: target.directoryPath)
    defer { temporary.remove() }
    // A new file gets what the umask leaves of 0644; a replaced one is private until it is whole.
    let file = try target.create(temporary, mode: existing == nil ? 0o644 : 0o600)
    try file.write(bytes)
    if let existing { try applyAttributes(existing, on: file.descriptor) }
    let descriptor = file.descriptor
    _ = try retryingInterrupts { fsync(descriptor) }
    try target.replace(with: temporary)
  }

  /// Copies the permissions of a file to another and, as far as allowed, its owner.
  package static func applyAttributes(_ attributes: stat, on descriptor: Int32) throws(SystemError)
  {
    // Only root can give another user's file back to its owner; other users own the new file, as with every
    // program that replaces files.
    _ = fchown(descriptor, attributes.st_uid, attributes.st_gid)
    _ = try retryingInterrupts { fchmod(descriptor, attributes.st_mode & 0o7777) }
  }

  /// The failure that an error of the system is to the user.
  package static func failure(_ error: SystemError, path: String) -> CommandFailure {
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

extension CommandFailure {
  /// The failure to write to standard output.
  package init(standardOutput error: SystemError) {
    self.init(.inputOutput, "cannot be written: \(error.reason)", path: "standard output")
    isBrokenPipe = error.code == EPIPE
  }
}
