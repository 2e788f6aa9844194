public import BoxModel
public import BoxStorage

/// Changes of a store as a whole, while no one else has it open.
///
///     var session = RebuildSession("data")
///     try session.apply(model)
///     try session.compact(purge: true)
///
/// A new data file is built beside the old one, and replaces it when it is complete and synced: after
/// an error or a crash at any moment, the old file is there or the new one. The store is locked during
/// each change, and not between two. It is verified once, before the first change that replaces the
/// data file.
public struct RebuildSession: Sendable {
  /// The directory of the store.
  public let directory: String
  /// Sizes, limits and permissions.
  public let options: StoreOptions
  /// Whether the store was found whole, and only valid data was written to it since.
  private var isVerified = false

  /// Creates a session; nothing is opened or locked.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: Sizes, limits and permissions.
  public init(_ directory: String, options: StoreOptions = StoreOptions()) {
    self.directory = directory
    self.options = options
  }

  /// Requires that the store has no damage, whatever model it has; does nothing the second time.
  ///
  /// - Throws: As ``ObjectStore/requireWhole(_:options:)``.
  /// - Complexity: O(*n*) in the number of entries; memory is bounded.
  public mutating func verify() throws(StoreError) {
    if isVerified { return }
    var options = StoreOptions()
    options.storage = self.options.storage
    // It is read with the model that it has, which it has accepted.
    options.acceptsRegeneratedModel = true
    try ObjectStore.requireWhole(directory, options: options)
    isVerified = true
  }

  /// Requires that the data file can be replaced now, and verifies the store.
  private mutating func prepareReplacement() throws(StoreError) {
    try StoreError.wrapping(
      try StoreReplacement.requireReplaceable(in: directory, options.storage))
    try verify()
  }

  /// Applies a model to the store, in one transaction.
  ///
  /// It does what opening the store with the model does, and leaves the store closed.
  ///
  /// - Parameter document: The model.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if the store is open anywhere,
  ///   ``StoreError/noStore(_:)``, and what ``ObjectStore/open(_:model:options:)`` throws.
  /// - Complexity: O(1), or O(*n*) in the objects of an entity with a new index.
  public func apply(_ document: ModelDocument) throws(StoreError) {
    try apply(document, constants: nil, declarations: options.declarations)
  }

  /// Applies a model with the values of properties that are not optional, and what is declared about its relations, as
  /// ``apply(_:)``.
  ///
  /// - Throws: As ``apply(_:)``.
  package func apply(
    _ document: ModelDocument, constants: [UID: Value]?, declarations: Declarations?
  ) throws(StoreError) {
    var options = options
    options.constants = constants
    options.declarations = declarations
    try ObjectStore.requireSound(document, options)
    let location = StorageLocation.directory(directory)
    if !location.exists { throw StoreError.noStore(directory) }
    var spaces = max(options.storage.maximumSpaces, StoreOpening.spaces(document.model))
    // Another process may apply a model with even more in between.
    while let needed = try apply(document, to: location, spaces: spaces, options) {
      spaces = needed
    }
  }

