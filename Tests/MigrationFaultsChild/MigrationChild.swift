import BoxMigration
import BoxModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that migrates a store until it kills itself.
///
/// Arguments: the directory of the store, after how many microseconds it ends, 0 for never, `purge` or
/// `keep`, and the model files, the one to arrive at last. It prints how many microseconds the migration
/// took.
@main
struct MigrationChild {
  static func main() {
    do {
      try run(CommandLine.arguments)
    } catch {
      print("failed: \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard arguments.count >= 5, let delay = Int(arguments[2]),
      ["purge", "keep"].contains(arguments[3])
    else {
      print("usage: STORE MICROSECONDS purge|keep MODEL...")
      exit(64)
    }
    let versions = try arguments.dropFirst(4).enumerated().map { number, path in
      MigrationVersion("V\(number + 2)", try ModelDocument(parsing: bytes(of: path) ?? []))
    }
    var run = MigrationRun(arguments[1], try MigrationRoute(versions))
    run.freesHiddenData = arguments[3] == "purge"
    if delay > 0 {
      // No other end of the process looks like this one.
      signal(SIGALRM) { _ in kill(getpid(), SIGKILL) }
      var timer = itimerval()
      timer.it_value.tv_sec = delay / 1_000_000
      timer.it_value.tv_usec = numericCast(delay % 1_000_000)
      #if canImport(Glibc)
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
      #else
        setitimer(ITIMER_REAL, &timer, nil)
      #endif
    }
    let start = ContinuousClock.now
    try run.carryOut()
    print(Int((ContinuousClock.now - start) / .microseconds(1)))
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }
}
