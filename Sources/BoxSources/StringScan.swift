/// Finds the end of a string, with strings and comments inside of its interpolations.
///
/// It never calls itself: what is open is a list.
struct StringScan {
  enum Result {
    case ended
    /// The text, or the line of a string on one line, ends before.
    case open
    case tooDeep
  }

  private enum Part {
    /// The text of a string, with the numbers of its quotes and of its number signs.
    case text(quotes: Int, marks: Int)
    /// An interpolation, with the number of its open parentheses.
    case code(depth: Int)
  }

  private let bytes: [UInt8]
  private let limit: Int
  private(set) var position: Int
  private var open: [Part] = []

  /// Prepares the scan of a string.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - position: The place of its quotes, or of the number signs before them.
  ///   - limit: The number of interpolations that may be open at once.
  init(bytes: [UInt8], position: Int, limit: Int) {
    self.bytes = bytes
    self.position = position
    self.limit = 2 * limit
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  /// Moves past the end of the string.
  ///
  /// - Complexity: O(*n*) in its length.
  mutating func skip() -> Result {
    begin()
    while let part = open.last {
      if position >= bytes.count { return .open }
      if open.count > limit { return .tooDeep }
      switch part {
      case .text(let quotes, let marks):
        if !readText(quotes, marks) { return .open }
      case .code(let depth): readCode(depth)
      }
    }
    return .ended
  }

  /// Begins a string at its quotes or the number signs before them.
  private mutating func begin() {
    let start = position
    while byte() == UInt8(ascii: "#") { position += 1 }
    let marks = position - start
    let quote = UInt8(ascii: "\"")
    var quotes = byte(1) == quote && byte(2) == quote ? 3 : 1
    if quotes == 3, marks > 0, endsOnLine(marks) { quotes = 1 }
    position += quotes
    open.append(.text(quotes: quotes, marks: marks))
  }

  /// Whether a raw string that begins with three quotes ends on its line, and so is one on a line: `#"""#`.
  private func endsOnLine(_ marks: Int) -> Bool {
    var place = position + 2
    while place < bytes.count, bytes[place] != 10, bytes[place] != 13 {
      if bytes[place] == UInt8(ascii: "\""), bytes.hasMarks(marks, at: place + 1) { return true }
      place += 1
    }
    return false
  }

  /// Moves to the next byte of a text that may mean something.
  private mutating func skipPlainText() {
    let bytes = bytes
    while position < bytes.count {
      switch bytes[position] {
      case 10, 13, UInt8(ascii: "\""), UInt8(ascii: "\\"): return
      default: position += 1
      }
    }
  }

  /// Reads up to one character of a text that may mean something; false where the line of a string on one line ends.
  private mutating func readText(_ quotes: Int, _ marks: Int) -> Bool {
    let quote = UInt8(ascii: "\"")
    skipPlainText()
    let next = byte()
    if next == UInt8(ascii: "\\"), bytes.hasMarks(marks, at: position + 1) {
      position += 1 + marks
      if byte() == UInt8(ascii: "(") {
        position += 1
        open.append(.code(depth: 1))
      } else if quotes == 3 || !(byte() == 10 || byte() == 13) {
        position += 1
      }
    } else if next == quote, quotes == 1 || (byte(1) == quote && byte(2) == quote),
      bytes.hasMarks(marks, at: position + quotes)
    {
      position += quotes + marks
      open.removeLast()
    } else if next == 10 || next == 13, quotes == 1 {
      return false
    } else {
      position += 1
    }
    return true
  }

  /// Reads one character of an interpolation, or a comment.
  private mutating func readCode(_ depth: Int) {
    switch byte() {
    case UInt8(ascii: "("): set(depth + 1)
    case UInt8(ascii: ")"): set(depth - 1)
    case UInt8(ascii: "\""): return begin()
    case UInt8(ascii: "#"):
      var end = position
      while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
      if end < bytes.count, bytes[end] == UInt8(ascii: "\"") { return begin() }
      position = end
      return
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
      position = bytes.endOfComment(at: position) ?? bytes.count
      return
    case UInt8(ascii: "/") where expectsOperand:
      if let end = bytes.endOfRegex(at: position) {
        position = end
        return
      }
    default: break
    }
    position += 1
  }

  /// Whether an operand has to follow the text before a slash, so that the slash begins a regular expression.
  private var expectsOperand: Bool {
    let previous = bytes[..<position].last { $0 != 32 && $0 != 9 } ?? 0
    return "([{,;:=".utf8.contains(previous)
  }

  private mutating func set(_ depth: Int) {
    open.removeLast()
    if depth > 0 { open.append(.code(depth: depth)) }
  }
}