  /// Applies a model to a store with room for `spaces` spaces.
  ///
  /// - Returns: The number of spaces that the store needs, if nothing was done; otherwise nil.
  private func apply(
    _ document: ModelDocument, to location: StorageLocation, spaces: Int, _ options: StoreOptions
  ) throws(StoreError) -> Int? {
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

  /// Builds a store with a model of its own, and replaces the old one with it.
  ///
  /// What the function does not carry over is lost.
  ///
  /// - Parameters:
  ///   - document: The model of the new store.
  ///   - fill: Called with the old store, which it must only read, and the new, empty one. It must not
  ///     keep either.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if the store is open anywhere,
  ///   ``StoreError/invalidModel(_:)``, ``StoreError/incompatibleModel(_:)`` for a model that no store
  ///   can have, ``StoreError/damaged(_:)`` if ``verify()`` finds damage, what opening throws, and the
  ///   error of `fill`; the old store is in its place then.
  /// - Complexity: O(*n*) in the size of the new data, apart from `fill`.
  public mutating func rebuild(
    model document: ModelDocument, _ fill: (_ old: ObjectStore, _ new: ObjectStore) throws -> Void
  ) throws {
    try rebuild(model: document, constants: nil, declarations: options.declarations, fill)
  }

  /// Builds a store with a model, the values of properties that are not optional and what is declared about its
  /// relations, as ``rebuild(model:_:)``.
  ///
  /// Without declarations the new store keeps the old declarations, by UID.
  ///
  /// - Throws: As ``rebuild(model:_:)``.
  package mutating func rebuild(
    model document: ModelDocument, constants: [UID: Value]?, declarations: Declarations?,
    _ fill: (_ old: ObjectStore, _ new: ObjectStore) throws -> Void
  ) throws {
    var options = options
    options.constants = constants
    options.declarations = declarations
    try ObjectStore.requireSound(document, options)
    try prepareReplacement()
    let rebuild = StoreRebuild(directory: directory, document: document, options: options)
    do {
      try rebuild.run(spaces: options.storage.maximumSpaces, fill)
    } catch let error as NeedsSpaces {
      try rebuild.run(spaces: error.count, fill)
    }
  }

  /// Writes the store without its free pages, and optionally without what its model lacks.
  ///
  /// After a crash with `purge`, the old file may lack what was to be removed: that is committed
  /// before the copy is written.
  ///
  /// - Parameters:
  ///   - purge: Whether hidden entities, properties and relations are removed for good.
  ///   - progress: Called with the number of bytes of the new file while it is written on another
  ///     thread; nil to write on this one.
  /// - Throws: ``StoreError/storage(_:)`` of kind `inUse` if the store is open anywhere,
  ///   ``StoreError/notAStore(_:)``, ``StoreError/newerFormat(_:)``, ``StoreError/unsent(transactions:)`` for a purge
  ///   with changes that data sync has not sent, or ``StoreError/damaged(_:)`` if ``verify()`` finds damage; the data
  ///   file is as it was then.
  /// - Complexity: O(*n*) in the size of the data.
  public mutating func compact(
    purge: Bool = false, progress: ((_ written: Int) -> Void)? = nil
  ) throws(StoreError) {
    try StoreError.only { try compact(purge: purge, progress: progress) { _ in } }
  }

  /// Does the same, if a function agrees to what is removed.
  ///
  /// - Parameters:
  ///   - purge: As in ``compact(purge:progress:)``.
  ///   - discardsUnsent: Whether a purge may lose changes for data sync that were not sent.
  ///   - progress: As in ``compact(purge:progress:)``.
  ///   - agreeing: Called with what a purge removes while the store is locked and before anything is written, perhaps on
  ///     another thread; if it throws, the store is as it was.
  /// - Throws: As ``compact(purge:progress:)``, ``StoreError/unsent(transactions:)`` and the error of `agreeing`.
  /// - Complexity: As ``compact(purge:progress:)``.
  package mutating func compact(
    purge: Bool, discardsUnsent: Bool = false, progress: ((_ written: Int) -> Void)?,
    agreeing: @escaping @Sendable (HiddenData) throws -> Void
  ) throws {
    try prepareReplacement()
    let (directory, storage) = (directory, options.storage)
    @Sendable func compact() throws {
      do {
        try Self.compact(directory, purge: purge, discardsUnsent, storage, agreeing)
      } catch let error as NeedsSpaces {
        var storage = storage
        storage.maximumSpaces = error.count
        try Self.compact(directory, purge: purge, discardsUnsent, storage, agreeing)
      }
    }
    do {
      guard let progress else { return try compact() }
      try StoreFiles(directory).watchingReplacement(progress, work: compact)
    } catch let error as StorageError {
      throw StoreError.storage(error)
    }
  }

  private static func compact(
    _ directory: String, purge: Bool, _ discardsUnsent: Bool, _ options: StorageOptions,
    _ agreeing: @escaping @Sendable (HiddenData) throws -> Void
  ) throws {
    try StoreReplacement.replace(in: directory, options) { storage, descriptor in
      let storage = StorageHandle(storage)
      try StorePurge(
        storage, directory, spaces: options.maximumSpaces, discardsUnsent: discardsUnsent,
        agreeing: agreeing
      ).run(removing: purge)
      try storage.copy(to: descriptor, compacting: true)
    }
  }
}

extension ObjectStore {
  /// Builds a store with a model of its own and replaces the old one with it, as
  /// ``RebuildSession/rebuild(model:_:)`` does.
  ///
  /// - Throws: As ``RebuildSession/rebuild(model:_:)``.
  public static func rebuild(
    _ directory: String, model document: ModelDocument, options: StoreOptions = StoreOptions(),
    _ fill: (_ old: ObjectStore, _ new: ObjectStore) throws -> Void
  ) throws {
    var session = RebuildSession(directory, options: options)
    try session.rebuild(model: document, fill)
  }

  /// Applies a model to a store, as ``RebuildSession/apply(_:)`` does.
  ///
  /// - Throws: As ``RebuildSession/apply(_:)``.
  public static func adopt(
    _ directory: String, model document: ModelDocument, options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    try RebuildSession(directory, options: options).apply(document)
  }

  /// Writes a store without its free pages, as ``RebuildSession/compact(purge:progress:)`` does.
  ///
  /// - Throws: As ``RebuildSession/compact(purge:progress:)``.
  public static func compact(
    _ directory: String, purge: Bool = false, options: StorageOptions = StorageOptions()
  ) throws(StoreError) {
    var settings = StoreOptions()
    settings.storage = options
    var session = RebuildSession(directory, options: settings)
    try session.compact(purge: purge)
  }

  /// Requires that a ``RebuildSession`` could lock the store now; changes nothing.
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
