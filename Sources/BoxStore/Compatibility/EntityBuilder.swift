internal import BoxModel

/// Builds an entity of a model; made by ``ModelBuilder``.
public final class EntityBuilder<T> {
  private let draft: ModelDraft
  private let position: Int

  init(_ draft: ModelDraft, _ position: Int) {
    self.draft = draft
    self.position = position
  }

  /// Sets a flag.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func flags(_ flags: EntityFlags) throws { try self.flags([flags]) }

  /// Sets flags.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func flags(_ flags: [EntityFlags]) throws {
    let bits = flags.reduce(0) { $0 | $1.rawValue }
    draft.model.entities[position].flags = BoxModel.EntityFlags(rawValue: bits)
  }

  /// Sets the name in an external system.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func externalName(_ name: String) throws {
    draft.model.entities[position].externalName = name
  }

  /// Adds a property.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  @discardableResult
  public func addProperty(
    name: String, type: PropertyType, flags: PropertyFlags, id: UInt32, uid: UInt64,
    indexId: UInt32 = 0, indexUid: UInt64 = 0
  ) throws -> PropertyBuilder {
    try addProperty(
      name: name, type: type, flags: [flags], id: id, uid: uid, indexId: indexId,
      indexUid: indexUid)
  }

  /// Adds a property.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  @discardableResult
  public func addProperty(
    name: String, type: PropertyType, flags: [PropertyFlags] = [], id: UInt32, uid: UInt64,
    indexId: UInt32 = 0, indexUid: UInt64 = 0
  ) throws -> PropertyBuilder {
    add(name, type, flags, IDPair(id: id, uid: uid), index: IDPair(id: indexId, uid: indexUid))
  }

  /// Adds a to-one relation.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func addToOneRelation(
    name: String, targetEntityInfo: EntityInfo, flags: [PropertyFlags] = [],
    id propertyID: UInt32, uid propertyUID: UInt64, indexId indexID: UInt32,
    indexUid indexUID: UInt64
  ) throws {
    add(
      name, .relation, flags, IDPair(id: propertyID, uid: propertyUID),
      index: IDPair(id: indexID, uid: indexUID), target: targetEntityInfo.entityName)
  }

  @discardableResult
  private func add(
    _ name: String, _ type: PropertyType, _ flags: [PropertyFlags], _ pair: IDPair, index: IDPair,
    target: String? = nil
  ) -> PropertyBuilder {
    var property = BoxModel.Property(
      pair: pair, name: name, type: BoxModel.PropertyType(rawValue: Int32(type.rawValue)),
      flags: BoxModel.PropertyFlags(rawValue: flags.reduce(0) { $0 | $1.rawValue }))
    if !index.isUnset { property.indexID = index }
    property.relationTarget = target
    draft.model.entities[position].properties.append(property)
    return PropertyBuilder(
      draft, position, draft.model.entities[position].properties.count - 1)
  }

  /// Adds a standalone to-many relation.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func addToManyRelation(
    id relationId: obx_schema_id, uid relationUid: obx_uid, targetId: obx_schema_id,
    targetUid: obx_uid
  ) throws {
    // Code has no name for it; the model file has.
    let relation = BoxModel.Relation(
      pair: IDPair(id: relationId, uid: relationUid), name: "relation\(relationId)",
      target: IDPair(id: targetId, uid: targetUid))
    draft.model.entities[position].relations =
      (draft.model.entities[position].relations ?? []) + [relation]
  }

  /// Sets the name that the last relation has in an external system.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func relationExternalName(_ externalName: String) throws {
    changeLastRelation { $0.externalName = externalName }
  }

  /// Sets the type that the last relation has in an external system.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func relationExternalType(_ externalType: UInt32) throws {
    changeLastRelation { $0.externalType = Int(externalType) }
  }

  private func changeLastRelation(_ change: (inout BoxModel.Relation) -> Void) {
    guard var relations = draft.model.entities[position].relations, !relations.isEmpty else {
      fatalError(
        "an external name or type needs a relation before it; call addToManyRelation first")
    }
    change(&relations[relations.count - 1])
    draft.model.entities[position].relations = relations
  }

  /// Sets the last id of the entity's properties.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  public func lastProperty(id propertyID: UInt32, uid propertyUID: UInt64) throws {
    draft.model.entities[position].lastPropertyID = IDPair(id: propertyID, uid: propertyUID)
  }
}

extension EntityBuilder: CustomDebugStringConvertible {
  /// The name of the entity, and the names of its properties so far.
  public var debugDescription: String {
    let entity = draft.model.entities[position]
    let names = entity.properties.map(\.name).joined(separator: ", ")
    return "EntityBuilder(\(entity.name): \(names))"
  }
}

/// Builds a property of a model; made by ``EntityBuilder``.
public final class PropertyBuilder {
  private let draft: ModelDraft
  private let entity: Int
  private let position: Int

  init(_ draft: ModelDraft, _ entity: Int, _ position: Int) {
    self.draft = draft
    self.entity = entity
    self.position = position
  }

  /// Sets the parameters of a vector index; nil for the default of each.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  @discardableResult
  public func hnswParams(
    dimensions: Int, neighborsPerNode: UInt32?, indexingSearchCount: UInt32?, flags: [HnswFlags]?,
    distanceType: HnswDistanceType?, reparationBacklinkProbability: Float?,
    vectorCacheHintSizeKB: Int?
  ) throws -> PropertyBuilder {
    let members: [(String, String?)] = [
      (VectorIndex.Key.dimensions, "\(dimensions)"),
      (VectorIndex.Key.neighborsPerNode, neighborsPerNode.map { "\($0)" }),
      (VectorIndex.Key.indexingSearchCount, indexingSearchCount.map { "\($0)" }),
      (VectorIndex.Key.flags, flags.map { "\($0.reduce(0) { $0 | $1.rawValue })" }),
      (VectorIndex.Key.distance, distanceType?.modelDistance.map { "\"\($0.rawValue)\"" }),
      (
        VectorIndex.Key.reparationBacklinkProbability,
        reparationBacklinkProbability.map { "\($0)" }
      ),
      (VectorIndex.Key.vectorCacheHintSizeKB, vectorCacheHintSizeKB.map { "\($0)" }),
    ]
    let text = members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    change { $0.hnswParams = "{\(text.joined(separator: ","))}" }
    return self
  }

  /// Sets the name in an external system.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  @discardableResult
  public func externalName(_ name: String) throws -> PropertyBuilder {
    change { $0.externalName = name }
    return self
  }

  /// Sets the type in an external system.
  ///
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  @discardableResult
  public func externalType(_ type: UInt32) throws -> PropertyBuilder {
    change { $0.externalType = Int(type) }
    return self
  }

  private func change(_ body: (inout BoxModel.Property) -> Void) {
    body(&draft.model.entities[entity].properties[position])
  }
}

extension HnswDistanceType {
  /// The distance as model files name it; nil for the default.
  fileprivate var modelDistance: VectorDistance? {
    switch self {
    case .unknown: nil
    case .euclidean: .euclidean
    case .cosine: .cosine
    case .dotProduct: .dotProduct
    case .geo: .geo
    case .dotProductNonNormalized: .dotProductNonNormalized
    }
  }
}

extension PropertyBuilder: CustomDebugStringConvertible {
  /// The names of the entity and of the property.
  public var debugDescription: String {
    let entity = draft.model.entities[self.entity]
    return "PropertyBuilder(\(entity.name).\(entity.properties[position].name))"
  }
}
