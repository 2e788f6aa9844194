internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// The destinations in the store of all parts of the input: found by UID first, then by name.
struct ImportPlan: Sendable {
  /// The sections that the input may have.
  let sections: DumpSections
  private(set) var entities: [ExactText: EntityPlan] = [:]
  private(set) var relations: [ExactText: RelationPlan] = [:]
  /// By the UID of the source, the relations of which the input has every entry.
  private(set) var wholeRelations: [UID: [RelationSchema]] = [:]
  /// Entities of the input that the store does not have.
  private(set) var droppedEntities: Set<ExactText> = []
  /// The parts of the input that the store lacks, as `Entity` or `Entity.property`.
  private(set) var dropped: [String] = []
  /// The properties that the input lacks, as `Entity.property`.
  private(set) var filled: [String] = []

  /// Whether the input has all fields of its objects.
  private let isWhole: Bool

  /// The relations to many of an entity of the input, by their names.
  ///
  /// - Complexity: O(*n* log *n*) in the number of all relations.
  func relations(of entity: String) -> [(name: String, plan: RelationPlan)] {
    let prefix = "\(entity)."
    return relations.compactMap { name, plan in
      name.text.withoutPrefix(prefix).map { ($0, plan) }
    }
    .sorted { ExactText($0.0) < ExactText($1.0) }
  }

  /// The plan for input without a model.
  ///
  /// - Throws: ``DumpError`` if a converter is incompatible with its property.
  init(_ store: ObjectStore, _ catalogue: Catalogue) throws(DumpError) {
    isWhole = false
    sections = DumpSections(
      entities: store.entities.map(\.name),
      relations: store.entities.flatMap { entity in
        entity.relations.map { "\(entity.name).\($0.name)" }
      })
    for entity in store.entities {
      entities[ExactText(entity.name)] = try EntityPlan(entity, catalogue)
      for relation in entity.relations { add(relation, as: relation.name, entity, store) }
    }
  }

  /// The plan for the dump of a store with a model.
  ///
  /// - Throws: ``DumpError`` if a converter is incompatible with its property.
  init(
    _ store: ObjectStore, model: Model, header: DumpHeader, isRejects: Bool,
    _ catalogue: Catalogue
  ) throws(DumpError) {
    isWhole = !header.isPartial && !isRejects
    sections = DumpSections(header, model)
    let exported = Set(header.entities.map { ExactText($0) })
    let pairs = zip(
      model.entities,
      identityPairs(
        of: model.entities.map { ($0.pair.uid, $0.name) },
        with: store.entities.map { ($0.uid, $0.name) }))
    for (source, position) in pairs where exported.contains(ExactText(source.name)) {
      guard let position else {
        droppedEntities.insert(ExactText(source.name))
        dropped.append(source.name)
        continue
      }
      try add(source, of: model, store.entities[position], store, header, catalogue)
    }
  }

  private mutating func add(
    _ source: Entity, of model: Model, _ entity: EntitySchema, _ store: ObjectStore,
    _ header: DumpHeader, _ catalogue: Catalogue
  ) throws(DumpError) {
    let chosen = header.fields.map { Set($0.map { ExactText($0) }) }
    let properties = zip(
      source.properties,
      identityPairs(
        of: source.properties.map { ($0.pair.uid, $0.name) },
        with: entity.properties.map { ($0.uid, $0.name) }))
    var members: [(name: String, position: Int?)] = []
    for (property, position) in properties {
      let name = "\(source.name).\(property.name)"
      let isID = property.flags.contains(.id)
      if let chosen, !isID, !chosen.contains(ExactText(name)) { continue }
      // An id is an id, whatever its UID is.
      let position = isID ? entity.idPosition : position == entity.idPosition ? nil : position
      if position == nil { dropped.append(name) }
      members.append((property.name, position))
    }
    let known = Set(members.compactMap(\.position))
    filled += entity.properties.indices
      .filter { !known.contains($0) && $0 != entity.idPosition }
      .map { "\(entity.name).\(entity.properties[$0].name)" }
    entities[ExactText(source.name)] = EntityPlan(
      name: source.name, entity: entity,
      fields: try EntityPlan.fields(
        of: entity, named: members, source.name, catalogue,
        // The replacements of redacted values were not converted.
        raw: Set(header.redacted.map { ExactText($0.name) })))
    let relations = source.relations ?? []
    let pairs = zip(
      relations,
      identityPairs(
        of: relations.map { ($0.pair.uid, $0.name) },
        with: entity.relations.map { ($0.uid, $0.name) }))
    for (relation, position) in pairs {
      let name = "\(source.name).\(relation.name)"
      if let position {
        // Entries to objects that were not exported are not in the dump.
        let target = model.entities.first { $0.pair.uid == relation.target.uid }
        let isWhole = isWhole && target.map { header.entities.contains($0.name) } == true
        add(
          entity.relations[position], as: relation.name, entity, store, source.name,
          isWhole: isWhole)
      } else {
        dropped.append(name)
        self.relations[ExactText(name)] = RelationPlan(
          name: name, relation: nil, source: nil, target: nil)
      }
    }
  }

  private mutating func add(
    _ relation: RelationSchema, as name: String, _ entity: EntitySchema, _ store: ObjectStore,
    _ source: String? = nil, isWhole: Bool = false
  ) {
    let name = "\(source ?? entity.name).\(name)"
    relations[ExactText(name)] = RelationPlan(
      name: name, relation: relation, source: entity, target: store.entity(relation.target),
      isWhole: isWhole)
    if isWhole { wholeRelations[entity.uid, default: []].append(relation) }
  }

  /// The names of the entities, for messages.
  var entityNames: String { entities.keys.sorted().map(\.text).joined(separator: ", ") }
}
