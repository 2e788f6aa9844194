internal import BoxEngine
internal import BoxModel

/// New values for properties of the objects that a query finds; see ``Query/update(_:)``.
public struct QueryUpdate<E: EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  /// A new value: a function that hands it to a collector, or the id of the target of a relation.
  private struct Assignment {
    var property: obx_schema_id
    var target: Id?
    var collect: (PropertyCollector, UInt16) -> Void
  }

  private var assignments: [Assignment] = []

  /// Sets a property; nil removes the value of an optional one.
  ///
  /// Enums and converted types are set by their stored values, enums by their cases too.
  public mutating func set<V: StoredPropertyType>(
    _ property: Property<E, V, Void>, to value: V.AssignedValue
  ) {
    append(property.propertyId) { V.collect(value, by: $0, at: $1) }
  }

  /// Sets a property of an enum.
  public mutating func set<Case>(_ property: EnumProperty<E, Case>, to value: Case)
  where Case.RawValue: StoredPropertyType, Case.RawValue.AssignedValue == Case.RawValue {
    set(property.stored, to: value.rawValue)
  }

  /// Sets the target of a to-one relation, which has to be stored; nil for none.
  public mutating func set<R>(_ relation: Property<E, EntityId<R>, R>, to target: EntityId<R>?) {
    append(relation.propertyId, target: target?.value) { $0.collect(target, at: $1) }
  }

  private mutating func append(
    _ property: obx_schema_id, target: Id? = nil,
    _ collect: @escaping (PropertyCollector, UInt16) -> Void
  ) {
    assignments.removeAll { $0.property == property }
    assignments.append(Assignment(property: property, target: target, collect: collect))
  }

  /// The change of the objects, with the values as they are stored.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` for a property that the model lacks,
  ///   ``ObjectBoxError/illegalArgument(message:)`` for a value that does not fit, and
  ///   ``ObjectBoxError/notFound(message:)`` for a target that no object is or was.
  func edit(_ box: Box<E>, _ transaction: EngineTransaction) throws -> ObjectEdit? {
    if assignments.isEmpty { return nil }
    let schema = box.core.schema
    let resolver = ConditionResolver(box.storeCore.engine)
    var new: [Int: Value] = [:]
    try unsafe transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(box.core, writer, nil)
      collector.begin(0)
      for assignment in assignments {
        let property = try resolver.property(assignment.property, schema)
        let offset = 2 + 2 * UInt16(truncatingIfNeeded: assignment.property)
        assignment.collect(collector, offset)
        try collector.requireNoFailure()
        if let target = assignment.target, target != 0, let entity = box.core.target(at: offset) {
          try transaction.requireTarget(target, of: entity)
        }
        guard let position = schema.properties.firstIndex(where: { $0.id == property.id }) else {
          continue
        }
        new[position] = .null
      }
      for position in new.keys {
        new[position] = unsafe writer.pointee.value(of: schema.properties[position])
      }
    }
    return ObjectEdit(schema, new)
  }
}

extension Query {
  /// Sets properties of all objects that fulfil the condition, all or none, in one pass.
  ///
  /// ```swift
  /// try books.query { Book.price < 5 }.build().update {
  ///   $0.set(Book.price, to: 5)
  ///   $0.set(Book.isbn, to: nil)
  /// }
  /// ```
  ///
  /// No objects are built: the new values are written into the stored records. Indexes, unique properties, observers
  /// and monitors see the changes as they see puts. Objects in memory keep their values.
  ///
  /// - Parameter body: Sets the properties; without any nothing is changed.
  /// - Returns: The number of objects that were found.
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` if two objects would have one value of a unique property,
  ///   ``ObjectBoxError/illegalArgument(message:)`` for a value that does not fit its property,
  ///   ``ObjectBoxError/notFound(message:)`` for the target of a relation that no object is or was,
  ///   ``ObjectBoxError/cannotWriteWhileReading(message:)`` in a read transaction, and the error of `body`.
  /// - Complexity: As ``find(offset:limit:)``, and O(1) for each object, and O(log *n*) for each index whose value
  ///   changes; the ids are in memory.
  @discardableResult
  public func update(_ body: (inout QueryUpdate<E>) throws -> Void) throws -> UInt64 {
    var update = QueryUpdate<E>()
    try body(&update)
    let (ready, box) = (ready, box)
    return try box.removing(.savepoint) { transaction in
      guard let edit = try update.edit(box, transaction) else { return 0 }
      return try edit.apply(
        to: transaction.ids(ready.query(transaction, isOrdered: false)).sorted(), transaction)
    }
  }
}
