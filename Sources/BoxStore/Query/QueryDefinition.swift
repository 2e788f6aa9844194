internal import BoxEngine

/// The question of a query, by ids of the model.
struct QueryDefinition: Sendable {
  var term: QueryTerm
  var order: [Order]

  /// An order by a property.
  struct Order: Hashable, Sendable {
    var property: obx_schema_id
    /// The type of its values in Swift.
    var valueType: ObjectIdentifier
    var flags: Set<OrderFlags>

    init<V: EntityPropertyTypeConvertible>(
      _ property: Property<some Any, V, some Any>, _ flags: Set<OrderFlags>
    ) {
      self.property = property.propertyId
      valueType = ObjectIdentifier(V.self)
      self.flags = flags
    }
  }

  /// Checks the question and prepares it for a store.
  ///
  /// - Throws: As ``QueryBuilder/build()``.
  func ready(_ entity: EntitySchema, _ engine: ObjectStore) throws -> ReadyQuery {
    let resolver = ConditionResolver(engine)
    let (filter, nearest) = try split()
    let (condition, places) = try resolver.condition(filter, entity)
    let byID = try ObjectBoxError.wrapping {
      try engine.prepare(StoreQuery(entity, condition), at: places)
    }
    let order = try self.order.map { try queryOrder($0, resolver, entity) }
    return try ObjectBoxError.wrapping {
      let ordered = order.isEmpty ? byID : try byID.ordered(by: order)
      let neighbours = try nearest.flatMap { try prepare($0, resolver, entity) }
      return ReadyQuery(
        engine: engine, byID: byID, ordered: ordered, order: order, nearest: neighbours)
    }
  }

  private func queryOrder(
    _ order: Order, _ resolver: ConditionResolver, _ entity: EntitySchema
  ) throws -> QueryOrder {
    let property = try resolver.property(order.property, entity)
    let nulls: QueryOrder.Nulls =
      order.flags.contains(.nullsZero) ? .zero : order.flags.contains(.nullsLast) ? .last : .first
    var result = QueryOrder(
      property.name, descending: order.flags.contains(.descending),
      ignoringCase: property.type == .string && !order.flags.contains(.caseSensitive), nulls: nulls)
    result.takesBitsAsUnsigned =
      order.flags.contains(.unsigned) || BitSign.bits(order.valueType, property) != nil
    return result
  }

  // MARK: - Nearest neighbours

  /// Takes the search for neighbours out of the condition that filters the objects.
  private func split() throws -> (filter: QueryTerm, nearest: PropertyTest?) {
    let all = term.nearestTests
    if all.isEmpty { return (term, nil) }
    var found: [PropertyTest] = []
    var rest: [QueryTerm] = []
    for part in term.conjuncts {
      if case .test(let test) = part, case .nearest = test.kind {
        found.append(test)
      } else {
        rest.append(part)
      }
    }
    guard found.count == 1, all.count == 1 else {
      throw ObjectBoxError.illegalArgument(
        message: "nearestNeighbors has to be asked for once, and not inside of ||, ! or a link; "
          + "combine it with other conditions by &&")
    }
    return (.and(rest), found[0])
  }

  private func prepare(
    _ test: PropertyTest, _ resolver: ConditionResolver, _ entity: EntitySchema
  ) throws -> ReadyQuery.Nearest? {
    guard case .nearest(let vector, let maximum) = test.kind else { return nil }
    let property = try resolver.property(test.property, entity)
    if maximum < 0 {
      throw ObjectBoxError.illegalArgument(
        message: "maxCount of nearestNeighbors is \(maximum); pass 0 or more")
    }
    let measure = try ObjectBoxError.wrapping { try entity.measure(from: vector, property) }
    return ReadyQuery.Nearest(property: property, measure: measure, maximum: maximum)
  }
}
