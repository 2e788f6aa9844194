/// Replaces control characters, and those that change the direction of text, by visible escapes.
///
/// Names and paths come from files that others wrote; on a terminal they could otherwise move the
/// cursor, change colours or fake a second line.
///
/// - Complexity: O(*n*) in the length of the text.
func escapingControlCharacters(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isUnsafeToShow) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case let scalar where isUnsafeToShow(scalar):
      result += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func isUnsafeToShow(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true
  // Line and paragraph separators; marks, embeddings, overrides and isolates of direction.
  case 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}
