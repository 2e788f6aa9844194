package import BoxSystem

#if canImport(Glibc)
  package import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// A file descriptor that is closed when its owner goes away.
package struct OpenFile: ~Copyable {
  package let descriptor: Int32

  package init(path: String, flags: Int32, mode: mode_t = 0) throws(SystemError) {
    descriptor = try retryingInterrupts { open(path, flags | O_CLOEXEC, mode) }
  }

  /// Opens the entry with a name in an open directory.
  package init(
    in directory: borrowing OpenFile, name: String, flags: Int32, mode: mode_t = 0
  ) throws(SystemError) {
    let start = directory.descriptor
    descriptor = try retryingInterrupts { openat(start, name, flags | O_CLOEXEC, mode) }
  }

  deinit { close(descriptor) }

  /// The attributes of the open file.
  package func attributes() throws(SystemError) -> stat {
    try fileAttributes(of: descriptor)
  }

  /// Writes all bytes, in as many calls as it takes.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
    try writeAll(Array(bytes), to: descriptor)
  }
}

/// The attributes of standard input; nil if it is closed.
func standardInputAttributes() -> stat? {
  var result = stat()
  return fstat(STDIN_FILENO, &result) == 0 ? result : nil
}

extension stat {
  /// Whether it is a pipe or a device, which has no content to replace as a whole.
  var isWrittenDirectly: Bool { [S_IFIFO, S_IFCHR].contains(fileType) }

  /// The kind of file, with an article, for messages.
  var kindDescription: String {
    switch fileType {
    case S_IFREG: "a file"
    case S_IFDIR: "a directory"
    case S_IFLNK: "a symbolic link"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "a special file"
    }
  }

  /// The time of the last change of content, as seconds and nanoseconds.
  package var modified: FileTime {
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
  package var seconds: Int64
  package var nanoseconds: Int64
}
