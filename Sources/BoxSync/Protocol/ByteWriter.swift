internal import BoxEngine
internal import BoxModel

/// Writes the numbers, texts and values of messages and of the log.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func fixed(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func fixed(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Seven bits a byte, the lowest first; the highest bit says that more follow.
  mutating func varint(_ value: UInt64) { bytes.append(varint: value) }

  mutating func varint(_ value: Int) { varint(UInt64(value)) }

  /// A signed number, so that small ones of either sign are short.
  mutating func signed(_ value: Int64) {
    varint(UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63))
  }

  mutating func blob(_ value: [UInt8]) {
    varint(value.count)
    bytes += value
  }

  mutating func text(_ value: String) {
    varint(value.utf8.count)
    bytes += value.utf8
  }

  mutating func append(_ other: ByteWriter) { bytes += other.bytes }

  mutating func value(_ value: Value) {
    byte(ValueTag(value).rawValue)
    switch value {
    case .null, .bool: break
    case .integer(let value): signed(value)
    case .unsigned(let value): varint(value)
    case .float(let value): fixed(value.bitPattern)
    case .double(let value): fixed(value.bitPattern)
    case .string(let value): text(value)
    case .bytes(let value): blob(value)
    case .bools(let values): blob(values.map { $0 ? 1 : 0 })
    case .integers(let values):
      varint(values.count)
      for value in values { signed(value) }
    case .unsignedIntegers(let values):
      varint(values.count)
      for value in values { varint(value) }
    case .floats(let values):
      varint(values.count)
      for value in values { fixed(value.bitPattern) }
    case .doubles(let values):
      varint(values.count)
      for value in values { fixed(value.bitPattern) }
    case .strings(let values):
      varint(values.count)
      for value in values { text(value) }
    }
  }
}

/// The first byte of a value.
enum ValueTag: UInt8 {
  case null = 0, no, yes, integer, unsigned, float, double, string, bytes, bools, integers
  case unsignedIntegers, floats, doubles, strings, reference

  init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .bool(let value): value ? .yes : .no
      case .integer: .integer
      case .unsigned: .unsigned
      case .float: .float
      case .double: .double
      case .string: .string
      case .bytes: .bytes
      case .bools: .bools
      case .integers: .integers
      case .unsignedIntegers: .unsignedIntegers
      case .floats: .floats
      case .doubles: .doubles
      case .strings: .strings
      }
  }
}
