internal import BoxSystem

/// Paths by their words alone: `a/../b` is `b`, whatever the links on the disk are.
package enum PathArithmetic {
  /// The path from one directory to something, such as `../model.json` from `a` to `model.json`.
  ///
  /// - Parameters:
  ///   - path: A path, relative to `here` unless it is absolute.
  ///   - directory: A directory, likewise.
  ///   - here: An absolute path.
  /// - Returns: The relative path; `.` for the directory itself.
  package static func path(_ path: String, from directory: String, here: String) -> String {
    let target = parts(path, here)
    let start = parts(directory, here)
    let common = zip(target, start).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: start.count - common)
    let result = (up + target[common...]).joined(separator: "/")
    return result.isEmpty ? "." : result
  }

  /// A path in a directory, without `..` where it can be taken away.
  package static func join(_ directory: String, _ path: String) -> String {
    if path.utf8.first == UInt8(ascii: "/"), directory != "/" { return path }
    var result = directory.split(separator: "/").map(String.init).filter { $0 != "." }
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = result.last, last != ".." {
        result.removeLast()
      } else if part != ".." || directory.utf8.first != UInt8(ascii: "/") {
        result.append(String(part))
      }
    }
    let root = directory.utf8.first == UInt8(ascii: "/") ? "/" : ""
    let text = root + result.joined(separator: "/")
    return text.isEmpty ? "." : text
  }

  private static func parts(_ path: String, _ here: String) -> [String] {
    join("/", joinPath(here, path)).split(separator: "/").map(String.init)
  }
}
