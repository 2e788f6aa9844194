internal import ArgumentParser
internal import BoxModelTool

/// The option to open a store without the check of all its pages, which protects from damaged and
/// crafted files.
struct StoreTrust: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Open the store without checking its pages first.",
      discussion:
        "Only for stores that your own programs wrote: a damaged or crafted file can crash the "
        + "command, or worse."))
  var trust = false

  /// The choice for functions that open stores.
  var access: StoreAccess { access(in: nil) }

  /// The choice for functions that use a store of a shell.
  ///
  /// - Parameter session: The session in which the command runs; nil for a command of its own.
  /// - Returns: The choice.
  func access(in session: StoreSession?) -> StoreAccess {
    StoreAccess(isTrusted: trust, session: session)
  }
}

/// A command that runs in `boxjoint shell` too.
protocol SessionCommand: ParsableCommand {
  /// Runs the command.
  ///
  /// - Parameter session: The session in which it runs; nil for a command of its own.
  /// - Throws: The failure of the command.
  func run(in session: StoreSession?) throws
}
