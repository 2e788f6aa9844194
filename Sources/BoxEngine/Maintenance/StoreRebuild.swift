public import BoxModel
public import BoxStorage

extension ObjectStore {
  /// Builds a store anew, with a model of its own, and puts it in the place of the old one.
  ///
  /// Nobody may have the store open. The new one is built in files without a name beside the old one,
  /// so after an error or a crash at any moment there is the old data file or the new one, whole, and
  /// nothing else. What the function does not carry over is gone.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - document: The model of the new store.
  ///   - options: Sizes, limits and permissions.
  ///   - fill: Is given the old store, which it must only read, and the new, empty one. It must not
  ///     keep either.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if the store is open anywhere,
  ///   ``StoreError/invalidModel(_:)``, ``StoreError/incompatibleModel(_:)`` for a model that no store
  ///   can have, ``StoreError/damaged(_:)`` if ``requireWhole(_:options:)`` finds damage, what opening
  ///   throws, and the error of `fill`; the old store is in its place then.
  /// - Complexity: O(*n*) in the size of the new data, apart from `fill`.
  public static func rebuild(
    _ directory: String, model document: ModelDocument, options: StoreOptions = StoreOptions(),
    _ fill: (_ old: ObjectStore, _ new: ObjectStore) throws -> Void
  ) throws {
    try rebuild(directory, model: document, options: options, isVerified: false, fill)
  }

  /// Builds a store with a model of its own, as ``rebuild(_:model:options:_:)`` does.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - document: The model of the new store.
  ///   - options: Sizes, limits and permissions.
  ///   - isVerified: Whether the caller has verified the store, and only what was sound wrote to it since.
  ///   - fill: Called with the old store and the new, empty one.
  /// - Throws: As ``rebuild(_:model:options:_:)``.
  /// - Complexity: O(*n*) in the size of the new data, apart from `fill`.
  package static func rebuild(
    _ directory: String, model document: ModelDocument, options: StoreOptions, isVerified: Bool,
    _ fill: (_ old: ObjectStore, _ new: ObjectStore) throws -> Void
  ) throws {
    try requireSound(document, options)
    let rebuild = StoreRebuild(directory: directory, document: document, options: options)
    try StoreError.wrapping(try StoreReplacement.requireReplaceable(in: directory, options.storage))
    if !isVerified { try requireWhole(directory, storage: options.storage) }
    do {
      try rebuild.run(spaces: options.storage.maximumSpaces, fill)
    } catch let error as NeedsSpaces {
      try rebuild.run(spaces: error.count, fill)
    }
  }
}

extension ObjectStore {
  /// Requires that a store has no damage before it is changed as a whole, whatever model it has.
  ///
  /// - Throws: As ``requireWhole(_:options:)``.
  /// - Complexity: O(*n*) in the number of entries; memory is bounded.
  package static func requireWhole(_ directory: String, storage: StorageOptions) throws(StoreError)
  {
    var options = StoreOptions()
    options.storage = storage
    // It is read with the model that it has, which it has accepted.
    options.acceptsRegeneratedModel = true
    try requireWhole(directory, options: options)
  }
}

extension ObjectStore {
  /// Says whether ``rebuild(_:model:options:_:)``, ``adopt(_:model:options:)`` and a compaction could
  /// have the store for themselves now; nothing is done to it.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: The permissions of a lock file that is missing.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` that names who has the store open, as far as
  ///   the system tells, and ``StoreError/noStore(_:)``.
  /// - Complexity: O(1).
  public static func requireUnused(
    _ directory: String, options: StorageOptions = StorageOptions()
  ) throws(StoreError) {
    if !StorageLocation.directory(directory).exists { throw StoreError.noStore(directory) }
    try StoreError.wrapping(try StoreReplacement.requireUnused(in: directory, options))
  }
}

extension ObjectStore {
  /// Applies a model to a store, in one transaction, while no one else has the store open.
  ///
  /// It does what opening the store with the model does, and leaves the store closed.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - document: The model.
  ///   - options: Sizes, limits and permissions.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if the store is open anywhere,
  ///   ``StoreError/noStore(_:)``, and what ``open(_:model:options:)`` throws.
  /// - Complexity: O(1), or O(*n*) in the objects of an entity with a new index.
  public static func adopt(
    _ directory: String, model document: ModelDocument, options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    try requireSound(document, options)
    let location = StorageLocation.directory(directory)
    if !location.exists { throw StoreError.noStore(directory) }
    func attempt(spaces: Int) throws(StoreError) -> Int? {
      var settings = options.storage
      settings.maximumSpaces = spaces + 64
      var needed: Int?
      try StoreError.only {
        try StoreReplacement.alone(in: directory, settings) { storage in
          let opening = StoreOpening(location, document, options)
          let attempt = try opening.attempt(StorageHandle(storage), spaces: spaces, false)
          if case .needsSpaces(let count) = attempt { needed = count }
        }
      }
      return needed
    }
    let spaces = max(options.storage.maximumSpaces, StoreOpening.spaces(document.model))
    guard let needed = try attempt(spaces: spaces) else { return }
    if try attempt(spaces: needed) != nil {
      throw StoreError.damagedCatalog("it asks for ever more spaces")
    }
  }
}

/// A store has more spaces than it was opened for; nothing was done yet.
struct NeedsSpaces: Error {
  var count: Int
}

/// One building of a store.
private struct StoreRebuild {
  let directory: String
  let document: ModelDocument
  let options: StoreOptions

  func run(spaces: Int, _ fill: (ObjectStore, ObjectStore) throws -> Void) throws {
    var settings = options.storage
    settings.maximumSpaces = spaces + 64
    do {
      try replace(settings, spaces, fill)
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
  }

  private func replace(
    _ settings: StorageOptions, _ spaces: Int, _ fill: (ObjectStore, ObjectStore) throws -> Void
  ) throws {
    try StoreReplacement.replace(in: directory, settings) { storage, descriptor in
      var stored = options
      // It is read with the model that it has, which it has accepted.
      stored.acceptsRegeneratedModel = true
      let opening = StoreOpening(.directory(directory), nil, stored)
      switch try opening.attempt(StorageHandle(storage), spaces: spaces, false) {
      case .needsSpaces(let count): throw NeedsSpaces(count: count)
      case .opened(let old):
        defer { old.close() }
        try build(from: old, into: descriptor, fill)
      }
    }
  }

  private func build(
    from old: ObjectStore, into descriptor: Int32,
    _ fill: (ObjectStore, ObjectStore) throws -> Void
  ) throws {
    var settings = options.storage
    settings.maximumSpaces = max(
      settings.maximumSpaces, StoreOpening.spaces(document.model) + 64)
    let storage = StorageHandle(
      try StoreError.wrapping(
        try StorageLocation.openTemporary(directory + "/rebuild.new", settings)))
    let location = StorageLocation.directory(directory)
    let new = try StoreOpening(location, document, options).write(storage, document)
    defer { new.close() }
    try new.holdingBackEntries { try fill(old, new) }
    try storage.copy(to: descriptor, compacting: true)
  }
}
