/// The texts that string literals stand for.
package enum StringLiteral {
  /// The text of a string literal.
  ///
  /// - Parameter literal: The literal with its quotes and the number signs around them.
  /// - Returns: The text; nil if the literal has an interpolation, or an escape that Swift does not have.
  /// - Complexity: O(*n*) in its length.
  package static func value(of literal: ArraySlice<UInt8>) -> String? {
    let marks = literal.prefix { $0 == UInt8(ascii: "#") }.count
    let body = literal.dropFirst(marks).dropLast(marks)
    let quotes = Array(repeating: UInt8(ascii: "\""), count: 3)
    let isRawQuote = marks > 0 && body.count < 6
    if body.starts(with: quotes), body.count >= 6, !isRawQuote, isMultiline(body) {
      return text(ofLines: body.dropFirst(3).dropLast(3), marks)
    }
    return text(of: body.dropFirst().dropLast(), marks)
  }

  /// Whether the line ends after the opening quotes.
  private static func isMultiline(_ body: ArraySlice<UInt8>) -> Bool {
    let next = body.dropFirst(3).first { $0 != 32 && $0 != 9 }
    return next == 10 || next == 13
  }

  private static func text(ofLines body: ArraySlice<UInt8>, _ marks: Int) -> String? {
    var lines = lines(of: body)
    guard lines.count > 1 else { return nil }
    lines.removeFirst()
    // The white space before the closing quotes begins each line.
    let indentation = lines.removeLast()
    if !indentation.allSatisfy({ $0 == 32 || $0 == 9 }) { return nil }
    let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: marks)
    var result = ""
    for (number, line) in lines.enumerated() {
      var rest = line
      if rest.starts(with: indentation) {
        rest = rest.dropFirst(indentation.count)
      } else if rest.allSatisfy({ $0 == 32 || $0 == 9 }) {
        rest = []
      } else {
        return nil
      }
      // An escape at the end of a line takes its end away.
      var continues = false
      let trimmed = rest.reversed().drop { $0 == 32 || $0 == 9 }.reversed() as [UInt8]
      if trimmed.suffix(escape.count).elementsEqual(escape), endsInEscape(trimmed[...], escape) {
        rest = trimmed.dropLast(escape.count)
        continues = true
      }
      guard let text = text(of: rest, marks) else { return nil }
      result += text
      if !continues, number < lines.count - 1 { result += "\n" }
    }
    return result
  }

  /// Whether the escape at the end of a line is one, and not the second half of an escaped backslash.
  private static func endsInEscape(_ line: ArraySlice<UInt8>, _ escape: [UInt8]) -> Bool {
    if escape.count > 1 { return true }
    return line.reversed().prefix { $0 == escape[0] }.count % 2 == 1
  }

  private static func lines(of body: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = body.startIndex
    var place = start
    while place < body.endIndex {
      if body[place] == 10 || body[place] == 13 {
        lines.append(body[start..<place])
        if body[place] == 13, place + 1 < body.endIndex, body[place + 1] == 10 { place += 1 }
        start = place + 1
      }
      place += 1
    }
    return lines + [body[start...]]
  }

  /// The text of a line, with its escapes replaced.
  private static func text(of line: ArraySlice<UInt8>, _ marks: Int) -> String? {
    var result: [UInt8] = []
    var place = line.startIndex
    while place < line.endIndex {
      let byte = line[place]
      let after = place + 1 + marks
      guard byte == UInt8(ascii: "\\"), after <= line.endIndex,
        line[place + 1..<after].allSatisfy({ $0 == UInt8(ascii: "#") })
      else {
        result.append(byte)
        place += 1
        continue
      }
      guard after < line.endIndex else { return nil }
      place = after + 1
      switch Unicode.Scalar(line[after]) {
      case "n": result.append(10)
      case "r": result.append(13)
      case "t": result.append(9)
      case "0": result.append(0)
      case "\"", "'", "\\": result.append(line[after])
      case "u":
        guard place < line.endIndex, line[place] == UInt8(ascii: "{"),
          let end = line[place...].firstIndex(of: UInt8(ascii: "}")),
          let value = UInt32(String(decoding: line[place + 1..<end], as: UTF8.self), radix: 16),
          let scalar = Unicode.Scalar(value)
        else { return nil }
        result += Array(String(scalar).utf8)
        place = end + 1
      default: return nil
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
