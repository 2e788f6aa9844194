internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The pages of a storage that others begin with, in a file without a name.
///
/// The file is removed with the last reference.
package final class StorageTemplate: Sendable {
  private let descriptor: Int32
  private let size: Int

  /// Keeps the pages that a function writes.
  ///
  /// - Parameter copy: Writes a data file to an open file.
  /// - Throws: ``StorageError`` if no file can be created, and the error of `copy`.
  package init(_ copy: (_ descriptor: Int32) throws -> Void) throws {
    let descriptor: Int32
    do throws(SystemError) {
      descriptor = try createUnnamedFile(prefix: StorageLocation.temporaryDirectory + "/boxjoint-")
    } catch {
      throw systemError(error, .other, "create a file in \(StorageLocation.temporaryDirectory)")
    }
    do {
      try copy(descriptor)
      size = Int(try fileAttributes(of: descriptor).st_size)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Creates the data file of a directory.
  ///
  /// - Throws: ``StorageError``, of kind `noSpace` if the disk is full, and if there is a data file.
  /// - Complexity: O(*n*) in the number of pages.
  package func write(to files: StoreFiles) throws(StorageError) {
    do {
      try files.createData { file in
        try withUnsafeTemporaryAllocation(byteCount: min(max(size, 1), 1 << 18), alignment: 4096) {
          buffer in
          var done = 0
          while done < size {
            let count = try unsafe readAll(descriptor, at: done, into: buffer)
            if count == 0 { break }
            try unsafe writeAll(
              UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: file, at: done)
            done += count
          }
        }
      }
    } catch let error as StorageError {
      throw error
    } catch let error as SystemError {
      throw systemError(error, .other, "write \(files.directory)")
    } catch {
      throw StorageError(.other, "\(error)")
    }
  }
}

extension StorageTemplate: Hashable {
  /// Whether both are the same object.
  package static func == (first: StorageTemplate, second: StorageTemplate) -> Bool {
    first === second
  }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
