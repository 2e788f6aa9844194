internal import BoxSystem

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

/// Bytes that are in memory.
final class ArraySource: ByteSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
    let part = rest.prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }
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
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw DumpError("cannot be opened", .last, path) }
    try self.init(descriptor: descriptor, path: path, closes: true)
  }

  /// Opens a file of a dump that is a directory, or a part of a directory of parts.
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
      // A failing initializer runs no deinit.
      if closes { close(descriptor) }
      throw error
    }
    self.descriptor = descriptor
    self.closes = closes
  }

  private static func size(of descriptor: Int32, _ path: String) throws(DumpError) -> Int? {
    let attributes: stat
    do throws(SystemError) {
      attributes = try fileAttributes(of: descriptor)
    } catch {
      throw DumpError("cannot be read", error, path)
    }
    if attributes.isDirectory {
      throw DumpError("is a directory, not a file", kind: .inputOutput, path: path)
    }
    return attributes.isRegularFile ? Int(attributes.st_size) : nil
  }

  deinit {
    if closes { close(descriptor) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int {
    do throws(SystemError) {
      return try unsafe readSome(descriptor, into: buffer)
    } catch {
      throw DumpError("cannot be read", error, nil)
    }
  }
}

/// Opens a file of a directory that is read as a whole, which is a plain one: a link could lead out of
/// the directory, and a pipe would have the reader wait for ever.
///
/// - Returns: The descriptor.
/// - Throws: ``DumpError``, of kind `inputOutput` where the system refuses to open it.
func openDumpFile(_ path: String) throws(DumpError) -> Int32 {
  let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
  if descriptor < 0 {
    let error = SystemError.last
    if error.code == ELOOP, (try? entryAttributes(at: path))??.isSymbolicLink == true {
      throw DumpError("is a symbolic link; only plain files are read in a directory", path: path)
    }
    throw DumpError("cannot be opened", error, path)
  }
  if (try? fileAttributes(of: descriptor))?.isRegularFile != true {
    close(descriptor)
    throw DumpError("is not a plain file; only plain files are read in a directory", path: path)
  }
  return descriptor
}

extension DumpError {
  /// Creates the error of a failed call of the system.
  init(_ message: String, _ error: SystemError, _ path: String?) {
    self.init("\(message): \(error.reason)", kind: .inputOutput, path: path)
  }
}
