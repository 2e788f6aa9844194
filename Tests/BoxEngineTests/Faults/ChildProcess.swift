import Synchronization
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A running `EngineFaultsChild`, whose lines are read while it runs.
final class ChildProcess {
  let process: pid_t
  private let output: Int32
  private let messages: String
  private let directory: TemporaryDirectory
  private var buffer: [UInt8] = []
  private var status: Int32?

  /// Starts a scenario in the directory `store` of a directory that has a `model.json`.
  ///
  /// - Throws: ``TestFailure`` if it cannot be started.
  init(
    _ scenario: String, in directory: TemporaryDirectory, store: String = "store", number: Int = 0,
    environment: [String: String] = [:]
  ) throws {
    self.directory = directory
    messages = directory.path(of: "messages-\(Self.nextNumber())")
    let arguments = [
      try Self.path(), scenario, directory.path(of: store), directory.path(of: "model.json"),
      "\(number)",
    ]
    let messages = messages
    // A pipe that another child inherits would not end when this one does.
    let started = Self.spawning.withLock { _ in
      Self.start(arguments, Self.variables(environment), messages)
    }
    guard let started else { throw TestFailure("\(arguments[0]) cannot be started") }
    (process, output) = started
  }

  private static let spawning = Mutex(())

  private static func variables(_ additional: [String: String]) -> [String] {
    var variables = additional.map { "\($0)=\($1)" }
    var position = environ
    while let variable = position.pointee {
      variables.append(String(cString: variable))
      position += 1
    }
    return variables
  }

  private static func start(
    _ arguments: [String], _ variables: [String], _ messages: String
  ) -> (pid_t, Int32)? {
    var pipes: [Int32] = [0, 0]
    guard pipe(&pipes) == 0 else { return nil }
    for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipes[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var process: pid_t = 0
    let code = withStrings(arguments) { arguments in
      withStrings(variables) { variables in
        arguments.pointee.map { posix_spawn(&process, $0, &actions, nil, arguments, variables) }
      }
    }
    close(pipes[1])
    if code == 0 { return (process, pipes[0]) }
    close(pipes[0])
    return nil
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(output)
  }

  private static let count = Mutex(0)

  private static func nextNumber() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }

  /// The program lies beside the bundle of the tests.
  private static func path() throws -> String {
    guard let path = builtProgram("EngineFaultsChild") else {
      throw TestFailure("EngineFaultsChild is not built: swift build --build-tests")
    }
    return path
  }

  /// The next line; nil at the end of the output.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return nil }
      buffer += chunk[..<count]
    }
  }

  /// All lines to the end.
  func lines() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    return lines
  }

  /// Ends the process at once, as a crash does.
  func kill9() { kill(process, SIGKILL) }

  /// Waits for the end: the exit status, or minus the number of the signal.
  func wait() -> Int32 {
    if let status { return status }
    var raw: Int32 = 0
    while waitpid(process, &raw, 0) < 0 && errno == EINTR {}
    let result = raw & 0x7f == 0 ? (raw >> 8) & 0xff : -(raw & 0x7f)
    status = result
    return result
  }

  /// All lines of a process that must end well.
  ///
  /// - Throws: ``TestFailure`` with its messages if it did not.
  func finish() throws -> [String] {
    let lines = lines()
    let status = wait()
    if status != 0 {
      throw TestFailure("the child ended with \(status) after \(lines): \(errors)")
    }
    return lines
  }

  /// The text that the process wrote to its standard error.
  var errors: String { (try? directory.text(of: messages)) ?? "" }
}

private func withStrings<R>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
  pointers.append(nil)
  defer { pointers.forEach { free($0) } }
  return body(pointers)
}
