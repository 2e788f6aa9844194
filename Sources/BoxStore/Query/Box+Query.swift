extension Box {
  /// A builder of a query for all objects.
  public func query() -> QueryBuilder<EntityType> { QueryBuilder(self, .always) }

  /// A builder of a query for the objects that fulfil a condition.
  ///
  /// ```swift
  /// let cheap = try books.query { Book.price < 10 }.ordered(by: Book.title).build()
  /// for book in try cheap.find() { print(book.title) }
  /// ```
  public func query(_ conditions: () -> QueryCondition<EntityType>) -> QueryBuilder<EntityType> {
    QueryBuilder(self, conditions().tree)
  }
}
