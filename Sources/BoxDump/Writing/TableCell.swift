/// The form of the values of a row.
package enum CellForm: Sendable {
  /// Each value as JSON.
  case json
  /// Strings as their texts, for tables; other values as JSON.
  case text
}

/// One value of a row of a table.
@safe package struct TableCell {
  /// Whether it is a string.
  package let isString: Bool
  /// The text of a string, or the JSON of any other value.
  package let bytes: UnsafeRawBufferPointer

  /// Creates a value of what was written for it, which is lent.
  ///
  /// - Parameters:
  ///   - written: The text of a string, or JSON that has no escapes if it is a string.
  ///   - isText: Whether it is the text of a string.
  package init(_ written: UnsafeRawBufferPointer, isText: Bool) {
    let isQuoted = unsafe !isText && written.first == UInt8(ascii: "\"")
    isString = isText || isQuoted
    unsafe bytes =
      isQuoted
      ? UnsafeRawBufferPointer(rebasing: written.dropFirst().dropLast()) : written
  }

  /// Whether it is null.
  package var isNull: Bool { unsafe !isString && bytes.first == UInt8(ascii: "n") }

  /// Whether it is a number without quotes.
  package var isNumber: Bool {
    guard !isString, let first = unsafe bytes.first else { return false }
    return first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
  }

  /// The text of a string, nothing for null, and JSON for everything else.
  package var text: String { isNull ? "" : unsafe String(decoding: bytes, as: UTF8.self) }
}
