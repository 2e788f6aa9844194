extension String {
  /// The text with every control character written out but line feeds, tabs and colours, so that it is
  /// safe to show on a terminal.
  ///
  /// The lines stay lines. A colour is the ANSI sequence that the printers write, of digits and
  /// semicolons. Names and messages are to be ``escapedForDisplay`` before they become part of a text:
  /// this is for what was forgotten.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var escapedLines: String {
    guard utf8.contains(where: \.mayBeHazardousInLines) else { return self }
    var result = ""
    var rest = self[...].unicodeScalars
    while let scalar = rest.popFirst() {
      if !scalar.isHazardousInLines {
        result.unicodeScalars.append(scalar)
      } else if scalar == ANSI.escape, let color = rest.colorParameters {
        result += "\(ANSI.escape)" + String(color)
        rest = rest[color.endIndex...]
      } else {
        result += scalar.displayEscape
      }
    }
    return result
  }

  /// The text with what the log of a CI job takes for a command written out.
  ///
  /// GitHub's runner takes lines that start with white space and two colons, and lines with
  /// `##[command]` anywhere in them; Azure's and TeamCity's take `##vso[…]` and `##teamcity[…]`. It uses the
  /// escapes of JSON, so a JSON text keeps its meaning.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var escapedForRunner: String {
    String(decoding: Array(utf8).escapedForRunner, as: UTF8.self)
  }
}

extension [UInt8] {
  /// The text in UTF-8 as ``Swift/String/escapedForRunner`` has it; other bytes stay as they are.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package var escapedForRunner: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var line = RunnerLine()
    for index in indices {
      if line.isCommand(self, at: index) {
        result += Unicode.Scalar(self[index]).displayEscape.utf8
      } else {
        result.append(self[index])
      }
    }
    return result
  }
}

/// The state of reading a line as the log of a CI job reads it.
private struct RunnerLine {
  /// Whether there was only white space so far.
  private var isAtStart = true
  /// Hashes in a row, with the letters that follow them.
  private var hashes = 0
  private var isAfterHash = false

  /// Whether a command begins with a byte, the colon or the bracket; reads the byte.
  mutating func isCommand(_ bytes: [UInt8], at index: Int) -> Bool {
    let byte = bytes[index]
    var isCommand = byte == UInt8(ascii: "[") && hashes >= 2
    if isAtStart {
      if byte == UInt8(ascii: ":"), index + 1 < bytes.count, bytes[index + 1] == byte {
        isCommand = true
      }
      isAtStart = Self.isWhiteSpace(bytes, at: index)
    }
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { isAtStart = true }
    if byte == UInt8(ascii: "#") {
      hashes = isAfterHash ? hashes + 1 : 1
    } else if !(0x41...0x5A).contains(byte & 0xDF) {
      hashes = 0
    }
    isAfterHash = byte == UInt8(ascii: "#")
    return isCommand
  }

  /// Whether a byte belongs to white space, including Unicode white space, which the runner skips too.
  private static func isWhiteSpace(_ bytes: [UInt8], at index: Int) -> Bool {
    let byte = bytes[index]
    if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) }
    // The first byte has decided for those that follow it.
    if byte < 0xC0 { return true }
    let text = String(decoding: bytes[index..<Swift.min(index + 4, bytes.count)], as: UTF8.self)
    return text.unicodeScalars.first?.properties.isWhitespace ?? false
  }
}

extension UInt8 {
  /// Whether a scalar that is hazardous in lines may begin with the byte in UTF-8.
  fileprivate var mayBeHazardousInLines: Bool {
    switch self {
    case 0x09, 0x0A: false
    case 0...0x1F, 0x7F, 0xC2, 0xD8, 0xE2: true
    default: false
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isHazardousInLines: Bool {
    isHazardousForDisplay && self != "\n" && self != "\t"
  }
}

extension Substring.UnicodeScalarView {
  /// The rest of an escape sequence that sets colours, after the escape character; nil for another
  /// sequence.
  fileprivate var colorParameters: Substring.UnicodeScalarView? {
    guard first == "[" else { return nil }
    let end = dropFirst().firstIndex { !("0"..."9").contains($0) && $0 != ";" }
    guard let end, self[end] == "m" else { return nil }
    return self[...end]
  }
}
