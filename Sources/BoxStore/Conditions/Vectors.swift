internal import BoxEngine

extension Property where ValueType: IntegerListPropertyType {
  /// The condition that at least one element equals a number.
  public func isEqual(
    to int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.equal, QueryValue(int)) }

  /// The condition that at least one element is less than a number.
  public func isLessThan(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.less, QueryValue(int)) }

  /// The condition that at least one element is greater than a number.
  public func isGreaterThan(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greater, QueryValue(int)) }

  /// The condition that at least one element is at least a number.
  public func isGreaterOrEqual(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greaterOrEqual, QueryValue(int)) }

  /// The condition that at least one element is at most a number.
  public func isLessOrEqual(
    _ int: ValueType.Element
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.lessOrEqual, QueryValue(int)) }
}

extension Property where ValueType == FloatArrayPropertyType {
  /// The condition that at least one element is less than a number.
  public func isLessThan(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.less, QueryValue(float)) }

  /// The condition that at least one element is greater than a number.
  public func isGreaterThan(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greater, QueryValue(float)) }

  /// The condition that at least one element is at least a number.
  public func isGreaterOrEqual(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    element(.greaterOrEqual, QueryValue(float))
  }

  /// The condition that at least one element is at most a number.
  public func isLessOrEqual(
    _ float: Float
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.lessOrEqual, QueryValue(float)) }
}

extension Property where ValueType == ListPropertyType<Double> {
  /// The condition that at least one element is less than a number.
  public func isLessThan(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.less, QueryValue(double)) }

  /// The condition that at least one element is greater than a number.
  public func isGreaterThan(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> { element(.greater, QueryValue(double)) }

  /// The condition that at least one element is at least a number.
  public func isGreaterOrEqual(
    _ double: Double
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    element(.greaterOrEqual, QueryValue(double))
  }

  /// The condition that at least one element is at most a number.
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
  /// The condition that at least one element equals a string.
  public func containsElement(
    element: String, caseSensitive: Bool
  ) -> PropertyQueryCondition<EntityType, ValueType> {
    PropertyQueryCondition(
      self, .element(.equal, .string(element), ignoringCase: !caseSensitive))
  }
}

extension Property where ValueType == HnswIndexPropertyType {
  /// The condition that the object is one of those whose vectors are nearest to a vector.
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
