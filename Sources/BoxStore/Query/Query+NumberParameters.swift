extension Query {
  // MARK: - Numbers

  /// Changes the value of the first condition on a property.
  ///
  /// ```swift
  /// let query = try books.query { Book.price < 10.0 }.build()
  /// query.setParameter(Book.price, to: 20.0)
  /// ```
  public func setParameter<T>(_ property: Property<EntityType, T, Void>, to value: T)
  where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .one(QueryValue(value)))
  }

  /// Changes the value of the first condition on a property.
  public func setParameter<T>(_ property: Property<EntityType, T?, Void>, to value: T)
  where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .one(QueryValue(value)))
  }

  /// Changes the value of the condition with an alias.
  public func setParameter<T>(_ alias: String, to value: T) where T: BinaryFloatingPoint {
    change(.alias(alias), .one(QueryValue(value)))
  }

  /// Changes the value and the tolerance of the first condition on a property that has both.
  public func setParameter<T>(
    _ property: Property<EntityType, T, Void>, toEqual value: T, tolerance: T
  ) where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .near(.init(value, tolerance: tolerance)))
  }

  /// Changes the value and the tolerance of the first condition on a property that has both.
  public func setParameter<T>(
    _ property: Property<EntityType, T?, Void>, toEqual value: T, tolerance: T
  ) where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .near(.init(value, tolerance: tolerance)))
  }

  /// Changes the value and the tolerance of the condition with an alias.
  public func setParameters<T>(_ alias: String, toEqual value: T, tolerance: T)
  where T: BinaryFloatingPoint {
    change(.alias(alias), .near(.init(value, tolerance: tolerance)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T, Void>, to value1: T, _ value2: T
  ) where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T?, Void>, to value1: T, _ value2: T
  ) where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the condition with an alias.
  public func setParameters<T>(_ alias: String, to value1: T, _ value2: T)
  where T: BinaryFloatingPoint {
    change(.alias(alias), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T, Void>, to value1: T, and value2: T
  ) where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters<T>(
    _ property: Property<EntityType, T?, Void>, to value1: T, and value2: T
  ) where T: BinaryFloatingPoint {
    change(ParameterTarget(property), .two(QueryValue(value1), QueryValue(value2)))
  }

  /// Changes the two values of the condition with an alias.
  public func setParameters<T>(_ alias: String, to value1: T, and value2: T)
  where T: BinaryFloatingPoint {
    change(.alias(alias), .two(QueryValue(value1), QueryValue(value2)))
  }

  // MARK: - Vectors

  /// Changes the vector from which the nearest neighbours are measured.
  public func setParameter<V>(_ property: Property<EntityType, V, Void>, to vector: [Float])
  where V: FloatArrayPropertyType {
    change(ParameterTarget(property), .vector(vector))
  }

  /// Changes the vector of the condition with an alias.
  public func setParameter(_ alias: String, to vector: [Float]) {
    change(.alias(alias), .vector(vector))
  }
}
