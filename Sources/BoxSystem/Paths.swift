#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The directory that contains a path, `.` for a bare name.
package func parentDirectory(of path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  let parent = path[..<slash]
  return parent.isEmpty ? "/" : String(parent)
}

/// A path, and each directory above it, the nearest first: up to `/`, or `.` for a relative path.
///
/// - Complexity: O(*n*) for the next one, in the length of the path.
package func pathAndDirectoriesAbove(_ path: String) -> UnfoldFirstSequence<String> {
  sequence(first: path) { path in
    let parent = parentDirectory(of: path)
    return parent == path ? nil : parent
  }
}

/// A path in a directory; an absolute path stays as it is.
package func joinPath(_ directory: String, _ path: String) -> String {
  if path.utf8.first == UInt8(ascii: "/") { return path }
  return directory.utf8.last == UInt8(ascii: "/") ? directory + path : directory + "/" + path
}

/// The path without symbolic links, `.` and `..`; nil if nothing exists at the path.
package func canonicalPath(_ path: String) -> String? {
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// The working directory of the process; `.` if it was removed.
package func workingDirectory() -> String { canonicalPath(".") ?? "." }

extension String {
  /// The path of a directory without slashes at the end.
  package var withoutLastSlashes: String {
    var path = self
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
