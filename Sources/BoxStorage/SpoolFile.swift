internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file without a name for data that does not fit in memory: written at its end and read
/// anywhere.
///
/// It is deleted when the last reference is released, and by a crash.
package final class SpoolFile {
  private let descriptor: Int32
  /// The number of bytes written.
  package private(set) var size = 0

  /// Creates an empty file.
  ///
  /// - Parameter directory: A directory in the file system that holds the file.
  /// - Throws: ``StorageError``.
  package init(in directory: String) throws(StorageError) {
    do throws(SystemError) {
      descriptor = try createUnnamedFile(prefix: directory + "/spool-")
    } catch {
      throw systemError(error, .other, "create a file in \(directory)")
    }
  }

  deinit { close(descriptor) }

  /// Writes bytes at the end.
  ///
  /// - Throws: ``StorageError``, of kind `noSpace` if the disk is full.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    do throws(SystemError) {
      try unsafe writeAll(bytes, to: descriptor, at: size)
    } catch {
      throw systemError(error, .other, "write a temporary file for sorting")
    }
    size += bytes.count
  }

  /// Reads bytes that were written before, and fills the whole buffer.
  ///
  /// - Throws: ``StorageError``.
  package func read(
    _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StorageError) {
    let count: Int
    do throws(SystemError) {
      count = try unsafe readAll(descriptor, at: offset, into: buffer)
    } catch {
      throw systemError(error, .other, "read a temporary file for sorting")
    }
    if count < buffer.count {
      throw StorageError(.other, "a temporary file for sorting is cut off")
    }
  }
}
