/// Values of conditions, changed after a query was built.
///
/// A condition is named by its property or by its alias: `"min" .= Book.price > 10`. If several have the
/// property or the alias, the first in the order of the text is changed; conditions of links come after
/// the others. A condition with one value is changed by `setParameter`, one with two values or a list by
/// `setParameters`: ranges, `isBetween` and `isEqual(to:tolerance:)` have two, the upper one included.
///
/// It is a programmer error to name a condition that the query does not have, to call the function for
/// another number of values, and to pass a value that does not fit the property. These calls trap.
extension Query {
  // MARK: - Integers

  /// Changes the value of the first condition on a property.
  public func setParameter<T, V>(_ property: Property<EntityType, V, Void>, to value: T)
  where T: FixedWidthInteger {
    change(ParameterTarget(property), .one(QueryValue(value)))
  }

  /// Changes the value of the condition with an alias.
  public func setParameter<T>(_ alias: String, to value: T) where T: FixedWidthInteger {
    change(.alias(alias), .one(QueryValue(value)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T, Void>, to value1: T, _ value2: T
  ) where T: FixedWidthInteger {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T?, Void>, to value1: T, _ value2: T
  ) where T: FixedWidthInteger {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the condition with an alias.
  public func setParameters<T>(_ alias: String, to value1: T, _ value2: T)
  where T: FixedWidthInteger {
    change(.alias(alias), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T, Void>, to value1: T, and value2: T
  ) where T: FixedWidthInteger {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T?, Void>, to value1: T, and value2: T
  ) where T: FixedWidthInteger {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the condition with an alias.
  public func setParameters<T>(_ alias: String, to value1: T, and value2: T)
  where T: FixedWidthInteger {
    change(.alias(alias), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the list of the first condition on a property.
  public func setParameters<T>(_ property: Property<EntityType, T, Void>, to collection: [T])
  where T: FixedWidthInteger {
    change(ParameterTarget(property), .list(collection.map { QueryValue($0) }))
  }

  /// Changes the list of the first condition on a property.
  public func setParameters<T>(_ property: Property<EntityType, T?, Void>, to collection: [T])
  where T: FixedWidthInteger {
    change(ParameterTarget(property), .list(collection.map { QueryValue($0) }))
  }

  /// Changes the list of the condition with an alias.
  public func setParameters<T>(_ alias: String, to collection: [T]) where T: FixedWidthInteger {
    change(.alias(alias), .list(collection.map { QueryValue($0) }))
  }

  // MARK: - Booleans

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, Bool, Void>, to value: Bool) {
    change(ParameterTarget(property), .one(.bool(value)))
  }

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, Bool?, Void>, to value: Bool) {
    change(ParameterTarget(property), .one(.bool(value)))
  }

  /// Changes the value of the condition with an alias.
  public func setParameter(_ alias: String, to value: Bool) {
    change(.alias(alias), .one(.bool(value)))
  }
}
