internal import ArgumentParser
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint shell`: queries and edits a store line by line.
struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Query and edit a store line by line.",
    discussion: """
      A line is a command such as 'query Film --where "year > 2015"', without 'boxjoint' and \
      without the directory. .help lists the commands. On a terminal, the tab key completes names, \
      the arrow keys edit the line and find earlier ones, and Ctrl-C ends a query.

      'begin' begins a transaction, in which all commands see each other's changes; 'commit' keeps \
      them, and 'rollback' or the end of the shell undoes them. Other programs wait with their \
      writes until it ends. A command that fails is undone alone.

      Lines from a file or a pipe end the shell at the first failure, with its exit status.

      Examples:
        boxjoint shell data/
        boxjoint shell data/ < changes.txt
        echo 'query Film --count' | boxjoint shell data/

      Exit status:
        0   the end of the lines, or .quit
        2, 64, 65, 74, 78
            of the command that failed, where the lines are not typed on a terminal
        2   the store cannot be opened now
        64  wrong usage
        65  not a store, or a damaged one
        74  the store does not exist, or cannot be read
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var store: String

  @Flag(help: "Do not read or write the history of earlier sessions.")
  var noHistory = false

  @OptionGroup var trust: StoreTrust

  func run() throws {
    let session = StoreSession(store, isTrusted: trust.trust)
    defer { session.close() }
    // A store that cannot be opened is better known before the first line.
    _ = try onStore(store) { try session.store(Progress(.auto)) }
    ShellInterrupt.catchSignal()
    if Terminal.isTerminal(.input) {
      var shell = Shell(session, LineEditor(history: noHistory ? nil : ShellHistory()))
      shell.printGreeting()
      try shell.run(isTyped: true)
    } else {
      var shell = Shell(session, PlainLines())
      try shell.run(isTyped: false)
    }
  }
}
