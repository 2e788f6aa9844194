extension QueryCondition {
  /// Matches objects whose target of a to-one relation matches a condition.
  ///
  /// ```swift
  /// box.query { Book.price < 10 || .link(Book.author) { Author.name == "Ada" } }
  /// ```
  ///
  /// - Parameters:
  ///   - property: The relation.
  ///   - conditions: The condition on the target.
  /// - Returns: The condition.
  public static func link<V: IdBase, R>(
    _ property: Property<E, V, R>, conditions: () -> QueryCondition<R>
  ) -> QueryCondition<E> where R == R.EntityBindingType.EntityType {
    QueryCondition(
      ConditionTree(
        .link(QueryLink(.toOne(property.propertyId), R.entityInfo)), [conditions().tree]))
  }

  /// Matches objects with at least one target of a to-many relation that matches a condition.
  ///
  /// - Parameters:
  ///   - property: The relation, or the backlink of one.
  ///   - conditions: The condition on the targets.
  /// - Returns: The condition.
  public static func link<V: EntityInspectable>(
    _ property: ToManyProperty<V>, conditions: () -> QueryCondition<V>
  ) -> QueryCondition<E> where V == V.EntityBindingType.EntityType {
    QueryCondition(
      ConditionTree(.link(QueryLink(property.toManyId, V.entityInfo)), [conditions().tree]))
  }
}
