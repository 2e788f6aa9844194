internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// Finds objects by the values of a unique property.
struct UniqueLookup<E: EntityInspectable & __EntityRelatable>
where E == E.EntityBindingType.EntityType {
  private let box: Box<E>
  private let property: PropertySchema

  /// Checks the property.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` if the model lacks the property, and
  ///   ``ObjectBoxError/illegalArgument(message:)`` if its index is not unique.
  init(_ box: Box<E>, _ property: obx_schema_id) throws {
    self.box = box
    let resolver = ConditionResolver(box.storeCore.engine)
    self.property = try resolver.property(property, box.core.schema)
    if self.property.index?.isUnique != true {
      throw ObjectBoxError.illegalArgument(
        message: "\(name) is not unique, and an import cannot find objects by it; "
          + "mark the property with `unique` and generate the bindings again")
    }
  }

  /// The property in messages.
  var name: String { "\(box.core.schema.name).\(property.name)" }

  /// The id of the object that has a value; nil if no object has it.
  ///
  /// - Complexity: O(log *n*).
  func id(of value: PropertyValue, _ transaction: EngineTransaction) throws -> Id? {
    guard var stored = value.uniqueValue else { return nil }
    // The model can have a sign that the bindings have not: the bits count.
    if case .unsigned(let bits) = stored, let signed = signed(bits) { stored = .integer(signed) }
    return try ObjectBoxError.wrapping {
      try transaction.ids(box.core.schema, where: property, equals: stored).first
    }
  }

  /// The number of a signed property that has the bits of an unsigned one; nil for an unsigned property.
  private func signed(_ bits: UInt64) -> Int64? {
    BitSign.width(of: property).map { Int64(bitPattern: bits << (64 - $0)) >> (64 - $0) }
  }

  /// Throws unless an object that was put has the value by which it is known.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` with both values.
  func require(_ value: PropertyValue, of id: Id, _ transaction: EngineTransaction) throws {
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
      message: "an imported object has not the \(name) of its source, \(value); "
        + "set it in init(importing:in:) and keep it in update(from:in:)")
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
