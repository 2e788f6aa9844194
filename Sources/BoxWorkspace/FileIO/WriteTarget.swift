package import BoxSystem

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The place of a file to be written: its directory, held open, and its name in there.
///
/// The directory is opened name by name and never through a symbolic link, along the path that was
/// checked. So a link that is added to the path meanwhile is refused. A link in place of the file
/// is replaced and not followed.
package struct WriteTarget: ~Copyable {
  /// The path without symbolic links.
  package let path: String
  private let directory: OpenFile
  private let name: String
  /// The path as the user named it.
  private let shownPath: String

  /// The directory of ``path``.
  package var directoryPath: String { parentDirectory(of: path) }

  /// Follows the links of a path and opens its directory.
  ///
  /// - Parameters:
  ///   - path: The file, as the user named it.
  ///   - root: The top of the work tree that it is in, if the caller knows it.
  ///   - shownPath: The path in messages; nil for the same.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the directory does not exist or may
  ///   not be opened, or if a link of a repository leaves its work tree.
  package init(
    _ path: String, within root: String? = nil, shownAs shownPath: String? = nil
  ) throws(CommandFailure) {
    let resolved = try Self.resolve(path, within: root)
    let shown = shownPath ?? path
    directory = try Self.openDirectory(of: resolved, shownAs: shown)
    self.shownPath = shown
    self.path = resolved.path
    name = resolved.components.last ?? "."
  }

  private static func openDirectory(
    of resolved: ResolvedPath, shownAs path: String
  ) throws(CommandFailure) -> OpenFile {
    do throws(SystemError) {
      var directory = try OpenFile(path: resolved.isAbsolute ? "/" : ".", flags: searching)
      for name in resolved.components.dropLast() {
        directory = try OpenFile(in: directory, name: name, flags: searching | O_NOFOLLOW)
      }
      return directory
    } catch {
      if error.code == ENOENT || error.code == ENOTDIR {
        throw CommandFailure(.inputOutput, "the directory of the file does not exist", path: path)
      }
      throw AtomicFile.failure(error, path: path)
    }
  }

  /// Follows the links of a path that is to be created or written.
  ///
  /// - Parameters:
  ///   - path: The path, as the user named it.
  ///   - root: The top of the work tree that contains the path, if the caller knows it.
  ///   - refusal: The beginning of the message of a refusal.
  /// - Returns: The path without links.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the links form a circle, or if a
  ///   link of a repository leaves its work tree.
  @discardableResult
  package static func resolve(
    _ path: String, within root: String? = nil, refusal: String = "cannot be written"
  ) throws(CommandFailure) -> ResolvedPath {
    let resolved: ResolvedPath
    let stray: (link: String, workTree: String)?
    do throws(SystemError) {
      resolved = try ResolvedPath(path)
      stray = try resolved.escapingLink(root: root)
    } catch {
      throw AtomicFile.failure(error, path: path)
    }
    guard let stray else { return resolved }
    throw CommandFailure(
      .inputOutput,
      "\(refusal): the symbolic link '\(pathFromHere(stray.link))' leads out of the work "
        + "tree '\(stray.workTree)', to '\(resolved.path)'; remove the link, or pass the path that "
        + "it points to", path: path)
  }

  /// The flags that open a directory only to reach its entries, without the right to list it.
  private static var searching: Int32 {
    #if canImport(Glibc)
      // O_PATH, whose macro is not imported.
      0o10_000_000 | O_DIRECTORY
    #else
      // O_SEARCH, whose macro is not imported.
      0x4000_0000 | O_DIRECTORY
    #endif
  }

  /// The attributes of the file, not following a symbolic link; nil if the file does not exist.
  package func attributes() throws(SystemError) -> stat? {
    var result = stat()
    let (descriptor, name) = (directory.descriptor, name)
    do throws(SystemError) {
      _ = try retryingInterrupts { fstatat(descriptor, name, &result, AT_SYMLINK_NOFOLLOW) }
      return result
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
  }

  /// Creates a temporary file next to the file.
  package func create(_ temporary: TemporaryPath, mode: mode_t) throws(SystemError) -> OpenFile {
    try OpenFile(
      in: directory, name: temporary.name, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      mode: mode)
  }

  /// Replaces the file by a temporary file, durably.
  package func replace(with temporary: TemporaryPath) throws(SystemError) {
    let (descriptor, name) = (directory.descriptor, name)
    _ = try retryingInterrupts { renameat(descriptor, temporary.name, descriptor, name) }
    // The file is in place already, so a file system that cannot sync directories is not a failure.
    guard let opened = try? OpenFile(in: directory, name: ".", flags: O_RDONLY | O_DIRECTORY) else {
      return
    }
    _ = fsync(opened.descriptor)
  }

  /// Refuses a file that may not be replaced.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  package func requireWritable(existing: stat?) throws(CommandFailure) {
    if let existing {
      guard existing.isRegularFile else {
        throw CommandFailure(
          .inputOutput, "this is \(existing.kindDescription), and cannot be written as a file",
          path: shownPath)
      }
      guard isWritable(name, existing) else {
        throw CommandFailure(.inputOutput, "the file is read-only", path: shownPath)
      }
    }
    guard let attributes = try? directory.attributes(), isWritable(".", attributes) else {
      throw CommandFailure(
        .inputOutput, "the directory of the file is read-only", path: shownPath)
    }
  }

  /// Whether a file may be written.
  ///
  /// The system grants everything to root, who still does not want a read-only file replaced.
  private func isWritable(_ name: String, _ attributes: stat) -> Bool {
    if geteuid() == 0 && attributes.st_mode & 0o222 == 0 { return false }
    return faccessat(directory.descriptor, name, W_OK, AT_EACCESS) == 0
  }
}
