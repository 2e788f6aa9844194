public import BoxModel

/// The reason why a value does not fit a property.
enum ValueMismatch: Error, Hashable {
  case type(expected: String)
  case range(expected: String)

  /// The value that was expected, in words.
  var words: String {
    switch self {
    case .type(let expected): expected
    case .range(let expected): "a number from \(expected)"
    }
  }
}

extension RecordWriter {
  /// Sets the values of an object, those that are null aside.
  ///
  /// - Throws: ``StoreError/wrongValue(entity:property:value:expected:)`` if a value has another kind
  ///   than its property, or is out of its range.
  mutating func set(_ object: DynamicObject) throws(StoreError) {
    let entity = object.entity
    for position in entity.writeOrder { try set(position, of: entity, to: object.values[position]) }
  }

  /// Sets the value of a property, by its position; null leaves it unset, and so does 0 for a to-one relation.
  ///
  /// - Throws: ``StoreError/wrongValue(entity:property:value:expected:)`` if the value has another kind
  ///   than the property, or is out of its range.
  @inline(__always)
  package mutating func set(
    _ position: Int, of entity: EntitySchema, to value: Value
  ) throws(StoreError) {
    if case .null = value { return }
    if case .unsigned(0) = value, entity.properties[position].target != nil { return }
    let access = entity.accesses[position]
    do throws(ValueMismatch) {
      try set(access.slot, access.type, value)
    } catch let mismatch {
      throw mismatch.error(entity, entity.properties[position], value)
    }
  }

  /// Sets a slot to a value.
  ///
  /// - Throws: ``ValueMismatch`` if the value has another kind, or is out of the range of the type.
  mutating func set(_ slot: Int, _ type: SlotType, _ value: Value) throws(ValueMismatch) {
    switch type {
    case .bool: set(slot, try value.bool())
    case .int8: set(slot, try value.integer() as Int8)
    case .uint8: set(slot, try value.integer() as UInt8)
    case .int16: set(slot, try value.integer() as Int16)
    case .uint16: set(slot, try value.integer() as UInt16)
    case .int32: set(slot, try value.integer() as Int32)
    case .uint32: set(slot, try value.integer() as UInt32)
    case .int64: set(slot, try value.integer() as Int64)
    case .uint64: set(slot, try value.integer() as UInt64)
    case .float: set(slot, try value.float())
    case .double: set(slot, try value.double())
    case .string:
      guard case .string(let string) = value else { throw .type(expected: "a string") }
      set(slot, string)
    case .bytes:
      guard case .bytes(let bytes) = value else { throw .type(expected: "bytes") }
      unsafe bytes.withUnsafeBytes { unsafe set(slot, bytes: $0) }
    case .bools:
      guard case .bools(let bools) = value else { throw .type(expected: "booleans") }
      set(slot, bools.map { UInt8($0 ? 1 : 0) })
    case .int16s: set(slot, try value.integers() as [Int16])
    case .uint16s: set(slot, try value.integers() as [UInt16])
    case .int32s: set(slot, try value.integers() as [Int32])
    case .uint32s: set(slot, try value.integers() as [UInt32])
    case .int64s: set(slot, try value.integers() as [Int64])
    case .uint64s: set(slot, try value.integers() as [UInt64])
    case .floats:
      guard case .floats(let numbers) = value else { throw .type(expected: "floats") }
      set(slot, numbers)
    case .doubles:
      guard case .doubles(let numbers) = value else { throw .type(expected: "doubles") }
      set(slot, numbers)
    case .strings:
      guard case .strings(let strings) = value else { throw .type(expected: "strings") }
      set(slot, strings: strings)
    }
  }
}

