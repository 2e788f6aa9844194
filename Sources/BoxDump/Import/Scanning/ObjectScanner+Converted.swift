internal import BoxEngine
internal import BoxModel

extension ObjectScanner {
  /// Takes a value for what was found for a field; false if it has another kind than the property.
  func set(_ field: Int, to value: Value) -> Bool {
    let type = fields[field].type
    let traits = type.traits
    if case .null = value {
      values[field].state = .null
      return true
    }
    if traits.isVector || traits.bits == 0 { return setMany(field, type, value) }
    let bits: UInt64?
    switch (value, traits.form) {
    case (.bool(let value), .bool): bits = value ? 1 : 0
    case (.integer(let value), .integer):
      bits = traits.isUnsigned ? UInt64(exactly: value) : UInt64(bitPattern: value)
    case (.unsigned(let value), .integer):
      bits = traits.isUnsigned || value <= Int64.max ? value : nil
    case (.float(let value), .float): bits = UInt64(value.bitPattern)
    case (.double(let value), .double): bits = value.bitPattern
    default: return false
    }
    guard let bits else { return false }
    values[field].bits = bits
    values[field].state = .scalar
    return true
  }

  private func setMany(_ field: Int, _ type: SlotType, _ value: Value) -> Bool {
    switch (value, type) {
    case (.string(let text), .string): append(Array(text.utf8), field)
    case (.bytes(let bytes), .bytes): append(bytes, field)
    case (.bools(let bools), .bools): append(bools.map { UInt8($0 ? 1 : 0) }, field)
    case (.floats(let numbers), .floats): append(numbers, field)
    case (.doubles(let numbers), .doubles): append(numbers, field)
    case (.integers(let numbers), .int16s): return append(numbers, as: Int16.self, field)
    case (.integers(let numbers), .int32s): return append(numbers, as: Int32.self, field)
    case (.integers(let numbers), .int64s): append(numbers, field)
    case (.unsignedIntegers(let numbers), .uint16s):
      return append(numbers, as: UInt16.self, field)
    case (.unsignedIntegers(let numbers), .uint32s):
      return append(numbers, as: UInt32.self, field)
    case (.unsignedIntegers(let numbers), .uint64s): append(numbers, field)
    case (.strings(let strings), .strings):
      values[field].bits = UInt64(stringLists.count)
      values[field].state = .strings
      stringLists.append(strings)
    default: return false
    }
    return true
  }

  private func append<From: FixedWidthInteger, To: FixedWidthInteger & BitwiseCopyable>(
    _ numbers: [From], as type: To.Type, _ field: Int
  ) -> Bool {
    let exact = numbers.compactMap { To(exactly: $0) }
    append(exact, field)
    return exact.count == numbers.count
  }

  /// Takes elements beside the text for what was found.
  func append<T: BitwiseCopyable>(_ elements: [T], _ field: Int) {
    side.align()
    let first = side.count
    side.append(elements)
    values[field].bits = UInt64(first)
    values[field].count = side.count - first
    values[field].state = .side
  }
}
