import BoxStore
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Objects of Swift in a store: APIPeer OPERATION DIRECTORY COUNT SEED.
///
/// An operation with "engine" in its name does without boxes: it calls the engine by hand.
@main
enum APIPeer {
  static func main() throws {
    let request = read_request(CommandLine.argc, CommandLine.unsafeArgv)
    let operation = String(cString: request.operation)
    let outcome =
      if operation.contains("engine") {
        try EngineRun.outcome(of: operation, request)
      } else if operation.hasPrefix("put") {
        try PutRun.outcome(of: operation, request)
      } else {
        try ReadRun.outcome(of: operation, request)
      }
    withUnsafePointer(to: outcome.measurement) {
      print_measure($0, outcome.objects, outcome.checksum)
    }
  }

  static func store(_ request: request) throws -> Store {
    try Store(
      directoryPath: String(cString: request.directory), maxDbSizeInKByte: 8 * 1024 * 1024)
  }
}

/// The measurement of a run, with the number of objects that it read or wrote, and the sum of their
/// values.
struct Outcome {
  var measurement = measure()
  var objects: Int64 = 0
  var checksum: UInt64 = 0

  @inline(__always)
  mutating func add(_ object: some Summed) {
    checksum &+= object.sum
    objects += 1
  }

  /// Measures a function.
  mutating func measured<R>(_ body: () throws -> R) rethrows -> R {
    start_measure(&measurement)
    defer { stop_measure(&measurement) }
    return try body()
  }
}
