package import BoxJSON
public import BoxModel
internal import BoxReport
public import BoxStorage

/// The options for opening a store.
public struct StoreOptions: Hashable, Sendable {
  /// Sizes, limits and permissions.
  public var storage = StorageOptions()
  /// Whether a model that looks newly generated is accepted (BOX603).
  public var acceptsRegeneratedModel = false
  /// The path of the model file in findings.
  public var modelPath = "model.json"
  /// Whether the store has a place for checkpoints.
  package var storesCheckpoints = false
  /// Whether indexes are deferred where that loses nothing: those that are not unique, of entities
  /// without objects or not yet built.
  ///
  /// This is for filling a store: an index that is built at the end from sorted entries takes less
  /// time and memory than one that is updated with each object. The opened store has none of the
  /// deferred indexes. ``ObjectStore/buildIndexes(replacingCheckpoints:progress:)`` builds them;
  /// otherwise the next opening with a model does. Nothing is deferred if the store is also open
  /// elsewhere.
  package var defersIndexes = false
  /// Properties whose indexes are not deferred, as `Entity.property`.
  package var neededIndexes: Set<ExactText> = []
  /// The approximate number of bytes of a deferred index that one transaction writes: so many, and
  /// the pages around them, are in memory until it ends.
  package var indexBytes = 1 << 23
  /// The number of entries of a deferred index that are passed on at once.
  package var indexChunk = 1 << 12
  /// Whether an id that was given stays given until the store is closed, even if the transaction that
  /// gave it is undone.
  ///
  /// An object keeps its id then, and can be put again with it. Without this option such ids are given
  /// to the next objects.
  package var keepsIssuedIDs = false
  /// The values that properties which are not optional have in objects without one, by UID; null for zero, false or
  /// empty.
  ///
  /// The store keeps each from the first opening that gives one, as long as the property is among them. Nil for an
  /// opener that has a model alone, and decides nothing.
  package var constants: [UID: Value]?
  /// Whether a new store takes the constants over, for objects that will be stored without a value.
  package var carriesConstants = false
  /// The declarations about the relations of the model, which replace the declarations of a store.
  ///
  /// Nil for an opener that knows of none: what is stored stays.
  public var declarations: Declarations?
  /// The findings of other openings, for opening many copies of one store with the same model and the same options.
  package var memo: CatalogMemo?
  /// Whether the model is applied in the first write transaction, and only if that is committed.
  ///
  /// All transactions up to that one must run on the thread that opened the store. Meanwhile no
  /// other process can write to the store, nor open it if indexes are deferred.
  package var appliesModelOnFirstWrite = false

  /// The commits that observers of the store hear of.
  public var hearing = Hearing.thisOpening

  /// The default options.
  public init() {}
}

/// The commits that observers of a store hear of.
public enum Hearing: Hashable, Sendable {
  /// Those of the opening.
  case thisOpening
  /// Also those of other openings, in this process and in others.
  ///
  /// A store that is observed then keeps a reader of its last known state. It takes a place of
  /// ``StorageOptions/maximumReaders``, and a process that is stopped meanwhile keeps old pages, so that the file grows
  /// by what others write. If the file has grown by more bytes than the limit when the process looks, the changes are
  /// not listed (``EntityChanges/isWhole``).
  case everywhere(upTo: Int = 256 << 20)
}

