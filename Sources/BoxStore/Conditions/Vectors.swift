internal import BoxEngine

extension Property where ValueType: IntegerListPropertyType {
  /// Matches objects with at least one element equal to `int`.
  public func isEqual(
    to int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.equal, QueryValue(int)) }

  /// Matches objects with at least one element that is less than `int`.
  public func isLessThan(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.less, QueryValue(int)) }

  /// Matches objects with at least one element that is greater than `int`.
  public func isGreaterThan(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greater, QueryValue(int)) }

  /// Matches objects with at least one element that is at least `int`.
  public func isGreaterOrEqual(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greaterOrEqual, QueryValue(int)) }

  /// Matches objects with at least one element that is at most `int`.
  public func isLessOrEqual(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.lessOrEqual, QueryValue(int)) }
}

extension Property where ValueType == FloatArrayPropertyType {
  /// Matches objects with at least one element that is less than `float`.
  public func isLessThan(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.less, QueryValue(float)) }

  /// Matches objects with at least one element that is greater than `float`.
  public func isGreaterThan(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greater, QueryValue(float)) }

  /// Matches objects with at least one element that is at least `float`.
  public func isGreaterOrEqual(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    element(.greaterOrEqual, QueryValue(float))
  }

  /// Matches objects with at least one element that is at most `float`.
  public func isLessOrEqual(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.lessOrEqual, QueryValue(float)) }
}

extension Property where ValueType == ListPropertyType<Double> {
  /// Matches objects with at least one element that is less than `double`.
  public func isLessThan(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.less, QueryValue(double)) }

  /// Matches objects with at least one element that is greater than `double`.
  public func isGreaterThan(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greater, QueryValue(double)) }

  /// Matches objects with at least one element that is at least `double`.
  public func isGreaterOrEqual(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    element(.greaterOrEqual, QueryValue(double))
  }

  /// Matches objects with at least one element that is at most `double`.
  public func isLessOrEqual(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.lessOrEqual, QueryValue(double)) }
}

extension Property {
  private func element(
    _ comparison: Condition.Comparison, _ value: QueryValue
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .element(comparison, value, ignoringCase: false))
  }
}

extension Property where ValueType == StringArrayPropertyType {
  /// Matches objects with at least one element equal to `element`.
  public func containsElement(
    element: String, caseSensitive: Bool
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .element(.equal, .string(element), ignoringCase: !caseSensitive))
  }
}

extension Property where ValueType == HnswIndexPropertyType {
  /// Matches the objects whose vectors are nearest to `queryVector`.
  ///
  /// ```swift
  /// let near = try books.query {
  ///   Book.embedding.nearestNeighbors(queryVector: [0.1, 0.2, 0.3], maxCount: 5) && Book.price < 20
  /// }.build().find()
  /// ```
  ///
  /// Of the objects that fulfil all other conditions of the query, it chooses the nearest; of two at one
  /// distance, the one with the lower id. The model says which distance is measured. Objects without a
  /// vector, or with one of another length, are not found. It may be combined with other conditions by `&&` alone:
  /// ``QueryBuilder/build()`` throws if it is part of `||`, `!` or a link, and if there are two.
  ///
  /// The query looks at the vector of every object that fulfils the other conditions.
  ///
  /// - Parameters:
  ///   - queryVector: The vector to measure from; all of its elements are finite.
  ///   - maxCount: The maximum number of objects.
  /// - Returns: The condition.
  public func nearestNeighbors(
    queryVector: [Float], maxCount: Int
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(self, .nearest(queryVector, maximum: maxCount))
  }
}
