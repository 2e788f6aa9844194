internal import BoxJSON
public import BoxModel
internal import BoxStorage

/// An entity of an open store, by which its objects are addressed.
///
/// A schema is valid as long as the store is open; it is as cheap to pass as a pointer.
public final class EntitySchema: Sendable {
  /// The name in the model.
  public let name: String
  /// The UID.
  public let uid: UID
  /// The properties in the order of the model, the id property among them.
  public let properties: [PropertySchema]
  /// The standalone to-many relations, in the order of the model.
  public let relations: [RelationSchema]
  /// The position of the id property in ``properties``; nil for a model without one.
  public let idPosition: Int?
  /// Whether the caller gives the ids of new objects.
  public let hasAssignableIDs: Bool

  let identity: SchemaIdentity
  package let position: Int
  let space: Space
  let layout: RecordLayout
  /// The indexes of visible properties.
  let indexes: [IndexSchema]
  /// Whether a new object needs no look at any index: none is unique.
  let hasDeferredIndexesOnly: Bool
  let hasIndexes: Bool
  let hasHiddenSlots: Bool
  /// The slots that every object has had so far, with the UIDs of their properties: an opener that does not know which
  /// are optional may leave them out.
  let trackedSlots: [(slot: Int, uid: UID)]
  let hasTrackedSlots: Bool
  /// The extractors of the keys of the indexes that have integer keys.
  let extractors: [IntegerKeyExtractor]
  /// The indexes that have keys of bytes.
  let textIndexes: [TextIndex]
  /// Slots of properties that the model lacks, whose values a put keeps.
  let hiddenSlots: [Int]
  /// All relations from this entity, including hidden ones.
  let outgoing: [RelationSchema]
  /// All relations to this entity from any entity, including hidden ones.
  let incoming: [RelationSchema]
  /// The delete rules for removals of its objects; nil without any.
  let rules: RemovalRules?
  /// The properties to write, the widest first, so that nothing is lost to alignment.
  package let writeOrder: [Int]
  /// The positions of the to-one relations: 0 stands for no target in records of earlier versions.
  let relationPositions: [Int]
  /// The slots and types of the properties in their order, without references.
  let accesses: [SlotAccess]

  init(
    name: String, uid: UID, identity: SchemaIdentity, position: Int, space: Space,
    layout: RecordLayout, properties: [PropertySchema], hiddenSlots: [Int],
    trackedSlots: [(slot: Int, uid: UID)], relations: [RelationSchema],
    outgoing: [RelationSchema], incoming: [RelationSchema], rules: RemovalRules? = nil
  ) {
    self.rules = rules
    self.trackedSlots = trackedSlots
    hasTrackedSlots = !trackedSlots.isEmpty
    self.name = name
    self.uid = uid
    self.identity = identity
    self.position = position
    self.space = space
    self.layout = layout
    self.properties = properties
    self.hiddenSlots = hiddenSlots
    self.relations = relations
    self.outgoing = outgoing
    self.incoming = incoming
    indexes = properties.compactMap(\.index)
    hasIndexes = !indexes.isEmpty
    hasHiddenSlots = !hiddenSlots.isEmpty
    extractors = indexes.filter { !$0.hasByteKeys }.map(\.extractor)
    textIndexes = indexes.filter(\.hasByteKeys).map {
      TextIndex(position: $0.position, slot: $0.slot)
    }
    hasDeferredIndexesOnly = indexes.allSatisfy { !$0.isUnique }
    idPosition = properties.firstIndex { $0.flags.contains(.id) }
    hasAssignableIDs = idPosition.map { properties[$0].flags.contains(.idSelfAssignable) } ?? false
    let id = idPosition
    writeOrder = properties.indices.filter { $0 != id }
      .sorted { (properties[$0].type.width, $1) > (properties[$1].type.width, $0) }
    relationPositions = properties.indices.filter { properties[$0].target != nil }
    accesses = properties.indices.map {
      SlotAccess(slot: $0 == id ? -1 : properties[$0].slot, type: properties[$0].type)
    }
  }

  /// Whether a removal of its objects may concern others by delete rules.
  package var hasDeleteRules: Bool { rules != nil }

  /// Whether an object can lose a unique value to another one, and has delete rules.
  var displacesByRules: Bool { rules != nil && indexes.contains { $0.replacesOnConflict } }

