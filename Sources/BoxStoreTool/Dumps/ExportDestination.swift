package import BoxDump
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A dump that is one file.
package final class FileDestination: DumpOutput {
  private let path: String

  package init(_ path: String) { self.path = path }

  package func open(_ name: String) throws -> any DumpStream {
    let stream = try AtomicFileStream(path)
    stream.removeLeftovers()
    return stream
  }

  /// Whether the file replaces another one, or none, when it is complete; not a pipe or a device.
  package var isAtomic: Bool {
    guard let attributes = try? fileAttributes(at: path) else { return true }
    return attributes.isRegularFile
  }
}

/// A dump that is a directory, which is created or must be empty.
///
/// The files are written in a directory with another name. A new directory is renamed when it is complete; into one
/// that exists the files are moved, the manifest and the mark of completeness last.
package final class DirectoryDestination: DumpOutput {
  private let path: String
  /// The path without links.
  private let target: String
  private let temporary: String
  /// The temporary directory, open and locked.
  private let lock: OpenFile
  /// The names of the files, in the order in which they were opened.
  private var names: [String] = []
  private let isNew: Bool

  /// Creates the directory that gets the files.
  ///
  /// - Throws: ``CommandFailure`` with status 2 if something is in the directory at the path, and 74 if it cannot be
  ///   made, or if a link of a repository leads out of its work tree.
  package init(_ path: String) throws(CommandFailure) {
    target = try WriteTarget.resolve(path).path
    self.path = path
    // A link to nothing is there, and not a directory.
    isNew = (try? entryExists(at: path.withoutLastSlashes)) == false
    let place = isNew ? parentDirectory(of: target) : target
    UnfinishedExport.removeAll(in: place)
    if !isNew { try Self.requireEmpty(path) }
    do throws(SystemError) {
      let prefix = joinPath(place, UnfinishedExport.prefix)
      var created = try createTemporaryDirectory(prefix: prefix)
      var lock = try OpenFile(path: created, flags: O_RDONLY | O_DIRECTORY)
      while !UnfinishedExport.lock(lock, at: created) {
        created = try createTemporaryDirectory(prefix: prefix)
        lock = try OpenFile(path: created, flags: O_RDONLY | O_DIRECTORY)
      }
      temporary = created
      self.lock = lock
    } catch {
      throw CommandFailure(.inputOutput, "cannot be created: \(error.reason)", path: path)
    }
  }

  private static func requireEmpty(_ path: String) throws(CommandFailure) {
    let names: [String]
    do throws(SystemError) {
      names = try entryNames(in: path)
    } catch {
      throw CommandFailure(.inputOutput, "cannot be opened: \(error.reason)", path: path)
    }
    if !names.isEmpty {
      throw CommandFailure(
        .impossible, "the directory is not empty; name another one", path: path)
    }
  }

  package func open(_ name: String) throws -> any DumpStream {
    names.append(name)
    return try AtomicFileStream(joinPath(temporary, name), shownAs: joinPath(path, name))
  }

  /// True: nothing has its name before all is complete.
  package var isAtomic: Bool { true }

  /// Puts the files in their place, after all of them are written.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if the system refuses it, or if something has come to the path
  ///   meanwhile.
  package func complete() throws(CommandFailure) {
    if isNew {
      if rename(temporary, target) != 0 { throw Self.failure("cannot be created", path) }
    } else {
      for name in names where rename(joinPath(temporary, name), joinPath(target, name)) != 0 {
        throw Self.failure("cannot be written", joinPath(path, name))
      }
      rmdir(temporary)
    }
    // A file system that cannot sync directories is not a failure.
    let directory = isNew ? parentDirectory(of: target) : target
    if let opened = try? OpenFile(path: directory, flags: O_RDONLY | O_DIRECTORY) {
      _ = fsync(opened.descriptor)
    }
  }

  /// Removes what was written of a dump that failed.
  package func remove() {
    for name in names {
      unlink(joinPath(temporary, name))
      // One that exists was empty, so what has such a name was moved there.
      if !isNew { unlink(joinPath(target, name)) }
    }
    rmdir(temporary)
  }

  private static func failure(_ message: String, _ path: String) -> CommandFailure {
    CommandFailure(.inputOutput, "\(message): \(SystemError.last.reason)", path: path)
  }
}
