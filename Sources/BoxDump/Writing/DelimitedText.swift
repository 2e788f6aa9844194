internal import BoxJSON

/// The fields of delimited text (RFC 4180).
///
/// Strings are without the quotes of JSON, and vectors and objects are JSON. A string is in quotes if it
/// has to be, or could be taken for null or for a value of another type. Where a converter can show any
/// JSON, a string that begins as JSON does stays JSON, so that it is not taken for what it says.
package struct DelimitedText: Hashable, Sendable {
  /// The character between fields.
  package var delimiter: UInt8
  /// The field for null.
  package var null: [UInt8]

  /// Creates the form of a text; the default is CSV with null as an empty field.
  package init(delimiter: UInt8 = UInt8(ascii: ","), null: [UInt8] = []) {
    self.delimiter = delimiter
    self.null = null
  }

  /// Appends a value.
  ///
  /// - Parameters:
  ///   - cell: The value.
  ///   - isConverted: Whether a converter shows it, and reads it again.
  ///   - output: The text.
  /// - Complexity: O(*n*) in the size of the value.
  package func append(_ cell: TableCell, isConverted: Bool = false, to output: inout [UInt8]) {
    if cell.isNull {
      output += null
    } else if cell.isString {
      if isConverted, unsafe Self.beginsAsJSON(cell.bytes) {
        var json = JSONTextWriter()
        json.append(string: cell.text)
        unsafe json.bytes.withUnsafeBytes { unsafe appendQuoted($0, to: &output) }
      } else {
        unsafe append(string: cell.bytes, to: &output)
      }
    } else if unsafe cell.bytes.elementsEqual(null) {
      // In quotes even a number is not null.
      unsafe appendQuoted(cell.bytes, to: &output)
    } else if cell.isNumber {
      unsafe output += cell.bytes
    } else {
      unsafe append(cell.bytes, to: &output)
    }
  }

  /// Appends a string.
  ///
  /// - Parameters:
  ///   - text: The string as UTF-8.
  ///   - output: The text.
  /// - Complexity: O(*n*) in the size of the string.
  package func append(string text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    if unsafe text.isEmpty || text.elementsEqual(null) || Self.isScalar(Self.withoutBlanks(text)) {
      unsafe appendQuoted(text, to: &output)
    } else {
      unsafe append(text, to: &output)
    }
  }

  /// Appends the name of a column, in quotes if blanks around it or a byte-order mark belong to it: readers skip both.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - output: The text.
  /// - Complexity: O(*n*) in the length of the name.
  package func append(column name: String, to output: inout [UInt8]) {
    let bytes = Array(name.utf8)
    let isBare =
      bytes.first != 0x20 && bytes.last != 0x20 && !bytes.starts(with: [0xEF, 0xBB, 0xBF])
    unsafe bytes.withUnsafeBytes {
      if isBare {
        unsafe append(string: $0, to: &output)
      } else {
        unsafe appendQuoted($0, to: &output)
      }
    }
  }

  private func append(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    let needsQuotes = unsafe text.contains { byte in
      byte == delimiter || byte == .quote || byte == 0x0A || byte == 0x0D
    }
    if needsQuotes { unsafe appendQuoted(text, to: &output) } else { unsafe output += text }
  }

  private func appendQuoted(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    output.append(.quote)
    for position in 0..<text.count {
      let byte = unsafe text[position]
      if byte == .quote { output.append(.quote) }
      output.append(byte)
    }
    output.append(.quote)
  }

  /// Whether a text begins like a list, an object or a string.
  private static func beginsAsJSON(_ text: UnsafeRawBufferPointer) -> Bool {
    switch unsafe text.first {
    case .leftBracket, .leftBrace, .quote: true
    default: false
    }
  }

  /// A text without the blanks around it, which readers of numbers skip.
  private static func withoutBlanks(
    _ text: UnsafeRawBufferPointer
  ) -> Slice<UnsafeRawBufferPointer> {
    let start = unsafe text.drop { $0 == 0x20 }
    let end = unsafe start.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? start.startIndex
    return unsafe start[..<end]
  }

  /// Whether a text is a number or a boolean, in upper or lower case.
  static func isScalar(_ text: some Collection<UInt8>) -> Bool {
    switch text.first {
    case UInt8(ascii: "-"), .some(0x30...0x39): JSONDecimal(text) != nil
    case UInt8(ascii: "t"), UInt8(ascii: "T"): isWord(text, "true")
    case UInt8(ascii: "f"), UInt8(ascii: "F"): isWord(text, "false")
    default: false
    }
  }

  private static func isWord(_ text: some Collection<UInt8>, _ word: String) -> Bool {
    text.count == word.utf8.count
      && text.lazy.map { $0 | 0x20 }.elementsEqual(word.utf8)
  }
}
