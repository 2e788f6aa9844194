#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// The number of an error of the operating system.
package struct SystemError: Error, Hashable, Sendable {
  package var code: Int32

  /// The error of the last system call of this thread.
  package static var last: SystemError { SystemError(code: errno) }

  /// The words of the system for it, such as "No space left on device".
  package var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }
}

/// Calls the system until a signal does not interrupt it.
func retryingInterrupts<Value: SignedInteger>(
  _ call: () -> Value
) throws(SystemError) -> Value {
  while true {
    let value = call()
    if value != -1 { return value }
    if errno != EINTR { throw SystemError.last }
  }
}

/// A file descriptor that is closed when its owner goes away.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32

  init(path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
    descriptor = try retryingInterrupts { open(path, flags | O_CLOEXEC, mode) }
  }

  /// Opens the entry with a name in an open directory.
  init(
    in folder: borrowing OpenFile, name: String, flags: Int32, mode: mode_t = 0
  ) throws(SystemError) {
    let start = folder.descriptor
    descriptor = try retryingInterrupts { openat(start, name, flags | O_CLOEXEC, mode) }
  }

  deinit { close(descriptor) }

  /// The attributes of the open file.
  package func attributes() throws(SystemError) -> stat {
    var result = stat()
    let descriptor = descriptor
    _ = try retryingInterrupts { fstat(descriptor, &result) }
    return result
  }

  /// Writes all bytes, in as many calls as it takes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
    try writeAll(Array(bytes), to: descriptor)
  }
}

/// Writes all bytes to a descriptor, in as many calls as it takes.
///
/// - Complexity: O(*n*) in the number of bytes.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  try bytes.withUnsafeBufferPointer { (buffer) throws(SystemError) in
    try writeAll(UnsafeRawBufferPointer(buffer), to: descriptor)
  }
}

/// Writes all bytes to a descriptor, in as many calls as it takes.
///
/// - Complexity: O(*n*) in the number of bytes.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(SystemError) {
  var offset = 0
  while offset < bytes.count {
    let start = offset
    offset += try retryingInterrupts {
      write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
    }
  }
}

/// The attributes of the file at a path, following symbolic links; nil if nothing exists there.
package func fileAttributes(at path: String) throws(SystemError) -> stat? {
  var result = stat()
  do {
    _ = try retryingInterrupts { stat(path, &result) }
    return result
  } catch {
    if error.code == ENOENT || error.code == ENOTDIR { return nil }
    throw error
  }
}

/// Whether a path is that of a directory.
package func isFolder(_ path: String) -> Bool {
  ((try? fileAttributes(at: path)) ?? nil)?.isDirectory ?? false
}

/// Whether something exists at a path, including a symbolic link without a target.
func entryExists(at path: String) throws(SystemError) -> Bool {
  var result = stat()
  if lstat(path, &result) == 0 { return true }
  if errno == ENOENT || errno == ENOTDIR { return false }
  throw SystemError.last
}

/// The attributes of standard input; nil if it is closed.
func standardInputAttributes() -> stat? {
  var result = stat()
  return fstat(STDIN_FILENO, &result) == 0 ? result : nil
}

extension stat {
  var fileType: mode_t { st_mode & S_IFMT }
  package var isRegularFile: Bool { fileType == S_IFREG }
  var isDirectory: Bool { fileType == S_IFDIR }

  /// Whether it is a pipe or a device, which has no content to replace as a whole.
  var isWrittenDirectly: Bool { [S_IFIFO, S_IFCHR].contains(fileType) }

  /// The kind of file, with an article, for messages.
  var kindDescription: String {
    switch fileType {
    case S_IFREG: "a file"
    case S_IFDIR: "a folder"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "a special file"
    }
  }

  /// The time of the last change of content, as seconds and nanoseconds.
  var modified: FileTime {
    #if canImport(Darwin)
      FileTime(seconds: Int64(st_mtimespec.tv_sec), nanoseconds: Int64(st_mtimespec.tv_nsec))
    #else
      FileTime(seconds: Int64(st_mtim.tv_sec), nanoseconds: Int64(st_mtim.tv_nsec))
    #endif
  }

  /// The time of the last change of content or attributes, which programs cannot set back.
  package var changed: FileTime {
    #if canImport(Darwin)
      FileTime(seconds: Int64(st_ctimespec.tv_sec), nanoseconds: Int64(st_ctimespec.tv_nsec))
    #else
      FileTime(seconds: Int64(st_ctim.tv_sec), nanoseconds: Int64(st_ctim.tv_nsec))
    #endif
  }
}

/// A time of a file.
package struct FileTime: Hashable, Sendable {
  var seconds: Int64
  var nanoseconds: Int64
}
