internal import BoxEngine
internal import BoxModel

/// Turns conditions by ids of the model into conditions of the engine, by the names of a store.
struct ConditionResolver {
  private let engine: ObjectStore

  init(_ engine: ObjectStore) { self.engine = engine }

  /// The condition of the engine, with the places of what was read from texts.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` for an element that the model lacks, and
  ///   ``ObjectBoxError/illegalArgument(message:)`` for a value that no condition can have.
  /// - Complexity: O(*n*) in the size of the condition.
  func condition(
    _ term: QueryTerm, _ entity: EntitySchema
  ) throws -> (condition: Condition, places: ConditionPlaces) {
    var places = ConditionPlaces()
    return (try condition(term, entity, &places), places)
  }

  private func condition(
    _ term: QueryTerm, _ entity: EntitySchema, _ places: inout ConditionPlaces
  ) throws -> Condition {
    switch term {
    case .and(let parts): return .and(try parts.map { try condition($0, entity, &places) })
    case .or(let parts): return .or(try parts.map { try condition($0, entity, &places) })
    case .not(let part): return .not(try condition(part, entity, &places))
    case .test(let test):
      let condition = try condition(test, entity)
      places.append(condition)
      return condition
    case .parsed(let parsed):
      places.append(parsed)
      return parsed.condition
    case .link(let link, let part):
      let other = try self.entity(link.other)
      let name = try name(link, from: entity, to: other)
      places.appendLink()
      return .link(name, try condition(part, other, &places))
    }
  }

  // MARK: - Names

  private func entity(_ info: EntityInfo) throws -> EntitySchema {
    guard let found = engine.entity(info) else {
      throw Self.missing("entity \(info.entityName) with id \(info.entitySchemaId)")
    }
    return found
  }

  /// The property of an id.
  func property(_ id: obx_schema_id, _ entity: EntitySchema) throws -> PropertySchema {
    guard let found = entity.property(withID: id) else {
      throw Self.missing("property of \(entity.name) with id \(id)")
    }
    return found
  }

  private func relation(_ id: obx_schema_id, _ entity: EntitySchema) throws -> String {
    try relationSchema(id, entity).name
  }

  private func relationSchema(
    _ id: obx_schema_id, _ entity: EntitySchema
  ) throws -> RelationSchema {
    let relations = engine.model.entities.first { $0.pair.uid == entity.uid }?.relations ?? []
    guard let found = relations.first(where: { $0.pair.id == id }),
      let schema = entity.relations.first(where: { $0.uid == found.pair.uid })
    else {
      throw Self.missing("to-many relation of \(entity.name) with id \(id)")
    }
    return schema
  }

  /// The column of a property.
  func column(_ name: String, _ entity: EntitySchema) throws -> QueryColumn {
    try ObjectBoxError.wrapping { try engine.column(name, of: entity) }
  }

  /// The column of a property with the sign of its type in Swift, and its name.
  func column(
    _ id: obx_schema_id, _ type: ObjectIdentifier, _ entity: EntitySchema
  ) throws -> (name: String, column: QueryColumn) {
    let property = try property(id, entity)
    var column = try column(property.name, entity)
    column.takesBitsAsUnsigned = BitSign.bits(type, property) != nil
    return (property.name, column)
  }

  /// The targets of a to-many relation, to be counted, and the name of the relation.
  func targets(
    _ link: QueryLink, of entity: EntitySchema
  ) throws -> (count: TargetCount, name: String) {
    let other = try self.entity(link.other)
    switch link.kind {
    case .toOne(let id):
      throw Self.missing("to-many relation of \(entity.name) with id \(id)")
    case .relation(let id):
      let relation = try relationSchema(id, entity)
      return (.targets(relation), relation.name)
    case .toOneBacklink(let id):
      let property = try property(id, other)
      return (.backlinks(other, property), "\(other.name).\(property.name)")
    case .relationBacklink(let id):
      let relation = try relationSchema(id, other)
      return (.sources(relation), "\(other.name).\(relation.name)")
    }
  }

  private func name(
    _ link: QueryLink, from entity: EntitySchema, to other: EntitySchema
  ) throws -> Condition.Link {
    switch link.kind {
    case .toOne(let id): .forward(try property(id, entity).name)
    case .relation(let id): .forward(try relation(id, entity))
    case .toOneBacklink(let id):
      .backward(entity: other.name, relation: try property(id, other).name)
    case .relationBacklink(let id):
      .backward(entity: other.name, relation: try relation(id, other))
    }
  }

  private static func missing(_ element: String) -> ObjectBoxError {
    .schema(
      message: "the bindings refer to the \(element), and the model of the store has none; "
        + "generate them again with the model of the store")
  }

  // MARK: - Tests

  private func condition(_ test: PropertyTest, _ entity: EntitySchema) throws -> Condition {
    let property = try property(test.property, entity)
    let condition = try condition(test, property, entity)
    guard let bits = BitSign.bits(test.valueType, property) else { return condition }
    return BitSign.signed(condition, bits: bits)
  }

  private func condition(
    _ test: PropertyTest, _ property: PropertySchema, _ entity: EntitySchema
  ) throws -> Condition {
    let name = Condition.PropertyName(property.name)
    let isNanoseconds = property.modelType.traits?.unit == .nanoseconds
    func literal(_ value: QueryValue) -> Condition.Literal {
      value.literal(isNanoseconds: isNanoseconds)
    }
    switch test.kind {
    case .isNil: return .isNull(name)
    case .isNotNil: return .isNotNull(name)
    case .compare(let comparison, let value, let ignoringCase):
      return .compare(name, comparison, literal(value), ignoringCase: ignoringCase)
    case .between(let a, let b):
      let isOrdered = QueryValue.areOrdered(a, b)
      return .between(name, literal(isOrdered ? a : b), literal(isOrdered ? b : a))
    case .near(let nearness):
      guard nearness.tolerance >= 0 else {
        throw ObjectBoxError.illegalArgument(
          message: "the tolerance for \(entity.name).\(property.name) is \(nearness.tolerance), "
            + "and has to be 0 or more")
      }
      if nearness.isNaN { return .compare(name, .equal, literal(nearness.low)) }
      return .between(name, literal(nearness.low), literal(nearness.high))
    case .inRange(let range, let isNegated):
      let low = literal(range.low)
      let below = range.isHalfOpen ? range.high.predecessor(isNanoseconds: isNanoseconds) : nil
      let high = below ?? literal(range.high)
      if isNegated { return .or([.compare(name, .less, low), .compare(name, .greater, high)]) }
      return .between(name, low, high)
    case .isOneOf(let values, let ignoringCase):
      return .isOneOf(name, values.map(literal), ignoringCase: ignoringCase)
    case .isNoneOf(let values):
      return .and([.isNotNull(name), .not(.isOneOf(name, values.map(literal)))])
    case .match(let match, let value, let ignoringCase):
      return .match(name, match, literal(value), ignoringCase: ignoringCase)
    case .element(let comparison, let value, let ignoringCase):
      return .element(name, comparison, literal(value), ignoringCase: ignoringCase)
    case .nearest(let vector, let maximum): return .nearest(name, vector, maximum: maximum)
    }
  }
}

extension ObjectStore {
  /// The entity that a binding names; nil if the model lacks it.
  func entity(_ info: EntityInfo) -> EntitySchema? {
    let found = model.entities.first { $0.pair.id == info.entitySchemaId }
    guard let found, foldedName(found.name) == foldedName(info.entityName) else { return nil }
    return entity(found.pair.uid)
  }
}
