package import BoxEngine
package import BoxStorage

/// The way in which a store is opened: with the check of all its pages, which protects from damaged
/// and crafted files, or without it.
package struct StoreAccess: Sendable {
  /// Whether the pages are left unchecked; only for stores that one's own programs wrote.
  package var isTrusted = false
  /// Whether observers hear of the commits of other programs.
  package var hearsOthers = false
  /// The session whose open store requests use; nil to open the store for each request.
  package var session: StoreSession?

  /// Creates the choice.
  package init(isTrusted: Bool = false, session: StoreSession? = nil) {
    self.isTrusted = isTrusted
    self.session = session
  }

  /// The options to open a store with.
  package func options(isReadOnly: Bool = false, _ observer: any WorkObserver) -> StoreOptions {
    var options = StoreOptions()
    options.storage = storage(observer)
    options.storage.isReadOnly = isReadOnly
    if hearsOthers { options.hearing = .everywhere() }
    return options
  }

  /// The options of the storage below a store.
  package func storage(_ observer: any WorkObserver) -> StorageOptions {
    var options = StorageOptions()
    if !isTrusted {
      options.pageCheck = PageCheck { done, total in
        observer.update("checking pages", done, of: total, unit: "pages")
      }
    }
    return options
  }
}
