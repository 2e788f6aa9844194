internal import ArgumentParser

/// `boxjoint dump`: looks into dumps.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Checks and compares dumps.",
    discussion: """
      Examples:
        boxjoint dump verify people.ndjson   check the counts and the checksum
        boxjoint dump diff old.ndjson data/  say what is different in a dump or store
      """,
    subcommands: [DumpVerifyCommand.self, DumpDiffCommand.self])
}
