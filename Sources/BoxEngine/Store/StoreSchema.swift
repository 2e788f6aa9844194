internal import BoxJSON
internal import BoxModel
internal import BoxStorage

/// The spaces and layouts of an open store: its catalog, seen through the model in force.
final class StoreSchema: Sendable {
  /// The visible entities, in the order of the model.
  let entities: [EntitySchema]
  /// The positions of the entities, by UID and by name.
  let positions: (byUID: [UID: Int], byName: [ExactText: Int])
  let indexes: [IndexSchema]
  /// Entities that the model lacks, whose objects are kept.
  let hiddenEntities: [HiddenEntity]
  /// Relations that the model lacks, whose entries are kept.
  let hiddenRelations: [RelationSchema]
  /// The declarations about the visible relations between visible entities, by ascending UID.
  let declarations: Declarations
  /// Whether objects can lose a unique value to another one.
  let displaces: Bool
  /// Whether objects that have delete rules can.
  let displacesByRules: Bool
  let catalog: Catalog
  let catalogSpace: Space
  let idsSpace: Space
  /// The space of the checkpoints; nil without a place for them.
  let checkpointSpace: Space?
  /// The spaces of data sync; nil in a store where it is not switched on.
  let syncSpaces: SyncSpaces?
  /// The identity that marks entities of this schema.
  let identity: SchemaIdentity

  /// Opens the spaces of a catalog.
  ///
  /// - Parameters:
  ///   - catalog: The catalog in the store.
  ///   - model: The current model.
  ///   - spaces: Opens the spaces in a transaction.
  ///   - withoutIndexes: The indexes that do not exist yet and cannot be built.
  ///   - tracksRequired: Whether the opener does not know which properties are optional.
  /// - Throws: ``StoreError/damagedCatalog(_:)`` or ``StorageError``.
  init(
    _ catalog: Catalog, _ model: Model, _ spaces: StoreSpaces, withoutIndexes: Set<UID> = [],
    tracksRequired: Bool = true
  ) throws(StoreError) {
    self.catalog = catalog
    let (all, hidden) = catalog.namedDeclarations
    let declarations = Declarations(
      relations: all.relations.filter { !hidden.contains($0.relation) })
    self.declarations = declarations
    catalogSpace = spaces.catalog
    idsSpace = spaces.ids
    checkpointSpace = spaces.checkpoints
    syncSpaces =
      catalog.sync == nil
      ? nil
      : try SyncSpaces { (space) throws(StoreError) in try spaces.open(space.rawValue, space.kind) }
    identity = spaces.identity
    var relations: [RelationSchema] = []
    var visibleRelations: [UID: RelationSchema] = [:]
    for entity in catalog.entities {
      for relation in entity.relations {
        let schema = RelationSchema(
          name: relation.name, uid: relation.uid, identity: identity, source: entity.uid,
          target: relation.target,
          forward: try spaces.open(SpaceName.targets(of: relation.uid), .integerSets),
          backward: try spaces.open(SpaceName.sources(of: relation.uid), .integerSets))
        relations.append(schema)
        if !relation.isHidden && !entity.isHidden { visibleRelations[relation.uid] = schema }
      }
    }
    let outgoing = Dictionary(grouping: relations, by: \.source)
    let incoming = Dictionary(grouping: relations, by: \.target)
    let storedEntities = Dictionary(catalog.entities.map { ($0.uid, $0) }) { first, _ in first }
    let rules = RemovalRules.all(declarations, in: model, catalog, relations: visibleRelations)
    var entities: [EntitySchema] = []
    var indexes: [IndexSchema] = []
    for entity in model.entities {
      guard let stored = storedEntities[entity.pair.uid] else {
        throw StoreError.damagedCatalog("\(entity.name) is missing")
      }
      let types = stored.slotTypes
      let properties = try spaces.properties(
        of: entity, stored, types, withoutIndexes: withoutIndexes, indexCount: indexes.count)
      indexes += properties.compactMap(\.index)
      entities.append(
        EntitySchema(
          name: entity.name, uid: entity.pair.uid, identity: identity, position: entities.count,
          space: try spaces.open(SpaceName.objects(of: entity.pair.uid), .records),
          layout: try stored.layout(types),
          properties: properties,
          hiddenSlots: stored.properties.filter { $0.isHidden }.map(\.slot),
          trackedSlots: tracksRequired ? stored.trackedSlots : [],
          relations: (entity.relations ?? []).compactMap { visibleRelations[$0.pair.uid] },
          outgoing: outgoing[entity.pair.uid] ?? [],
          incoming: incoming[entity.pair.uid] ?? [], rules: rules[entities.count]))
    }
    self.entities = entities
    displaces = indexes.contains(where: \.replacesOnConflict)
    displacesByRules = entities.contains { $0.displacesByRules }
    positions = (
      Dictionary(entities.map { ($0.uid, $0.position) }) { first, _ in first },
      Dictionary(entities.map { (ExactText($0.name), $0.position) }) { first, _ in first }
    )
    self.indexes = indexes
    hiddenRelations = relations.filter { visibleRelations[$0.uid] == nil }
    hiddenEntities = try catalog.entities.filter(\.isHidden).map { (entity) throws(StoreError) in
      HiddenEntity(
        name: entity.name, uid: entity.uid,
        space: try spaces.open(SpaceName.objects(of: entity.uid), .records),
        layout: RecordLayout(entity.slotTypes))
    }
  }
}

