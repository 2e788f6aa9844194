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
    "U+" + value.hexadecimal(digits: 4, uppercase: true)
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
