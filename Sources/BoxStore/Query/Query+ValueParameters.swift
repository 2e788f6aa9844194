#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Query {
  // MARK: - Strings

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, String, Void>, to string: String) {
    change(ParameterTarget(property), .one(.string(string)))
  }

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, String?, Void>, to string: String) {
    change(ParameterTarget(property), .one(.string(string)))
  }

  /// Changes the value of the condition with an alias.
  public func setParameter(_ alias: String, to string: String) {
    change(.alias(alias), .one(.string(string)))
  }

  /// Changes the list of the first condition on a property.
  public func setParameters(_ property: Property<EntityType, String, Void>, to collection: [String])
  {
    change(ParameterTarget(property), .list(collection.map { .string($0) }))
  }

  /// Changes the list of the first condition on a property.
  public func setParameters(
    _ property: Property<EntityType, String?, Void>, to collection: [String]
  ) {
    change(ParameterTarget(property), .list(collection.map { .string($0) }))
  }

  /// Changes the list of the condition with an alias.
  public func setParameters(_ alias: String, to collection: [String]) {
    change(.alias(alias), .list(collection.map { .string($0) }))
  }

  // MARK: - Dates

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, Date, Void>, to value: Date) {
    change(ParameterTarget(property), .one(.date(value)))
  }

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, Date?, Void>, to value: Date) {
    change(ParameterTarget(property), .one(.date(value)))
  }

  /// Changes the value of the condition with an alias.
  public func setParameter(_ alias: String, to value: Date) {
    change(.alias(alias), .one(.date(value)))
  }

  /// Changes the list of the first condition on a property.
  public func setParameters(_ property: Property<EntityType, Date, Void>, to collection: [Date]) {
    change(ParameterTarget(property), .list(collection.map { .date($0) }))
  }

  /// Changes the list of the first condition on a property.
  public func setParameters(_ property: Property<EntityType, Date?, Void>, to collection: [Date]) {
    change(ParameterTarget(property), .list(collection.map { .date($0) }))
  }

  /// Changes the list of the condition with an alias.
  public func setParameters(_ alias: String, to collection: [Date]) {
    change(.alias(alias), .list(collection.map { .date($0) }))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters(
    _ property: Property<EntityType, Date, Void>, to value1: Date, _ value2: Date
  ) {
    change(ParameterTarget(property), .two(.date(value1), .date(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters(
    _ property: Property<EntityType, Date?, Void>, to value1: Date, _ value2: Date
  ) {
    change(ParameterTarget(property), .two(.date(value1), .date(value2)))
  }

  /// Changes the two values of the condition with an alias.
  public func setParameters(_ alias: String, to value1: Date, _ value2: Date) {
    change(.alias(alias), .two(.date(value1), .date(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters(
    _ property: Property<EntityType, Date, Void>, to value1: Date, and value2: Date
  ) {
    change(ParameterTarget(property), .two(.date(value1), .date(value2)))
  }

  /// Changes the two values of the first condition on a property.
  public func setParameters(
    _ property: Property<EntityType, Date?, Void>, to value1: Date, and value2: Date
  ) {
    change(ParameterTarget(property), .two(.date(value1), .date(value2)))
  }

  /// Changes the two values of the condition with an alias.
  public func setParameters(_ alias: String, to value1: Date, and value2: Date) {
    change(.alias(alias), .two(.date(value1), .date(value2)))
  }

  // MARK: - Bytes

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, Data, Void>, to value: Data) {
    change(ParameterTarget(property), .one(QueryValue(value)))
  }

  /// Changes the value of the first condition on a property.
  public func setParameter(_ property: Property<EntityType, Data?, Void>, to value: Data) {
    change(ParameterTarget(property), .one(QueryValue(value)))
  }

  /// Changes the value of the condition with an alias.
  public func setParameter(_ alias: String, to value: Data) {
    change(.alias(alias), .one(QueryValue(value)))
  }
}
