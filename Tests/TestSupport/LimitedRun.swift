#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The result of a process that was run with limits.
public struct LimitedRun: Sendable {
  /// The exit status, or minus the number of the signal that ended the process.
  public var status: Int32
  /// Whether it was ended because it took too long.
  public var isOverdue: Bool
  /// The most memory that it had at once, in bytes.
  public var peakMemory: Int
  /// The wall-clock time.
  public var duration: Duration

  /// Runs a program and waits for it.
  ///
  /// The calling thread is blocked. Standard input is empty.
  ///
  /// - Parameters:
  ///   - command: The path of the program and its arguments.
  ///   - directory: The working directory.
  ///   - environment: All of its environment.
  ///   - output: The file for its standard output.
  ///   - messages: The file for its standard error.
  ///   - time: The maximum duration.
  /// - Returns: The result.
  /// - Throws: ``TestFailure`` if it cannot be started.
  public static func of(
    _ command: [String], in directory: String, environment: [String: String], output: String,
    messages: String, time: Duration
  ) throws -> LimitedRun {
    let start = ContinuousClock.now
    // No core files, and no file larger than 256 MiB: the shell counts in blocks of 512 bytes.
    let script =
      #"ulimit -c 0; ulimit -f 524288; cd -- "$1" && o=$2 e=$3 && shift 3 && exec "$@" </dev/null >"$o" 2>"$e""#
    let arguments = ["/bin/sh", "-c", script, "sh", directory, output, messages] + command
    let process = try spawn(arguments, environment.map { "\($0)=\($1)" })
    var (status, usage): (Int32, rusage) = (0, rusage())
    var isOverdue = false
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      if !isOverdue, ContinuousClock.now - start > time {
        isOverdue = true
        kill(process, SIGKILL)
      }
      usleep(500)
    }
    let signal = status & 0x7F
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return LimitedRun(
      status: signal == 0 ? status >> 8 & 0xFF : -signal, isOverdue: isOverdue,
      peakMemory: Int(usage.ru_maxrss) * unit, duration: ContinuousClock.now - start)
  }

  private static func spawn(_ arguments: [String], _ environment: [String]) throws -> pid_t {
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, arguments[0], nil, nil, &words, &variables)
    if code != 0 { throw TestFailure("\(arguments[0]) cannot be started: \(code)") }
    return process
  }
}
