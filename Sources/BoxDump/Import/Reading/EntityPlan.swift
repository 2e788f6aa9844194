internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The plan for the objects of an entity of the input: their entity and their fields in the store.
final class EntityPlan: Sendable {
  /// The name in the input.
  let name: String
  let entity: EntitySchema
  let fields: [ImportField]
  /// The fields to write, the widest first, so that nothing is lost to alignment.
  let writeOrder: [Int]
  /// The field with the id; nil if the input has none.
  let idField: Int?
  /// The fields of unique properties, whose places are kept for messages.
  let uniqueFields: [Int]
  /// Whether any value is made by a converter.
  let hasConverters: Bool
  /// The mapping that makes objects of foreign JSON, if any.
  let mapping: EntityMapping?
  /// The members of the input that have a field.
  let members: Set<ExactText>
  /// The positions of the properties of the entity.
  let properties: [ExactText: Int]
  /// The positions of the relations to many of the entity.
  let relations: [ExactText: Int]

  init(
    name: String, entity: EntitySchema, fields: [ImportField], mapping: EntityMapping? = nil
  ) {
    self.name = name
    self.entity = entity
    self.fields = fields
    self.mapping = mapping
    members = Set(fields.lazy.map { ExactText($0.key) })
    properties = Self.positions(entity.properties.lazy.map(\.name))
    relations = Self.positions(entity.relations.lazy.map(\.name))
    uniqueFields = fields.indices.filter { field in
      let position = fields[field].position
      return position >= 0 && entity.properties[position].flags.contains(.unique)
    }
    hasConverters = fields.contains { $0.converter != nil }
    idField = fields.firstIndex { $0.form == .id }
    writeOrder = fields.indices.filter { fields[$0].slot >= 0 }
      .sorted { (fields[$0].type.width, $1) > (fields[$1].type.width, $0) }
  }

  private static func positions(_ names: some Sequence<String>) -> [ExactText: Int] {
    Dictionary(zip(names.map { ExactText($0) }, 0...)) { first, _ in first }
  }

  /// The position of the value of a unique property, among the positions of all unique fields of an object.
  ///
  /// - Parameters:
  ///   - property: The name of the property.
  ///   - places: The places, in the order of ``uniqueFields``.
  /// - Returns: The place; nil if it is not known.
  func place(of property: String, in places: some RandomAccessCollection<JSONPosition>)
    -> JSONPosition?
  {
    let number = uniqueFields.firstIndex {
      entity.properties[fields[$0].position].name.hasSameBytes(as: property)
    }
    guard let number, number < places.count else { return nil }
    return places[places.index(places.startIndex, offsetBy: number)]
  }

  /// The plan for input without a model: members have the names of the properties.
  ///
  /// - Throws: ``DumpError`` if a converter is incompatible with its property.
  convenience init(_ entity: EntitySchema, _ catalogue: Catalogue) throws(DumpError) {
    let fields = try Self.fields(
      of: entity, named: entity.properties.indices.map { (entity.properties[$0].name, $0) },
      entity.name, catalogue)
    self.init(
      name: entity.name, entity: entity, fields: fields,
      mapping: catalogue.mapping(entity: entity.name))
  }

  /// The fields for members that become properties; members without a property are skipped.
  ///
  /// - Parameters:
  ///   - entity: The entity in the store.
  ///   - members: The members, each with the position of its property.
  ///   - name: The name of the entity in the catalogue.
  ///   - catalogue: The catalogue with the converters.
  ///   - raw: The properties, as `Entity.property`, whose values are as they are stored.
  /// - Returns: The fields, in the order of the members.
  /// - Throws: ``DumpError`` if a converter is incompatible with its property.
  static func fields(
    of entity: EntitySchema, named members: [(name: String, position: Int?)], _ name: String,
    _ catalogue: Catalogue, raw: Set<ExactText> = []
  ) throws(DumpError) -> [ImportField] {
    var fields: [ImportField] = []
    for (key, position) in members {
      guard let position else {
        fields.append(
          ImportField(key: key, form: .skipped, position: -1, slot: -1, type: .bool))
        continue
      }
      let property = entity.properties[position]
      let isID = position == entity.idPosition
      var field = ImportField(
        key: key, form: ImportField.Form(property, isID: isID), position: position,
        slot: isID ? -1 : property.slot, type: property.type,
        isRelation: property.target != nil)
      if raw.contains(ExactText("\(name).\(key)")) {
        fields.append(field)
        continue
      }
      do throws(IncompatibleConverter) {
        field.converter = try catalogue.converter(
          entity: name, property: key, type: property.modelType, flags: property.flags)
      } catch {
        throw DumpError("\(error)", kind: .impossible)
      }
      if field.converter != nil { field.form = .converted }
      fields.append(field)
    }
    return fields
  }
}

/// The plan for the entries of a relation to many of the input: its relation in the store.
final class RelationPlan: Sendable {
  /// `Entity.relation`, as in the input.
  let name: String
  /// The relation in the store; nil if the store does not have it.
  let relation: RelationSchema?
  let source: EntitySchema?
  let target: EntitySchema?
  /// Whether the input has every entry of each source, so that a source without entries has none.
  let isWhole: Bool

  init(
    name: String, relation: RelationSchema?, source: EntitySchema?, target: EntitySchema?,
    isWhole: Bool = false
  ) {
    self.isWhole = isWhole
    self.name = name
    self.relation = relation
    self.source = source
    self.target = target
  }
}
