internal import BoxEngine
internal import BoxModel

/// Where the objects of an entity of the input go.
final class EntityPlan: Sendable {
  /// The name in the input.
  let name: String
  let entity: EntitySchema
  let fields: [ImportField]
  /// The fields to write, the widest first, so that nothing is lost to alignment.
  let writeOrder: [Int]
  /// The field with the id; nil if the input has none.
  let idField: Int?
  /// Properties of the input that the store does not have.
  let dropped: [String]
  /// Properties of the store that the input does not have.
  let missing: [String]
  /// What an object line begins with.
  let prefix: [UInt8]

  init(
    name: String, entity: EntitySchema, fields: [ImportField], dropped: [String] = [],
    missing: [String] = []
  ) {
    self.name = name
    self.entity = entity
    self.fields = fields
    self.dropped = dropped
    self.missing = missing
    idField = fields.firstIndex { $0.form == .id }
    writeOrder = fields.indices.filter { fields[$0].slot >= 0 }
      .sorted { (fields[$0].type.width, $1) > (fields[$1].type.width, $0) }
    prefix = Array("{\"\(name)\":".utf8)
  }

  /// The plan for input without a model: members have the names of the properties.
  convenience init(_ entity: EntitySchema) {
    self.init(
      name: entity.name, entity: entity,
      fields: Self.fields(
        of: entity,
        named: entity.properties.indices.map { (entity.properties[$0].name, $0) }))
  }

  /// The fields for members that become properties; those without one are passed over.
  static func fields(
    of entity: EntitySchema, named members: [(name: String, position: Int?)]
  ) -> [ImportField] {
    members.map { name, position in
      guard let position else {
        return ImportField(key: name, form: .skipped, position: -1, slot: -1, type: .bool)
      }
      let property = entity.properties[position]
      let isID = position == entity.idPosition
      return ImportField(
        key: name, form: ImportField.Form(property, isID: isID), position: position,
        slot: isID ? -1 : property.slot, type: property.type,
        isRelation: property.target != nil)
    }
  }
}

/// Where the entries of a relation to many of the input go.
final class RelationPlan: Sendable {
  /// `Entity.relation`, as in the input.
  let name: String
  /// Nil for one that the store does not have.
  let relation: RelationSchema?
  let source: EntitySchema?
  let target: EntitySchema?

  init(
    name: String, relation: RelationSchema?, source: EntitySchema?, target: EntitySchema?
  ) {
    self.name = name
    self.relation = relation
    self.source = source
    self.target = target
  }

  static let fields = [
    ImportField(key: "source", form: .id, position: 0, slot: -1, type: .uint64),
    ImportField(key: "targets", form: .uint64s, position: 1, slot: -1, type: .uint64s),
  ]
}
