import ArgumentParser
import BoxTerminal
import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxModelTool

/// `--help` of every command.
struct HelpTests {
  /// Every command with its words, from the root on.
  static func commands(
    _ command: any ParsableCommand.Type = BoxJointCommand.self, _ words: [String] = ["boxjoint"]
  ) -> [(words: [String], type: any ParsableCommand.Type)] {
    [(words, command)]
      + command.configuration.subcommands.flatMap { subcommand in
        commands(subcommand, words + [subcommand.configuration.commandName ?? ""])
      }
  }

  @Test func everyCommandHasAnExampleOfItself() {
    for (words, type) in Self.commands() {
      let lines = type.configuration.discussion.split(separator: "\n")
      let start = lines.firstIndex { $0 == "Examples:" || $0 == "Example:" }
      let examples = start.map { lines[$0...].dropFirst().prefix { $0.hasPrefix("  ") } } ?? []
      // What git calls stands in the line that calls it.
      let name = words.joined(separator: " ")
      #expect(examples.contains { $0.contains(name) }, "\(name)")
    }
  }

  /// Lines that are laid out by hand are not broken on a terminal of the usual width.
  @Test func linesThatAreLaidOutFitIntoEightyColumns() {
    for (words, type) in Self.commands() {
      let help = BoxJointCommand.helpMessage(for: type, columns: 80)
      let shown = Set(help.split(separator: "\n"))
      for line in type.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
        #expect(shown.contains(line), "\(words.joined(separator: " ")): \(line)")
      }
    }
  }

  @Test func noLineIsWiderThanEightyColumns() {
    for (words, type) in Self.commands() {
      let parsed = BoxJointCommand.helpMessage(for: type, columns: 80)
      let help = parsed.withBrokenUsage
      let name = words.joined(separator: " ")
      for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(name): \(line)") }
      // Nothing but line breaks has changed.
      func split(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
      #expect(split(help) == split(parsed), "\(name)")
      let usage = help.split(separator: "\n").drop { !$0.hasPrefix("USAGE: ") }
        .dropFirst().prefix { $0.hasPrefix("       ") }
      for line in usage {
        // An option is not parted from its value.
        #expect(line.count { $0 == "[" } == line.count { $0 == "]" }, "\(name): \(line)")
      }
    }
  }

  @Test(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
  func usagesOfMistakesAreBrokenToo() async throws {
    let run = try await runTool(["store", "put", "data"])
    #expect(run.status == 64)
    #expect(
      run.messages.contains("Usage: boxjoint store put [<options>] <dir> <entity> <json> ..."))
    #expect(
      run.messages.split(separator: "\n").filter { $0.hasPrefix("Usage") || $0.hasPrefix(" ") }
        .allSatisfy { $0.count <= 80 }, "\(run.messages)")
    let help = try await runTool(["store", "put", "--help"])
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help.text)")
  }

  /// Every command can be called wrongly, and prints something that its destination can refuse; one with `--config`
  /// can be given wrong settings.
  @Test func everyCommandListsItsExitStatuses() {
    for (words, type) in Self.commands() where type.configuration.subcommands.isEmpty {
      let name = words.joined(separator: " ")
      let lines = type.configuration.discussion.split(separator: "\n")
      let start = lines.firstIndex(of: "Exit status:").map { $0 + 1 } ?? lines.endIndex
      let listed = lines[start...].prefix { $0.hasPrefix("  ") }
        .compactMap { $0.prefixMatch(of: #/ +([0-9]+) /#).flatMap { Int($0.output.1) } }
      // To git every other status is a crash of the driver.
      var expected: Set = name == "boxjoint merge-driver" ? [0, 1] : [0, 64, 74]
      if BoxJointCommand.helpMessage(for: type).contains("--config <") { expected.insert(78) }
      let missing = expected.subtracting(listed).sorted()
      #expect(missing.isEmpty, "\(name) does not list \(missing)")
      #expect(listed == listed.sorted() || name == "boxjoint shell", "\(name): \(listed)")
    }
  }

  /// Settings that are missing or wrong, a wrong option and a full disk end a command as its help says.
  @Test(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
  func settingsThatCannotBeReadEndCommandsAsTheirHelpSays() async throws {
    let repository = try await TemporaryRepository()
    try repository.write(SampleModels.sound, to: "model.json")
    try repository.write("nosuch: 1\n", to: "wrong.yml")
    for command in [
      "config", "git status", "git install --no-hooks", "history model.json", "check",
    ] {
      let words = command.split(separator: " ").map(String.init)
      for (file, status) in [("missing.yml", 74), ("wrong.yml", 78)] as [(String, Int32)] {
        let run = try await runTool(
          words + ["--config", file], in: repository.path, environment: repository.environment)
        #expect(run.status == status, "\(command) --config \(file): \(run.messages)")
      }
    }
  }

  @Test func theHelpOfTheConfigurationNamesItsKeys() {
    let help = BoxJointCommand.helpMessage(for: ConfigCommand.self)
    for key in ["plan:", "converters:"] { #expect(help.contains(key), "\(key)") }
  }

  @Test(
    .enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"),
    arguments: [["nosuch"], ["plan", "nosuch"], ["store", "nosuch"], ["show", "more"]])
  func helpForWhatIsNoCommand(_ words: [String]) async throws {
    let run = try await runTool(["help"] + words)
    #expect(run.status == 64)
    #expect(run.text.isEmpty)
    #expect(
      run.messages.hasPrefix(
        "boxjoint: there is no command 'boxjoint \(words.joined(separator: " "))'"))
    for known in [["help"], ["help", "plan", "show"], ["help", "store"], ["help", "help"]] {
      let run = try await runTool(known)
      #expect(run.status == 0, "\(known)")
      #expect(!run.text.isEmpty, "\(known)")
    }
  }
}
