import BoxSystem
import TestSupport
import Testing

/// Small programs of the shell that show what went wrong once: scripts in `../shared/cases` beside the package, which
/// are not part of it.
///
/// For `NAME.sh` a file `NAME.right` of the fixtures has lines that its output must have, in this order.
struct ScriptCases {
  static let teams = ScriptCases("team", fixtures: "teams")
  static let answers = ScriptCases("answers", fixtures: "answers")

  private let scripts: String
  private let expected: String

  /// The scripts of a directory of `../shared/cases`, and what is right in one of the fixtures.
  init(_ directory: String, fixtures: String) {
    let tests = "/\(#filePath.split(separator: "/").dropLast(2).joined(separator: "/"))"
    scripts = tests + "/../../shared/cases/\(directory)"
    expected = tests + "/Fixtures/\(fixtures)"
  }

  /// Whether there are scripts, and the programs that they call.
  var isRunnable: Bool {
    Tool.path != nil && builtProgram("boxjoint-generate") != nil && !names.isEmpty
  }

  /// The scripts that are there, and for which there is an expected output.
  var names: [String] {
    let scripts = Set((try? entryNames(in: scripts)) ?? [])
    return ((try? entryNames(in: expected)) ?? []).filter { $0.hasSuffix(".right") }
      .map { String($0.dropLast(6)) }.filter { scripts.contains("\($0).sh") }.sorted()
  }

  /// Runs a script, and requires the lines of what is right.
  ///
  /// - Parameters:
  ///   - name: The name of the script.
  ///   - normalized: Called with the output, to replace what differs from run to run.
  /// - Throws: The error of the system.
  func check(_ name: String, normalized: (String) -> String = { $0 }) async throws {
    let programs = try TemporaryDirectory()
    for path in [try #require(Tool.path), try GeneratedPackage.program()] {
      _ = try await ProcessRun.of("ln", ["-s", path, "."], in: programs.path)
    }
    let run = try await ProcessRun.of(
      "bash", ["-c", "bash \"$0\" 2>&1", "\(scripts)/\(name).sh"], in: programs.path,
      environment: [
        "BOXJOINT_BIN": programs.path, "TMPDIR": programs.path,
        "DOCS": expected + "/../../../docs/examples/people",
      ])
    let output = normalized(run.text).split(separator: "\n")
    let right = String(
      decoding: try TemporaryDirectory.bytes(ofFile: "\(expected)/\(name).right"), as: UTF8.self)
    #expect(!right.isEmpty)
    var rest = output[...]
    for line in right.split(separator: "\n") {
      guard let position = rest.firstIndex(of: line) else {
        Issue.record("\(name): no line \"\(line)\" after those before it\n\(run.text)")
        return
      }
      rest = rest[(position + 1)...]
    }
  }
}
