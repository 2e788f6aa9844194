package import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The exit status and the output of a program.
package struct ProcessOutput: Hashable, Sendable {
  /// The exit status; 128 plus the number of the signal if a signal ended the program.
  package var status: Int32 = 0
  /// The bytes of standard output.
  package var standardOutput: [UInt8] = []
  /// The bytes of standard error.
  package var standardError: [UInt8] = []

  /// Creates the output of a program that printed nothing.
  package init() {}
}

/// A program that the calling thread starts and waits for, only with calls of the system.
///
/// No background thread watches it: with limited memory or descriptors such a thread cannot start,
/// and waiting for it would never end.
package struct ChildProcess: Sendable {
  /// The path of the program.
  package var program: String
  /// The arguments, without the name of the program.
  package var arguments: [String]
  /// Overrides of environment variables; nil removes a variable.
  package var environment: [String: String?] = [:]
  /// The maximum time, in seconds, in which the program neither reads, nor prints, nor ends.
  package var patience = 600

  /// Describes a program that is not started yet.
  package init(
    program: String, arguments: [String], environment: [String: String?] = [:], patience: Int = 600
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.patience = patience
  }

  /// The reason why a program did not run to its end.
  package enum Failure: Error, Hashable, Sendable {
    /// A call of the system failed.
    case system(SystemError)
    /// The program did nothing for the given number of seconds, and was ended.
    case silence(seconds: Int)
  }

  /// Runs the program and waits for its end.
  ///
  /// - Parameters:
  ///   - input: The bytes for its standard input; nil for an empty one. A program that ends before it
  ///     has read all bytes is not a failure: its status says why.
  ///   - consume: Called with the output that was read and not removed yet, after each part of it; may
  ///     remove bytes from the front, so that a long output needs little memory.
  /// - Returns: The output that was not removed, whatever the exit status is.
  /// - Throws: ``Failure``.
  /// - Complexity: O(*n*) in what it reads and prints.
  package func run(
    input: [UInt8]? = nil, consume: (inout [UInt8]) -> Void = { _ in }
  ) throws(Failure) -> ProcessOutput {
    var exchange: ProcessExchange
    do throws(SystemError) {
      var toChild = Pipe(unconnected: ())
      if input != nil { toChild = try Pipe() }
      var output = try Pipe()
      var errors = try Pipe()
      let process = try start(toChild.reading, output.writing, errors.writing)
      toChild.closeReading()
      output.closeWriting()
      errors.closeWriting()
      exchange = ProcessExchange(process, toChild, output, errors)
    } catch {
      throw .system(error)
    }
    return try exchange.run(input: input ?? [], patience: patience, consume: consume)
  }

  /// Starts the program with three descriptors as its standard streams, -1 for an empty standard
  /// input, and returns the id of the process.
  private func start(
    _ input: Int32, _ output: Int32, _ errors: Int32
  ) throws(SystemError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let flags = Int32(POSIX_SPAWN_SETSIGDEF)
    #endif
    try require(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    if input < 0 {
      try require(
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0))
    } else {
      try require(posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO))
    }
    try require(posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO))
    try require(posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO))
    try require(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    // The signals that Signals.prepare() ignores.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    try require(posix_spawnattr_setsigdefault(&attributes, &signals))
    try require(posix_spawnattr_setflags(&attributes, Int16(flags)))
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = Self.variables(changing: environment)
    defer { for pointer in words + variables { free(pointer) } }
    var process: pid_t = 0
    try require(posix_spawn(&process, program, &actions, &attributes, words, variables))
    return process
  }

  private func require(_ code: Int32) throws(SystemError) {
    if code != 0 { throw SystemError(code: code) }
  }

  /// The changed environment of this process as C strings, with a null pointer after the last.
  private static func variables(
    changing changes: [String: String?]
  ) -> [UnsafeMutablePointer<CChar>?] {
    #if canImport(Darwin)
      var next = _NSGetEnviron().pointee
    #else
      var next = environ
    #endif
    var pointers: [UnsafeMutablePointer<CChar>?] = []
    while let entry = next.pointee {
      let name = String(String(cString: entry).prefix { $0 != "=" })
      if !changes.keys.contains(name) { pointers.append(strdup(entry)) }
      next += 1
    }
    for (name, value) in changes {
      if let value { pointers.append(strdup("\(name)=\(value)")) }
    }
    return pointers + [nil]
  }
}
