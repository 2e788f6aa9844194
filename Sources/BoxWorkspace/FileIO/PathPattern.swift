internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Paths of which some may be patterns that the shell did not expand.
package enum PathPattern {
  /// Replaces each pattern by the paths that match it, in the order of their bytes.
  ///
  /// A path at which there is something is not a pattern, whatever characters it has.
  ///
  /// - Parameter paths: Paths, and patterns with `*`, `?` and `[…]`.
  /// - Returns: The paths; those that several patterns match occur several times.
  /// - Throws: ``CommandFailure`` of kind `inputOutput` if nothing matches a pattern, or a directory
  ///   cannot be read.
  /// - Complexity: O(*n* log *n*) in the number of entries of the directories.
  package static func expand(_ paths: [String]) throws(CommandFailure) -> [String] {
    var expanded: [String] = []
    for path in paths {
      if isPattern(path), (try? entryExists(at: path)) == false {
        expanded += try matches(path)
      } else {
        expanded.append(path)
      }
    }
    return expanded
  }

  private static func isPattern(_ path: String) -> Bool {
    path.utf8.contains { "*?[".utf8.contains($0) }
  }

  private static func matches(_ pattern: String) throws(CommandFailure) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    switch glob(pattern, GLOB_ERR | GLOB_NOSORT, nil, &found) {
    case 0:
      let paths = (0..<Int(found.gl_pathc)).compactMap { position in
        found.gl_pathv[position].map { String(cString: $0) }
      }
      return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    case GLOB_NOMATCH:
      throw CommandFailure(.inputOutput, "no file matches the pattern", path: pattern)
    default:
      throw CommandFailure(
        .inputOutput, "a directory of the pattern cannot be read: \(SystemError.last.reason)",
        path: pattern)
    }
  }
}
