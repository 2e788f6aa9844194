internal import ArgumentParser
internal import BoxWorkspace

/// `boxjoint dump`: looks into dumps.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Check and compare dumps.",
    discussion: """
      Examples:
        boxjoint dump verify people.ndjson   check the counts and the checksum
        boxjoint dump diff old.ndjson store:data/
                                             compare two dumps or stores
      """,
    subcommands: [DumpVerifyCommand.self, DumpDiffCommand.self])
}
