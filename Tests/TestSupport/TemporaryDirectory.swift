#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A directory of its own for a test, removed with everything in it when the last user lets go of it.
public final class TemporaryDirectory: Sendable {
  /// The absolute path, without symbolic links.
  public let path: String

  /// Creates a new, empty directory.
  ///
  /// - Throws: ``TestFailure`` if the system refuses.
  public init() throws {
    let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((root + "/boxjoint-test-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil, let real = realpath(template, nil) else {
      throw TestFailure("no temporary directory can be made in \(root)")
    }
    defer { free(real) }
    path = String(cString: real)
  }

  deinit {
    removeEverything(path)
  }

  /// Removes a file, or a directory with everything in it.
  public func removeEverything(_ name: String) {
    let full = path(of: name)
    var attributes = stat()
    guard lstat(full, &attributes) == 0 else { return }
    if attributes.st_mode & S_IFMT == S_IFDIR {
      // A test may have taken the permission to empty a directory.
      chmod(full, 0o700)
      for child in names(in: full) { removeEverything(full + "/" + child) }
    }
    remove(full)
  }

  /// The path of something in the directory; an absolute path stands for itself.
  public func path(of name: String) -> String { name.hasPrefix("/") ? name : path + "/" + name }

  /// Writes a file and the directories that it is in.
  ///
  /// - Throws: ``TestFailure`` if it cannot be written.
  public func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let full = path(of: name)
    // By its bytes, as an accent at the beginning of a name makes one character with the slash.
    let bytesOfPath = Array(full.utf8)
    for place in bytesOfPath.indices.dropFirst() where bytesOfPath[place] == UInt8(ascii: "/") {
      mkdir(String(decoding: bytesOfPath[..<place], as: UTF8.self), 0o777)
    }
    guard let file = fopen(full, "w") else { throw TestFailure("\(full) cannot be written") }
    let content = Array(bytes)
    let count = fwrite(content, 1, content.count, file)
    guard fclose(file) == 0, count == content.count else {
      throw TestFailure("\(full) cannot be written")
    }
  }

  /// Writes a text as a file, and the directories that it is in.
  ///
  /// - Throws: ``TestFailure`` if it cannot be written.
  public func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

  /// The bytes of a file.
  ///
  /// - Throws: ``TestFailure`` if it cannot be read.
  public func bytes(of name: String) throws -> [UInt8] { try Self.bytes(ofFile: path(of: name)) }

  /// The bytes of a file anywhere.
  ///
  /// - Throws: ``TestFailure`` if it cannot be read.
  public static func bytes(ofFile path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw TestFailure("\(path) cannot be read") }
    defer { fclose(file) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return result }
      result += chunk[..<count]
    }
  }

  /// The text of a file.
  ///
  /// - Throws: ``TestFailure`` if it cannot be read.
  public func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  /// Whether something is at a path; a symbolic link that leads nowhere is something.
  public func exists(_ name: String) -> Bool {
    var attributes = stat()
    return lstat(path(of: name), &attributes) == 0
  }

  /// The names in a directory, sorted, or an empty list if there is no such directory.
  public func names(in name: String = ".") -> [String] { Self.names(inDirectory: path(of: name)) }

  /// The names in a directory, sorted, or an empty list if there is no such directory.
  public static func names(inDirectory path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}

/// The error of a test that could not do its preparations.
public struct TestFailure: Error, CustomStringConvertible, Sendable {
  /// One sentence.
  public var description: String

  /// Creates a failure from a sentence.
  public init(_ description: String) { self.description = description }
}
