/// The value that a scanner found for a field.
struct ScannedValue {
  enum State: UInt8 {
    /// The object has no such member.
    case absent
    case null
    /// A number, a boolean, a date, an id: the bits.
    case scalar
    /// Bytes in the text, from an index on.
    case text
    /// Bytes beside the text: a string that had escapes, bytes, the elements of a vector.
    case side
    /// A list of strings, by its number.
    case strings
    /// A value of a converter, by its number.
    case converted
    /// A field of delimited text for a converter, beside the text, without and with quotes.
    case field, quotedField
  }

  var state = State.absent
  /// The bits, the index or the number.
  var bits: UInt64 = 0
  /// The number of bytes.
  var count = 0
  /// The index in the text at which the value begins.
  var place = 0

  /// The indices of its bytes, in the text or beside it.
  @inline(__always) var range: Range<Int> {
    let start = Int(truncatingIfNeeded: bits)
    return start..<start + count
  }
}

/// The reason why an object cannot be read.
struct ScanFailure: Error {
  /// The thing found in place of the expected one.
  enum Found {
    /// The text at the index.
    case text
    /// A value that was made of the text and does not occur in it.
    case value(String)
    case nothing
  }

  /// The index in the text.
  var index: Int
  /// The expected thing, or the whole message; empty for what the field of the value expects.
  var expected: String
  /// The number of the field; -1 if the text itself is invalid.
  var field = -1
  /// Whether `expected` is the whole message.
  var isMessage = false
  var found = Found.text
}

extension ScanFailure {
  /// The message, and the value that was found.
  ///
  /// - Parameters:
  ///   - text: The text in which the failure occurred.
  ///   - range: The object.
  /// - Returns: Both; no value if nothing was found.
  func message(_ text: InputText, _ range: Range<Int>) -> (message: String, value: String?) {
    let value: String? =
      switch found {
      case .text: text.shownValue(at: index, in: range)
      case .value(let made): made
      case .nothing: nil
      }
    if isMessage { return (expected, value) }
    // Of a value that belongs to no field, nothing else is known.
    let expected = expected.isEmpty ? "a value" : expected
    return ("expected \(expected), found \(value ?? "nothing")", value)
  }
}
