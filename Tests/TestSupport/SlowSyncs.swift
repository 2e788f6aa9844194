/// A disk whose syncs take long, for programs that are not linked statically.
///
/// A library that is loaded before the system's waits after each synchronous write, as the head of a commit
/// is: what was written can be read meanwhile.
public struct SlowSyncs: Sendable {
  /// The changes to the environment of a program that writes to such a disk.
  public let environment: [String: String]

  /// Whether there is a C compiler, and a way to load what it makes.
  public static func isAvailable() async -> Bool {
    #if os(Linux)
      (try? await ProcessRun.of("cc", ["--version"]))?.status == 0
    #else
      false
    #endif
  }

  /// Compiles the library into a directory.
  ///
  /// - Throws: ``TestFailure`` if it does not compile.
  public init(_ directory: TemporaryDirectory, microseconds: Int = 200_000) async throws {
    let source = #"""
      #define _GNU_SOURCE
      #include <fcntl.h>
      #include <stdlib.h>
      #include <sys/syscall.h>
      #include <unistd.h>

      static ssize_t synced(int file, ssize_t result) {
        const char *delay = getenv("BOXJOINT_SYNC_DELAY");
        if (delay && fcntl(file, F_GETFL) & O_DSYNC) usleep((useconds_t)atoi(delay));
        return result;
      }

      ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
        return synced(file, syscall(SYS_pwrite64, file, bytes, size, offset));
      }

      ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
        return pwrite64(file, bytes, size, offset);
      }
      """#
    try directory.write(source, to: "slow.c")
    let library = directory.path(of: "slow.so")
    let run = try await ProcessRun.of(
      "cc", ["-shared", "-fPIC", "-O1", "-o", library, directory.path(of: "slow.c")])
    if run.status != 0 { throw TestFailure("the library does not compile: \(run.messages)") }
    environment = ["LD_PRELOAD": library, "BOXJOINT_SYNC_DELAY": "\(microseconds)"]
  }
}
