internal import BoxSystem

/// The rule for paths that a committed file contains: its author must not choose other files of the
/// machine.
package enum CommittedPath {
  /// Whether a path stays in a directory and out of `.git`, by its words alone.
  ///
  /// - Parameters:
  ///   - path: The path as the file contains it.
  ///   - prefix: The path from the directory to the one that the path starts from.
  /// - Returns: False also for an absolute path, for `-`, and for the directory itself.
  /// - Complexity: O(*n*) in the length of both.
  package static func staysInside(_ path: String, from prefix: String = "") -> Bool {
    if path.utf8.first == UInt8(ascii: "/") || path == "-" { return false }
    var names: [Substring] = []
    for name in prefix.split(separator: "/") + path.split(separator: "/") where name != "." {
      if name != ".." {
        names.append(name)
      } else if names.popLast() == nil {
        return false
      }
    }
    // In any case, as some file systems see it.
    return !names.isEmpty && !names.contains { $0.lowercased() == ".git" }
  }

  /// Whether a path, with all links resolved, is inside a directory and not in its `.git`.
  ///
  /// - Parameters:
  ///   - path: The path from the working directory, or an absolute one.
  ///   - top: The directory, without links.
  /// - Returns: True also if nothing exists at the path.
  package static func leadsInside(_ path: String, of top: String) -> Bool {
    guard let real = canonicalPath(path) else { return true }
    return RepositoryLocation.path(real, from: top).map { staysInside($0) } ?? false
  }
}
