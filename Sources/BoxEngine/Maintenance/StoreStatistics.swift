public import BoxModel
public import BoxStorage

/// The sizes of the parts of a store.
public struct StoreStatistics: Hashable, Sendable {
  /// The sizes of an entity.
  public struct EntitySizes: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The UID.
    public var uid: UID
    /// Whether the model in force lacks it.
    public var isHidden: Bool
    /// The number of objects, and the bytes of their pages.
    public var objects: SpaceStatistics
    /// The last id that was given.
    public var lastID: UInt64
    /// Its indexes.
    public var indexes: [IndexSizes]
    /// Its to-many relations.
    public var relations: [RelationSizes]
    /// Names of the properties that the current model lacks, whose values are kept.
    public var hiddenProperties: [String]
    /// The properties that have a value in objects without one.
    public var constants: [PropertyConstant]
  }

  /// The value of a property in objects that have none.
  public struct PropertyConstant: Hashable, Sendable {
    /// The name of the property.
    public var property: String
    /// The UID.
    public var uid: UID
    /// The value.
    public var value: Value
  }

  /// The sizes of an index.
  public struct IndexSizes: Hashable, Sendable {
    /// The name of the property.
    public var property: String
    /// The UID.
    public var uid: UID
    /// The content of its keys.
    public var kind: IndexKind
    /// Whether the values of objects must be unique; null is exempt.
    public var isUnique: Bool
    /// The number of entries, and the bytes of their pages.
    public var entries: SpaceStatistics
  }

  /// The sizes of a to-many relation.
  public struct RelationSizes: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The UID.
    public var uid: UID
    /// The number of entries, and the bytes of their pages in both directions.
    public var entries: SpaceStatistics
  }

  /// The version of the storage format that the content needs.
  public var format: Int
  /// The names of the parts of format 2 that the store needs.
  public var features: [String]
  /// The entities, hidden ones last.
  public var entities: [EntitySizes]
  /// The declarations about relations, also about those that the model lacks.
  public var declarations: Declarations
  /// The relations of declarations that the model lacks, or one of whose entities it lacks.
  package var hiddenDeclarations: Set<UID>
  /// The parts that data sync has; nil where it is not switched on.
  package var sync: SyncStatistics?
}

/// The sizes of what a store has for data sync.
package struct SyncStatistics: Hashable, Sendable {
  /// A space: its name in the file, and what it has.
  package struct Part: Hashable, Sendable {
    /// The name of the space.
    package var space: String
    /// The content in a few words.
    package var contents: String
    /// The number of entries, and the bytes of their pages.
    package var entries: SpaceStatistics
  }

  /// The names of the captured entities.
  package var entities: [String]
  /// The spaces.
  package var parts: [Part]
  /// The number of transactions that the server has not answered.
  package var transactions = 0
  /// The bytes of their operations.
  package var bytes: UInt64 = 0
  /// The milliseconds since the oldest of them was committed; nil without any.
  package var oldest: UInt64?
  /// Whether objects that were there before are yet to be captured.
  package var isSeeding: Bool
}

extension ObjectStore {
  /// The sizes of all parts of the store, in one snapshot.
  ///
  /// If all reader slots are taken, it waits for the turn of the writer, which needs no slot; a
  /// read-only store has no such turn, and throws.
  ///
  /// - Throws: ``StoreError/storage(_:)`` or ``StoreError/damagedCatalog(_:)``.
  /// - Complexity: O(*n*) in the number of entities, indexes and relations.
  public func statistics() throws(StoreError) -> StoreStatistics {
    try snapshot { (storage) throws(StoreError) in try sizes(storage) }
  }

  /// Calls a function with the last committed state, for which it waits for the writer's turn where all
  /// reader slots are taken.
  func snapshot<R>(
    _ body: (StorageAccess) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    do throws(StoreError) {
      return try reading { (transaction) throws(StoreError) in try body(try transaction.reading()) }
    } catch {
      guard error.isTooManyReaders, !isReadOnly,
        !ThreadTransactions.isWriting(to: storageID)
      else { throw error }
      let turn = try storage.beginWrite()
      defer { turn.abort() }
      return try body(turn)
    }
  }

  private func sizes(_ storage: StorageAccess) throws(StoreError) -> StoreStatistics {
    let visible = try schema.entities.map { (entity) throws(StoreError) in
      try sizes(entity, storage)
    }
    let (declarations, hidden) = schema.catalog.namedDeclarations
    return StoreStatistics(
      format: catalog.format, features: catalog.features.map(\.rawValue),
      entities: visible + (try hiddenSizes(storage)), declarations: declarations,
      hiddenDeclarations: hidden, sync: try syncSizes(storage))
  }

  private func syncSizes(_ storage: StorageAccess) throws(StoreError) -> SyncStatistics? {
    guard let spaces = captureSchema?.spaces else { return nil }
    var sizes = SyncStatistics(
      entities: (synchronizedEntities ?? []).map(\.name),
      parts: try SyncSpace.allCases.map { (space) throws(StoreError) in
        .init(
          space: space.rawValue, contents: space.contents,
          entries: try storage.statistics(spaces[space]))
      }, isSeeding: try storage.hasValue(spaces.state, SyncSeed.key))
    let now = wallClock()
    try OutboxReader(space: spaces.outbox, storage: storage).visitHeads { _, head in
      guard let head, head.state == .pending else { return }
      sizes.transactions += 1
      sizes.bytes += head.bytes
      sizes.oldest = max(sizes.oldest ?? 0, now > head.time ? now - head.time : 0)
    }
    return sizes
  }

  private func sizes(
    _ entity: EntitySchema, _ storage: StorageAccess
  ) throws(StoreError) -> StoreStatistics.EntitySizes {
    let stored = schema.catalog.entities.first { $0.uid == entity.uid }
    return .init(
      name: entity.name, uid: entity.uid, isHidden: false,
      objects: try storage.statistics(entity.space),
      lastID: try StoredCatalog.lastID(
        entity.uid, records: entity.space, schema.idsSpace, storage),
      indexes: try entity.indexes.map { (index) throws(StoreError) in
        .init(
          property: index.property, uid: index.uid, kind: index.kind, isUnique: index.isUnique,
          entries: try storage.statistics(index.space))
      },
      relations: try entity.relations.map { (relation) throws(StoreError) in
        var both = try storage.statistics(relation.forward)
        both.bytes += try storage.statistics(relation.backward).bytes
        return .init(name: relation.name, uid: relation.uid, entries: both)
      },
      hiddenProperties: stored?.properties.filter(\.isHidden).map(\.name) ?? [],
      constants: entity.properties.compactMap { property in
        property.constantValue.map {
          .init(property: property.name, uid: property.uid, value: $0)
        }
      })
  }

  private func hiddenSizes(
    _ storage: StorageAccess
  ) throws(StoreError) -> [StoreStatistics.EntitySizes] {
    try schema.hiddenEntities.map { (entity) throws(StoreError) in
      .init(
        name: entity.name, uid: entity.uid, isHidden: true,
        objects: try storage.statistics(entity.space),
        lastID: try StoredCatalog.lastID(
          entity.uid, records: entity.space, schema.idsSpace, storage),
        indexes: [], relations: [], hiddenProperties: [], constants: [])
    }
  }
}
