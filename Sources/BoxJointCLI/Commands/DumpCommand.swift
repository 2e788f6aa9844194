internal import ArgumentParser

/// `boxjoint dump`: looks into dumps.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Checks and compares dumps.",
    discussion: """
      Examples:
        boxjoint dump verify people.ndjson.zst   check the counts and the checksum of a dump
        boxjoint dump diff old.ndjson data/      say what is different in a dump or a store
      """,
    subcommands: [DumpVerifyCommand.self, DumpDiffCommand.self])
}
