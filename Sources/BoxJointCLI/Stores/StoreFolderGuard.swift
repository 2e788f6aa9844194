#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Throws if a path is in the directory of a store, under whatever name: a file that is written
/// there could replace the store itself.
///
/// - Parameters:
///   - path: The path to be written; it need not exist yet.
///   - store: The directory of the store.
/// - Throws: ``CommandFailure`` with status 64.
func requireOutside(_ path: String, ofStore store: String) throws(CommandFailure) {
  if isInside(path, folder: store) {
    throw CommandFailure(
      .usage, "this is in the folder of the store, where nothing else may be written", path: path)
  }
}

/// Whether a path, of which the end need not exist, leads to a folder or to something in it.
func isInside(_ path: String, folder: String) -> Bool {
  guard let folder = (try? fileAttributes(at: folder)) ?? nil, folder.isDirectory else {
    return false
  }
  var existing = (try? resolvingLinks(path)) ?? path
  while canonicalPath(existing) == nil, existing != "/", existing != "." {
    existing = parentFolder(of: existing)
  }
  guard var place = canonicalPath(existing) else { return false }
  while true {
    if let found = (try? fileAttributes(at: place)) ?? nil, found.isSameFile(as: folder) {
      return true
    }
    if place == "/" { return false }
    place = parentFolder(of: place)
  }
}

extension stat {
  /// Whether both are of the same file, by whatever name.
  func isSameFile(as other: stat) -> Bool { st_dev == other.st_dev && st_ino == other.st_ino }
}
