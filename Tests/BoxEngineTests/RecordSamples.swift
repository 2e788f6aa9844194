import BoxModel
import TestSupport

@testable import BoxEngine

/// Random layouts, values and records, and their exact form as text.
enum RecordSamples {
  /// Every type that a slot can have.
  static let types = (UInt8(0)...255).compactMap(SlotType.init(rawValue:))

  /// A layout of some types in any order, with slots that are not in use.
  static func layout(_ random: inout SplitMix64) -> [SlotType?] {
    (0..<random.below(30)).map { _ in random.oneIn(8) ? nil : random.pick(types) }
  }

  /// Values for a layout, some of them null.
  static func values(_ layout: [SlotType?], _ random: inout SplitMix64) -> [Value] {
    layout.map { type in
      guard let type, !random.oneIn(4) else { return .null }
      return value(type, &random)
    }
  }

  /// The bytes of a record with its checksum.
  static func record(_ id: UInt64, _ layout: RecordLayout, _ values: [Value]) throws -> [UInt8] {
    var writer = RecordWriter()
    writer.begin(layout)
    for (slot, value) in values.enumerated() where value != .null {
      if let type = layout.types[slot] { try writer.set(slot, type, value) }
    }
    return [UInt8](writer.finish(id))
  }

  /// The values of a record that was verified.
  static func values(_ view: borrowing RecordView, _ layout: [SlotType?]) -> [Value] {
    var values: [Value] = []
    for (slot, type) in layout.enumerated() {
      values.append(type.map { view.value(slot, $0) } ?? .null)
    }
    return values
  }

  /// A value that is not null; often zero, an extreme, empty or long.
  static func value(_ type: SlotType, _ random: inout SplitMix64) -> Value {
    switch type {
    case .bool: .bool(random.oneIn(2))
    case .int8: .integer(Int64(integer(&random) as Int8))
    case .uint8: .unsigned(UInt64(integer(&random) as UInt8))
    case .int16: .integer(Int64(integer(&random) as Int16))
    case .uint16: .unsigned(UInt64(integer(&random) as UInt16))
    case .int32: .integer(Int64(integer(&random) as Int32))
    case .uint32: .unsigned(UInt64(integer(&random) as UInt32))
    case .int64: .integer(integer(&random))
    case .uint64: .unsigned(integer(&random))
    case .float: .float(float(&random))
    case .double: .double(double(&random))
    case .string: .string(string(&random))
    case .bytes: .bytes(many(&random) { integer(&$0) })
    case .bools: .bools(many(&random) { $0.oneIn(2) })
    case .int16s: .integers(many(&random) { Int64(integer(&$0) as Int16) })
    case .uint16s: .unsignedIntegers(many(&random) { UInt64(integer(&$0) as UInt16) })
    case .int32s: .integers(many(&random) { Int64(integer(&$0) as Int32) })
    case .uint32s: .unsignedIntegers(many(&random) { UInt64(integer(&$0) as UInt32) })
    case .int64s: .integers(many(&random) { integer(&$0) })
    case .uint64s: .unsignedIntegers(many(&random) { integer(&$0) })
    case .floats: .floats(many(&random) { float(&$0) })
    case .doubles: .doubles(many(&random) { double(&$0) })
    case .strings: .strings(many(&random) { string(&$0) })
    }
  }

  private static func integer<T: FixedWidthInteger>(_ random: inout SplitMix64) -> T {
    switch random.below(5) {
    case 0: 0
    case 1: .min
    case 2: .max
    default: T(truncatingIfNeeded: random.next())
    }
  }

  private static func float(_ random: inout SplitMix64) -> Float {
    random.oneIn(3)
      ? random.pick([0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude])
      : Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
  }

  private static func double(_ random: inout SplitMix64) -> Double {
    random.oneIn(3)
      ? random.pick([0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude])
      : Double(bitPattern: random.next())
  }

  private static func string(_ random: inout SplitMix64) -> String {
    let letters = ["a", "B", "7", " ", "\u{0}", "é", "e\u{301}", "語", "🙂", "\n"]
    return (0..<length(&random)).map { _ in random.pick(letters) }.joined()
  }

  private static func length(_ random: inout SplitMix64) -> Int {
    switch random.below(12) {
    case 0..<3: 0
    case 3: 100 + random.below(2000)
    default: 1 + random.below(9)
    }
  }

  private static func many<T>(
    _ random: inout SplitMix64, _ element: (inout SplitMix64) -> T
  ) -> [T] {
    (0..<min(300, length(&random))).map { _ in element(&random) }
  }

  // MARK: - Text

  /// The values that are not null, as `slot:value` in order: numbers by their bits, text in
  /// hexadecimal, a vector by its length and its elements.
  static func text(_ values: [Value]) -> String {
    values.enumerated().compactMap { slot, value in text(value).map { "\(slot):\($0)" } }
      .joined(separator: " ")
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): bits(value)
    case .double(let value): bits(value)
    case .string(let value): hexadecimal(value.utf8)
    case .bytes(let values): list(values) { "\($0)" }
    case .bools(let values): list(values) { $0 ? "1" : "0" }
    case .integers(let values): list(values) { "\($0)" }
    case .unsignedIntegers(let values): list(values) { "\($0)" }
    case .floats(let values): list(values, bits)
    case .doubles(let values): list(values, bits)
    case .strings(let values): list(values) { hexadecimal($0.utf8) }
    }
  }

  /// NaN is not equal to itself: one of its many patterns stands for all.
  private static func bits(_ value: Float) -> String {
    value.isNaN ? "nan" : "\(value.bitPattern)"
  }

  private static func bits(_ value: Double) -> String {
    value.isNaN ? "nan" : "\(value.bitPattern)"
  }

  private static func list<T>(_ values: [T], _ element: (T) -> String) -> String {
    ([String(values.count)] + values.map(element)).joined(separator: ",")
  }

  /// Bytes as digits, two for each.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The bytes that digits stand for.
  static func bytes(hexadecimal text: Substring) -> [UInt8] {
    var digits = text.utf8.makeIterator()
    var bytes: [UInt8] = []
    while let high = digits.next(), let low = digits.next() {
      bytes.append(nibble(high) << 4 | nibble(low))
    }
    return bytes
  }

  private static func nibble(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : digit - 87 }
}
