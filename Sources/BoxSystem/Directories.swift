#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The directories that were created for a path, which can be removed again.
package struct CreatedDirectories: Sendable {
  /// The reason why a directory cannot be created.
  package struct Failure: Error, Hashable, Sendable {
    /// The directory.
    package var path: String
    /// The error of the system; `ENOTDIR` if something else is at the path.
    package var error: SystemError
  }

  /// The paths, the outermost first.
  package private(set) var paths: [String] = []

  /// Creates a directory and the missing ones above it.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - mode: The permissions of created directories.
  /// - Throws: ``Failure``; nothing that was created is left then.
  /// - Complexity: O(*n*) in the depth of the path.
  package init(_ path: String, mode: mode_t) throws(Failure) {
    do throws(Failure) {
      try create(path, mode)
    } catch {
      remove()
      throw error
    }
  }

  private mutating func create(_ path: String, _ mode: mode_t) throws(Failure) {
    if isDirectory(at: path) { return }
    let names = path.split(separator: "/")
    if names.count > 1 {
      let parent = names.dropLast().joined(separator: "/")
      try create(path.hasPrefix("/") ? "/" + parent : parent, mode)
    }
    if unsafe mkdir(path, mode) == 0 { return paths.append(path) }
    let error = SystemError.last
    // Another process may have been faster.
    if error.code == EEXIST, isDirectory(at: path) { return }
    throw Failure(path: path, error: error.code == EEXIST ? SystemError(code: ENOTDIR) : error)
  }

  /// Removes the created directories that are empty.
  package func remove() {
    for path in paths.reversed() { unsafe rmdir(path) }
  }
}

/// The names of the entries of a directory, without `.` and `..`, in no order.
///
/// - Throws: The error of the system.
/// - Complexity: O(*n*) in the number of entries.
package func entryNames(in path: String) throws(SystemError) -> [String] {
  guard let directory = unsafe opendir(path) else { throw .last }
  defer { unsafe closedir(directory) }
  var names: [String] = []
  while true {
    errno = 0
    guard let entry = unsafe readdir(directory) else {
      if errno != 0 { throw .last }
      return names
    }
    let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if name != "." && name != ".." { names.append(name) }
  }
}
