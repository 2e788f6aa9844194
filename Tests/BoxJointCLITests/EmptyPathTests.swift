import ArgumentParser
import TestSupport
import Testing

@testable import BoxJointCLI

/// An empty path, as a variable of a script that is not set, is a mistake on the command line.
struct EmptyPathTests {
  /// The names of values that are paths, beside those with `path`, `file` or `dir` in them.
  private static let otherPaths: Set<String> = ["old", "new", "a", "b", "model"]
  /// Options that are named like paths and are none.
  private static let noPaths: Set<String> = [
    "query --sum", "query --min", "query --max", "query --avg", "query --group-by",
    "query --nearest", "query --select", "query --fields", "import --records",
    "model infer --records",
  ]

  private static func isPath(_ value: Substring, of use: String) -> Bool {
    if noPaths.contains(use) { return false }
    return ["path", "file", "dir"].contains { value.contains($0) }
      || otherPaths.contains(String(value)) || use == "store backup <target>"
  }

  /// The message about a command line; nil if it can be read.
  private static func message(_ arguments: [String]) -> String? {
    do {
      _ = try BoxJointCommand.parseAsRoot(arguments)
      return nil
    } catch {
      #expect(BoxJointCommand.exitCode(for: error).rawValue == 64, "\(arguments)")
      return BoxJointCommand.message(for: error)
    }
  }

  @Test func noOptionTakesAnEmptyPath() {
    var count = 0
    for (words, type) in HelpTests.commands() where type.configuration.subcommands.isEmpty {
      let words = Array(words.dropFirst())
      let help = BoxJointCommand.helpMessage(for: type, columns: 200)
      for line in help.split(separator: "\n") {
        guard let match = line.prefixMatch(of: #/  (-[-a-z, ]+) <([^>]+)>/#) else { continue }
        for option in match.output.1.split(separator: ", ") {
          let use = (words + [String(option)]).joined(separator: " ")
          if !Self.isPath(match.output.2, of: use) { continue }
          let value = match.output.2 == "format=path" ? "json=" : ""
          let message = Self.message(words + [String(option), value])
          let expected = "'\(value)' is invalid for '\(option) <\(match.output.2)>'"
          #expect(message?.contains(expected) == true, "\(use): \(message ?? "is taken")")
          count += 1
        }
      }
    }
    #expect(count > 40)
  }

  @Test func noArgumentIsAnEmptyPath() {
    var count = 0
    for (words, type) in HelpTests.commands() where type.configuration.subcommands.isEmpty {
      let words = Array(words.dropFirst())
      let help = BoxJointCommand.helpMessage(for: type, columns: 200)
      for (position, match) in help.matches(of: #/\n  <([^>]+)>/#).enumerated() {
        let use = (words + ["<\(match.output.1)>"]).joined(separator: " ")
        if !Self.isPath(match.output.1, of: use) { continue }
        let message = Self.message(words + Array(repeating: "x", count: position) + [""])
        let expected = "'' is invalid for '<\(match.output.1)>'"
        #expect(message?.contains(expected) == true, "\(use): \(message ?? "is taken")")
        count += 1
      }
    }
    #expect(count > 30)
  }

  @Test func theMessageSaysWhatIsWrong() {
    #expect(
      Self.message(["config", "--config", ""])
        == "The value '' is invalid for '--config <path>': an empty path names nothing")
    #expect(Self.message(["config", "--config", " "]) == nil)
  }

  /// Not even a dry run, which reads or writes no such file.
  @Test(
    .enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"),
    arguments: [
      ["model", "rename", "model.json", "Ant", "Bee", "--dry-run", "--output", ""],
      ["import", "--store", "", "--model", "model.json", "--entity", "Ant", "--dry-run", "ants"],
      ["store", "info", "data", "--config", ""],
      ["export", "--store", "data", "--output", ""],
      ["show", ""],
    ])
  func theProgramEndsWithTheStatusOfMistakes(_ arguments: [String]) async throws {
    let directory = try TemporaryDirectory()
    try directory.write(SampleModels.sound, to: "model.json")
    try directory.write("{}\n", to: "ants")
    let run = try await runTool(arguments, in: directory.path)
    #expect(run.status == 64, "\(run.messages)")
    #expect(run.messages.hasPrefix("Error: The value '' is invalid for '"), "\(run.messages)")
    #expect(run.output.isEmpty)
  }
}
