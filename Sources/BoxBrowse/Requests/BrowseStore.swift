package import BoxEngine
internal import BoxModel
internal import BoxStorage
package import BoxStoreTool
internal import Synchronization

/// A store whose pages are shown.
///
/// Half a second after the last request it is closed until the next one: a page that is open in a browser keeps nobody
/// from compacting or migrating the store.
package final class BrowseStore: Sendable {
  /// The name in addresses.
  package let name: String
  /// The directory, as the user named it.
  package let path: String
  /// The open store.
  let session: StoreSession

  /// The time without a request after which the store is closed.
  private static let rest = Duration.milliseconds(500)

  private let isReadOnly: Bool

  private struct State {
    /// The file that was opened, and its size when it was last looked at.
    var file: [UInt64] = []
    var size = 0
    /// The store that was opened last, by which another opening is noticed.
    var store: ObjectStore?
    /// The model that it had; nil before it was opened.
    var model: Model?
    var openings = 0
    /// The sentence that the next page says about the store.
    var news: String?
    /// The requests that use the store now.
    var users = 0
    var lastUse = ContinuousClock.now

    /// Whether the data file was replaced, and no store of the new one is known yet.
    var isReplaced = false

    /// Whether the data file is another one than the one that was opened.
    func isOther(_ file: [UInt64], _ size: Int) -> Bool {
      model != nil && (file != self.file || size < self.size)
    }
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
    self.isReadOnly = isReadOnly
    session = StoreSession(path, isTrusted: isTrusted, isReadOnly: isReadOnly)
  }

  /// Uses the store for a request, which keeps it from being closed by ``restIfUnused()``.
  ///
  /// - Throws: The error of the function.
  package func use<Value>(_ body: () throws -> Value) rethrows -> Value {
    state.withLock { $0.users += 1 }
    defer {
      state.withLock { state in
        state.users -= 1
        state.lastUse = .now
      }
    }
    return try body()
  }

  /// Closes the store until the next request if it has not been used for half a second.
  ///
  /// An app that shows its own store has it open anyway.
  func restIfUnused() {
    if !isReadOnly { return }
    state.withLock { state in
      if state.users == 0, state.lastUse < .now - Self.rest { session.rest() }
    }
  }

  /// Opens the store, or opens it again if its file or its model is another one.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the store was removed, and as
  ///   ``StoreSession/store(_:)``.
  /// - Complexity: O(1) for a store that stayed open.
  @discardableResult
  package func open(_ observer: any WorkObserver) throws -> ObjectStore {
    let (file, size) = dataFile
    let isOther = state.withLock { state in
      defer { (state.file, state.size) = (file, size) }
      let isOther = state.isOther(file, size)
      if isOther { state.isReplaced = true }
      return isOther
    }
    if isOther { session.close() }
    let store = try onStore(path) { try session.store(observer) }
    state.withLock { state in
      if state.store === store { return }
      state.store = store
      let isReplaced = state.isReplaced
      state.isReplaced = false
      if !isReplaced, state.model == store.model { return }
      state.openings += 1
      if state.model != nil {
        state.news =
          isReplaced
          ? "The file of the store was replaced; it was opened again."
          : "Another program has opened the store with another model; it was opened again."
      }
      state.model = store.model
    }
    return store
  }

  /// The number of the last commit and of the openings; the store is not opened for it if its file is the same.
  ///
  /// - Throws: As ``open(_:)``.
  /// - Complexity: O(1).
  func progress(_ observer: any WorkObserver) throws -> Progress {
    if let progress = progressOfFile { return progress }
    return try use {
      let number = try open(observer).read { try $0.number }
      return Progress(transaction: number, openings: openings)
    }
  }

  /// The same, if the file is the one that was opened; nil where the store has to be opened for it.
  ///
  /// - Complexity: O(1): the attributes of the file and the heads of two pages.
  var progressOfFile: Progress? {
    let (file, size) = dataFile
    let openings = state.withLock { state in
      state.model == nil || state.isReplaced || state.isOther(file, size) ? nil : state.openings
    }
    guard let openings, let number = StoreFiles(path).lastCommit else { return nil }
    return Progress(transaction: number, openings: openings)
  }

  /// The state of a store, by which an open page knows that it is no longer the latest.
  struct Progress {
    /// The number of the last commit.
    var transaction: UInt64
    /// The number of times that the store was opened.
    var openings: Int

    var answer: BrowseAnswer {
      let json = "{\"transaction\":\"\(transaction)\",\"opening\":\(openings)}\n"
      return BrowseAnswer(200, "application/json", Array(json.utf8))
    }
  }

  /// The identity of the data file, and its size.
  private var dataFile: (identity: [UInt64], size: Int) {
    let files = StoreFiles(path)
    return (files.dataIdentity, files.dataSize)
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
