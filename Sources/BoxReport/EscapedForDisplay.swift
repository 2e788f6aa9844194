internal import BoxJSON

extension Unicode.Scalar {
  /// Whether showing the scalar as it is could move the cursor, break the line, or reorder or hide
  /// the text around it.
  ///
  /// These are the C0 and C1 controls, DEL, the line and paragraph separators, and everything with
  /// the Unicode property Bidi_Control.
  package var isHazardousForDisplay: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029: true
    default: false
    }
  }

  /// The scalar as people read it in JSON: `\n`, `\t`, `\r`, otherwise `\u` and four or more digits.
  package var displayEscape: String {
    switch value {
    case 0x09: "\\t"
    case 0x0A: "\\n"
    case 0x0D: "\\r"
    default: "\\u" + value.hexadecimal(digits: 4)
    }
  }
}

extension StringProtocol {
  /// The text with every control character written out, so that it is safe to show on one line.
  ///
  /// A line feed becomes `\n`, an escape character `\u001b`, a right-to-left override `\u202e`.
  /// A backslash stays as it is: the result is for reading, cannot be turned back, and escaping it
  /// once more changes nothing.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var escapedForDisplay: String {
    guard unicodeScalars.contains(where: \.isHazardousForDisplay) else { return String(self) }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isHazardousForDisplay {
        result += scalar.displayEscape
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
