/// Reads expressions of code at any of its tokens.
///
/// What is not understood is ``CodeExpression/opaque`` and ends with its argument. Brackets are matched
/// once, so a call that is never closed costs nothing.
struct CodeReader {
  let bytes: [UInt8]
  let language: CodeLanguage
  let tokens: [CodeToken]
  /// The position of the closing bracket of each opening one; 0 for all other tokens.
  private let closing: [Int32]
  /// Whether every bracket is closed; otherwise the code is broken, or cut off.
  let isBalanced: Bool
  /// The line of the first string that does not end on its line, from 1: what it swallows is lost.
  let unclosedStringLine: Int?
  /// The offset of each line feed.
  private let lineFeeds: [Int32]

  /// The depth of expressions in each other that is read; no generator comes close.
  private static let maximumDepth = 24
  /// The number of tokens of type arguments that are passed over.
  private static let maximumGenericTokens = 64

  /// Splits code into tokens.
  ///
  /// - Complexity: O(*n*) in the size of the code.
  init(_ bytes: [UInt8], _ language: CodeLanguage) {
    self.bytes = bytes
    self.language = language
    let unclosed: Int?
    (tokens, unclosed) = CodeLexer.tokens(of: bytes, in: language)
    unclosedStringLine = unclosed.map { end in bytes[..<end].count { $0 == 0x0A } + 1 }
    (closing, isBalanced) = Self.matchBrackets(tokens, bytes)
    lineFeeds = bytes.indices.lazy.filter { bytes[$0] == 0x0A }.map { Int32($0) }
  }

  private static func matchBrackets(
    _ tokens: [CodeToken], _ bytes: [UInt8]
  ) -> (closing: [Int32], isBalanced: Bool) {
    var isBalanced = true
    var result = [Int32](repeating: 0, count: tokens.count)
    var open: [(position: Int, mark: UInt8)] = []
    for (position, token) in tokens.enumerated() where token.kind == .mark {
      let mark = bytes[Int(token.start)]
      switch mark {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append((position, mark))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        // ( and ) differ by 1, the others by 2.
        guard let last = open.last else {
          isBalanced = false
          continue
        }
        if mark > last.mark, mark - last.mark <= 2 {
          result[last.position] = Int32(position)
          open.removeLast()
        } else {
          // The code is broken here: no open bracket continues after it.
          open.removeAll()
          isBalanced = false
        }
      default: break
      }
    }
    return (result, isBalanced && open.isEmpty)
  }

  // MARK: Tokens

  /// Whether a token is a mark.
  func isMark(_ position: Int, _ mark: Unicode.Scalar) -> Bool {
    tokens.indices.contains(position) && tokens[position].kind == .mark
      && bytes[Int(tokens[position].start)] == UInt8(ascii: mark)
  }

  /// The name at a token; nil for a token of another kind.
  func word(_ position: Int) -> String? {
    guard tokens.indices.contains(position), tokens[position].kind == .word else { return nil }
    return String(decoding: bytes[tokens[position].range], as: UTF8.self)
  }

  /// The position after the bracket that closes the one at a token; nil if none does.
  func end(ofBracketAt position: Int) -> Int? {
    guard closing.indices.contains(position), closing[position] > 0 else { return nil }
    return Int(closing[position])
  }

  /// The line of a token, from 1.
  ///
  /// - Complexity: O(log *n*) in the number of lines.
  func line(of token: Int) -> Int {
    guard tokens.indices.contains(token) else { return 1 }
    let start = tokens[token].start
    var range = 0..<lineFeeds.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range =
        lineFeeds[middle] < start ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound + 1
  }

  // MARK: Chains

  /// Whether a name at a token begins a chain, and does not continue one.
  func beginsChain(_ position: Int) -> Bool {
    guard tokens.indices.contains(position), tokens[position].kind == .word else { return false }
    return !isMark(position - 1, ".") && !isMark(position - 1, ">")
      && !(isMark(position - 1, ":") && isMark(position - 2, ":"))
  }

