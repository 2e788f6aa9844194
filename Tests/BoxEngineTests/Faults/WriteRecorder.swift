import TestSupport

/// A write or a sync of the data file of a store, or a line of output of the process.
enum RecordedEvent {
  /// Bytes were written at an offset; whether the call returned only when they were on disk.
  case write(offset: Int, bytes: [UInt8], isSynchronous: Bool)
  /// All that was written before is on disk.
  case sync
  /// A line of its standard output.
  case line(String)
}

/// Records what a child process writes, by a library that is loaded before the system's.
struct WriteRecorder {
  private let directory: TemporaryDirectory
  private static let log = "recorded"
  private static let library = "recorder.so"

  /// Whether there is a C compiler, and a way to load what it makes.
  static func isAvailable() async -> Bool {
    #if os(Linux)
      (try? await ProcessRun.of("cc", ["--version"]))?.status == 0
    #else
      false
    #endif
  }

  /// Compiles the library.
  init(_ directory: TemporaryDirectory) async throws {
    self.directory = directory
    try directory.write(Self.source, to: "recorder.c")
    let run = try await ProcessRun.of(
      "cc",
      [
        "-shared", "-fPIC", "-O1", "-o", directory.path(of: Self.library),
        directory.path(of: "recorder.c"), "-ldl", "-lpthread",
      ])
    if run.status != 0 { throw TestFailure("the recorder does not compile: \(run.messages)") }
  }

  /// Runs a scenario to its end.
  func run(_ scenario: String, number: Int) throws -> [RecordedEvent] {
    let child = try ChildProcess(
      scenario, in: directory, number: number,
      environment: [
        "LD_PRELOAD": directory.path(of: Self.library),
        "BOXJOINT_RECORD": directory.path(of: Self.log),
      ])
    _ = try child.finish()
    return try Self.events(try directory.bytes(of: Self.log))
  }

  /// Each event is a kind, a flag, an offset and a length of eight bytes each, and the bytes.
  private static func events(_ log: [UInt8]) throws -> [RecordedEvent] {
    func number(_ position: Int) -> Int {
      log.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Int.self) }
    }
    var events: [RecordedEvent] = []
    var position = 0
    while position + 32 <= log.count {
      let (kind, flag) = (number(position), number(position + 8))
      let (offset, length) = (number(position + 16), number(position + 24))
      position += 32
      guard length >= 0, position + length <= log.count else { break }
      let bytes = Array(log[position..<position + length])
      position += length
      switch kind {
      case 1: events.append(.write(offset: offset, bytes: bytes, isSynchronous: flag != 0))
      case 2: events.append(.sync)
      case 3:
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        events += lines.map { .line(String($0)) }
      default: throw TestFailure("the record has an event \(kind)")
      }
    }
    if position != log.count { throw TestFailure("the record is cut off") }
    return events
  }

  private static let source = #"""
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <fcntl.h>
    #include <limits.h>
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/mman.h>
    #include <sys/syscall.h>
    #include <sys/uio.h>
    #include <unistd.h>

    static int log_file = -1;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    __attribute__((constructor)) static void start(void) {
      const char *path = getenv("BOXJOINT_RECORD");
      if (path) log_file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    }

    static void append(const void *bytes, size_t size) {
      const char *next = bytes;
      while (size > 0) {
        long count = syscall(SYS_write, log_file, next, size);
        if (count <= 0) abort();
        next += count;
        size -= (size_t)count;
      }
    }

    static void event(long kind, long flag, long offset, const struct iovec *parts, int count,
                      size_t size) {
      int saved = errno;
      long head[4] = {kind, flag, offset, (long)size};
      pthread_mutex_lock(&lock);
      append(head, sizeof head);
      for (int i = 0; i < count && size > 0; i++) {
        size_t part = parts[i].iov_len < size ? parts[i].iov_len : size;
        append(parts[i].iov_base, part);
        size -= part;
      }
      pthread_mutex_unlock(&lock);
      errno = saved;
    }

    /* Whether a descriptor is the data file. */
    static int is_data(int file) {
      if (log_file < 0) return 0;
      char link[64], path[PATH_MAX];
      snprintf(link, sizeof link, "/proc/self/fd/%d", file);
      ssize_t size = readlink(link, path, sizeof path - 1);
      if (size < 9) return 0;
      path[size] = 0;
      /* The files of a store in memory have no name any more. */
      return strcmp(path + size - 9, "/data.mdb") == 0 || strstr(path, "/data.mdb (deleted)");
    }

    static long is_synchronous(int file) { return (fcntl(file, F_GETFL) & O_DSYNC) != 0; }

    static ssize_t written(int file, const struct iovec *parts, int count, long offset,
                           ssize_t result) {
      if (result > 0 && is_data(file))
        event(1, is_synchronous(file), offset, parts, count, (size_t)result);
      return result;
    }

    ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
      struct iovec part = {(void *)bytes, size};
      return written(file, &part, 1, offset, syscall(SYS_pwrite64, file, bytes, size, offset));
    }

    ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
      return pwrite64(file, bytes, size, offset);
    }

    ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
      return written(file, parts, count, offset,
                     syscall(SYS_pwritev, file, parts, count, offset, 0L));
    }

    ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
      return pwritev64(file, parts, count, offset);
    }

    ssize_t writev(int file, const struct iovec *parts, int count) {
      long offset = is_data(file) ? lseek(file, 0, SEEK_CUR) : 0;
      return written(file, parts, count, offset, syscall(SYS_writev, file, parts, count));
    }

    ssize_t write(int file, const void *bytes, size_t size) {
      long offset = is_data(file) ? lseek(file, 0, SEEK_CUR) : 0;
      struct iovec part = {(void *)bytes, size};
      ssize_t result = syscall(SYS_write, file, bytes, size);
      if (file == 1 && log_file >= 0 && result > 0) event(3, 0, 0, &part, 1, (size_t)result);
      return written(file, &part, 1, offset, result);
    }

    int fdatasync(int file) {
      int result = (int)syscall(SYS_fdatasync, file);
      if (result == 0 && is_data(file)) event(2, 0, 0, NULL, 0, 0);
      return result;
    }

    int fsync(int file) {
      int result = (int)syscall(SYS_fsync, file);
      if (result == 0 && is_data(file)) event(2, 0, 0, NULL, 0, 0);
      return result;
    }

    int msync(void *start, size_t size, int flags) {
      int result = (int)syscall(SYS_msync, start, size, flags);
      /* Of all files only the data file is mapped and synced. */
      if (result == 0 && log_file >= 0 && (flags & MS_SYNC)) event(2, 0, 0, NULL, 0, 0);
      return result;
    }
    """#
}
