internal import ArgumentParser
internal import BoxStorage
internal import BoxWorkspace

/// `boxjoint store`: looks after the stores of the engine.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Inspect, edit, check, back up, compact and repair stores.",
    discussion: """
      A store is a directory that holds \(StoreFiles.dataName), \(StoreFiles.readersName) and \
      \(StoreFiles.lockName).

      Examples:
        boxjoint store info data/          list the contents of a store
        boxjoint store get data/ Person 1  show an object
        boxjoint store set data/ Person 1 age=42
                                           change an object
        boxjoint store watch data/ Person  tell the changes of objects as they come
        boxjoint store verify data/        check pages, records and indexes
        boxjoint store backup data/ copy/  copy a store while others write to it
        boxjoint store compact data/       rewrite a store without its free pages
        boxjoint store repair data/        replace a damaged store by what can be read
      """,
    subcommands: [
      StoreInfoCommand.self, StoreGetCommand.self, StorePutCommand.self, StoreSetCommand.self,
      StoreRemoveCommand.self, StoreLinkCommand.self, StoreUnlinkCommand.self,
      StoreWatchCommand.self, StoreDuplicatesCommand.self, StoreOrphansCommand.self,
      StoreVerifyCommand.self, StoreBackupCommand.self,
      StoreCompactCommand.self, StoreRepairCommand.self,
    ])
}
