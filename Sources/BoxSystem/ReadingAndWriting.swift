#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Reads some bytes of a descriptor; returns 0 at the end.
///
/// - Throws: ``SystemError``.
package func readSome(
  _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int {
  try retryingInterrupts { unsafe read(descriptor, buffer.baseAddress, buffer.count) }
}

/// Fills a buffer with the bytes of a file from an offset on.
///
/// - Returns: The number of bytes, which is less than the buffer's size only at the end of the file.
/// - Throws: ``SystemError``.
/// - Complexity: O(*n*) in the number of bytes.
package func readAll(
  _ descriptor: Int32, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
) throws(SystemError) -> Int {
  var done = 0
  while done < buffer.count {
    let start = done
    let count = try retryingInterrupts {
      unsafe pread(
        descriptor, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start,
        off_t(offset + start))
    }
    if count == 0 { break }
    done += count
  }
  return done
}

/// Writes all bytes to a descriptor, in as many calls as it takes.
///
/// - Parameters:
///   - bytes: The bytes.
///   - descriptor: The descriptor.
///   - offset: The offset in the file; nil for the place that the descriptor has reached.
/// - Throws: ``SystemError``.
/// - Complexity: O(*n*) in the number of bytes.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int? = nil
) throws(SystemError) {
  var done = 0
  while done < bytes.count {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
    let count =
      if let offset {
        unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      } else {
        unsafe write(descriptor, rest.baseAddress, rest.count)
      }
    if count < 0 {
      if errno == EINTR { continue }
      throw SystemError.last
    }
    // A quota that is used up may cut a write short to nothing.
    if count == 0 { throw SystemError(code: ENOSPC) }
    done += count
  }
}

/// Writes all bytes to a descriptor, in as many calls as it takes.
///
/// - Throws: ``SystemError``.
/// - Complexity: O(*n*) in the number of bytes.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
    try unsafe writeAll(UnsafeRawBufferPointer(buffer), to: descriptor)
  }
}

/// Refuses a descriptor that no byte can be written to, as far as that is known without writing one: one
/// that is closed or only read, a pipe or socket whose other end is closed, a device that is full.
///
/// A disk that fills up, and a reader that ends later, are found by writing.
///
/// - Throws: ``SystemError``: `EBADF`, `EPIPE`, or what the device says.
package func requireWritable(_ descriptor: Int32) throws(SystemError) {
  var attributes = stat()
  _ = try retryingInterrupts { unsafe fstat(descriptor, &attributes) }
  let flags = try retryingInterrupts { fcntl(descriptor, F_GETFL) }
  if flags & O_ACCMODE == O_RDONLY { throw SystemError(code: EBADF) }
  let kind = attributes.st_mode & S_IFMT
  if kind == S_IFIFO || kind == S_IFSOCK {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let isClosed =
      unsafe poll(&request, 1, 0) == 1 && request.revents & Int16(POLLERR | POLLHUP) != 0
    if isClosed { throw SystemError(code: EPIPE) }
  } else {
    _ = try retryingInterrupts { unsafe write(descriptor, nil, 0) }
  }
}

/// Waits until the bytes of a file are on the disk; a pipe or a device has nothing to be synced.
///
/// - Throws: ``SystemError``.
package func synchronize(_ descriptor: Int32) throws(SystemError) {
  do throws(SystemError) {
    _ = try retryingInterrupts { fsync(descriptor) }
  } catch {
    if error.code != EINVAL { throw error }
  }
}

/// Waits until the names in a directory are on the disk.
///
/// - Throws: ``SystemError`` if the directory cannot be opened or synced.
package func synchronizeDirectory(_ path: String) throws(SystemError) {
  let directory = try retryingInterrupts { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  defer { close(directory) }
  try synchronize(directory)
}
