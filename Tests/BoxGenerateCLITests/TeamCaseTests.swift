import TestSupport
import Testing

/// Small repositories of teams that went wrong once, in `../shared/cases/team` beside the package; they are
/// not part of it.
///
/// Beside `NAME.sh`, `NAME.right` has lines that its output must have, in this order. `U` stands for a UID.
@Suite(.enabled(if: TeamCases.isRunnable, "../shared/cases/team or a program is not there"))
struct TeamCaseTests {
  @Test(arguments: TeamCases.names)
  func isRight(_ name: String) async throws {
    let programs = try TemporaryDirectory()
    for path in [try #require(Tool.path), try GeneratedPackage.program()] {
      _ = try await ProcessRun.of("ln", ["-s", path, "."], in: programs.path)
    }
    let run = try await ProcessRun.of(
      "bash", ["-c", "bash \"$0\" 2>&1", "\(TeamCases.directory)/\(name).sh"], in: programs.path,
      environment: ["BOXJOINT_BIN": programs.path, "TMPDIR": programs.path])
    let output = Self.withoutUIDs(run.text).split(separator: "\n")
    let expected = String(
      decoding: TeamCases.fileBytes("\(TeamCases.directory)/\(name).right") ?? [], as: UTF8.self)
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

/// The scripts that are there.
enum TeamCases {
  static let directory =
    "/\(#filePath.split(separator: "/").dropLast(3).joined(separator: "/"))/../shared/cases/team"

  static var isRunnable: Bool {
    Tool.path != nil && builtProgram("boxjoint-generate") != nil && !names.isEmpty
  }

  static var names: [String] {
    [
      "dead-id", "develop", "feature-into-feature", "fix-breaks", "fork", "published-loses",
      "revert-merge-renumber",
    ].filter { fileBytes("\(directory)/\($0).right") != nil }
  }

  static func fileBytes(_ path: String) -> [UInt8]? {
    (try? TemporaryDirectory.bytes(ofFile: path))
  }
}
