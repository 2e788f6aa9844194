internal import BoxEngine
internal import BoxModel

/// The division of a list into sections.
struct SectionNames<E>: Sendable {
  /// The property whose values are named.
  let property: obx_schema_id
  /// The name of a value; nil for null.
  let name: @Sendable (PropertyValue?) throws -> String
}

extension Query {
  /// A monitor of the objects that the query finds.
  ///
  /// ```swift
  /// let monitor = try books.query().ordered(by: Book.title).build().monitor()
  /// print(try monitor.list().count)
  /// ```
  ///
  /// - Returns: The monitor, with the current list.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a query without an order, and one for nearest
  ///   neighbours.
  /// - Complexity: As ``find(offset:limit:)``; no objects are built.
  public func monitor() throws -> ListMonitor<E> { try ListMonitor(self, nil) }

  /// A monitor of the objects that the query finds, in sections of those whose values have one name.
  ///
  /// - Parameters:
  ///   - property: The property; it has to be the first one of the query's order.
  ///   - name: The name of the section of a value. It must depend on the value alone. Values that are
  ///     next to each other can have one name, but not values with another one between them.
  /// - Returns: The monitor, with the current list.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a query that is not ordered by the property
  ///   first, one for nearest neighbours, and an order that splits a section; the error of `name`.
  /// - Complexity: As ``find(offset:limit:)``; no objects are built.
  public func monitor<V: SelectableValue & EntityPropertyTypeConvertible>(
    sectionedBy property: Property<E, V, Void>,
    named name: @escaping @Sendable (V) throws -> String = { "\($0)" }
  ) throws -> ListMonitor<E> {
    let names = SectionNames<E>(property: property.propertyId) { value in
      guard let typed = V(selected: value) else {
        throw ObjectBoxError.propertyTypeMismatch(
          message: "a stored value by which a list is divided is not a \(V.self); "
            + "generate the bindings again with the model of the store")
      }
      return try name(typed)
    }
    return try ListMonitor(self, names)
  }

  /// The question of a monitor, with the values that the conditions have now.
  func monitorQuestion(_ sections: SectionNames<E>?) throws -> ListMonitorCore<E>.Question {
    let (ready, entity) = (ready, box.core.schema)
    if ready.nearest != nil {
      throw ObjectBoxError.illegalArgument(
        message: "a query for nearest neighbours cannot be monitored; subscribe to its results")
    }
    if ready.order.isEmpty {
      throw ObjectBoxError.illegalArgument(
        message: "a list needs an order; call ordered(by:) before build()")
    }
    let resolver = ConditionResolver(box.storeCore.engine)
    let column = try sections.map { sections in
      try resolver.column(try resolver.property(sections.property, entity).name, entity)
    }
    if let column, ready.order.first?.property != column.property.name {
      throw ObjectBoxError.illegalArgument(
        message: "a list in sections of \(entity.name).\(column.property.name) has to be ordered "
          + "by it first; make it the first call of ordered(by:)")
    }
    let unit = column?.property.modelType.traits?.unit
    return ListMonitorCore<E>.Question(
      reader: ListReader(ready.ordered, sectionedBy: column), entities: ready.ordered.entities,
      isDivided: column != nil,
      name: { value in try sections?.name(PropertyValue(value, unit: unit)) ?? "" })
  }
}
