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
  /// The part of the answer that is asked for.
  let window: KeyWindow

  /// A part of the condition.
  struct Part: Sendable {
    var condition: Condition
    var candidate: AccessCandidate?
    var predicate: Predicate
  }

  /// The origin of a set of ids that parts of the condition refer to.
  enum SetQuery: Sendable {
    case linked(FollowedLink, PreparedQuery)
    /// The query for all objects of the entity, and the nearest of these.
    case nearest(PreparedQuery, PropertySchema, VectorMeasure, Int)
  }

  init(
    _ query: StoreQuery, _ parts: [Part], _ sets: [SetQuery], _ order: [SortTerm],
    _ limits: PlannerLimits, _ window: KeyWindow = KeyWindow()
  ) {
    self.query = query
    entity = query.entity
    self.parts = parts
    self.sets = sets
    self.order = order
    self.limits = limits
    self.window = window
  }

  /// The query for all objects of an entity.
  convenience init(allOf entity: EntitySchema) {
    self.init(StoreQuery(entity, .always), [], [], [], PlannerLimits())
  }

  /// The question in another order; its condition is not prepared again.
  ///
  /// - Throws: ``ConditionError`` for an order of which a property is unknown or has none.
  /// - Complexity: O(*n*) in the size of the order.
  package func ordered(by order: [QueryOrder]) throws(ConditionError) -> PreparedQuery {
    var query = query
    query.order = order
    var terms: [SortTerm] = []
    for order in order { terms.append(try SortTerm(order, entity)) }
    return PreparedQuery(query, parts, sets, terms, limits)
  }

  /// Whether the ids alone are the order, so that every id has a place in it.
  package var isByID: Bool { order.first.map { $0.field.slot < 0 } ?? true }

  /// The question for a part of the answer; its condition is not prepared again.
  ///
  /// Only visits, ids, counts and plans of the query keep to the part.
  ///
  /// - Parameters:
  ///   - place: The place after which the part begins, of this query's order; nil for the first object.
  ///   - isReversed: Whether the answer is read from its last object on: what comes after a place is
  ///     then what comes before it otherwise.
  /// - Returns: The question.
  /// - Complexity: O(1).
  package func page(after place: ListKey?, reversed isReversed: Bool = false) -> PreparedQuery {
    PreparedQuery(
      query, parts, sets, order, limits, KeyWindow(start: place?.key, isReversed: isReversed))
  }

  /// The place of an object in the order.
  func place(_ id: UInt64, _ record: borrowing RecordView) -> ListKey {
    var key = SortKey(id: id)
    if !order.isEmpty { SortKeyMaker(order).make(&key, id, record) }
    return ListKey(key)
  }

  /// The entities whose changes can change the answer: the entity of the query and the entities that links of
  /// the condition reach, each once.
  ///
  /// - Complexity: O(*n*) in the number of links.
  package var entities: [EntitySchema] {
    var found = [entity]
    for case .linked(_, let query) in sets {
      for other in query.entities where !found.contains(other) { found.append(other) }
    }
    return found
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
    try prepare(query, ConditionPlaces(), converters)
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
    var places = ConditionPlaces()
    places.append(condition)
    return try prepare(
      StoreQuery(entity, condition.condition, order: order), places, converters)
  }

  /// Checks a query whose condition has parts that were read from texts, and prepares it.
  ///
  /// - Parameters:
  ///   - query: The query, of an entity of this store.
  ///   - places: The places of its names and values, which errors have.
  /// - Returns: As ``prepare(_:converters:)``.
  /// - Throws: As ``prepare(_:converters:)``.
  /// - Complexity: O(*n*) in the size of the query.
  package func prepare(
    _ query: StoreQuery, at places: ConditionPlaces
  ) throws(ConditionError) -> PreparedQuery {
    try prepare(query, places, nil)
  }

  func prepare(
    _ query: StoreQuery, _ places: ConditionPlaces, _ converters: ConditionConverters?,
    _ limits: PlannerLimits = PlannerLimits()
  ) throws(ConditionError) -> PreparedQuery {
    if query.entity.identity !== schema.identity {
      throw ConditionError("\(query.entity.name) is the schema of another store")
    }
    var binder = ConditionBinder(query.entity, schema, converters, places, limits)
    let prepared = try binder.prepared(query.condition)
    return query.order.isEmpty ? prepared : try prepared.ordered(by: query.order)
  }
}
