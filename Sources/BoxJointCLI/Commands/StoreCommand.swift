internal import ArgumentParser

/// `boxjoint store`: looks after the stores of the engine.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Looks after a store: sizes, checks, copies.",
    discussion: """
      A store is a folder that holds data.mdb, lock.mdb and store.lock.

      Examples:
        boxjoint store info data/          say what is in a store, and its size
        boxjoint store verify data/        check pages, records and indexes
        boxjoint store backup data/ copy/  copy a store while others write to it
        boxjoint store compact data/       write a store anew without its free pages
      """,
    subcommands: [
      StoreInfoCommand.self, StoreVerifyCommand.self, StoreBackupCommand.self,
      StoreCompactCommand.self,
    ])
}
