#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Checks JSON against the schemas of the package with Python's `jsonschema`.
public enum SchemaValidator {
  /// The Python that `scripts/test` has installed it for, or that of the system.
  private static let python: String = {
    guard let named = getenv("BOXJOINT_SCHEMAS_PYTHON"), named.pointee != 0 else {
      return "python3"
    }
    return String(cString: named)
  }()

  /// Whether the validator is there.
  public static func isAvailable() async -> Bool {
    let run = try? await ProcessRun.of(python, ["-c", "import jsonschema"])
    return run?.status == 0
  }

  /// The violations of a schema in a text; empty if the text is valid.
  ///
  /// - Parameters:
  ///   - json: The text.
  ///   - schema: The name of a file in `Schemas/`.
  /// - Returns: A line for each violation.
  /// - Throws: ``TestFailure`` if the validator cannot be started.
  public static func violations(of json: [UInt8], against schema: String) async throws -> String {
    let script = """
      import json, sys
      from jsonschema import Draft202012Validator as V
      schema = json.load(open(sys.argv[1]))
      V.check_schema(schema)
      for error in V(schema).iter_errors(json.load(sys.stdin)):
        print(error.json_path, error.message)
      """
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let run = try await ProcessRun.of(
      python, ["-c", script, "\(root)/Schemas/\(schema)"], input: json)
    return run.text + run.messages
  }
}
