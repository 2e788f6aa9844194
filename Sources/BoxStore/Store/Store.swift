package import BoxEngine
package import BoxModel
internal import BoxStorage
internal import Synchronization

/// A database of objects in a directory, or in memory.
///
/// Open a store once and keep it; several threads can use it at the same time.
///
/// ```swift
/// let store = try Store(directoryPath: "notes")
/// let box: Box<Note> = store.box()
/// let note = Note(text: "Hello")
/// try box.put(note)
/// ```
///
/// The initializer with `directoryPath` is written by the generator, with the model of the target;
/// `init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)` takes a model.
///
/// A store is open as long as one of its handles is: the `Store` objects that were returned by the
/// initializer, ``attachTo(directory:)`` and ``clone()``. A handle ends with ``close()`` or when it is
/// released; a box keeps its handle. After the store was closed, each call throws
/// ``ObjectBoxError/illegalState(message:)``, and relations return only what they have read already.
public final class Store: Sendable {
  let core: StoreCore
  @usableFromInline let number: UInt32
  /// Whether the store stays open as long as this object is.
  private let isHandle: Bool
  private let closed = Atomic<Bool>(false)
  /// The place of the handle among the holders of the store, which only stores for tests have.
  let holder: OpenHolder?
  /// The boxes that the application currently uses, by their entity types.
  private let boxes = Mutex<[ObjectIdentifier: CachedBox]>([:])

  private struct CachedBox: Sendable {
    weak var box: (any AnyObject & Sendable)?
  }

  /// A directory that begins with this names a store in memory: `memory:` and a name.
  ///
  /// It is deleted when its last handle is closed.
  public static let inMemoryPrefix = "memory:"

  /// Opens a store, or creates it.
  ///
  /// ```swift
  /// let store = try Store(model: .library, directory: "shelf", maxDbSizeInKByte: 4 << 20)  // 4 GiB
  /// let scratch = try Store(model: .library, directory: "memory:scratch")
  /// ```
  ///
  /// - Parameters:
  ///   - model: The model of the entity types.
  ///   - directory: The directory, which is created if it does not exist; or `memory:` and a name.
  ///   - maxDbSizeInKByte: The limit of the data file's size, in KiB; lower values than 1024 count as 1024.
  ///   - fileMode: The permissions of new files.
  ///   - maxReaders: The number of read transactions that can be open at once, in all processes; 0 for
  ///     126.
  ///   - readOnly: Whether the store is only read; it must exist then.
  ///   - hears: The commits that observers hear of.
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the store is open in this process, or used
  ///   in another one in a way that forbids it, ``ObjectBoxError/illegalArgument(message:)`` for a path with
  ///   a NUL character, ``ObjectBoxError/schema(message:)`` if the model is not
  ///   valid or does not fit the stored data, or if a newer version wrote the store,
  ///   ``ObjectBoxError/fileCorrupt(message:)`` if the directory holds something else,
  ///   ``ObjectBoxError/dbFull(message:)``, ``ObjectBoxError/general(message:)`` if the file system
  ///   refuses, or another error of the storage.
  /// - Complexity: O(1), or O(*n*) in the objects of an entity with a new index, or with a property that has
  ///   become non-optional.
  public convenience init(
    model: StoreModel, directory: String = "objectbox", maxDbSizeInKByte: UInt64 = 1024 * 1024,
    fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0, readOnly: Bool = false,
    hears: HeardCommits = .thisProcess
  ) throws {
    if directory.utf8.contains(0) { throw Self.nulInPath }
    var options = Self.options(
      maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders)
    options.storage.isReadOnly = readOnly
    options.constants = model.constants
    options.declarations = try model.declarations()
    options.hearing = hears.hearing
    try self.init(opening: directory, try model.document(), options)
  }

  /// Opens a store with the options of the engine.
  ///
  /// - Parameters:
  ///   - directory: The directory, or `memory:` and a name.
  ///   - document: The model.
  ///   - options: The options.
  ///   - holders: The list of those who use the store; nil for none.
  /// - Throws: As ``init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)``.
  package init(
    opening directory: String, _ document: ModelDocument, _ options: StoreOptions,
    holders: OpenHolders? = nil
  ) throws {
    let location = StorageLocation(directory: directory)
    if StoreRegistry.core(at: location) != nil { throw Self.openAlready(directory) }
    core = try ObjectBoxError.wrapping {
      StoreCore(
        try ObjectStore.open(location, model: document, options: options), directoryPath: directory,
        holders: holders)
    }
    number = core.number
    isHandle = true
    holder = holders?.add("a Store")
    // Before others can attach to it: the end of their handle would close it.
    core.addHandle()
    if !StoreRegistry.add(core) {
      closed.store(true, ordering: .relaxed)
      core.engine.close()
      StoreNumbers.close(core)
      throw Self.openAlready(directory)
    }
  }

  private init(_ core: StoreCore, isHandle: Bool) {
    self.core = core
    number = core.number
    self.isHandle = isHandle
    holder = isHandle ? core.holders?.add("a Store") : nil
    if isHandle { core.addHandle() }
  }

  /// A store for bindings and relations, which does not keep it open.
  static func borrowed(_ core: StoreCore) -> Store { Store(core, isHandle: false) }

