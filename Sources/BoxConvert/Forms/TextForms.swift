internal import BoxJSON
internal import BoxModel

/// A text that is shown as it is, and has to have a syntax.
struct CheckedTextForm: StrictForm {
  let kinds: Set<JSONKind>
  let result = StoredType(.string)
  let expected: String
  let isValid: @Sendable (String) -> Bool

  init(
    _ kinds: Set<JSONKind> = [.string], expected: String,
    isValid: @escaping @Sendable (String) -> Bool
  ) {
    self.kinds = kinds
    self.expected = expected
    self.isValid = isValid
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard case .string(let text) = stored, isValid(text) else { throw .malformed(expected) }
    return .string(text)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    // A number stands for its digits: 1.10 is not 1.1.
    let text =
      kinds.contains(.number) && json.kind == .number ? json.text(indent: 0) : json.textValue
    guard let text, isValid(text) else { throw .malformed(expected) }
    return .string(text)
  }
}

extension CheckedTextForm {
  static let uuid = CheckedTextForm(expected: UUIDText.expected) { UUIDText.bytes($0) != nil }

  static func url(isRelativeAllowed: Bool) -> CheckedTextForm {
    CheckedTextForm(
      expected: isRelativeAllowed ? "a URL or a relative reference" : "a URL with its scheme"
    ) { URLSyntax.isValid($0, isRelativeAllowed: isRelativeAllowed) }
  }

  static let decimal = CheckedTextForm([.string, .number], expected: "a decimal number, as -12.50")
  {
    DecimalText.isValid($0)
  }
}

/// The characters of RFC 3986.
enum URLSyntax {
  /// Whether a text is a URL, by its characters, its escapes and its scheme.
  static func isValid(_ text: String, isRelativeAllowed: Bool) -> Bool {
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, Hexadecimal.value(bytes[index + 1]) != nil,
          Hexadecimal.value(bytes[index + 2]) != nil
        else { return false }
        index += 3
      } else {
        guard isAllowed(bytes[index]) else { return false }
        index += 1
      }
    }
    let end = bytes.firstIndex { ":/?#".utf8.contains($0) }
    if let end, bytes[end] == UInt8(ascii: ":") { return isScheme(bytes[..<end]) }
    return isRelativeAllowed
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte)
  }

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// Decimal numbers as text.
enum DecimalText {
  /// Whether a text is digits with an optional sign, fraction and exponent.
  static func isValid(_ text: String) -> Bool {
    var rest = Substring(text).utf8[...]
    if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
    let whole = takeDigits(&rest)
    var fraction = 0
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
      if fraction == 0 { return false }
    }
    guard whole + fraction > 0 else { return false }
    if let letter = rest.first, "eE".utf8.contains(letter) {
      rest.removeFirst()
      if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
      if takeDigits(&rest) == 0 { return false }
    }
    return rest.isEmpty
  }

  private static func takeDigits(_ text: inout Substring.UTF8View.SubSequence) -> Int {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    text.removeFirst(digits.count)
    return digits.count
  }
}

/// A decimal number that is stored as an integer of its smallest unit, as cents are.
///
/// It is shown as a text, so that no reader rounds it; read, a number is the number that it says: with
/// a scale of 2 both `"12.00"` and `12` are stored as 1200.
struct ScaledDecimalForm: StrictForm {
  let kinds: Set<JSONKind> = [.string, .number]
  let result = StoredType(.string)
  private let scale: Int
  private let type: StoredType
  private let expected: String

  init(scale: Int, _ type: StoredType) {
    self.scale = scale
    self.type = type
    expected = "a decimal number with at most \(scale) digits after the point"
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let integer = stored.wideInteger else { throw .malformed(expected) }
    var digits = String(integer.magnitude)
    if scale > 0 {
      digits = String(repeating: "0", count: max(0, scale + 1 - digits.utf8.count)) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
    }
    return .string(integer < 0 ? "-" + digits : digits)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    let integer =
      if case .string(let text) = json { integer(text) } else {
        json.decimal?.integer(scale: scale)
      }
    guard let value = integer.flatMap({ type.value($0) }) else { throw .malformed(expected) }
    return value
  }

  private func integer(_ text: String) -> Int128? {
    var bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes.removeFirst() }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let fraction = parts.count == 2 ? parts[1] : []
    guard fraction.count <= scale else { return nil }
    let zeros = repeatElement(UInt8(ascii: "0"), count: scale - fraction.count)
    let digits = parts[0] + fraction + zeros
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int128((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))
  }
}