  /// The chain that begins at a token, and the position after it; nil if no chain begins there.
  func chain(at position: Int, depth: Int = 0) -> (chain: CodeChain, end: Int)? {
    var links: [CodeLink] = []
    var next = position
    while let name = word(next) {
      var link = CodeLink(name: name, token: next)
      next += 1
      if isMark(next, "<"), let generic = skipGeneric(next) {
        link.generic = generic.word
        next = generic.end
      }
      if isMark(next, "(") || (isMark(next, "{") && language == .go && depth > 0) {
        guard depth < Self.maximumDepth, let close = end(ofBracketAt: next) else { return nil }
        link.arguments = arguments(from: next + 1, to: close, depth: depth + 1)
        next = close + 1
      }
      links.append(link)
      // `?.`, `!.`, `->`, `::`
      let step: Int
      if isMark(next, ".") {
        step = 1
      } else if (isMark(next, "?") || isMark(next, "!")) && isMark(next + 1, ".") {
        step = 2
      } else if isMark(next, "-") && isMark(next + 1, ">") && language == .c {
        step = 2
      } else if isMark(next, ":") && isMark(next + 1, ":") {
        step = 2
      } else {
        break
      }
      guard word(next + step) != nil else { break }
      next += step
    }
    return links.isEmpty ? nil : (CodeChain(links: links), next)
  }

