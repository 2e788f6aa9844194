/// Shows pieces of a text inside of messages.
enum JSONMessage {
  /// A text in quotes, cut after forty characters, with everything that does not print escaped.
  static func quoted(_ text: String) -> String {
    let scalars = text.unicodeScalars
    if scalars.count == 1, let scalar = scalars.first, !isPrintable(scalar) {
      return codePoint(scalar.value)
    }
    var result = "\""
    for scalar in scalars.prefix(40) {
      if isPrintable(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "<\(codePoint(scalar.value))>"
      }
    }
    return result + (scalars.count > 40 ? "…\"" : "\"")
  }

  /// A code point as the Unicode Standard writes it, such as `U+000A`.
  static func codePoint(_ value: UInt32) -> String {
    "U+" + hexadecimal(value, digits: 4)
  }

  static func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default:
      true
    }
  }
}