extension ObjectStore {
  /// Opens a store, or creates it.
  ///
  /// Elements that the model adds, renames or renumbers are applied in one transaction, which also
  /// builds the indexes. Elements that the model lacks are hidden and kept. A model that would misread
  /// stored data is refused with all reasons, and the store is not changed.
  ///
  /// - Parameters:
  ///   - location: The location of the store.
  ///   - document: The model file; nil for the model that the store was last opened with.
  ///   - options: Sizes, limits and permissions.
  /// - Returns: The store; ``ObjectStore/close()`` closes it.
  /// - Throws: ``StoreError/invalidModel(_:)``, ``StoreError/incompatibleModel(_:)``,
  ///   ``StoreError/noStore(_:)``, ``StoreError/notAStore(_:)``, ``StoreError/newerFormat(_:)``,
  ///   ``StoreError/damagedCatalog(_:)``, ``StoreError/damagedRecord(entity:id:_:)`` where an index
  ///   is built, ``StoreError/usedWhileCoding`` inside a converter, or ``StoreError/storage(_:)``.
  /// - Complexity: O(1), or O(*n*) in the objects of an entity with a new index.
  public static func open(
    _ location: StorageLocation, model document: ModelDocument? = nil,
    options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> ObjectStore {
    if ConverterScope.isActive { throw StoreError.usedWhileCoding }
    if let document { try requireSound(document, options) }
    return try OpeningLock.hold(location) { () throws(StoreError) in
      try StoreOpening(location, document, options).open()
    }
  }

  static func requireSound(_ document: ModelDocument, _ options: StoreOptions) throws(StoreError) {
    if options.memo?.isSound(document) ?? false { return }
    let errors = document.check().filter { $0.severity == .error }
    if errors.isEmpty {
      options.memo?.noteSound(document)
      return
    }
    throw StoreError.invalidModel(
      errors.map { document.finding($0, path: options.modelPath) })
  }
}

/// One opening of a store.
struct StoreOpening {
  let location: StorageLocation
  let document: ModelDocument?
  let options: StoreOptions

  init(_ location: StorageLocation, _ document: ModelDocument?, _ options: StoreOptions) {
    self.location = location
    self.document = document
    self.options = options
  }

  func open() throws(StoreError) -> ObjectStore {
    if document == nil && !location.exists {
      try StoreError.wrapping(try location.requireNoFile())
      throw StoreError.noStore("\(location)")
    }
    if let document, !location.exists {
      // Refusals that need no store must not leave files.
      try requireAllowed(
        CatalogUpdate(
          stored: Catalog(), model: document.model, path: options.modelPath,
          acceptsRegenerated: true, constants: options.constants,
          declarations: options.declarations,
          hasObjects: { _ in false }))
    }
    let isShared = location.isOpenHere
    var spaces = Self.spaces(document?.model)
    while true {
      let storage = try openStorage(spaces: spaces)
      let outcome = try storage.spacesLock.withLock { () throws(StoreError) in
        try attempt(storage, spaces: spaces, isShared)
      }
      switch outcome {
      case .opened(let store):
        if store.foreign != nil && !storage.hasLocks {
          store.close()
          throw StoreError.storage(
            StorageError(
              .readOnly,
              "\(location) is read without locks, so others would overwrite what a listener compares; open it without "
                + "hearing them"))
        }
        // Others may open it from now on; or, if the model is yet to be taken over, from then.
        if !store.hasUnappliedModel { try store.storage.share() }
        return store
      case .needsSpaces(let count):
        // Nothing refers to this environment, so that it is closed before the next one opens. That one may have
        // even more spaces, if another process has applied a model meanwhile.
        spaces = count
      }
    }
  }

  /// The most entities, indexes and directions of relations that a store holds.
  ///
  /// LMDB looks through all names for each one that it opens: so many take two seconds, and ten times as
  /// many would take minutes.
  private static var maximumSpaces: Int { 32_768 }

  private func openStorage(spaces: Int) throws(StoreError) -> StorageHandle {
    guard spaces <= Self.maximumSpaces else {
      throw .storage(
        StorageError(
          .tooLarge,
          "the model has \(grouped(spaces)) entities, indexes and directions of relations, and a store "
            + "holds at most \(grouped(Self.maximumSpaces)); use a smaller model"))
    }
    var settings = options.storage
    settings.maximumSpaces = max(settings.maximumSpaces, spaces + 64)
    return try StorageHandle(opening: location, settings, alone: options.defersIndexes)
  }

  enum Attempt {
    case opened(ObjectStore)
    case needsSpaces(Int)
  }

