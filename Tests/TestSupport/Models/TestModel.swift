public import BoxModel
internal import BoxReport

/// A model that a test describes in a few lines.
///
/// Ids follow from the order. UIDs that are not given follow from the UID of the entity
/// (``uid(_:property:)``).
public struct TestModel: Sendable {
  /// A property.
  public struct Property: Sendable {
    /// The name.
    public var name: String
    /// The type.
    public var type: PropertyType
    /// The flags; one of those of indexes gives it an index.
    public var flags: PropertyFlags
    /// The name of the entity that a relation leads to.
    public var target: String?
    /// The UID; nil for the one that follows from the place.
    public var uid: UID?
    /// The parameters of its vector index, as JSON.
    public var vectorIndex: String?

    /// Creates a property.
    public init(
      name: String, type: PropertyType, flags: PropertyFlags = [], target: String? = nil,
      uid: UID? = nil, vectorIndex: String? = nil
    ) {
      self.name = name
      self.type = type
      self.flags = flags
      self.target = target
      self.uid = uid
      self.vectorIndex = vectorIndex
    }

    /// Creates a property with a UID; a relation gets its flags.
    public init(
      _ name: String, _ uid: UID, _ type: PropertyType, _ flags: PropertyFlags = [],
      target: String? = nil
    ) {
      let ofRelation: PropertyFlags = type == .relation ? [.indexed, .indexPartialSkipZero] : []
      self.init(
        name: name, type: type, flags: flags.union(ofRelation), target: target, uid: uid)
    }

    /// The id of the objects, with the UID that follows from its place.
    public static func id(_ flags: PropertyFlags = []) -> Property {
      Property(name: "id", type: .long, flags: flags.union(.id))
    }
  }

  /// A relation to many objects.
  public struct Relation: Sendable {
    /// The name.
    public var name: String
    /// The name of the entity that it leads to.
    public var target: String
    /// The UID; nil for the one that follows from the place.
    public var uid: UID?

    /// Creates a relation.
    public init(_ name: String, _ uid: UID? = nil, to target: String) {
      self.name = name
      self.uid = uid
      self.target = target
    }
  }

  /// An entity.
  public struct Entity: Sendable {
    /// The name.
    public var name: String
    /// The UID.
    public var uid: UID
    /// The id; nil for the one that follows from the place.
    public var id: UInt32?
    /// The properties, with that of the id.
    public var properties: [Property]
    /// The relations to many objects.
    public var relations: [Relation]

    /// Creates an entity of properties, one of which is the id.
    public init(name: String, uid: UID, properties: [Property], relations: [Relation] = []) {
      self.name = name
      self.uid = uid
      self.properties = properties
      self.relations = relations
    }

    /// Creates an entity of the id, which has the next UID, and more properties.
    public init(name: String, uid: UID, fields: [Property], relations: [Relation] = []) {
      self.init(
        name: name, uid: uid, properties: [Property("id", uid + 1, .long, .id)] + fields,
        relations: relations)
    }
  }

  /// The entities.
  public var entities: [Entity]
  /// The UIDs of elements that the model had.
  public var retired: [ElementKind: [UID]]

  /// Creates a model.
  public init(_ entities: Entity..., retired: [ElementKind: [UID]] = [:]) {
    self.entities = entities
    self.retired = retired
  }

  /// The UID of the property at a position, from 0, of an entity where none is given.
  public static func uid(_ entity: UID, property position: Int) -> UID {
    entity * 1000 + UID(position) * 2 + 2
  }

  /// The model as a value.
  public var model: Model {
    var model = Model()
    for (position, described) in entities.enumerated() {
      var entity = BoxModel.Entity(
        pair: IDPair(id: described.id ?? UInt32(position + 1), uid: described.uid),
        name: described.name)
      for (position, property) in described.properties.enumerated() {
        entity.properties.append(make(property, position, of: described, &model))
      }
      entity.lastPropertyID = entity.properties.last?.pair
      for relation in described.relations {
        entity.relations = (entity.relations ?? []) + [make(relation, of: described, &model)]
      }
      model.entities.append(entity)
      if entity.pair.id > model.lastEntityID?.id ?? 0 { model.lastEntityID = entity.pair }
    }
    for (kind, uids) in retired { model[retired: kind] = uids }
    return model
  }

  /// The model file, in the layout of most generators.
  ///
  /// - Throws: `ModelError` if it is not a valid model.
  public func document() throws(ModelError) -> ModelDocument {
    var model = model
    model.lastEntityID = model.lastEntityID ?? .unset
    model.lastIndexID = model.lastIndexID ?? .unset
    model.lastRelationID = model.lastRelationID ?? .unset
    for kind in ElementKind.allCases { model[retired: kind] = model[retired: kind] ?? [] }
    return try Self.document(model)
  }

  /// The text of the model file.
  public var text: String {
    get throws(ModelError) { String(decoding: try document().bytes, as: UTF8.self) }
  }

  /// A file of a model, in the layout of most generators.
  ///
  /// - Throws: `ModelError` if it is not a valid model.
  public static func document(_ model: Model) throws(ModelError) -> ModelDocument {
    try ModelDocument(
      parsing: ModelDocument(parsing: Array(SampleModels.frame().utf8)).rendered(model))
  }

  private func make(
    _ described: Property, _ position: Int, of entity: Entity, _ model: inout Model
  ) -> BoxModel.Property {
    let uid = described.uid ?? Self.uid(entity.uid, property: position)
    var property = BoxModel.Property(
      pair: IDPair(id: UInt32(position + 1), uid: uid), name: described.name,
      type: described.type, flags: described.flags)
    if described.flags.isIndexed {
      // Next to a UID that is given there may be another one.
      let index = described.uid == nil ? uid + 1 : uid + 500_000
      property.indexID = IDPair(id: (model.lastIndexID?.id ?? 0) + 1, uid: index)
      model.lastIndexID = property.indexID
    }
    property.relationTarget = described.target
    property.hnswParams = described.vectorIndex
    return property
  }

  private func make(
    _ described: Relation, of entity: Entity, _ model: inout Model
  ) -> BoxModel.Relation {
    let last = model.lastRelationID?.id ?? 0
    let pair = IDPair(id: last + 1, uid: described.uid ?? entity.uid * 1000 + 900 + UID(last))
    model.lastRelationID = pair
    let target = entities.firstIndex { $0.name == described.target } ?? 0
    return BoxModel.Relation(
      pair: pair, name: described.name,
      target: IDPair(id: entities[target].id ?? UInt32(target + 1), uid: entities[target].uid))
  }
}
