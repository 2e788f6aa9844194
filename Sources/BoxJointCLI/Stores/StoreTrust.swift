internal import ArgumentParser
internal import BoxEngine
internal import BoxStorage

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

  /// The options to open a store with.
  func options(isReadOnly: Bool = false, _ progress: Progress) -> StoreOptions {
    var options = StoreOptions()
    options.storage = storage(progress)
    options.storage.isReadOnly = isReadOnly
    return options
  }

  /// The options of the storage below a store.
  func storage(_ progress: Progress) -> StorageOptions {
    Self.storage(isTrusted: trust, progress)
  }

  /// The options of the storage below a store.
  static func storage(isTrusted: Bool, _ progress: Progress) -> StorageOptions {
    var options = StorageOptions()
    if !isTrusted {
      options.pageCheck = PageCheck { done, total in
        progress.update("checking pages", done, of: total, unit: "pages")
      }
    }
    return options
  }
}