  /// Passes over type arguments; nil if it is a comparison.
  private func skipGeneric(_ start: Int) -> (word: String?, end: Int)? {
    var depth = 0
    var last: String?
    var isJoined = false
    for position in start..<min(start + Self.maximumGenericTokens, tokens.count) {
      let token = tokens[position]
      if token.kind == .word {
        last = isJoined ? "\(last ?? "").\(word(position) ?? "")" : word(position)
        continue
      }
      guard token.kind == .mark else { return nil }
      isJoined = isMark(position, ".")
      switch bytes[Int(token.start)] {
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">"):
        depth -= 1
        if depth == 0 {
          let follows: [Unicode.Scalar] = ["(", ".", "[", "{", ":"]
          return follows.contains { isMark(position + 1, $0) } ? (last, position + 1) : nil
        }
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "?"), UInt8(ascii: ":"),
        UInt8(ascii: "["), UInt8(ascii: "]"):
        continue
      default: return nil
      }
    }
    return nil
  }

  // MARK: Expressions

  /// The arguments, or the elements of a list, between two positions.
  func arguments(from start: Int, to end: Int, depth: Int) -> [CodeArgument] {
    var result: [CodeArgument] = []
    var next = start
    while next < end {
      var label: String?
      if let name = word(next), isMark(next + 1, ":"), !isMark(next + 2, ":") {
        label = name
        next += 2
      }
      let (value, after) = value(at: next, to: end, depth: depth)
      result.append(CodeArgument(label: label, value: value))
      next = after + 1
    }
    return result
  }

  /// The expression at a position, and the position of the comma or the end after it.
  func value(at start: Int, to end: Int, depth: Int) -> (value: CodeExpression, end: Int) {
    if depth < Self.maximumDepth, let found = union(at: start, depth: depth), found.end <= end,
      found.end == end || isMark(found.end, ",")
    {
      return found
    }
    var next = start
    while next < end, !isMark(next, ",") {
      next = (self.end(ofBracketAt: next) ?? next) + 1
    }
    return (.opaque, min(next, end))
  }

  private func union(at start: Int, depth: Int) -> (value: CodeExpression, end: Int)? {
    guard var (value, next) = operand(at: start, depth: depth) else { return nil }
    guard isMark(next, "|") else { return (value, next) }
    var parts = [value]
    while isMark(next, "|") {
      guard let (part, after) = operand(at: next + 1, depth: depth) else { return nil }
      parts.append(part)
      (value, next) = (part, after)
    }
    return (.union(parts), next)
  }

  private func operand(at start: Int, depth: Int) -> (value: CodeExpression, end: Int)? {
    guard tokens.indices.contains(start), depth < Self.maximumDepth else { return nil }
    let token = tokens[start]
    switch token.kind {
    case .number:
      let digits = bytes[token.range]
      if let number = CodeLiteral.integer(digits) { return (.number(number), start + 1) }
      return (.decimal(String(decoding: digits, as: UTF8.self)), start + 1)
    case .text:
      let text = CodeLiteral.string(content(of: token), rawness: token.rawness, language)
      return (text.map { .text($0) } ?? .opaque, start + 1)
    case .opaqueText: return (.opaque, start + 1)
    case .word:
      if let name = word(start), Self.prefixes.contains(name), !isMark(start + 1, "(") {
        return operand(at: start + 1, depth: depth + 1)
      }
      return chain(at: start, depth: depth + 1).map { (.chain($0.chain), $0.end) }
    case .mark: return bracketed(at: start, depth: depth)
    }
  }

  /// Words in front of an expression that do not change its value.
  private static let prefixes: Set<String> = ["const", "new", "try", "await"]

  private func bracketed(at start: Int, depth: Int) -> (value: CodeExpression, end: Int)? {
    switch bytes[Int(tokens[start].start)] {
    case UInt8(ascii: "."), UInt8(ascii: "&"): return operand(at: start + 1, depth: depth + 1)
    case UInt8(ascii: "<"):
      guard let generic = skipGeneric(start), isMark(generic.end, "[") || isMark(generic.end, "{")
      else { return nil }
      return operand(at: generic.end, depth: depth + 1)
    case UInt8(ascii: "["):
      guard let close = end(ofBracketAt: start) else { return nil }
      if let type = arrayType(from: start, to: close, depth: depth) { return type }
      let items = arguments(from: start + 1, to: close, depth: depth + 1)
      if items.contains(where: { $0.label != nil }) { return (.opaque, close + 1) }
      return (.list(items.map(\.value)), close + 1)
    case UInt8(ascii: "{"):
      guard let close = end(ofBracketAt: start) else { return nil }
      return (map(from: start + 1, to: close, depth: depth + 1), close + 1)
    case UInt8(ascii: "("):
      guard let close = end(ofBracketAt: start) else { return nil }
      let (inner, after) = value(at: start + 1, to: close, depth: depth + 1)
      guard after == close else { return (.opaque, close + 1) }
      // A cast has a type in the parentheses, and its value after them.
      if case .chain(let chain) = inner, chain.calls.isEmpty,
        let value = operand(at: close + 1, depth: depth + 1)
      {
        return value
      }
      return (inner, close + 1)
    default: return nil
    }
  }

  /// A member of an array type of Swift, as `[Float].entityPropertyType`: a chain that begins with the
  /// type.
  private func arrayType(
    from start: Int, to close: Int, depth: Int
  ) -> (value: CodeExpression, end: Int)? {
    let dot = isMark(close + 1, "?") ? close + 2 : close + 1
    guard language == .swift, close == start + 2, let element = word(start + 1),
      isMark(dot, "."), let (chain, end) = chain(at: dot + 1, depth: depth + 1)
    else { return nil }
    let type = CodeLink(name: "[\(element)]", token: start)
    return (.chain(CodeChain(links: [type] + chain.links)), end)
  }

  private func map(from start: Int, to end: Int, depth: Int) -> CodeExpression {
    var entries: [CodeMapEntry] = []
    var next = start
    while next < end {
      guard let key = operand(at: next, depth: depth), isMark(key.end, ":") else { return .opaque }
      let (value, after) = value(at: key.end + 1, to: end, depth: depth)
      entries.append(CodeMapEntry(key: key.value, value: value))
      next = after + 1
    }
    return .map(entries)
  }

  /// The bytes between the quotes of a string.
  func content(of token: CodeToken) -> ArraySlice<UInt8> {
    let hashes = language == .swift ? Int(token.rawness) : 0
    let prefix = language == .dart ? Int(token.rawness) : hashes
    return bytes[
      Int(token.start) + prefix + Int(token.quotes)..<Int(token.end) - hashes - Int(token.quotes)]
  }
}
