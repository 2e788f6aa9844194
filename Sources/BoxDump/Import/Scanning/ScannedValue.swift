/// What a scanner found for a field.
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
  }

  var state = State.absent
  /// The bits, the index or the number.
  var bits: UInt64 = 0
  /// The number of bytes.
  var count = 0
  /// The index in the text at which the value begins.
  var place = 0
}

/// Why an object cannot be read.
struct ScanFailure: Error {
  /// What was found in place of what was expected.
  enum Found {
    /// What stands at the index.
    case text
    /// A value that was made of the text and stands nowhere in it.
    case value(String)
    case nothing
  }

  /// The index in the text.
  var index: Int
  /// What was expected there, or what is wrong.
  var expected: String
  /// The number of the field; -1 where the text itself is wrong.
  var field = -1
  /// Whether `expected` is the whole message.
  var isMessage = false
  var found = Found.text
}
