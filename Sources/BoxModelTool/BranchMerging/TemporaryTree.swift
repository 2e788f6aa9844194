internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A new directory of a random name with a few files, which is removed with its owner.
struct TemporaryTree: ~Copyable {
  /// The absolute path.
  let path: String

  /// Creates the directory where the system keeps temporary files.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  init(for place: Workspace) throws(CommandFailure) {
    try self.init(in: place.variable("TMPDIR") ?? "/tmp", prefix: "boxjoint-")
  }

  /// Creates the directory in another one.
  ///
  /// - Parameters:
  ///   - parent: The other directory.
  ///   - prefix: The beginning of the name.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  init(in parent: String, prefix: String) throws(CommandFailure) {
    do throws(SystemError) {
      let made = try createTemporaryDirectory(prefix: joinPath(parent, prefix))
      path = canonicalPath(made) ?? made
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot create a directory: \(error.reason)", path: parent)
    }
  }

  deinit { Self.remove(path) }

  /// Writes a file and creates the directories that it is in.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - name: The path in the directory, of which no part may be `..`.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  /// - Complexity: O(*n*) in the number of bytes.
  func write(_ bytes: [UInt8], to name: String) throws(CommandFailure) {
    let full = joinPath(path, name)
    do throws(CreatedDirectories.Failure) {
      _ = try CreatedDirectories(parentDirectory(of: full), mode: 0o700)
    } catch {
      throw CommandFailure(
        .inputOutput, "cannot create a directory: \(error.error.reason)", path: error.path)
    }
    do throws(SystemError) {
      try OpenFile(path: full, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        .write(bytes)
    } catch {
      throw CommandFailure(.inputOutput, "cannot be written: \(error.reason)", path: full)
    }
  }

  private static func remove(_ path: String) {
    // A link is removed, and its target stays.
    if ((try? entryAttributes(at: path)) ?? nil)?.isDirectory ?? false {
      for name in (try? entryNames(in: path)) ?? [] { remove(joinPath(path, name)) }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
