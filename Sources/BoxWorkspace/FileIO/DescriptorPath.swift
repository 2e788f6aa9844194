internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Paths that name an open descriptor of the process, as a shell passes for `<(…)`.
///
/// Such a path is read and written through the descriptor. Opening the path again would start at
/// the beginning of a file, and replacing the file would leave the descriptor at the old one.
package enum DescriptorPath {
  /// The descriptor that a path names; nil for any other path.
  package static func descriptor(of path: String) -> Int32? {
    switch path {
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default: break
    }
    for directory in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(directory) {
      let digits = path.dropFirst(directory.count)
      if digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int32(digits) }
    }
    return nil
  }

  /// Whether a path names something that can be read only once, as `-`, a pipe and `<(…)` do.
  package static func isStream(_ path: String) -> Bool {
    path == "-" || ((try? fileAttributes(at: path)) ?? nil)?.isWrittenDirectly ?? false
  }

  /// Whether a path names standard output, as `-` and `/dev/stdout` do.
  package static func isStandardOutput(_ path: String) -> Bool {
    path == "-" || descriptor(of: path) == STDOUT_FILENO
  }
}
