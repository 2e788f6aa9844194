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
  var access: StoreAccess { StoreAccess(isTrusted: trust, session: Self.session) }

  /// The session in which the command runs; nil for a command of its own.
  @TaskLocal static var session: StoreSession?
}
