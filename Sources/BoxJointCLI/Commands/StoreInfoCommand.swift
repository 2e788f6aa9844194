internal import ArgumentParser
internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// `boxjoint store info`: prints the sizes of a store.
struct StoreInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Says what is in a store, and how large it is.",
    discussion: """
      Others may read and write meanwhile. A reader that has been at work for long keeps old pages \
      from being used again: the oldest one is named. The relations of the store are checked by sums: \
      where one is damaged, that is said after the sizes. 'store verify' checks everything.

      Examples:
        boxjoint store info data/
        boxjoint store info data/ --format json | jq '.entities[] | {name, objects}'

      Exit status: 0 shown; 2 the store cannot be opened now; 65 it is no store, or damaged; 74 \
      there is nothing, or it cannot be read.
      """)

  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "dir"))
  var directory: String

  @OptionGroup var trust: StoreTrust

  @Option(help: "How to print.")
  var format: TextOrJSON = .text

  @Option(help: "How to show progress.")
  var progress: ProgressChoice = .auto

  func run() throws {
    let (information, damage) = try onExistingStore(directory) {
      do {
        return try inspect(isReadOnly: true)
      } catch StoreError.storage(let error) where error.kind == .tooManyReaders {
        // Opened for writing, which it does not do, it can wait for the writer's turn.
        return try inspect(isReadOnly: false)
      }
    }
    try StandardOutput.write(format == .text ? information.text : information.json.displayText)
    if let damage { try onStore(directory) { throw damage } }
  }

  /// The information about the store, and the damage of its relations; nil for undamaged relations.
  private func inspect(isReadOnly: Bool) throws -> (StoreInformation, StoreError?) {
    let bar = Progress(progress)
    defer { bar.finish() }
    let store = try ObjectStore.open(
      .directory(directory), options: trust.options(isReadOnly: isReadOnly, bar))
    tellWarnings(store.warnings, of: directory)
    let information = StoreInformation(
      path: directory, status: try store.status(), statistics: try store.statistics())
    do {
      try store.requireWholeRelations()
      return (information, nil)
    } catch let error as StoreError where error.exitStatus == .badInput {
      return (information, error)
    }
  }
}
