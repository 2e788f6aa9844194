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
    /// How many objects it has, and the bytes of their pages.
    public var objects: SpaceStatistics
    /// The last id that was given.
    public var lastID: UInt64
    /// Its indexes.
    public var indexes: [IndexSizes]
    /// Its relations to many.
    public var relations: [RelationSizes]
    /// Names of the properties that the model in force lacks, whose values are kept.
    public var hiddenProperties: [String]
  }

  /// The sizes of an index.
  public struct IndexSizes: Hashable, Sendable {
    /// The name of the property.
    public var property: String
    /// The UID.
    public var uid: UID
    /// What its keys are made of.
    public var kind: IndexKind
    /// Whether no two objects have one value.
    public var isUnique: Bool
    /// How many entries it has, and the bytes of their pages.
    public var entries: SpaceStatistics
  }

  /// The sizes of a relation to many.
  public struct RelationSizes: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The UID.
    public var uid: UID
    /// How many entries it has, and the bytes of their pages in both directions.
    public var entries: SpaceStatistics
  }

  /// The entities, hidden ones last.
  public var entities: [EntitySizes]
}

extension ObjectStore {
  /// The sizes of all parts of the store, in one snapshot.
  ///
  /// Where all reader slots are taken it waits for the writer's turn, which needs none: that is when
  /// somebody wants to know; a read-only store has no such turn.
  ///
  /// - Throws: ``StoreError/storage(_:)`` or ``StoreError/damagedCatalog(_:)``.
  /// - Complexity: O(*n*) in the number of entities, indexes and relations.
  public func statistics() throws -> StoreStatistics {
    try snapshot { try sizes($0) }
  }

  /// Calls a function with the last committed state, for which it waits for the writer's turn where all
  /// reader slots are taken.
  func snapshot<R>(_ body: (any StorageTransaction) throws -> R) throws -> R {
    do {
      return try read { try body(try $0.reading()) }
    } catch StoreError.storage(let error) where error.kind == .tooManyReaders {
      if storage.isReadOnly || ThreadTransactions.isWriting(to: storage) {
        throw StoreError.storage(error)
      }
      let turn = try Transaction.mapped { try storage.beginWrite() }
      defer { turn.abort() }
      return try body(turn)
    }
  }

  private func sizes(_ storage: any StorageTransaction) throws -> StoreStatistics {
    try Transaction.mapped {
      let visible = try schema.entities.map { try sizes($0, storage) }
      return StoreStatistics(entities: visible + (try hiddenSizes(storage)))
    }
  }

  private func sizes(
    _ entity: EntitySchema, _ storage: any StorageTransaction
  ) throws -> StoreStatistics.EntitySizes {
    let stored = schema.catalog.entities.first { $0.uid == entity.uid }
    return .init(
      name: entity.name, uid: entity.uid, isHidden: false,
      objects: try storage.statistics(entity.space),
      lastID: try StoredCatalog.lastID(
        entity.uid, records: entity.space, schema.idsSpace, storage),
      indexes: try entity.indexes.map { index in
        .init(
          property: index.property, uid: index.uid, kind: index.kind, isUnique: index.isUnique,
          entries: try storage.statistics(index.space))
      },
      relations: try entity.relations.map { relation in
        var both = try storage.statistics(relation.forward)
        both.bytes += try storage.statistics(relation.backward).bytes
        return .init(name: relation.name, uid: relation.uid, entries: both)
      },
      hiddenProperties: stored?.properties.filter(\.isHidden).map(\.name) ?? [])
  }

  private func hiddenSizes(
    _ storage: any StorageTransaction
  ) throws -> [StoreStatistics.EntitySizes] {
    try schema.hiddenEntities.map { entity in
      .init(
        name: entity.name, uid: entity.uid, isHidden: true,
        objects: try storage.statistics(entity.space),
        lastID: try StoredCatalog.lastID(
          entity.uid, records: entity.space, schema.idsSpace, storage),
        indexes: [], relations: [], hiddenProperties: [])
    }
  }
}