  /// Opens a store in a storage with room for so many spaces and 64 more.
  func attempt(_ storage: StorageHandle, spaces: Int, _ isShared: Bool) throws(StoreError)
    -> Attempt
  {
    let reading = try storage.beginSnapshot()
    defer { reading.abort() }
    guard let space = try reading.openSpace(StoredCatalog.space, .bytes, create: false),
      let known = try StoredCatalog.read(space, reading, options.memo)
    else {
      if try !reading.isEmpty() { throw StoreError.notAStore("\(location)") }
      guard let document, !storage.isReadOnly else { throw StoreError.noStore("\(location)") }
      reading.abort()
      return .opened(try write(storage, document))
    }
    let stored = known.catalog
    let needed = Self.spaces(stored, document?.model)
    if needed > max(options.storage.maximumSpaces, spaces + 64) { return .needsSpaces(needed) }
    let modelBytes = try StoredCatalog.model(space, reading)
    let document =
      if let document = self.document { document } else { try Self.storedModel(modelBytes) }
    let isSettled = known.isSettled(with: document)
    let update =
      isSettled
      ? CatalogUpdate(settled: stored, document.model, path: options.modelPath)
      : plan(stored, document, reading, storage)
    try requireAllowed(update)
    let checkpoints = try reading.openSpace(StoredCatalog.checkpointSpace, .bytes, create: false)
    let lacksCheckpoints = options.storesCheckpoints && checkpoints == nil
    // Whoever has no model and stores no checkpoints only looks: what is yet to be built waits.
    let isLook =
      storage.isReadOnly
      || self.document == nil && !options.storesCheckpoints && !options.defersIndexes
        && update.catalog.declarations == stored.declarations
    if isLook
      || (isSettled || update.catalog == stored) && document.bytesWithoutMark == modelBytes
        && !lacksCheckpoints
    {
      if !isSettled, options.memo != nil, update.changesNothing(in: stored) {
        known.settle(with: document)
      }
      return .opened(
        try inspect(
          at: stored, storage, document, update, reading, catalog: space, checkpoints: checkpoints))
    }
    if isShared {
      // Handles of the spaces that would be removed are in use by the others.
      throw StoreError.storage(
        StorageError(
          .differentOptions,
          "\(location) is open in this process with another model; close it first"))
    }
    reading.abort()
    return .opened(try write(storage, document))
  }

  /// Opens a store as it is, through a model.
  private func inspect(
    at stored: Catalog, _ storage: StorageHandle, _ document: ModelDocument,
    _ update: CatalogUpdate, _ reading: StorageAccess, catalog space: Space, checkpoints: Space?
  ) throws(StoreError) -> ObjectStore {
    guard let ids = try reading.openSpace(StoredCatalog.idsSpace, .records, create: false) else {
      throw StoreError.damagedCatalog("the space of ids is missing")
    }
    try StoredCatalog.requireCurrent(stored, ids: ids, reading)
    let spaces = StoreSpaces(
      transaction: reading, create: false, catalog: space, ids: ids, checkpoints: checkpoints)
    try requireEntities(of: update.catalog, in: stored)
    var catalog = update.catalog
    // One that is read only may be seen through a model that it was never given.
    if self.document == nil { catalog.generation = stored.generation }
    let schema = try StoreSchema(
      catalog, document.model, spaces, withoutIndexes: update.indexesToBuild,
      tracksRequired: options.constants == nil)
    // Only a transaction that ends well leaves its handles to later ones.
    try reading.commit()
    return ObjectStore(
      location, storage, document.model, schema, update.findings,
      options, deferred: deferred(by: update, document))
  }

  /// A read-only store cannot be given what the model adds.
  private func requireEntities(of catalog: Catalog, in stored: Catalog) throws(StoreError) {
    let known = Set(stored.entities.map(\.uid))
    let relations = Set(stored.entities.flatMap { $0.relations.map(\.uid) })
    let missing =
      catalog.entities.filter { !known.contains($0.uid) }.map(\.name)
      + catalog.entities.flatMap(\.relations).filter { !relations.contains($0.uid) }.map(\.name)
    if missing.isEmpty { return }
    throw StoreError.storage(
      StorageError(
        .readOnly,
        "the model adds \(missing.joined(separator: ", ")); open the store for writing once"))
  }

