package import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A path whose symbolic links were followed one by one, so that it is known which there were.
///
/// The last components need not exist.
package struct ResolvedPath: Hashable, Sendable {
  /// The path without links, relative where the path was relative.
  package var path: String {
    let text = components.joined(separator: "/")
    return isAbsolute ? "/" + text : text.isEmpty ? "." : text
  }

  /// Whether ``components`` start at the root; otherwise at the working directory.
  private(set) var isAbsolute: Bool
  /// The names from there on, none of them a link; `..` only at the front.
  private(set) var components: [String] = []
  /// The links that were followed, each as a path without other links.
  package private(set) var links: [String] = []

  /// The limit of Linux for one path.
  private static let maximumLinks = 40

  /// Follows the links of a path.
  ///
  /// - Throws: ``SystemError`` with ELOOP if there are too many, or if one cannot be read.
  /// - Complexity: O(*n*) system calls in the number of components.
  package init(_ path: String) throws(SystemError) {
    isAbsolute = path.utf8.first == UInt8(ascii: "/")
    var rest = Self.reversedNames(path)
    while let name = rest.popLast() {
      if name == ".." {
        moveUp()
        continue
      }
      components.append(name)
      let place = self.path
      guard let destination = try linkDestination(place) else { continue }
      if links.count == Self.maximumLinks { throw SystemError(code: ELOOP) }
      links.append(place)
      components.removeLast()
      if destination.utf8.first == UInt8(ascii: "/") { (isAbsolute, components) = (true, []) }
      rest += Self.reversedNames(destination)
    }
  }

  private static func reversedNames(_ path: String) -> [String] {
    path.split(separator: "/").reversed().filter { $0 != "." }.map(String.init)
  }

  private mutating func moveUp() {
    if let last = components.last, last != ".." {
      components.removeLast()
    } else if !isAbsolute {
      components.append("..")
    }
  }

  // MARK: - Work trees

  /// The first link that lies in the work tree of a repository and leads out of it.
  ///
  /// The author of a committed link chooses its target. A link elsewhere, or in the repository's
  /// own directory, is not a part of a commit. The directory `.git` is not in the work tree: files
  /// in it can run commands.
  ///
  /// - Parameter root: The top of a work tree that has no `.git` in it, if one is known; defaults to
  ///   `GIT_WORK_TREE`.
  /// - Returns: The link, and the top of the work tree; nil if no link leaves the work tree.
  /// - Throws: ``SystemError`` if the name of the working directory cannot be looked up.
  package func escapingLink(root: String?) throws(SystemError) -> (link: String, workTree: String)?
  {
    if links.isEmpty { return nil }
    let here = try Self.workingComponents()
    let target = Self.absolute(path, from: here)
    let root = (root ?? environmentValue("GIT_WORK_TREE")).flatMap { canonicalPath($0) }
      .map { $0.split(separator: "/").map(String.init) }
    for link in links {
      let place = Self.absolute(link, from: here)
      guard let tree = try Self.workTree(of: place, root: root) else { continue }
      if Self.isRepositoryDirectory(place.dropFirst(tree.count)) { continue }
      if !target.starts(with: tree) || Self.isRepositoryDirectory(target.dropFirst(tree.count)) {
        return (link, "/" + tree.joined(separator: "/"))
      }
    }
    return nil
  }

  private static func workingComponents() throws(SystemError) -> [String] {
    let here = workingDirectory()
    // A name that is not UTF-8 is not found again, so its links would stay unchecked.
    guard let found = try fileAttributes(at: here), let own = try fileAttributes(at: "."),
      found.isSameFile(as: own)
    else { throw SystemError(code: ENOENT) }
    return here.split(separator: "/").map(String.init)
  }

  private static func absolute(_ path: String, from here: [String]) -> [String] {
    var result = path.utf8.first == UInt8(ascii: "/") ? [] : here
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = result.popLast() } else { result.append(String(name)) }
    }
    return result
  }

  /// The nearest directory above a place that contains a `.git` of any kind.
  private static func workTree(
    of place: [String], root: [String]?
  ) throws(SystemError) -> [String]? {
    var directory = place.dropLast()
    while true {
      if let root, directory.elementsEqual(root) { return root }
      let marker = ["", directory.joined(separator: "/"), ".git"].joined(separator: "/")
      if try entryExists(at: marker) { return Array(directory) }
      if directory.isEmpty { return nil }
      directory = directory.dropLast()
    }
  }

  /// Whether a path inside of a work tree leads into `.git`, in any case, as some file systems see it.
  private static func isRepositoryDirectory(_ names: ArraySlice<String>) -> Bool {
    names.contains { $0.lowercased() == ".git" }
  }
}
