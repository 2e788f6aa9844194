internal import BoxEngine
internal import BoxModel
internal import BoxStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A question about the values of one property of the objects of a ``Query``.
///
/// ```swift
/// let prices = query.property(Book.price)
/// let mean = try prices.average()
/// let titles = try query.property(Book.title).distinct(caseSensitiveCompare: false).findStrings()
/// ```
///
/// It takes the objects that fulfil the condition of the query, in the order of their ids, whatever the
/// order of the query. Objects without a value are left out, unless a value for them was given with
/// `with(nullValue:)` or `with(nullString:)`; then it counts in every call. With ``distinct()`` equal
/// values are one, in every call.
///
/// It keeps its query, and uses the values that the query's conditions have when it runs. Each call that
/// throws can throw the [errors of every call](doc:errors#Errors-of-every-call) too.
public final class PropertyQuery<
  E: EntityInspectable & __EntityRelatable, T: EntityPropertyTypeConvertible
> where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E
  /// The type of the values.
  public typealias ValueType = T

  private let query: Query<E>
  private let property: obx_schema_id
  private var isDistinct = false
  private var ignoresCase = false
  private var nullValue: QueryValue?

  init(_ query: Query<E>, _ property: obx_schema_id) {
    self.query = query
    self.property = property
  }

  // MARK: - Options

  /// Takes equal values for one; of those, the one of the object with the lowest id is found.
  ///
  /// - Returns: This property query.
  /// - Throws: Nothing; it is marked `throws` for source compatibility with ObjectBox.
  /// - Complexity: O(1).
  @discardableResult
  public func distinct() throws -> PropertyQuery<EntityType, ValueType> {
    distinct(ignoresCase: false)
  }

  func distinct(ignoresCase: Bool) -> PropertyQuery<EntityType, ValueType> {
    isDistinct = true
    self.ignoresCase = ignoresCase
    return self
  }

  func with(nullValue: QueryValue) -> PropertyQuery<EntityType, ValueType> {
    self.nullValue = nullValue
    return self
  }

  // MARK: - Running

  /// The number of values.
  ///
  /// - Throws: The [errors of every call](doc:errors#Errors-of-every-call).
  /// - Complexity: As ``Query/find(offset:limit:)``; no objects are built.
  public func count() throws -> Int {
    var count = 0
    try visit { _ in
      count += 1
      return true
    }
    return count
  }

  /// Calls a function with each value until it returns false.
  func visit(_ body: (Value) throws -> Bool) throws {
    try query.reading { transaction, prepared in
      let column = try column()
      try transaction.visitValues(prepared, column, options(column)) { value in
        try body(value) ? .next : .stop
      }
    }
  }

  /// The sum, the limits and the mean of the values.
  func summary() throws -> ColumnSummary {
    try query.reading { transaction, prepared in
      let column = try column()
      return try transaction.summarize(prepared, column, options(column))
    }
  }

  private func column() throws -> QueryColumn {
    try ConditionResolver(query.box.storeCore.engine)
      .column(property, ObjectIdentifier(T.self), query.box.core.schema).column
  }

  private func options(_ column: QueryColumn) -> ColumnOptions {
    var options = ColumnOptions()
    options.isDistinct = isDistinct
    options.ignoresCase = ignoresCase
    options.nullValue = nullValue.flatMap { $0.value(column.property.type) }
    return options
  }

  /// The name of the property in messages.
  var name: String {
    let entity = query.box.core.schema
    let name = entity.property(withID: property)?.name
    return "\(entity.name).\(name ?? "property \(property)")"
  }

  /// The unit of dates; nil for values of another type.
  var unit: TimeUnit? {
    query.box.core.schema.property(withID: property)?.modelType.traits?.unit
  }

  // MARK: - Errors

  var noValues: ObjectBoxError {
    .notFound(
      message: "no object that fulfils the condition has a value of \(name); "
        + "call count() first, or pass a value for objects without one")
  }

  var severalValues: ObjectBoxError {
    .uniqueViolation(
      message: "several values of \(name) were found; "
        + "call distinct() first if they are equal, or find all of them")
  }

  func mismatch(_ value: Value) -> ObjectBoxError {
    .propertyTypeMismatch(
      message: "a stored value of \(name) is not a \(T.self); "
        + "generate the bindings again with the model of the store")
  }

  func overflow(_ type: Any.Type, _ advice: String) -> ObjectBoxError {
    .stdOverflow(message: "the sum of \(name) does not fit into \(type); \(advice)")
  }

  // MARK: - Values

  /// All values, converted.
  func all<Result>(_ convert: (Value) -> Result?) throws -> [Result] {
    var results: [Result] = []
    try visit { value in
      guard let result = convert(value) else { throw mismatch(value) }
      results.append(result)
      return true
    }
    return results
  }

  /// The first values, converted, at most so many.
  func first<Result>(_ count: Int, _ convert: (Value) -> Result?) throws -> [Result] {
    var results: [Result] = []
    try visit { value in
      guard let result = convert(value) else { throw mismatch(value) }
      results.append(result)
      return results.count < count
    }
    return results
  }

  /// The only value, converted; nil without values.
  func unique<Result>(_ convert: (Value) -> Result?) throws -> Result? {
    let found = try first(2, convert)
    if found.count > 1 { throw severalValues }
    return found.first
  }
}

