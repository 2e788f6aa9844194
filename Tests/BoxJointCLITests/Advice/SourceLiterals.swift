/// A string literal of a Swift file.
struct SourceLiteral: Hashable {
  /// The text, in which an interpolation is `_`; literals that `+` joins are one.
  var text: String
  /// Whether it is written over several lines, as help texts are.
  var isBlock: Bool
}

/// Reads the string literals of a Swift file.
struct LiteralReader {
  private let bytes: [UInt8]
  private var index = 0
  private var found: [(text: [UInt8], isBlock: Bool)] = []

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The literals of a text, also those within interpolations.
  static func literals(in bytes: [UInt8]) -> [SourceLiteral] {
    var reader = LiteralReader(bytes)
    reader.readCode(isInterpolation: false)
    return reader.found.map { literal in
      SourceLiteral(text: String(decoding: literal.text, as: UTF8.self), isBlock: literal.isBlock)
    }
  }

  /// Reads to the end, or to the parenthesis that ends an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var last: Int?
    var isJoined = false
    var depth = 0
    while index < bytes.count {
      if skipComment() { continue }
      if let hashes = hashesOfLiteral() {
        let (text, isBlock) = readLiteral(hashes)
        if isJoined, let last {
          found[last].text += text
        } else {
          found.append((text, isBlock))
          last = found.count - 1
        }
        isJoined = false
        continue
      }
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { continue }
      if byte == UInt8(ascii: "+"), last != nil, !isJoined {
        isJoined = true
        continue
      }
      last = nil
      isJoined = false
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") {
        if isInterpolation, depth == 0 { return }
        depth -= 1
      }
    }
  }

  private func isNext(_ text: [UInt8]) -> Bool { bytes[index...].starts(with: text) }

  private mutating func skipComment() -> Bool {
    if isNext(Array("//".utf8)) {
      while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      return true
    }
    guard isNext(Array("/*".utf8)) else { return false }
    while index < bytes.count, !isNext(Array("*/".utf8)) { index += 1 }
    index = min(index + 2, bytes.count)
    return true
  }

  /// The number of `#` in front of a literal that begins here; nil if none does.
  private func hashesOfLiteral() -> Int? {
    var end = index
    while end < bytes.count, bytes[end] == UInt8(ascii: "#") { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: "\"") ? end - index : nil
  }

  private mutating func readLiteral(_ hashes: Int) -> (text: [UInt8], isBlock: Bool) {
    index += hashes
    let isBlock = isNext(Array(#"""""#.utf8))
    let quotes = Array(String(repeating: "\"", count: isBlock ? 3 : 1).utf8)
    let marks = Array(String(repeating: "#", count: hashes).utf8)
    let escape = [UInt8(ascii: "\\")] + marks
    index += quotes.count
    var text: [UInt8] = []
    while index < bytes.count {
      if isNext(quotes + marks) {
        index += quotes.count + hashes
        break
      }
      if isNext(escape) {
        index += escape.count
        text += readEscape()
        continue
      }
      text.append(bytes[index])
      index += 1
    }
    return (text, isBlock)
  }

  /// Reads what follows a backslash.
  private mutating func readEscape() -> [UInt8] {
    guard index < bytes.count else { return [] }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "("):
      readCode(isInterpolation: true)
      return [UInt8(ascii: "_")]
    case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
    case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
    case UInt8(ascii: "\n"):
      while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
      return []
    case UInt8(ascii: "u"):
      while index < bytes.count, bytes[index] != UInt8(ascii: "}") { index += 1 }
      index += 1
      return [UInt8(ascii: "?")]
    default: return [byte]
    }
  }
}
