internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// A unique property by whose values objects find those that they replace.
///
/// Of a class, as a put of many objects asks for it at each: copies of its description took a sixth of such a put.
final class MatchedProperty: Sendable {
  let property: PropertySchema
  let index: IndexSchema

  /// Creates it for a property that has a unique index; nil for others.
  init?(_ property: PropertySchema) {
    guard let index = property.index, index.isUnique else { return nil }
    (self.property, self.index) = (property, index)
  }
}

/// Finds objects by the values of a unique property.
struct UniqueLookup<E: EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  private let box: Box<E>
  let matched: MatchedProperty
  /// The property.
  var property: PropertySchema { matched.property }

  /// Checks the property.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` if the model lacks the property, and
  ///   ``ObjectBoxError/illegalArgument(message:)`` if its index is not unique.
  init(_ box: Box<E>, _ property: obx_schema_id) throws {
    self.box = box
    let resolver = ConditionResolver(box.storeCore.engine)
    let property = try resolver.property(property, box.core.schema)
    guard let matched = MatchedProperty(property) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "\(box.core.schema.name).\(property.name) is not unique in the model of the store, so that no object can be "
          + "found by it; mark the property with `unique` and generate the bindings again")
    }
    self.matched = matched
  }

  /// The property in messages.
  var name: String { "\(box.core.schema.name).\(property.name)" }

  /// The id of the object that has a value; nil if no object has it.
  ///
  /// - Complexity: O(log *n*).
  func id(of value: PropertyValue, _ transaction: EngineTransaction) throws -> Id? {
    guard var stored = dated(value).uniqueValue else { return nil }
    // The model can have a sign that the bindings have not: the bits count.
    if case .unsigned(let bits) = stored, let signed = signed(bits) { stored = .integer(signed) }
    return try ObjectBoxError.wrapping {
      try transaction.firstID(box.core.schema, where: property, equals: stored)
    }
  }

  /// The id of the object that has the value of an object with relations that is being put; nil for nil, and if no object
  /// has it.
  ///
  /// - Throws: The errors of the binding and of converters, as a put.
  /// - Complexity: O(log *n*), beside a collection of all values of the object.
  func holder(ofValueIn entity: E, _ transaction: EngineTransaction) throws -> Id? {
    try unsafe transaction.withRecordWriter { writer in
      let collector = unsafe PropertyCollector(box.core, writer, nil)
      // Relations are looked at, so that no target is put before it is known what the object replaces.
      collector.peek = RelationPeek(property: 0)
      let id = box.binding.entityId(of: entity)
      collector.begin(id)
      try box.collect(entity, id, collector, transaction)
      return try unsafe transaction.firstID(
        box.core.schema, matched.index, withValueIn: &writer.pointee)
    }
  }

  /// A date as the number that is stored for it; any other value as it is.
  private func dated(_ value: PropertyValue) -> PropertyValue {
    guard case .date(let date) = value, let unit = property.modelType.traits?.unit else {
      return value
    }
    return StoredDate.number(of: date, isNanoseconds: unit == .nanoseconds).map { .integer($0) }
      ?? value
  }

  /// The number of a signed property that has the bits of an unsigned one; nil for an unsigned property, and for a number
  /// that has more bits.
  private func signed(_ bits: UInt64) -> Int64? {
    guard let width = BitSign.width(of: property), width == 64 || bits >> UInt64(width) == 0 else {
      return nil
    }
    return Int64(bitPattern: bits << UInt64(64 - width)) >> Int64(64 - width)
  }

  /// Throws unless an object that was put has the value by which it is known.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` with both values.
  func require(_ given: PropertyValue, of id: Id, _ transaction: EngineTransaction) throws {
    let value = dated(given)
    let stored = try ObjectBoxError.wrapping {
      try transaction.get(box.core.schema, id) { record -> PropertyValue? in
        if property.type == .string { return record.string(property.slot).map { .string($0) } }
        return record.integerBits(property.slot).map { bits in
          guard case .unsigned(let wanted) = value, signed(wanted) == Int64(bitPattern: bits) else {
            return .unsigned(bits)
          }
          return value
        }
      }
    }
    if let stored = stored ?? nil, stored.isSameInteger(value) || stored == value { return }
    throw ObjectBoxError.illegalArgument(
      message: "an imported object has not the \(name) of its source, \(given); "
        + "set it in init(importing:in:) and keep it in update(from:in:)")
  }
}

extension EntitySchema {
  /// The error for an object with an id whose unique value another object has.
  func alreadyHeld(_ key: PropertySchema, by holder: Id, _ id: Id) -> ObjectBoxError {
    .constraintViolated(
      message: "object \(id) cannot be put: object \(holder) has its \(name).\(key.name); "
        + "put an object with that id, or a new one")
  }
}

extension PropertyValue {
  /// The stored form of an integer or a string; nil for other types.
  fileprivate var uniqueValue: Value? {
    switch self {
    case .integer(let value): .integer(value)
    case .unsigned(let value): .unsigned(value)
    case .string(let value): .string(value)
    default: nil
    }
  }

  /// Whether two integers have the same bits.
  fileprivate func isSameInteger(_ other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.unsigned(let bits), .integer(let value)): bits == UInt64(bitPattern: value)
    case (.unsigned(let bits), .unsigned(let value)): bits == value
    default: false
    }
  }
}
