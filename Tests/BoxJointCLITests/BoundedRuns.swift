import TestSupport
import Testing

/// Runs of the program on input at 1, 2 and 4 times a size, under limits of the system.
///
/// Quadratic growth takes 16 times as long at the last.
struct BoundedRuns {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  struct Outcome {
    var status: Int32
    var seconds: Double
    var messages: String
  }

  /// Runs the program with 2 GB of addresses and 60 seconds of processor time.
  func run(_ arguments: [String]) async throws -> Outcome {
    let script = """
      ulimit -v 2000000; ulimit -t 60; ulimit -c 0
      "$@" > /dev/null; status=$?; times >&2; exit $status
      """
    let program = try #require(Tool.path)
    let run = try await ProcessRun.of(
      "sh", ["-c", script, "sh", program] + arguments, in: directory.path)
    let lines = run.messages.split(separator: "\n")
    // The last line has the times of children: 0m0.010000s 0m0.020000s.
    let seconds = (lines.last ?? "").split(separator: " ").reduce(0.0) { sum, time in
      let parts = time.dropLast().split(separator: "m")
      return sum + (Double(parts.first ?? "") ?? 0) * 60 + (Double(parts.last ?? "") ?? 0)
    }
    return Outcome(
      status: run.status, seconds: seconds,
      messages: lines.dropLast(2).prefix(3).joined(separator: "\n"))
  }

  /// Runs a command at each size; it has to end by itself, and in time that grows with the size.
  func expectBounded(
    _ size: Int, _ name: String, _ arguments: (Int) async throws -> [String]
  ) async throws {
    var outcomes: [Outcome] = []
    for factor in [1, 2, 4] {
      let outcome = try await run(try await arguments(size * factor))
      #expect(outcome.status >= 0, "\(name) \(factor): \(outcome)")
      #expect(outcome.status < 126, "\(name) \(factor): \(outcome)")
      outcomes.append(outcome)
    }
    let (first, last) = (outcomes[0].seconds, outcomes[2].seconds)
    #expect(last <= 8 * first + 2, "\(name): \(outcomes.map(\.seconds))")
  }

  /// Writes a file, and returns its name.
  func write(_ text: String, _ name: String) throws -> String {
    try directory.write(text.utf8, to: name)
    return name
  }
}
