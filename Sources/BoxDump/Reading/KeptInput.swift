internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The bytes of an input that can be read once, such as standard input, in a file without a name.
///
/// Everything that reads the input reads this file from its beginning, one reader after the other.
package final class KeptInput: Sendable {
  /// The path of the input as the user named it.
  let path: String
  private let descriptor: Int32

  /// Reads an input to its end.
  ///
  /// - Parameters:
  ///   - path: A file, or `-` for standard input.
  ///   - directory: The directory for the file.
  /// - Throws: ``DumpError`` of the kind `inputOutput`.
  /// - Complexity: O(*n*) in the bytes of the input, in blocks.
  package init(_ path: String, in directory: String) throws(DumpError) {
    self.path = path
    let source = try InputFiles(path).open(0)
    let name = InputFiles(path).displayName
    do throws(SystemError) {
      descriptor = try createUnnamedFile(prefix: directory + "/boxjoint-")
    } catch {
      throw DumpError("a temporary file for its bytes cannot be made in \(directory)", error, name)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { unsafe buffer.deallocate() }
    do throws(DumpError) {
      while true {
        let count = try unsafe source.read(into: buffer)
        if count == 0 { break }
        do throws(SystemError) {
          try unsafe writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor)
        } catch {
          throw DumpError("a temporary file for its bytes cannot be written", error, name)
        }
      }
    } catch {
      // A failing initializer runs no deinit.
      close(descriptor)
      throw error.inFile(name)
    }
  }

  deinit { close(descriptor) }

  /// The bytes from the first one on.
  ///
  /// - Throws: ``DumpError`` of the kind `inputOutput`.
  func open() throws(DumpError) -> FileSource {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if copy < 0 || lseek(copy, 0, SEEK_SET) != 0 {
      let error = SystemError.last
      if copy >= 0 { close(copy) }
      throw DumpError("cannot be read", error, path)
    }
    return try FileSource(descriptor: copy, path: path, closes: true)
  }
}
