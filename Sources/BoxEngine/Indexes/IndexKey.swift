internal import BoxModel

/// The key of a value in an index.
enum IndexKey: Hashable {
  case integer(UInt64)
  case bytes([UInt8])
}

extension IndexSchema {
  /// Bytes of a key that are of the string: LMDB takes 511, and one says that the key is not empty.
  static let maximumKeyBytes = 510

  /// The first byte of a key of bytes, so that it is never empty.
  static let keyMark: UInt8 = 1

  /// The part of a string that its key contains.
  static func keyText(_ utf8: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: utf8.prefix(maximumKeyBytes))
  }

  /// The start of the string from which a key of bytes was made.
  static func text(_ key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: key.dropFirst())
  }

  /// The integer key of a record's value; nil if the value has no entry.
  ///
  /// Only for an index that has integer keys.
  @inline(__always)
  func integerKey(_ record: borrowing RecordView) -> UInt64? { extractor.key(record) }

  /// The key of bytes of a string: the mark and the start of the string.
  private func byteKey(_ utf8: some Collection<UInt8>) -> [UInt8] {
    [Self.keyMark] + utf8.prefix(Self.maximumKeyBytes)
  }

  /// The key of a record's value; nil if the value has no entry.
  func key(_ record: borrowing RecordView) -> IndexKey? {
    if hasByteKeys {
      return unsafe record.isNull(slot) ? nil : .bytes(byteKey(record.elements(slot)))
    }
    return integerKey(record).map { .integer($0) }
  }

  /// The key of the UTF-8 bytes of a string.
  func key(text: [UInt8]) -> IndexKey {
    if hasByteKeys { return .bytes(byteKey(text)) }
    return unsafe .integer(text.withUnsafeBytes { unsafe extractor.hash($0) })
  }

  /// The key of a value; nil if the value has no entry.
  ///
  /// - Throws: ``ValueMismatch`` if the value does not fit the type of the property.
  func key(_ value: Value) throws(ValueMismatch) -> IndexKey? {
    if case .null = value { return nil }
    guard type == .string else {
      return try value.bits(type).flatMap { extractor.key(ofBits: $0) }.map { .integer($0) }
    }
    guard case .string(var text) = value else { throw .type(expected: "a string") }
    return text.withUTF8 { unsafe key(text: Array($0)) }
  }
}

/// Makes the integer keys of an index; without references, as it is called for each object.
struct IntegerKeyExtractor: Sendable {
  /// The position of the index among all of the store.
  var position: Int
  var slot: Int
  var type: SlotType
  var skipsZero: Bool
  /// Whether a hash has 32 bits.
  var isHalved: Bool
  /// The bytes of a value that is stored in the table; 0 for a string.
  private let width: Int
  /// The key of zero.
  private let zeroKey: UInt64

  init(position: Int, slot: Int, type: SlotType, skipsZero: Bool, isHalved: Bool) {
    self.position = position
    self.slot = slot
    self.type = type
    self.skipsZero = skipsZero
    self.isHalved = isHalved
    width = type.isReference ? 0 : type.width
    zeroKey =
      switch type.traits.domain {
      case .signed: OrderedKey.of(Int64(0))
      case .number: OrderedKey.of(0.0)
      case .unsigned, .string, .bytes: 0
      }
  }

  /// Whether two records have the same value, bit by bit, and so the same key.
  @inline(__always)
  func isSame(_ a: borrowing RecordView, _ b: borrowing RecordView) -> Bool {
    if a.isNull(slot) || b.isNull(slot) { return a.isNull(slot) == b.isNull(slot) }
    switch width {
    case 8: return a.raw(slot, as: UInt64.self) == b.raw(slot, as: UInt64.self)
    case 4: return a.raw(slot, as: UInt32.self) == b.raw(slot, as: UInt32.self)
    case 2: return a.raw(slot, as: UInt16.self) == b.raw(slot, as: UInt16.self)
    case 1: return a.raw(slot, as: UInt8.self) == b.raw(slot, as: UInt8.self)
    default: return a.hasSameElements(slot, as: b)
    }
  }

  /// The integer key of a record's value; nil if the value has no entry.
  ///
  /// Only for an index that has integer keys.
  @inline(__always)
  func key(_ record: borrowing RecordView) -> UInt64? {
    if record.isNull(slot) { return nil }
    switch width {
    case 8: return key(ofBits: UInt64(littleEndian: record.raw(slot, as: UInt64.self)))
    case 4: return key(ofBits: UInt64(UInt32(littleEndian: record.raw(slot, as: UInt32.self))))
    case 2: return key(ofBits: UInt64(UInt16(littleEndian: record.raw(slot, as: UInt16.self))))
    case 1: return key(ofBits: UInt64(record.raw(slot, as: UInt8.self)))
    default: return type == .string ? unsafe hash(record.elements(slot)) : nil
    }
  }

  /// The integer key of a value of a type that is stored in the table, from its bits; nil if the value
  /// has no entry.
  @inline(__always)
  func key(ofBits bits: UInt64) -> UInt64? {
    let key: UInt64
    switch type {
    case .bool, .uint8, .uint16, .uint32, .uint64: key = bits
    case .int8: key = OrderedKey.of(Int64(Int8(truncatingIfNeeded: bits)))
    case .int16: key = OrderedKey.of(Int64(Int16(truncatingIfNeeded: bits)))
    case .int32: key = OrderedKey.of(Int64(Int32(truncatingIfNeeded: bits)))
    case .int64: key = OrderedKey.of(Int64(bitPattern: bits))
    case .float:
      key = OrderedKey.of(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    case .double: key = OrderedKey.of(Double(bitPattern: bits))
    default: return nil
    }
    return skipsZero && key == zeroKey ? nil : key
  }

  /// The hash of a string, of as many bits as the kind of the index says.
  func hash(_ utf8: UnsafeRawBufferPointer) -> UInt64 {
    let hash = unsafe StringHash.of(utf8)
    return isHalved ? hash >> 32 : hash
  }
}

/// Unsigned integers in the order of other numbers.
enum OrderedKey {
  /// The key of a signed integer.
  static func of(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  /// The key of a number: -0.0 equals 0.0, and every NaN is one value above all others.
  static func of(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value == 0 ? 0.0 : value).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// The signed integer of a key.
  static func integer(_ key: UInt64) -> Int64 { Int64(bitPattern: key ^ 1 << 63) }

  /// The number of a key.
  static func number(_ key: UInt64) -> Double {
    if key == .max { return .nan }
    return Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}

/// The hash of strings in indexes, which is part of the storage format.
enum StringHash {
  /// FNV-1a of 64 bits, with the final mixing of MurmurHash3 so that the upper half depends on every byte.
  ///
  /// - Complexity: O(*n*).
  static func of(_ utf8: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in utf8.indices {
      hash = unsafe (hash ^ UInt64(utf8[index])) &* 0x0000_0100_0000_01B3
    }
    return mixed(hash)
  }

  /// The final mixing of MurmurHash3: every bit of the result depends on every bit of the value.
  @inline(__always)
  static func mixed(_ value: UInt64) -> UInt64 {
    var hash = value
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return hash ^ hash >> 33
  }
}
