#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Bytes that come one after the other.
protocol ByteSource: AnyObject {
  /// Reads some bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int
}

/// No bytes.
final class EmptySource: ByteSource {
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int { 0 }
}

/// The bytes of an open file, which is closed with the last reference.
final class FileSource: ByteSource {
  private let descriptor: Int32
  private let closes: Bool
  /// The size of a regular file; nil for a pipe.
  let size: Int?

  /// Opens a file for reading.
  ///
  /// - Throws: ``DumpError`` of kind `inputOutput`.
  convenience init(path: String) throws(DumpError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      throw DumpError("cannot be opened: \(reason(errno))", kind: .inputOutput, path: path)
    }
    try self.init(descriptor: descriptor, path: path, closes: true)
  }

  /// Opens a file of a dump that is a directory.
  ///
  /// - Throws: As ``openDumpFile(_:)``.
  convenience init(inDump path: String) throws(DumpError) {
    try self.init(descriptor: try openDumpFile(path), path: path, closes: true)
  }

  /// Takes an open file over.
  ///
  /// - Throws: ``DumpError`` of kind `inputOutput`; a file that would be closed is closed then too.
  init(descriptor: Int32, path: String, closes: Bool = false) throws(DumpError) {
    do throws(DumpError) {
      size = try Self.size(of: descriptor, path)
    } catch {
      // What is not whole has no end.
      if closes { close(descriptor) }
      throw error
    }
    self.descriptor = descriptor
    self.closes = closes
  }

  private static func size(of descriptor: Int32, _ path: String) throws(DumpError) -> Int? {
    var attributes = stat()
    guard fstat(descriptor, &attributes) == 0 else {
      throw DumpError("cannot be read: \(reason(errno))", kind: .inputOutput, path: path)
    }
    if attributes.st_mode & S_IFMT == S_IFDIR {
      throw DumpError("is a folder, and no file", kind: .inputOutput, path: path)
    }
    return attributes.st_mode & S_IFMT == S_IFREG ? Int(attributes.st_size) : nil
  }

  deinit {
    if closes { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
    while true {
      let count = systemRead(descriptor, buffer)
      if count >= 0 { return count }
      if errno != EINTR { throw DumpError("cannot be read: \(reason(errno))", kind: .inputOutput) }
    }
  }
}

/// Opens a file of a dump that is a directory, which is a plain one: a link could lead out of the
/// directory, and a pipe would have the reader wait for ever.
///
/// - Returns: The descriptor.
/// - Throws: ``DumpError``, of kind `inputOutput` where the system refuses to open it.
func openDumpFile(_ path: String) throws(DumpError) -> Int32 {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
  var attributes = stat()
  if descriptor < 0 {
    if errno == ELOOP, lstat(path, &attributes) == 0, attributes.st_mode & S_IFMT == S_IFLNK {
      throw DumpError("is a symbolic link; the files of a dump are plain ones", path: path)
    }
    throw DumpError("cannot be opened: \(reason(errno))", kind: .inputOutput, path: path)
  }
  if fstat(descriptor, &attributes) != 0 || attributes.st_mode & S_IFMT != S_IFREG {
    close(descriptor)
    throw DumpError("is no plain file, as the files of a dump are", path: path)
  }
  return descriptor
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

/// The words of the system for an error.
private func reason(_ code: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
  return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}