  /// The property with a name.
  ///
  /// - Complexity: O(*n*).
  public func property(named name: String) -> PropertySchema? {
    properties.first { $0.name.hasSameBytes(as: name) }
  }

  /// The property with an id in the model.
  ///
  /// - Complexity: O(*n*).
  package func property(withID id: UInt32) -> PropertySchema? {
    properties.first { $0.id == id }
  }

  /// The to-many relation with a name.
  ///
  /// - Complexity: O(*n*).
  public func relation(named name: String) -> RelationSchema? {
    relations.first { $0.name.hasSameBytes(as: name) }
  }
}

/// The position of an index with keys of bytes among all indexes of the store, and the slot of its
/// values.
struct TextIndex: Sendable {
  var position: Int
  var slot: Int
}

/// The slot and the type of a value in a record.
struct SlotAccess: Sendable {
  /// -1 for the id, which is not part of the record.
  var slot: Int
  var type: SlotType
}

extension EntitySchema: Hashable {
  /// Whether they are the same entity of the same open store.
  public static func == (a: EntitySchema, b: EntitySchema) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A property of an open store.
public struct PropertySchema: Hashable, Sendable {
  /// The name in the model.
  public let name: String
  /// The UID.
  public let uid: UID
  /// The id in the model.
  public let id: UInt32
  /// The type in the model.
  public let modelType: PropertyType
  /// The flags in the model.
  public let flags: PropertyFlags
  /// The type in which records store its values.
  public let type: SlotType
  /// The field of the record.
  public let slot: Int
  /// The UID of the target entity of a to-one relation.
  public let target: UID?
  /// The index, if the property has one.
  public let index: IndexSchema?
  /// The parameters of the vector index in the model.
  package let vectorIndex: VectorIndex
  /// The value in objects that have none, as it is stored; nil if it is null.
  let constant: StoredConstant?

  /// The value in objects that have none; nil if it is null.
  package var constantValue: Value? { constant.flatMap { $0.value(type) } }
}

/// An index of an open store.
public final class IndexSchema: Sendable {
  /// The UID.
  public let uid: UID
  /// The content of its keys.
  public let kind: IndexKind
  /// Whether the values of objects must be unique; null is exempt.
  public let isUnique: Bool
  /// Whether a put removes an object that has the same value, instead of failing.
  public let replacesOnConflict: Bool

  let entity: String
  let property: String
  let slot: Int
  let type: SlotType
  let skipsZero: Bool
  let space: Space
  /// The position among all indexes of the store.
  let position: Int
  let extractor: IntegerKeyExtractor

  init(
    uid: UID, kind: IndexKind, isUnique: Bool, replacesOnConflict: Bool, skipsZero: Bool,
    entity: String, property: String, slot: Int, type: SlotType, space: Space, position: Int
  ) {
    self.uid = uid
    self.kind = kind
    self.isUnique = isUnique
    self.replacesOnConflict = replacesOnConflict
    self.skipsZero = skipsZero
    self.entity = entity
    self.property = property
    self.slot = slot
    self.type = type
    self.space = space
    self.position = position
    extractor = IntegerKeyExtractor(
      position: position, slot: slot, type: type, skipsZero: skipsZero, isHalved: kind == .hash)
  }

  /// Whether the keys are bytes; else they are integers.
  var hasByteKeys: Bool { space.kind == .byteSets }

  /// Whether two values can have one key, so that records have to be compared.
  var isInexact: Bool { type == .string }
}

extension IndexSchema: Hashable {
  /// Whether they are the same index of the same open store.
  public static func == (a: IndexSchema, b: IndexSchema) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A standalone relation to many of an open store.
public final class RelationSchema: Sendable {
  /// The name in the model.
  public let name: String
  /// The UID.
  public let uid: UID
  /// The UID of the entity that it leads from.
  public let source: UID
  /// The UID of the target entity.
  public let target: UID

  let identity: SchemaIdentity
  /// Sources, each with its targets.
  let forward: Space
  /// Targets, each with its sources.
  let backward: Space

  init(
    name: String, uid: UID, identity: SchemaIdentity, source: UID, target: UID, forward: Space,
    backward: Space
  ) {
    self.name = name
    self.uid = uid
    self.identity = identity
    self.source = source
    self.target = target
    self.forward = forward
    self.backward = backward
  }
}

extension RelationSchema: Hashable {
  /// Whether they are the same relation of the same open store.
  public static func == (a: RelationSchema, b: RelationSchema) -> Bool { a === b }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
