internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The Swift files below some directories.
package struct SourceTree: Sendable {
  /// The reason why the files cannot be read.
  package struct Failure: Error, Hashable, Sendable {
    /// The file or directory.
    package var path: String
    /// The reason, with what to do.
    package var message: String
    /// Whether there is no such file or directory.
    package var isMissing = false
  }

  /// The largest source file that is read, in bytes: 64 MiB.
  static let maximumSize = 64 << 20

  /// The files, ordered by path.
  package private(set) var files: [SwiftFile] = []
  private let excluded: [String]

  /// Reads the files; names that begin with a dot are left out.
  ///
  /// - Parameters:
  ///   - roots: Directories, and files that are read whatever their name is.
  ///   - excluded: Paths in the same form that are left out, with what is below them.
  /// - Throws: ``Failure`` if a file or directory cannot be read, or is a symbolic link: to leave it out would
  ///   remove the entities in it.
  /// - Complexity: O(*n* log *n*) in the number of files.
  package init(_ roots: [String], excluding excluded: [String] = []) throws(Failure) {
    self.excluded = excluded.map(Self.normal)
    for root in roots.map(Self.normal) {
      if isDirectory(at: root) { try read(root) } else { try readFile(root) }
    }
    var known: Set<String> = []
    files = files.filter { known.insert($0.path).inserted }.sorted { $0.path < $1.path }
  }

  /// A path without `./` at the start and slashes at the end.
  private static func normal(_ path: String) -> String {
    var path = Substring(path)
    while path.hasPrefix("./"), path.utf8.count > 2 { path = path.dropFirst(2) }
    while path.hasSuffix("/"), path.utf8.count > 1 { path = path.dropLast() }
    return String(path)
  }

  private func isExcluded(_ path: String) -> Bool {
    excluded.contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  private mutating func read(_ directory: String) throws(Failure) {
    let names: [String]
    do throws(SystemError) {
      names = try entryNames(in: directory)
    } catch {
      throw failure(error, directory)
    }
    for name in names.sorted() where !name.hasPrefix(".") {
      let path = directory == "." ? name : directory == "/" ? "/\(name)" : "\(directory)/\(name)"
      if isExcluded(path) { continue }
      let attributes: stat?
      do throws(SystemError) {
        attributes = try entryAttributes(at: path)
      } catch {
        throw failure(error, path)
      }
      guard let attributes else { continue }
      let isSwift = name.hasSuffix(".swift")
      if attributes.fileType == S_IFLNK {
        if isSwift || isDirectory(at: path) { throw Self.link(path) }
      } else if attributes.isDirectory {
        try read(path)
      } else if isSwift {
        try readFile(path)
      }
    }
  }

  private static func link(_ path: String) -> Failure {
    Failure(
      path: path,
      message: "this is a symbolic link, which is not followed; "
        + "call the generator with its target as --sources, and the link as "
        + "--exclude-sources")
  }

  private mutating func readFile(_ path: String) throws(Failure) {
    if isExcluded(path) { return }
    do throws(SystemError) {
      // Without O_NONBLOCK, opening a pipe would wait for a writer.
      let file = try retryingInterrupts { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
      defer { close(file) }
      let attributes = try fileAttributes(of: file)
      guard attributes.isRegularFile else {
        throw SystemError(code: attributes.isDirectory ? EISDIR : ENXIO)
      }
      if Int(attributes.st_size) > Self.maximumSize { throw SystemError(code: EFBIG) }
      let size = Int(attributes.st_size)
      let bytes = try Self.bytes(of: file, size)
      files.append(SwiftFile(path: path, bytes: bytes))
    } catch {
      throw failure(error, path)
    }
  }

  private static func bytes(of file: Int32, _ size: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    var count = 0
    var failure: SystemError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(SystemError) {
        count = try readAll(file, at: 0, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    bytes.removeLast(size - count)
    return bytes
  }

  private func failure(_ error: SystemError, _ path: String) -> Failure {
    switch error.code {
    case ENOENT, ENOTDIR:
      Failure(path: path, message: "there is no such file or directory", isMissing: true)
    case EACCES, EPERM: Failure(path: path, message: "permission to read is denied")
    case ENXIO: Failure(path: path, message: "this is not a regular file")
    case EFBIG:
      Failure(path: path, message: "the file is larger than 64 MiB, the most that is read")
    default: Failure(path: path, message: "cannot be read: \(error.reason)")
    }
  }
}
