internal import BoxJSON
internal import BoxModel

/// A set of options: the names of the bits that are set.
struct OptionSetForm: StrictForm {
  let kinds: Set<JSONKind> = [.array]
  private let options: [(name: String, bits: UInt64)]
  private let masks: [ExactText: UInt64]
  private let type: StoredType
  private let expected: String

  init(
    _ options: [(name: String, bits: UInt64)], aliases: [Enumeration.Alias], _ type: StoredType
  ) {
    var masks: [ExactText: UInt64] = [:]
    var shown: [(name: String, bits: UInt64)] = []
    for option in options where masks[ExactText(option.name)] == nil {
      masks[ExactText(option.name)] = option.bits
      shown.append(option)
    }
    for alias in aliases where masks[ExactText(alias.alias)] == nil {
      masks[ExactText(alias.alias)] = masks[ExactText(alias.name)]
    }
    self.options = shown
    self.masks = masks
    self.type = type
    expected = "a list of " + options.map(\.name).joined(separator: ", ")
  }

  var names: [String] { options.map(\.name) }

  func stored(named name: String) throws(ConversionError) -> Value {
    try stored(.array([.string(name)]))
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let integer = stored.wideInteger else { throw .malformed(expected) }
    let bits = type.bits(integer)
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
  /// The number of integers that the type has.
  private var span: Int128 { range.upperBound - range.lowerBound + 1 }

  /// The bits of an integer, as many as the type has.
  func bits(_ integer: Int128) -> UInt64 {
    UInt64(truncatingIfNeeded: integer) & UInt64(truncatingIfNeeded: span - 1)
  }

  /// The value of the bits of an integer; nil if the type has not as many.
  ///
  /// The highest bit of a signed type is the sign.
  func value(bits: UInt64) -> Value? {
    if let value = value(Int128(bits)) { return value }
    guard !isUnsigned, kind == .integer else { return nil }
    return Int128(bits) < span ? value(Int128(bits) - span) : nil
  }
}
