internal import BoxJSON

/// Bytes in hexadecimal digits.
enum HexDump {
  private static let lineLength = 16

  /// The digits of bytes, with blanks between them.
  static func digits(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: " ")
  }

  /// Lines with the offset, the digits and the printable ASCII of bytes.
  ///
  /// - Complexity: O(*n*).
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: lineLength) {
      let line = bytes[start..<min(start + lineLength, bytes.endIndex)]
      let offset = String(start - bytes.startIndex, radix: 16)
      let digits = Self.digits(line)
      text += String(repeating: "0", count: max(0, 6 - offset.count)) + offset + "  " + digits
      text += String(repeating: " ", count: 3 * lineLength + 1 - digits.count)
      for byte in line {
        text.unicodeScalars.append((0x20..<0x7F).contains(byte) ? Unicode.Scalar(byte) : ".")
      }
      text += "\n"
    }
    return text
  }
}

/// A string with JSON, on indented lines.
enum IndentedJSON {
  /// The lines of an object or an array, with the digits of its numbers; nil for other text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  static func text(_ text: String) -> String? {
    guard let first = text.utf8.first, "{[".utf8.contains(first),
      let document = try? JSONDocument(parsing: Array(text.utf8))
    else { return nil }
    let lines = document.exactValue(of: document.root).text()
    return lines.utf8.count > 4 * text.utf8.count + 1024 ? nil : lines
  }
}