  /// Takes a model over.
  func write(
    _ storage: StorageHandle, _ document: ModelDocument
  ) throws(StoreError) -> ObjectStore {
    let transaction = try storage.beginWrite()
    var isTransferred = false
    defer { if !isTransferred { transaction.abort() } }
    guard let space = try transaction.openSpace(StoredCatalog.space, .bytes, create: true),
      let ids = try transaction.openSpace(StoredCatalog.idsSpace, .records, create: true)
    else { throw StoreError.damagedCatalog("its spaces cannot be created") }
    // Between reading and writing another process may have taken over another model.
    let stored = try StoredCatalog.read(space, transaction) ?? Catalog()
    try StoredCatalog.requireCurrent(stored, ids: ids, transaction)
    try requireSpaces(of: stored, transaction)
    let update = plan(stored, document, transaction, storage)
    try requireAllowed(update)
    let unfinished = try unfinishedIndexes(of: stored, space, transaction)
    for (index, kind) in update.indexesToDrop.merging(unfinished, uniquingKeysWith: { $1 }) {
      if let old = try transaction.openSpace(SpaceName.index(index), kind, create: false) {
        try transaction.dropSpace(old)
      }
    }
    let checkpoints = try transaction.openSpace(
      StoredCatalog.checkpointSpace, .bytes, create: options.storesCheckpoints)
    let spaces = StoreSpaces(
      transaction: transaction, create: true, catalog: space, ids: ids, checkpoints: checkpoints)
    let schema = try StoreSchema(
      update.catalog, document.model, spaces, tracksRequired: options.constants == nil)
    var builder = IndexBuilder(
      path: options.modelPath, transaction: transaction, makeSpool: location.makeSpoolFile)
    if case .directory(let path) = location {
      builder.names = StoredNames(catalog: stored, directory: path)
    }
    var duplicates: [Finding] = []
    for entity in schema.entities {
      for index in entity.indexes where update.indexesToBuild.contains(index.uid) {
        duplicates += try builder.build(index, of: entity)
      }
    }
    if !duplicates.isEmpty { throw StoreError.incompatibleModel(duplicates) }
    let known = Set(stored.entities.map(\.uid))
    for entity in update.catalog.entities where !known.contains(entity.uid) {
      // A purged entity that comes back goes on counting where it was.
      if try !transaction.hasValue(ids, entity.uid) {
        try StoredCatalog.setLastID(0, of: entity.uid, ids, transaction)
      }
    }
    try StoredCatalog.write(update.catalog, model: document.bytes, space, ids: ids, transaction)
    if !options.appliesModelOnFirstWrite { try transaction.commit() }
    let store = ObjectStore(
      location, storage, document.model, schema, update.findings,
      options, deferred: deferred(by: update, document),
      uncommitted: options.appliesModelOnFirstWrite ? transaction : nil)
    isTransferred = options.appliesModelOnFirstWrite
    return store
  }

  /// Requires the spaces of all that a catalog has: an empty one made in the place of one that is
  /// missing would hide the loss.
  private func requireSpaces(
    of catalog: Catalog, _ transaction: StorageAccess
  ) throws(StoreError) {
    for (name, kind) in catalog.spaceKinds.sorted(by: { $0.key < $1.key })
    where try transaction.openSpace(name, kind, create: false) == nil {
      throw StoreError.damagedCatalog("the space \(name) is missing")
    }
  }

  /// The model that a store was last opened with.
  ///
  /// - Throws: ``StoreError/damagedCatalog(_:)`` if it is not there, or no model.
  static func storedModel(_ bytes: [UInt8]?) throws(StoreError) -> ModelDocument {
    guard let bytes else { throw StoreError.damagedCatalog("the model is missing") }
    do throws(ModelError) {
      return try ModelDocument(parsing: bytes)
    } catch {
      throw StoreError.damagedCatalog("the model cannot be read: \(error.message)")
    }
  }

  /// The UIDs that the model which the store was last opened with has retired; none where it cannot be
  /// read.
  private static func retiredUIDs(_ transaction: StorageAccess) -> Set<UID> {
    guard
      let space = try? transaction.openSpace(StoredCatalog.space, .bytes, create: false),
      let bytes = try? StoredCatalog.model(space, transaction),
      let model = try? storedModel(bytes).model
    else { return [] }
    return Set(model.retiredElementUIDs)
  }

  private func deferred(by update: CatalogUpdate, _ document: ModelDocument) -> DeferredIndexes? {
    if update.deferredIndexes.isEmpty { return nil }
    return DeferredIndexes(
      indexes: update.deferredIndexes, document: document, options: options)
  }

