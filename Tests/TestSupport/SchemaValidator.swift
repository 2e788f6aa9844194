/// Checks JSON against the schemas of the package with Python's `jsonschema`.
public enum SchemaValidator {
  /// Whether the validator is there.
  public static func isAvailable() async -> Bool {
    let run = try? await ProcessRun.of("python3", ["-c", "import jsonschema"])
    return run?.status == 0
  }

  /// What a schema says against a text: nothing if it is valid.
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
      "python3", ["-c", script, "\(root)/Schemas/\(schema)"], input: json)
    return run.text + run.messages
  }
}
