package import BoxEngine
internal import BoxStorage
package import BoxStoreTool
internal import Synchronization

/// A store whose pages are shown.
package final class BrowseStore: Sendable {
  /// The name in addresses.
  package let name: String
  /// The directory, as the user named it.
  package let path: String
  /// The open store.
  let session: StoreSession

  private struct State {
    /// The file that was opened, and its size when it was last looked at.
    var file: [UInt64] = []
    var size = 0
    /// The store that was opened last, by which another opening is noticed.
    var store: ObjectStore?
    var openings = 0
    /// The sentence that the next page says about the store.
    var news: String?
  }

  private let state = Mutex(State())

  /// Creates a store that is not opened yet.
  ///
  /// - Parameters:
  ///   - name: The name in addresses.
  ///   - path: The directory.
  ///   - isTrusted: Whether its pages are left unchecked.
  ///   - isReadOnly: Whether it is opened to be read only; false where this process has it open to write.
  package init(name: String, path: String, isTrusted: Bool, isReadOnly: Bool = true) {
    self.name = name
    self.path = path
    session = StoreSession(path, isTrusted: isTrusted, isReadOnly: isReadOnly)
  }

  /// Opens the store, or opens it again if its file or its model is another one.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the store was removed, and as
  ///   ``StoreSession/store(_:)``.
  /// - Complexity: O(1) for a store that stayed open.
  @discardableResult
  package func open(_ observer: any WorkObserver) throws -> ObjectStore {
    let files = StoreFiles(path)
    let (file, size) = (files.dataIdentity, files.dataSize)
    let isReplaced = state.withLock { state in
      defer { (state.file, state.size) = (file, size) }
      return state.store != nil && (state.file != file || size < state.size)
    }
    if isReplaced { session.close() }
    let store = try onStore(path) { try session.store(observer) }
    state.withLock { state in
      if state.store === store { return }
      state.openings += 1
      if state.store != nil {
        state.news =
          isReplaced
          ? "The file of the store was replaced; it was opened again."
          : "Another program has opened the store with another model; it was opened again."
      }
      state.store = store
    }
    return store
  }

  /// Whether there is a data file now.
  var hasFile: Bool { StoreFiles(path).hasData }

  /// The number of times that the store was opened.
  var openings: Int { state.withLock(\.openings) }

  /// Takes the sentence that the page which is made now says about the store; nil for nothing new.
  func takeNews() -> String? { state.withLock { $0.news.take() } }

  /// Closes the store.
  package func close() { session.close() }
}
