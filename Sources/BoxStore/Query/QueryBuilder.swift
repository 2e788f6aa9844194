internal import BoxEngine

/// A query in the making: its condition, its links, and the order of its results.
///
/// ``Box/query(_:)`` returns a builder, and ``build()`` the query. Each call changes the builder and
/// returns it.
public final class QueryBuilder<E: EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E
  /// A property that holds values and not the target of a relation.
  public typealias QueryProperty<T> = Property<EntityType, T, Void>
  where T: EntityPropertyTypeConvertible

  private let box: Box<E>
  private(set) var tree: ConditionTree
  private var order: [QueryDefinition.Order] = []

  init(_ box: Box<E>, _ tree: ConditionTree) {
    self.box = box
    self.tree = tree
  }

  /// Checks the query against the model of the store.
  ///
  /// ```swift
  /// let query = try books.query { Book.price < 10 }.build()
  /// print(try query.count())
  /// ```
  ///
  /// - Returns: The query, to be run any number of times.
  /// - Throws: ``ObjectBoxError/schema(message:)`` for a property or relation that the model lacks,
  ///   ``ObjectBoxError/illegalArgument(message:)`` for a value that does not fit its property, an
  ///   order that its property does not have, an error in a condition that was read from a text, and
  ///   for nearest neighbours beside `||`, `!`, in a link, or twice, or of a vector that does not fit its
  ///   property.
  /// - Complexity: O(*n*) in the size of the condition.
  public func build() throws -> Query<EntityType> {
    try Query(box, QueryDefinition(term: tree.term(), order: order))
  }

  // MARK: - Order

  /// Orders the results by a property, those with equal values by the orders of later calls, then by id.
  ///
  /// ```swift
  /// let query = try books.query()
  ///   .ordered(by: Book.title)
  ///   .ordered(by: Book.price, flags: .descending)
  ///   .build()
  /// ```
  ///
  /// Without flags the smallest values come first, objects without a value before them, and strings
  /// are compared without regard to case.
  @discardableResult
  public func ordered<T>(
    by property: Property<EntityType, T, Void>, flags: [OrderFlags] = []
  ) -> QueryBuilder<EntityType> {
    order(property, flags)
  }

  /// Orders the results by a property, as `ordered(by:flags:)`.
  @discardableResult
  public func ordered<T>(
    by property: Property<EntityType, T, Void>, flags: OrderFlags
  ) -> QueryBuilder<EntityType> {
    order(property, [flags])
  }

  /// Orders the results by their ids, as `ordered(by:flags:)`.
  @discardableResult
  public func ordered<T, I: IdBase>(
    by property: Property<EntityType, T, I>, flags: [OrderFlags] = []
  ) -> QueryBuilder<EntityType> {
    order(property, flags)
  }

  private func order<V: EntityPropertyTypeConvertible>(
    _ property: Property<EntityType, V, some Any>, _ flags: [OrderFlags]
  ) -> QueryBuilder<EntityType> {
    append([QueryDefinition.Order(property, Set(flags))])
  }

  func append(_ orders: [QueryDefinition.Order]) -> QueryBuilder<EntityType> {
    order += orders
    return self
  }

  // MARK: - Links

  /// Requires, in addition to other conditions, that the target of a to-one relation fulfils a condition.
  ///
  /// ```swift
  /// books.query { Book.price < 10 }.link(Book.author) { Author.name == "Ada" }
  /// ```
  @discardableResult
  public func link<V: IdBase, R>(
    _ property: Property<E, V, R>, conditions: @escaping () -> QueryCondition<R>
  ) -> QueryBuilder<E> where R == R.EntityBindingType.EntityType {
    also(QueryCondition.link(property, conditions: conditions))
  }

  /// Requires, in addition to other conditions, that at least one target of a to-many relation fulfils a
  /// condition.
  ///
  /// An object with several such targets is found once.
  @discardableResult
  public func link<V: EntityInspectable>(
    _ property: ToManyProperty<V>, conditions: @escaping () -> QueryCondition<V>
  ) -> QueryBuilder<E> where V == V.EntityBindingType.EntityType {
    also(QueryCondition.link(property, conditions: conditions))
  }

  private func also(_ condition: QueryCondition<E>) -> QueryBuilder<E> {
    // As one part, whatever operators the condition so far has: (a || b) && link.
    tree = ConditionTree(.and(isJoined: false), [tree, condition.tree])
    return self
  }
}