extension QueryValue {
  /// The value as records of a type have it; nil for a value that the type does not have.
  fileprivate func value(_ type: SlotType) -> Value? {
    let traits = type.traits
    if traits.isVector { return nil }
    return switch (self, traits.form) {
    case (.integer(let value), .integer):
      traits.isUnsigned
        ? .unsigned(UInt64(truncatingIfNeeded: value)) : .integer(Int64(truncatingIfNeeded: value))
    case (.number(let value), .float): .float(Float(value))
    case (.number(let value), .double): .double(value)
    case (.string(let value), .string): .string(value)
    default: nil
    }
  }
}

extension Query {
  /// A question about the values of a property.
  ///
  /// ```swift
  /// let highest = try query.property(Book.price).max()
  /// let titles = try query.property(Book.title).distinct().findStrings()
  /// ```
  ///
  /// The query and the property query can be used independently of each other.
  public func property<T>(
    _ property: Property<EntityType, T, Void>
  ) -> PropertyQuery<EntityType, T> where T: EntityPropertyTypeConvertible {
    PropertyQuery(self, property.propertyId)
  }

  /// A question about the values of an optional property.
  public func property<T>(
    _ property: Property<EntityType, T?, Void>
  ) -> PropertyQuery<EntityType, T> where T: EntityPropertyTypeConvertible {
    PropertyQuery(self, property.propertyId)
  }

  /// A question about dates as numbers: milliseconds since 1970, or nanoseconds where the model says so.
  public func propertyInt64(
    _ property: Property<EntityType, Date, Void>
  ) -> PropertyQuery<EntityType, Int64> {
    PropertyQuery(self, property.propertyId)
  }

  /// A question about optional dates as numbers, as `propertyInt64(_:)`.
  public func propertyInt64(
    _ property: Property<EntityType, Date?, Void>
  ) -> PropertyQuery<EntityType, Int64> {
    PropertyQuery(self, property.propertyId)
  }
}

extension PropertyQuery: CustomDebugStringConvertible {
  /// The property, the options, and the query.
  public var debugDescription: String {
    let schema = query.box.core.schema
    let name = schema.property(withID: property)?.name ?? "property(\(property))"
    var parts = [name]
    if isDistinct { parts.append(ignoresCase ? "distinct ignoringCase" : "distinct") }
    if let nullValue { parts.append("nil as \(nullValue)") }
    return
      "PropertyQuery<\(E.self), \(T.self)>(\(parts.joined(separator: ", ")) of \(query.debugDescription))"
  }
}
