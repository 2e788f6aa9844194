internal import BoxEngine
internal import BoxModel

/// Fills an empty store with objects that a number decides.
struct GeneratedObjects {
  private let store: ObjectStore
  private let count: Int
  private var bits: SeededBits

  init(_ store: ObjectStore, seed: UInt64, objects: Int) {
    self.store = store
    count = max(0, objects)
    bits = SeededBits(state: seed)
  }

  /// Puts the objects, and then the entries of relations to many.
  ///
  /// - Throws: ``StoreError``.
  mutating func fill() throws {
    if count == 0 { return }
    var bits = bits
    try store.write { transaction in
      for entity in store.entities {
        for number in 1...count {
          try transaction.put(object(number, of: entity, &bits))
        }
      }
      for entity in store.entities {
        for relation in entity.relations {
          for source in 1...count {
            for _ in 0..<bits.below(3) {
              try transaction.link(relation, UInt64(source), UInt64(1 + bits.below(count)))
            }
          }
        }
      }
    }
    self.bits = bits
  }

  private func object(
    _ number: Int, of entity: EntitySchema, _ bits: inout SeededBits
  ) -> DynamicObject {
    var object = DynamicObject(entity, id: entity.hasAssignableIDs ? UInt64(number) : 0)
    for (position, property) in entity.properties.enumerated() where position != entity.idPosition {
      object.values[position] =
        property.index?.isUnique == true
        ? uniqueValue(number, of: property) : value(of: property, &bits)
    }
    return object
  }

  // MARK: - Values

  /// 2020-01-01 in milliseconds since 1970.
  private static let firstDate: Int64 = 1_577_836_800_000
  private static let words = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "juniper",
  ]

  /// A value that no other object has; null where the type has too few.
  private func uniqueValue(_ number: Int, of property: PropertySchema) -> Value {
    if property.target != nil { return .unsigned(UInt64(number)) }
    switch property.type {
    case .bool: return .null
    case .string: return .string("\(property.name) \(number)")
    case .bytes: return .bytes(withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) })
    case .float: return number < 1 << 24 ? .float(Float(number)) : .null
    case .double: return .double(Double(number))
    case let type:
      if property.modelType == .char && number >= 0xD800 { return .null }
      return integer(type, Int64(number)) ?? .null
    }
  }

  private func value(of property: PropertySchema, _ bits: inout SeededBits) -> Value {
    if bits.below(8) == 0 || property.modelType == .flex { return .null }
    if property.target != nil { return .unsigned(UInt64(1 + bits.below(count))) }
    let length = property.vectorIndex.dimensions ?? bits.below(4)
    switch property.type {
    case .bool: return .bool(bits.below(2) == 0)
    case .float: return .float(Float(bits.below(100_000)) / 64)
    case .double: return .double(Double(bits.below(1_000_000)) / 64)
    case .string: return .string(text(&bits))
    case .bytes: return .bytes((0..<8).map { _ in UInt8(bits.below(256)) })
    case .bools: return .bools((0..<length).map { _ in bits.below(2) == 0 })
    case .floats: return .floats((0..<length).map { _ in Float(bits.below(2048)) / 1024 })
    case .doubles: return .doubles((0..<length).map { _ in Double(bits.below(2048)) / 1024 })
    case .strings: return .strings((0..<length).map { _ in text(&bits) })
    case .int16s, .int32s, .int64s:
      return .integers((0..<length).map { _ in number(of: property, &bits) })
    case .uint16s, .uint32s, .uint64s:
      return .unsignedIntegers((0..<length).map { _ in UInt64(number(of: property, &bits)) })
    case let type: return integer(type, number(of: property, &bits)) ?? .null
    }
  }

  /// An integer that every type of integers has, or a date.
  private func number(of property: PropertySchema, _ bits: inout SeededBits) -> Int64 {
    switch property.modelType {
    // Ten years.
    case .date, .dateVector: Self.firstDate + Int64(bits.below(315_000_000)) * 1000
    case .dateNano, .dateNanoVector:
      (Self.firstDate + Int64(bits.below(315_000_000)) * 1000) * 1_000_000
    case .char, .charVector: 97 + Int64(bits.below(26))
    default: Int64(bits.below(100))
    }
  }

  private func text(_ bits: inout SeededBits) -> String {
    "\(Self.words[bits.below(Self.words.count)]) \(bits.below(1000))"
  }

  /// An integer as a value of a type; nil if it is not in the range.
  private func integer(_ type: SlotType, _ number: Int64) -> Value? {
    switch type {
    case .int8: Int8(exactly: number).map { .integer(Int64($0)) }
    case .int16: Int16(exactly: number).map { .integer(Int64($0)) }
    case .int32: Int32(exactly: number).map { .integer(Int64($0)) }
    case .int64: .integer(number)
    case .uint8: UInt8(exactly: number).map { .unsigned(UInt64($0)) }
    case .uint16: UInt16(exactly: number).map { .unsigned(UInt64($0)) }
    case .uint32: UInt32(exactly: number).map { .unsigned(UInt64($0)) }
    case .uint64: UInt64(exactly: number).map { .unsigned($0) }
    default: nil
    }
  }
}

/// SplitMix64: the same numbers for a seed everywhere, whatever the standard library does.
private struct SeededBits: Sendable {
  var state: UInt64

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 up to a limit, which is not included.
  mutating func below(_ limit: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(limit)).high)
  }
}
