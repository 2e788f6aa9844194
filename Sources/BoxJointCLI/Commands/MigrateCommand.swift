internal import ArgumentParser

/// `boxjoint migrate`: carries out changes of model on stores.
struct MigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Apply a change of model to a store.",
    discussion: """
      Without a subcommand, 'boxjoint migrate' runs 'boxjoint migrate run'.

      Examples:
        boxjoint migrate --store data/ --to model.json --dry-run
        boxjoint migrate --store data/ --via v2.json --to v3.json --mapping v3.yml
        boxjoint migrate test --tags 'v*' --fixtures Tests/stores
      """,
    subcommands: [MigrateRunCommand.self, MigrateTestCommand.self],
    defaultSubcommand: MigrateRunCommand.self)
}
