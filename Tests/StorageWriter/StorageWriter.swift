import BoxStorage
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that changes a store which the tests of the storage have open: `DIRECTORY SEED COMMITS PAUSE`.
///
/// It waits so many microseconds after each commit.
@main
struct StorageWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let seed = UInt64(arguments[2]), let commits = Int(arguments[3]),
      let pause = UInt32(arguments[4])
    else { exit(64) }
    let storage = try StorageLocation.directory(arguments[1]).open(StorageOptions())
    var changes = StorageChanges(SplitMix64(seed: seed))
    for _ in 0..<commits {
      try changes.commit(to: storage)
      usleep(pause)
    }
  }
}
