package import BoxDump
internal import BoxReport

/// A part of a page: markup from the literals of the sources, and values, which are always escaped.
///
/// Markup is a `StaticString`, which only a literal can be, and everything in an interpolation is a value.
/// So no name of a model and no value of a store can be written as markup.
package struct HTMLText: ExpressibleByStringInterpolation, Sendable {
  /// The markup as UTF-8.
  package fileprivate(set) var utf8: [UInt8] = []

  package init(stringLiteral value: StaticString) { append(markup: value) }

  package init(stringInterpolation: Interpolation) { self = stringInterpolation.text }

  /// Appends another part.
  package mutating func append(_ other: HTMLText) { utf8 += other.utf8 }

  fileprivate mutating func append(markup: StaticString) {
    markup.withUTF8Buffer { utf8 += $0 }
  }

  /// A literal with values in it.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text: HTMLText = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.utf8.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: StaticString) { text.append(markup: literal) }

    /// Appends another part of a page.
    package mutating func appendInterpolation(_ part: HTMLText) { text.append(part) }

    /// Appends a text, also in the quotes of an attribute; characters that nobody sees are written out.
    package mutating func appendInterpolation(_ value: String) {
      text.utf8 += value.escapedForDisplay.escapedForXML.utf8
    }

    /// Appends a text as it is, for the value of a field of a form.
    package mutating func appendInterpolation(exactly value: String) {
      text.utf8 += value.escapedForXML.utf8
    }

    /// Appends a text of several lines, each as ``appendInterpolation(_:)-(String)`` does.
    package mutating func appendInterpolation(lines: String) {
      var isFirst = true
      for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
        if !isFirst { text.utf8.append(0x0A) }
        isFirst = false
        appendInterpolation(String(line))
      }
    }

    /// Appends a value as an element whose direction moves nothing else.
    ///
    /// The characters that nobody sees, and spaces at the ends, are elements of the class `esc` in it.
    package mutating func appendInterpolation(value: String) {
      if value.isEmpty { return text.append(#"<span class="nil">""</span>"#) }
      text.append("<bdi>")
      ShownText.append(value, to: &text)
      text.append("</bdi>")
    }

    /// Appends a value of a row; null, an empty text and an empty list all look different.
    package mutating func appendInterpolation(_ cell: TableCell) {
      if cell.isNull {
        text.append(#"<span class="nil">null</span>"#)
      } else if cell.isNumber {
        text.utf8 += cell.text.utf8
      } else if !cell.isString, cell.text == "[]" {
        text.append(#"<span class="nil">[ ]</span>"#)
      } else {
        appendInterpolation(value: cell.text)
      }
    }
  }
}

/// The text of a value with the characters that nobody sees written out.
private enum ShownText {
  static func append(_ value: String, to text: inout HTMLText) {
    let scalars = value.unicodeScalars
    let lastSpaces = scalars.reversed().prefix { $0 == " " }.count
    let end = scalars.count - lastSpaces
    var plain = ""
    var (position, isAtStart, previous) = (0, true, Unicode.Scalar(0x20 as UInt8))
    func flush() {
      if plain.isEmpty { return }
      text.utf8 += plain.escapedForXML.utf8
      plain = ""
    }
    for scalar in scalars {
      let isAtEnd = isAtStart || position >= end
      if scalar == " ", isAtEnd {
        flush()
        text.append(#"<span class="esc">·</span>"#)
      } else if scalar.isUnseen(after: previous) {
        flush()
        text.append("<span class=\"esc\">\(scalar.writtenOut)</span>")
        // A line of the value begins a line of the page, which has no text of its own.
        if scalar == "\n" { text.append("<br/>") }
      } else {
        plain.unicodeScalars.append(scalar)
      }
      isAtStart = isAtStart && scalar == " "
      previous = scalar
      position += 1
    }
    flush()
  }
}

extension Unicode.Scalar {
  /// Whether a reader of the text would not see the scalar, or would see the text around it in another order.
  ///
  /// Joiners and variation selectors belong to the letter or the picture that they follow.
  fileprivate func isUnseen(after previous: Unicode.Scalar) -> Bool {
    if isASCII { return isHazardousForDisplay }
    let joins = properties.isJoinControl || properties.isVariationSelector
    return isHazardousForDisplay || properties.isNoncharacterCodePoint
      || properties.isDefaultIgnorableCodePoint && !(joins && !previous.isASCII)
  }

  /// The scalar as a string of a condition has it: `\n`, `\t`, `\r`, otherwise `\u{7}`.
  fileprivate var writtenOut: String {
    switch self {
    case "\t", "\n", "\r": displayEscape
    default: "\\u{\(String(value, radix: 16))}"
    }
  }
}