extension StoreSchema {
  /// The names of all spaces, and what their keys and entries are.
  ///
  /// Indexes that are not built yet are among them: one that is being built has a space.
  var spaceKinds: [String: SpaceKind] {
    var kinds = catalog.spaceKinds
    kinds[StoredCatalog.space] = .bytes
    kinds[StoredCatalog.idsSpace] = .records
    if let checkpointSpace { kinds[StoredCatalog.checkpointSpace] = checkpointSpace.kind }
    return kinds
  }
}

extension StoreSchema {
  /// Whether what another process has made of the catalog since still means what this opening takes
  /// it for.
  ///
  /// What was added there does not matter to a reader, nor what was renamed or renumbered.
  func isReadable(in stored: Catalog) -> Bool {
    entities.allSatisfy { entity in
      stored.entities.first { $0.uid == entity.uid }.map { entity.isReadable(in: $0) } ?? false
    }
  }
}

extension EntitySchema {
  fileprivate func isReadable(in stored: CatalogEntity) -> Bool {
    let types = stored.slotTypes
    return properties.allSatisfy { property in
      guard let known = stored.properties.first(where: { $0.uid == property.uid }) else {
        // One that this opening could not add, to a slot that nobody has written to.
        return property.slot >= stored.nextSlot
      }
      guard known.slot == property.slot, types[known.slot] == property.type else { return false }
      // A reader cannot add a constant to the store, and has it all the same.
      if let constant = known.constant, constant != property.constant { return false }
      guard let index = property.index else { return true }
      return known.index.map { $0.uid == index.uid && $0.hasKeys(of: index) } ?? false
    }
      && relations.allSatisfy { relation in
        stored.relations.contains { $0.uid == relation.uid && $0.target == relation.target }
      }
  }
}

extension CatalogIndex {
  fileprivate func hasKeys(of index: IndexSchema) -> Bool {
    kind == index.kind && skipsZero == index.skipsZero
  }
}

/// An entity that the model lacks.
struct HiddenEntity: Sendable {
  let name: String
  let uid: UID
  let space: Space
  let layout: RecordLayout
}

extension CatalogEntity {
  /// The layout of the records, with the constants of all properties that are not hidden.
  fileprivate func layout(_ types: [SlotType?]) throws(StoreError) -> RecordLayout {
    var values: [Int: Value] = [:]
    for property in properties where !property.isHidden {
      guard let constant = property.constant, let type = types[property.slot] else { continue }
      values[property.slot] = constant.value(type)
    }
    do throws(ValueMismatch) {
      return RecordLayout(types, constants: try RecordConstants(values, types))
    } catch {
      throw StoreError.damagedCatalog("a constant of \(name) does not fit: \(error.words)")
    }
  }

  /// The slots of properties that are not optional and have no constant.
  fileprivate var trackedSlots: [(slot: Int, uid: UID)] {
    properties.filter { $0.isRequired && $0.constant == nil }.map { ($0.slot, $0.uid) }
  }

  /// The type of each slot; nil for those that are free.
  var slotTypes: [SlotType?] {
    var types = [SlotType?](repeating: nil, count: nextSlot)
    for property in properties { types[property.slot] = SlotType(property.type, property.flags) }
    return types
  }
}

/// The identity of one opening of a store.
final class SchemaIdentity: Sendable {}

/// Opens spaces in a transaction.
struct StoreSpaces {
  let transaction: StorageAccess
  let create: Bool
  let catalog: Space
  let ids: Space
  let checkpoints: Space?
  let identity = SchemaIdentity()

  func open(_ name: String, _ kind: SpaceKind) throws(StoreError) -> Space {
    guard let space = try transaction.openSpace(name, kind, create: create) else {
      throw StoreError.damagedCatalog("the space \(name) is missing")
    }
    return space
  }

  /// The properties of an entity in the order of the model, with their indexes.
  ///
  /// - Parameters:
  ///   - entity: The entity of the model.
  ///   - stored: The same one of the catalog.
  ///   - types: The types of its slots.
  ///   - withoutIndexes: The indexes to leave out.
  ///   - indexCount: The number of indexes of earlier entities.
  /// - Returns: The properties.
  /// - Throws: ``StoreError/damagedCatalog(_:)`` or ``StoreError/storage(_:)``.
  fileprivate func properties(
    of entity: Entity, _ stored: CatalogEntity, _ types: [SlotType?], withoutIndexes: Set<UID>,
    indexCount: Int
  ) throws(StoreError) -> [PropertySchema] {
    let storedProperties = Dictionary(stored.properties.map { ($0.uid, $0) }) { first, _ in first }
    var properties: [PropertySchema] = []
    var position = indexCount
    for property in entity.properties {
      guard let known = storedProperties[property.pair.uid], let type = types[known.slot] else {
        throw StoreError.damagedCatalog("\(entity.name).\(property.name) is missing")
      }
      var index: IndexSchema?
      if let stored = known.index, !withoutIndexes.contains(stored.uid) {
        index = IndexSchema(
          uid: stored.uid, kind: stored.kind, isUnique: stored.isUnique,
          replacesOnConflict: known.flags.contains(.uniqueOnConflictReplace),
          skipsZero: stored.skipsZero, entity: entity.name, property: property.name,
          slot: known.slot, type: type,
          space: try open(SpaceName.index(stored.uid), known.indexSpaceKind), position: position)
        position += 1
      }
      properties.append(
        PropertySchema(
          name: property.name, uid: property.pair.uid, id: property.pair.id,
          modelType: known.type, flags: known.flags, type: type, slot: known.slot,
          target: known.target, index: index, vectorIndex: property.vectorIndex,
          constant: known.constant))
    }
    return properties
  }
}
