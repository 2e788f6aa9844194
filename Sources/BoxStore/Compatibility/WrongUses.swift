// Uses that do not compile, each with a message that says what to write instead: the compiler takes these declarations
// only where nothing else fits. Overloads of operators are few, as each further one slows down the compiler.

// swift-format-ignore-file: ValidateDocumentationComments

extension Box {
  /// Refuses a property that is not unique.
  @available(
    *, unavailable,
    message: "not unique; mark it with '// objectbox: unique' and generate the bindings again"
  )
  public func get<V, R>(_ property: Property<E, V, R>, _ value: V) throws -> E? { nil }

  /// Refuses a property that is not unique.
  @available(
    *, unavailable,
    message: "not unique; mark it with '// objectbox: unique' and generate the bindings again"
  )
  public func put<V, R, T>(_ entity: T, matching property: Property<E, V, R>) throws {}

  /// Refuses an object of another entity.
  @available(
    *, unavailable,
    message: "the box has objects of another type; ask for another box by store.box(for:)"
  )
  @_disfavoredOverload
  public func put<T: __EntityRelatable>(_ entity: T) throws {}
}

extension Query {
  /// Refuses a relation.
  @available(
    *, unavailable,
    message: "a relation has no values; use select(.value(relation)) for ids, or link"
  )
  public func property<V, R: Entity>(_ relation: Property<E, V, R>) -> Never { fatalError() }
}

extension QueryBuilder {
  /// Refuses a property that is not a relation.
  @available(
    *, unavailable,
    message: "the property is not a relation; write its condition into query { … }"
  )
  public func link<V, R>(
    _ property: Property<E, V, Void>, conditions: () -> QueryCondition<R>
  ) -> Never { fatalError() }

  /// Refuses a relation.
  @available(
    *, unavailable,
    message: "no order by a relation; order by a property, or sort the objects that are found"
  )
  public func ordered<V, R: Entity>(by relation: Property<E, V, R>) -> Never { fatalError() }
}

extension QueryUpdate {
  /// Refuses an id.
  @available(
    *, unavailable,
    message: "an object keeps its id; put a new object and remove this one"
  )
  public mutating func set<V, I: IdBase>(_ id: Property<E, V, I>, to value: V) {}

  /// Refuses a relation to many.
  @available(
    *, unavailable,
    message: "a ToMany is changed by the object that has it; change it and call applyToDb()"
  )
  public mutating func set<R, Value>(_ relation: ToManyProperty<R>, to value: Value) {}
}

extension PropertyQuery where T: StringPropertyType {
  /// Refuses strings.
  @available(
    *, unavailable,
    message: "strings have no limits here; order by the property and use findFirst()"
  )
  public func max() throws -> String { "" }

  /// Refuses strings.
  @available(
    *, unavailable,
    message: "strings have no limits here; order by the property and use findFirst()"
  )
  public func min() throws -> String { "" }
}

extension Property where ValueType: FloatArrayPropertyType {
  /// Refuses a vector without an index.
  @available(
    *, unavailable,
    message: "no vector index; mark the property with '// objectbox: hnswIndex: dimensions=…'"
  )
  @_disfavoredOverload
  public func nearestNeighbors(
    queryVector: [Float], maxCount: Int
  ) -> PropertyQueryCondition<EntityType, ValueType> { fatalError() }
}

/// Refuses a comparison with nil.
@available(*, unavailable, message: "a comparison with nil is always false; write property.isNil()")
public func == <E, V, R>(
  lhs: Property<E, V, R>, rhs: _OptionalNilComparisonType
) -> PropertyQueryCondition<E, V> where E: Entity { fatalError() }

/// Refuses a comparison with nil.
@available(
  *, unavailable, message: "a comparison with nil is always false; write property.isNotNil()"
)
public func != <E, V, R>(
  lhs: Property<E, V, R>, rhs: _OptionalNilComparisonType
) -> PropertyQueryCondition<E, V> where E: Entity { fatalError() }

/// Refuses numbers with a fraction.
@available(
  *, unavailable,
  message: "numbers with fractions are rarely equal; write property.isEqual(to:tolerance:)"
)
public func == <E, V>(
  lhs: Property<E, V, Void>, rhs: V
) -> PropertyQueryCondition<E, V> where E: Entity, V: BinaryFloatingPoint { fatalError() }
