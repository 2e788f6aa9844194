import BoxSystem
import TestSupport
import Testing

/// Small repositories of teams that went wrong once: scripts in `../shared/cases/team` beside the package, which
/// are not part of it.
///
/// For `NAME.sh`, `Tests/Fixtures/teams/NAME.right` has lines that its output must have, in this order. `U`
/// stands for a UID.
@Suite(.enabled(if: TeamCases.isRunnable, "../shared/cases/team or a program is not there"))
struct TeamCaseTests {
  @Test(arguments: TeamCases.names)
  func isRight(_ name: String) async throws {
    let programs = try TemporaryDirectory()
    for path in [try #require(Tool.path), try GeneratedPackage.program()] {
      _ = try await ProcessRun.of("ln", ["-s", path, "."], in: programs.path)
    }
    let run = try await ProcessRun.of(
      "bash", ["-c", "bash \"$0\" 2>&1", "\(TeamCases.scripts)/\(name).sh"], in: programs.path,
      environment: ["BOXJOINT_BIN": programs.path, "TMPDIR": programs.path])
    let output = Self.withoutUIDs(run.text).split(separator: "\n")
    let expected = String(
      decoding: try TemporaryDirectory.bytes(ofFile: "\(TeamCases.expected)/\(name).right"),
      as: UTF8.self)
    #expect(!expected.isEmpty)
    var rest = output[...]
    for line in expected.split(separator: "\n") {
      guard let position = rest.firstIndex(of: line) else {
        Issue.record(
          "\(name): no line \"\(line)\" after those before it\n\(run.text)")
        return
      }
      rest = rest[(position + 1)...]
    }
  }

  /// Texts of ten digits and more are UIDs.
  private static func withoutUIDs(_ text: String) -> String {
    var result = ""
    var digits = ""
    for character in text + "\n" {
      if character.isASCII, character.isNumber {
        digits.append(character)
        continue
      }
      result += digits.count >= 10 ? "U" : digits
      digits = ""
      result.append(character)
    }
    return result
  }
}

/// The scripts that are there, and for which there is an expected output.
enum TeamCases {
  private static let tests =
    "/\(#filePath.split(separator: "/").dropLast(2).joined(separator: "/"))"
  static let scripts = tests + "/../../shared/cases/team"
  static let expected = tests + "/Fixtures/teams"

  static var isRunnable: Bool {
    Tool.path != nil && builtProgram("boxjoint-generate") != nil && !names.isEmpty
  }

  static var names: [String] {
    let scripts = Set((try? entryNames(in: scripts)) ?? [])
    return ((try? entryNames(in: expected)) ?? []).filter { $0.hasSuffix(".right") }
      .map { String($0.dropLast(6)) }.filter { scripts.contains("\($0).sh") }.sorted()
  }
}
