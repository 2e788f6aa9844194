internal import BoxJSON
internal import BoxModel

/// A set of options: the names of the bits that are set.
struct OptionSetForm: StrictForm {
  let kinds: Set<JSONKind> = [.array]
  private let options: [(name: String, bits: UInt64)]
  private let masks: [ExactText: UInt64]
  private let known: UInt64
  private let type: StoredType
  private let expected: String

  init(_ options: [(name: String, bits: UInt64)], _ type: StoredType) {
    self.options = options
    self.type = type
    known = options.reduce(0) { $0 | $1.bits }
    masks = Dictionary(options.map { (ExactText($0.name), $0.bits) }) { first, _ in first }
    expected = "a list of " + options.map(\.name).joined(separator: ", ")
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let integer = stored.wideInteger else { throw .malformed(expected) }
    let bits = UInt64(truncatingIfNeeded: integer)
    var covered: UInt64 = 0
    var names: [JSONValue] = []
    for option in options where bits & option.bits == option.bits {
      names.append(.string(option.name))
      covered |= option.bits
    }
    // Bits that no name covers, half of a name of two bits among them.
    if bits != covered { throw ConversionError(.unknown, expected: expected) }
    return .array(names)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .array(let names) = json else { throw .malformed(expected) }
    var bits: UInt64 = 0
    for name in names {
      guard case .string(let text) = name else { throw .malformed(expected) }
      guard let mask = masks[ExactText(text)] else {
        throw ConversionError(.unknown, expected: expected)
      }
      bits |= mask
    }
    guard let value = type.value(bits: bits) else { throw .malformed(expected) }
    return value
  }
}

extension StoredType {
  /// The value of the bits of an integer; nil if the type has not as many.
  ///
  /// The highest bit of a signed type is the sign.
  func value(bits: UInt64) -> Value? {
    if let value = value(Int128(bits)) { return value }
    guard !isUnsigned, kind == .integer else { return nil }
    let width = Int128(1) << (128 - range.upperBound.leadingZeroBitCount + 1)
    return Int128(bits) < width ? value(Int128(bits) - width) : nil
  }
}
