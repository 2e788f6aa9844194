internal import Subprocess

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The exit status and the output of a process.
public struct ProcessRun: Hashable, Sendable {
  /// The exit status, or minus the number of the signal that ended the process.
  public var status: Int32
  /// Its standard output.
  public var output: [UInt8]
  /// Its standard error, as text.
  public var messages: String
  /// Its standard output, as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// Creates what a process is expected to leave.
  public init(status: Int32, output: [UInt8], messages: String) {
    self.status = status
    self.output = output
    self.messages = messages
  }

  /// Runs a program and waits for it.
  ///
  /// - Parameters:
  ///   - program: A name on the PATH, or a path.
  ///   - arguments: The arguments.
  ///   - directory: The directory to run it in.
  ///   - environment: Changes to the environment of the tests; nil removes a variable.
  ///   - input: The bytes for its standard input.
  /// - Returns: The run, whatever its status is.
  /// - Throws: ``TestFailure`` if it cannot be started.
  public static func of(
    _ program: String, _ arguments: [String] = [], in directory: String = ".",
    environment: [String: String?] = [:], input: [UInt8] = []
  ) async throws -> ProcessRun {
    var overrides: [Environment.Key: String?] = [:]
    for (name, value) in environment {
      guard let key = Environment.Key(rawValue: name) else { continue }
      overrides.updateValue(value, forKey: key)
    }
    // The shell changes the directory, so that no type of another package is needed for its path.
    let script = #"cd -- "$1" && shift && exec "$@""#
    do {
      let result = try await Subprocess.run(
        .name("sh"), arguments: Arguments(["-c", script, "sh", directory, program] + arguments),
        environment: .inherit.updating(overrides), input: .inputWriter,
        output: .bytes(limit: .max), error: .bytes(limit: .max)
      ) { execution in
        // A program that fails may end before it has read its input.
        let writer = execution.standardInputWriter
        _ = try? await writer.write(input)
        try await writer.finish()
      }
      let status: Int32 =
        switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
      return ProcessRun(
        status: status, output: result.standardOutput,
        messages: String(decoding: result.standardError, as: UTF8.self))
    } catch {
      throw TestFailure("\(program) cannot be started: \(error)")
    }
  }
}

/// The built `boxjoint`.
public enum Tool {
  /// The path of the binary: what `BOXJOINT_BINARY` names, the one that was built with the tests, or the one of
  /// `scripts/build`; nil if there is none.
  public static let path: String? = {
    if let named = getenv("BOXJOINT_BINARY"), named.pointee != 0 { return String(cString: named) }
    if let built = builtProgram("boxjoint") { return built }
    // This file is two directories below the top of the package.
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let released = root + "/.build-static/release/boxjoint"
    return access(released, X_OK) == 0 ? released : nil
  }()
}

/// Runs the built `boxjoint` and waits for it.
///
/// - Throws: ``TestFailure`` if it is not built or cannot be started.
public func runTool(
  _ arguments: [String], in directory: String = ".", environment: [String: String?] = [:],
  input: [UInt8] = []
) async throws -> ProcessRun {
  guard let path = Tool.path else {
    throw TestFailure("boxjoint is not built: scripts/build")
  }
  return try await ProcessRun.of(
    path, arguments, in: directory, environment: environment, input: input)
}