  /// The store of the engine.
  package var engine: ObjectStore { core.engine }

  /// The same store for one who does not keep it open.
  package var borrowed: Store { .borrowed(core) }

  deinit { close() }

  // MARK: - Handles

  /// The directory, or `memory:` and a name.
  public var directoryPath: String { core.directoryPath }

  /// Another handle of a store that is open in this process.
  ///
  /// ```swift
  /// let store = try Store.attachTo(directory: "shelf")  // opened elsewhere in this process
  /// ```
  ///
  /// - Throws: ``ObjectBoxError/cannotAttachToStore(message:)`` if none is open in the directory.
  /// - Complexity: O(1).
  public static func attachTo(directory: String) throws -> Store {
    guard let core = StoreRegistry.core(at: StorageLocation(directory: directory)) else {
      throw ObjectBoxError.cannotAttachToStore(
        message: "no store is open in \(directory) in this process; open it with its model first")
    }
    return Store(core, isHandle: true)
  }

  /// Whether a store is open in the directory, in this process.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  /// - Complexity: O(1).
  public static func isOpen(directory: String) throws -> Bool {
    StoreRegistry.core(at: StorageLocation(directory: directory)) != nil
  }

  /// Another handle of this store, to be closed on its own.
  ///
  /// ```swift
  /// let handle = try store.clone()
  /// store.close()  // `handle` keeps the store open
  /// ```
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if the store is closed.
  /// - Complexity: O(1).
  public func clone() throws -> Store {
    try requireOpen()
    return Store(core, isHandle: true)
  }

  /// Ends this handle; the last one closes the store.
  ///
  /// ```swift
  /// store.close()
  /// print(store.isClosed)  // true
  /// ```
  ///
  /// Transactions that run on other threads continue to their end. The last handle waits for the operations
  /// of asynchronous boxes, unless it is closed in a write transaction or by ``onAsyncFailure(_:)``. Closing a
  /// closed store does nothing.
  public func close() {
    if closed.exchange(true, ordering: .relaxed) || !isHandle { return }
    holder?.end()
    core.removeHandle()
  }

  /// Closes the store for all of its handles.
  package func closeAllHandles() { core.close() }

  /// Whether this handle was closed.
  public var isClosed: Bool { closed.load(ordering: .relaxed) || core.engine.isClosed }

  /// Throws for a closed store.
  func requireOpen() throws {
    if isClosed { throw ObjectBoxError(StoreError.closed) }
  }

  /// Closes the store for all of its handles, and removes its files, and the directory if nothing else
  /// is in it.
  ///
  /// - Throws: ``ObjectBoxError/illegalState(message:)`` if another process has the store open, or a
  ///   transaction runs: then the store is closed and nothing is removed.
  /// - Complexity: O(1).
  public func closeAndDeleteAllFiles() throws {
    core.close()
    closed.store(true, ordering: .relaxed)
    let location = core.engine.location
    try ObjectBoxError.wrapping {
      do throws(StorageError) {
        try location.removeFiles()
      } catch {
        throw StoreError.storage(error)
      }
    }
  }

  // MARK: - Boxes

  /// The box for the objects of an entity type.
  ///
  /// ```swift
  /// let books: Box<Book> = store.box()
  /// let authors = store.box(for: Author.self)
  /// ```
  ///
  /// The box is the same one as long as it is used. It is a programmer error to ask for a type that the
  /// model of the store lacks, or one whose bindings are of another version.
  ///
  /// - Complexity: O(1) on average.
  public func box<T>(for entityType: T.Type = T.self) -> Box<T>
  where T: EntityInspectable & __EntityRelatable {
    let box = core.box(for: entityType)
    // The boxes of bindings do not keep a handle: relations of loaded objects have them.
    if !isHandle { return box }
    let key = ObjectIdentifier(entityType)
    return boxes.withLock { boxes in
      if let known = boxes[key]?.box { return unsafe unsafeDowncast(known, to: Box<T>.self) }
      let kept = Box(box, keeping: self)
      boxes[key] = CachedBox(box: kept)
      return kept
    }
  }

  /// An object that is kept with the store, made when it is first asked for with a key.
  ///
  /// It is released when the store is closed. It is a programmer error to ask for one key with two
  /// types.
  public func lazyAttachedObject<T: AnyObject>(key: String, creationBlock: () -> T) -> T {
    core.attachedObject(key, creationBlock)
  }
}

extension Store {
  /// Calls a function when a relation cannot be read, on the thread that asked for it; nil for none.
  ///
  /// ``ToOne/target`` and the elements of a ``ToMany`` cannot throw: they are nil and empty then, after the
  /// store was closed for example. The function has the error, and a message with the relation. It holds
  /// for all handles of the store, also after they are closed, and must not ask for the relation again.
  ///
  /// ```swift
  /// store.onFailedRead { _, message in log.warning("\(message)") }
  /// ```
  public func onFailedRead(_ handler: (@Sendable (ObjectBoxError, String) -> Void)?) {
    core.setFailedRead(handler)
  }
}

extension Store: CustomDebugStringConvertible {
  /// The directory, and whether the store is open.
  public var debugDescription: String {
    "Store(\(directoryPath)\(isClosed ? ", closed" : ""))"
  }
}
