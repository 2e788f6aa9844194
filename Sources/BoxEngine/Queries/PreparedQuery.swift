internal import BoxJSON

/// A query that was checked against a store and can be run in its transactions.
///
/// It depends on the model of the store and not on its data: the way to the objects is chosen by counts
/// each time that it runs.
public final class PreparedQuery: Sendable {
  /// The question.
  public let query: StoreQuery

  let entity: EntitySchema
  /// The parts of the condition, all of which an object has to fulfil.
  let parts: [Part]
  let sets: [SetQuery]
  let order: [SortTerm]
  let limits: PlannerLimits

  /// A part of the condition.
  struct Part: Sendable {
    var condition: Condition
    var candidate: AccessCandidate?
    var predicate: Predicate
  }

  /// The origin of a set of ids that parts of the condition refer to.
  enum SetQuery: Sendable {
    case linked(BoundCondition.Link, PreparedQuery)
    /// The query for all objects of the entity, and the nearest of these.
    case nearest(PreparedQuery, PropertySchema, VectorMeasure, Int)
  }

  init(
    _ bound: BoundCondition, _ order: [SortTerm], _ query: StoreQuery, _ limits: PlannerLimits
  ) {
    self.query = query
    self.limits = limits
    self.order = order
    entity = bound.entity
    let finder = AccessFinder(entity: entity)
    parts = Self.conjuncts(bound.condition, bound.node).map { condition, node in
      Part(
        condition: condition, candidate: finder.candidate(node), predicate: Predicate(node))
    }
    sets = bound.sets.map { source in
      switch source.kind {
      case .linked(let link, let inner):
        .linked(link, PreparedQuery(inner, [], StoreQuery(inner.entity, inner.condition), limits))
      case .nearest(let field, let measure, let maximum):
        .nearest(
          PreparedQuery(allOf: bound.entity), bound.entity.properties[field.position], measure,
          maximum)
      }
    }
  }

  /// The query for all objects of an entity.
  convenience init(allOf entity: EntitySchema) {
    let bound = BoundCondition(entity: entity, condition: .always, node: .and([]), sets: [])
    self.init(bound, [], StoreQuery(entity, .always), PlannerLimits())
  }

  /// The entities whose changes can change the answer: that of the query, and those to which links of the
  /// condition lead, each once.
  ///
  /// - Complexity: O(*n*) in the number of links.
  package var entities: [EntitySchema] {
    var found = [entity]
    for case .linked(_, let query) in sets {
      for other in query.entities where !found.contains(other) { found.append(other) }
    }
    return found
  }

  /// The parts of which all have to hold, with the condition that each was made of.
  private static func conjuncts(
    _ condition: Condition, _ node: BoundCondition.Node
  ) -> [(Condition, BoundCondition.Node)] {
    guard case .and(let conditions) = condition, case .and(let nodes) = node else {
      return [(condition, node)]
    }
    return zip(conditions, nodes).flatMap { conjuncts($0, $1) }
  }
}

extension ObjectStore {
  /// Checks a query and prepares it.
  ///
  /// - Parameters:
  ///   - query: The query, of an entity of this store.
  ///   - converters: The converters that know the names of values; nil for none.
  /// - Returns: The query, to be run in transactions of this store, any number of times and on any
  ///   thread.
  /// - Throws: ``ConditionError`` for a name that the entity does not have, for a value that does not fit
  ///   its property, and for an order by a vector.
  /// - Complexity: O(*n*) in the size of the query.
  public func prepare(
    _ query: StoreQuery, converters: ConditionConverters? = nil
  ) throws(ConditionError) -> PreparedQuery {
    try prepare(query, ParsedCondition(condition: query.condition, positions: []), converters)
  }

  /// Checks a query whose condition was read from a text, and prepares it.
  ///
  /// - Parameters:
  ///   - entity: The entity, of this store.
  ///   - condition: The condition; errors have the places of its parts.
  ///   - order: The order of the objects, the first property first.
  ///   - converters: The converters that know the names of values; nil for none.
  /// - Returns: As ``prepare(_:converters:)``.
  /// - Throws: As ``prepare(_:converters:)``.
  /// - Complexity: O(*n*) in the size of the query.
  public func prepare(
    _ entity: EntitySchema, _ condition: ParsedCondition, order: [QueryOrder] = [],
    converters: ConditionConverters? = nil
  ) throws(ConditionError) -> PreparedQuery {
    try prepare(StoreQuery(entity, condition.condition, order: order), condition, converters)
  }

  func prepare(
    _ query: StoreQuery, _ parsed: ParsedCondition, _ converters: ConditionConverters?,
    _ limits: PlannerLimits = PlannerLimits()
  ) throws(ConditionError) -> PreparedQuery {
    if query.entity.identity !== schema.identity {
      throw ConditionError("\(query.entity.name) is the schema of another store")
    }
    let bound = try BoundCondition(
      parsed.condition, query.entity, schema, converters, positions: parsed.positions,
      valuePositions: parsed.valuePositions)
    var terms: [SortTerm] = []
    for order in query.order { terms.append(try SortTerm(order, query.entity)) }
    return PreparedQuery(bound, terms, query, limits)
  }
}