extension RecordView {
  /// The value of a slot of a type, copied; ``Value/null`` for an unset slot.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public func dynamicValue(_ slot: Int, _ type: SlotType) -> Value {
    if isNull(slot) { return .null }
    require(slot, type)
    return value(slot, type)
  }

  /// The value of a slot of a type; null for a slot below 0.
  ///
  /// The type comes from the layout: it is not checked again.
  @inline(__always)
  func value(_ slot: Int, _ type: SlotType) -> Value {
    if isNull(slot) { return .null }
    return switch type {
    case .bool: .bool(raw(slot, as: UInt8.self) != 0)
    case .int8: .integer(Int64(raw(slot, as: Int8.self)))
    case .uint8: .unsigned(UInt64(raw(slot, as: UInt8.self)))
    case .int16: .integer(Int64(Int16(littleEndian: raw(slot, as: Int16.self))))
    case .uint16: .unsigned(UInt64(UInt16(littleEndian: raw(slot, as: UInt16.self))))
    case .int32: .integer(Int64(Int32(littleEndian: raw(slot, as: Int32.self))))
    case .uint32: .unsigned(UInt64(UInt32(littleEndian: raw(slot, as: UInt32.self))))
    case .int64: .integer(Int64(littleEndian: raw(slot, as: Int64.self)))
    case .uint64: .unsigned(UInt64(littleEndian: raw(slot, as: UInt64.self)))
    case .float: .float(Float(bitPattern: UInt32(littleEndian: raw(slot, as: UInt32.self))))
    case .double: .double(Double(bitPattern: UInt64(littleEndian: raw(slot, as: UInt64.self))))
    case .string: unsafe .string(String(decoding: elements(slot), as: UTF8.self))
    default: vector(slot, type)
    }
  }

  /// The vector of a slot that is not null.
  private func vector(_ slot: Int, _ type: SlotType) -> Value {
    switch type {
    case .bytes: bytes(slot).map { .bytes($0) } ?? .null
    case .bools: vector(slot, of: UInt8.self).map { .bools($0.map { $0 != 0 }) } ?? .null
    case .int16s: vector(slot, of: Int16.self).map { .integers($0.map { Int64($0) }) } ?? .null
    case .uint16s:
      vector(slot, of: UInt16.self).map { .unsignedIntegers($0.map { UInt64($0) }) } ?? .null
    case .int32s: vector(slot, of: Int32.self).map { .integers($0.map { Int64($0) }) } ?? .null
    case .uint32s:
      vector(slot, of: UInt32.self).map { .unsignedIntegers($0.map { UInt64($0) }) } ?? .null
    case .int64s: vector(slot, of: Int64.self).map { .integers($0) } ?? .null
    case .uint64s: vector(slot, of: UInt64.self).map { .unsignedIntegers($0) } ?? .null
    case .floats: vector(slot, of: Float.self).map { .floats($0) } ?? .null
    case .doubles: vector(slot, of: Double.self).map { .doubles($0) } ?? .null
    case .strings: strings(slot).map { .strings($0) } ?? .null
    default: .null
    }
  }
}

extension Value {
  /// The bits of the value in the table of a record, as an integer; nil for types that are stored outside of
  /// the table.
  ///
  /// - Throws: ``ValueMismatch`` if the value has another kind, or is out of the range of the type.
  func bits(_ type: SlotType) throws(ValueMismatch) -> UInt64? {
    switch type {
    case .bool: try bool() ? 1 : 0
    case .int8: UInt64(UInt8(bitPattern: try integer()))
    case .uint8: UInt64(try integer() as UInt8)
    case .int16: UInt64(UInt16(bitPattern: try integer()))
    case .uint16: UInt64(try integer() as UInt16)
    case .int32: UInt64(UInt32(bitPattern: try integer()))
    case .uint32: UInt64(try integer() as UInt32)
    case .int64: UInt64(bitPattern: try integer())
    case .uint64: try integer()
    case .float: UInt64(try float().bitPattern)
    case .double: try double().bitPattern
    default: nil
    }
  }

  fileprivate func float() throws(ValueMismatch) -> Float {
    guard case .float(let value) = self else { throw .type(expected: "a float") }
    return value
  }

  fileprivate func double() throws(ValueMismatch) -> Double {
    guard case .double(let value) = self else { throw .type(expected: "a double") }
    return value
  }

  fileprivate func bool() throws(ValueMismatch) -> Bool {
    guard case .bool(let value) = self else { throw .type(expected: "a boolean") }
    return value
  }

  fileprivate func integer<T: FixedWidthInteger>() throws(ValueMismatch) -> T {
    let exact: T?
    switch self {
    case .integer(let value): exact = T(exactly: value)
    case .unsigned(let value): exact = T(exactly: value)
    default: throw .type(expected: "an integer")
    }
    guard let exact else { throw .range(expected: "\(T.min) to \(T.max)") }
    return exact
  }

  fileprivate func integers<T: FixedWidthInteger>() throws(ValueMismatch) -> [T] {
    var result: [T] = []
    switch self {
    case .integers(let values):
      result.reserveCapacity(values.count)
      for value in values { result.append(try Self.integer(value).integer()) }
    case .unsignedIntegers(let values):
      result.reserveCapacity(values.count)
      for value in values { result.append(try Self.unsigned(value).integer()) }
    default: throw .type(expected: "integers")
    }
    return result
  }
}
