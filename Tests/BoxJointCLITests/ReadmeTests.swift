import ArgumentParser
import TestSupport
import Testing

@testable import BoxJointCLI
@testable import BoxStoreTool

/// The list of commands in the README.
struct ReadmeTests {
  /// The lines of the first block after a heading that begin with the name of the program.
  private static func lines() throws -> [ShellWords] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let text = String(decoding: try SourceFile.read(root + "/README.md").bytes, as: UTF8.self)
    let start = try #require(text.firstRange(of: "## Commands")).upperBound
    let parts = text[start...].split(separator: "```", maxSplits: 2)
    return parts[1].split(separator: "\n").map { ShellWords(String($0)) }
      .filter { $0.words.first == "boxjoint" }
  }

  @Test func everyCommandIsListedOnce() throws {
    let listed = try Self.lines().map { $0.words[1] }
    var commands: [String] = []
    // A key path to the configuration crashes Swift 6.3.1.
    for command in BoxJointCommand.configuration.subcommands {
      let configuration = command.configuration
      if configuration.shouldDisplay, let name = configuration.commandName { commands.append(name) }
    }
    // What git calls is not for people.
    #expect(listed.sorted() == commands.filter { $0 != "merge-driver" }.sorted())
  }

  /// Each line is a command line that the program accepts, and has a comment if there is room.
  @Test func everyLineIsACommandLine() throws {
    for line in try Self.lines() {
      let words = line.words.dropFirst().prefix { $0 != ">" }
      #expect(throws: Never.self, "\(line.words)") {
        _ = try BoxJointCommand.parseAsRoot(Array(words))
      }
    }
  }
}