  /// The types of the keys of unfinished indexes in the store, by the UIDs of the indexes.
  ///
  /// The catalog does not contain such an index, but the model with which its building began does.
  private func unfinishedIndexes(
    of stored: Catalog, _ space: Space, _ transaction: StorageAccess
  ) throws(StoreError) -> [UID: SpaceKind] {
    guard let bytes = try StoredCatalog.model(space, transaction) else { return [:] }
    let built = Set(stored.entities.flatMap(\.properties).compactMap(\.index?.uid))
    var unfinished: [UID: SpaceKind] = [:]
    for entity in try Self.storedModel(bytes).model.entities {
      for property in entity.properties {
        guard let index = property.indexID?.uid, !built.contains(index) else { continue }
        let hashes: PropertyFlags = [.indexHash, .indexHash64]
        unfinished[index] =
          property.type == .string && property.flags.isDisjoint(with: hashes)
          ? .byteSets : .integerSets
      }
    }
    return unfinished
  }

  private func plan(
    _ stored: Catalog, _ document: ModelDocument, _ transaction: StorageAccess,
    _ storage: StorageHandle
  ) -> CatalogUpdate {
    // Whoever has the store open would look in an index that is not there, or not whole.
    let defers = options.defersIndexes && storage.isAlone
    let declarations = options.declarations ?? stored.declarations
    let ruled = Set(declarations.ruledProperties(of: document.model).map { ExactText($0) })
    return CatalogUpdate(
      stored: stored, model: document.model, path: options.modelPath,
      acceptsRegenerated: options.acceptsRegeneratedModel,
      retired: { Self.retiredUIDs(transaction) },
      mayDefer: { label in
        let label = ExactText(label)
        return defers && !options.neededIndexes.contains(label) && !ruled.contains(label)
      },
      constants: options.constants,
      carriesConstants: options.carriesConstants,
      declarations: options.declarations,
      missingSlots: { Self.missingSlots(stored, $0, $1, transaction) }
    ) { entity in
      // If that is unknown, the stricter answer is right.
      guard
        let space = try? transaction.openSpace(
          SpaceName.objects(of: entity), .records, create: false)
      else {
        return false
      }
      return (try? transaction.statistics(space).entries) != 0
    }
  }

  /// Those of some slots that at least one object of an entity lacks.
  ///
  /// - Complexity: O(*n*) in the objects, until each slot was found to be lacking.
  private static func missingSlots(
    _ catalog: Catalog, _ uid: UID, _ slots: Set<Int>, _ transaction: StorageAccess
  ) -> Set<Int> {
    guard let entity = catalog.entities.first(where: { $0.uid == uid }),
      let space = try? transaction.openSpace(SpaceName.objects(of: uid), .records, create: false)
    else { return slots }
    let reader = RecordReader(RecordLayout(entity.slotTypes))
    var open = slots
    // If that is unknown, as of a record that is damaged, the constant does no harm.
    try? unsafe transaction.records(space, from: nil, .forward) {
      (id, record) throws(StoreError) in
      guard let view = try? unsafe reader.view(id, record) else { return .next }
      open = open.filter { view.isStored($0) }
      return open.isEmpty ? .stop : .next
    }
    return slots.subtracting(open)
  }

  private func requireAllowed(_ update: CatalogUpdate) throws(StoreError) {
    if !update.isAllowed {
      throw StoreError.incompatibleModel(update.findings.filter { $0.severity == .error })
    }
  }

  /// The number of spaces that a model needs.
  static func spaces(_ model: Model?) -> Int {
    guard let model else { return 0 }
    return model.entities.reduce(4) { count, entity in
      count + 1 + entity.properties.filter { $0.indexID != nil }.count
        + 2 * (entity.relations?.count ?? 0)
    }
  }

  /// The number of spaces that a store and a model need.
  static func spaces(_ catalog: Catalog, _ model: Model?) -> Int {
    let stored = catalog.entities.reduce(4) { count, entity in
      count + 1 + entity.properties.filter { $0.index != nil }.count + 2 * entity.relations.count
    }
    let sync = catalog.sync == nil ? 0 : SyncSpace.allCases.count
    return stored + sync + spaces(model)
  }
}
