package import BoxSystem

#if canImport(Glibc)
  @preconcurrency internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The absolute path without `.`, `..` and doubled slashes, by its words alone.
///
/// - Complexity: O(*n*) in the length of the path.
func normalizedPath(_ path: String) -> String {
  var parts: [Substring] = []
  for part in joinPath(workingDirectory(), path).split(separator: "/") where part != "." {
    if part == ".." { _ = parts.popLast() } else { parts.append(part) }
  }
  return "/" + parts.joined(separator: "/")
}

/// The absolute path without symbolic links, as far as it exists.
///
/// - Complexity: O(*n*) in the depth of the path.
package func absolutePath(_ path: String) -> String {
  var present = normalizedPath(path)
  var missing: [String] = []
  while true {
    if let found = canonicalPath(present) {
      return missing.reversed().reduce(found) { joinPath($0, $1) }
    }
    missing.append(lastComponent(of: present))
    present = parentDirectory(of: present)
  }
}

/// The names of the entries of a directory, at most `limit`; empty if it cannot be listed.
package func namesInDirectory(_ path: String, limit: Int = 1000) -> [String] {
  guard let directory = opendir(path) else { return [] }
  defer { closedir(directory) }
  var names: [String] = []
  while names.count < limit, let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
    }
    if name != "." && name != ".." { names.append(name) }
  }
  return names
}

/// A path for people: relative for a path in the working directory.
package func pathFromHere(_ path: String) -> String {
  let here = workingDirectory() + "/"
  return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
}

/// Follows the symbolic links of a path, also to a file that does not exist yet.
///
/// - Throws: ``SystemError`` if the links go in a circle or cannot be read.
package func resolvingLinks(_ path: String) throws(SystemError) -> String {
  try ResolvedPath(path).path
}

/// The target of a symbolic link; nil if there is no symbolic link at the path.
package func linkDestination(_ path: String) throws(SystemError) -> String? {
  var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
  do throws(SystemError) {
    let count = try retryingInterrupts { readlink(path, &buffer, buffer.count) }
    return String(decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  } catch {
    if error.code == EINVAL || error.code == ENOENT || error.code == ENOTDIR { return nil }
    throw error
  }
}

/// The value of an environment variable, or nil if it is unset or empty.
package func environmentValue(_ name: String) -> String? {
  guard let value = getenv(name), value.pointee != 0 else { return nil }
  return String(cString: value)
}

/// The names of all environment variables.
package func environmentNames() -> [String] {
  #if canImport(Darwin)
    var next = _NSGetEnviron().pointee
  #else
    var next = environ
  #endif
  var names: [String] = []
  while let entry = next.pointee {
    names.append(String(String(cString: entry).prefix { $0 != "=" }))
    next += 1
  }
  return names
}

/// The name of a file without its directories.
package func lastComponent(of path: String) -> String {
  path.split(separator: "/").last.map(String.init) ?? path
}

/// Whether a path, the end of which need not exist, is a directory or is in it.
package func isInside(_ path: String, directory: String) -> Bool {
  guard let directory = (try? fileAttributes(at: directory)) ?? nil, directory.isDirectory else {
    return false
  }
  let existing = pathAndDirectoriesAbove((try? resolvingLinks(path)) ?? path)
  guard let place = existing.lazy.compactMap({ canonicalPath($0) }).first else { return false }
  return pathAndDirectoriesAbove(place).contains { place in
    ((try? fileAttributes(at: place)) ?? nil)?.isSameFile(as: directory) ?? false
  }
}
