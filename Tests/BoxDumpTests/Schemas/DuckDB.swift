import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// DuckDB of Python, by which tests read what an export has written.
enum DuckDB {
  /// The Python that `scripts/test` has installed it for, or that of the system.
  static let python: String = {
    guard let named = getenv("BOXJOINT_DUCKDB_PYTHON"), named.pointee != 0 else { return "python3" }
    return String(cString: named)
  }()

  /// Whether it is there.
  static func isThere() async -> Bool {
    let run = try? await ProcessRun.of(python, ["-c", "import duckdb"])
    return run?.status == 0
  }

  /// Runs a script of Python, which sees `duckdb` and its arguments.
  static func run(
    _ script: String, _ arguments: String..., in directory: TemporaryDirectory
  ) async throws -> ProcessRun {
    try await ProcessRun.of(
      python, ["-c", "import duckdb\n" + script] + arguments, in: directory.path)
  }
}
