import BoxMigration
import BoxModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that migrates a store until an alarm ends it, as a crash does.
///
/// Arguments: the folder of the store, the model file, and after how many microseconds it ends; 0 for
/// never. It prints how many the migration took.
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
    guard arguments.count == 4, let delay = Int(arguments[3]), let model = bytes(of: arguments[2])
    else {
      print("usage: STORE MODEL MICROSECONDS")
      exit(64)
    }
    let document = try ModelDocument(parsing: model)
    let run = MigrationRun(arguments[1], try MigrationRoute(to: MigrationVersion("V2", document)))
    if delay > 0 {
      var timer = itimerval()
      timer.it_value.tv_sec = delay / 1_000_000
      timer.it_value.tv_usec = numericCast(delay % 1_000_000)
      // Nobody handles the signal, so it ends the process where it stands.
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
