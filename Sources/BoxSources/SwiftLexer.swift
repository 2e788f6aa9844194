/// Splits Swift source text into tokens, and finds the other one of each bracket.
///
/// It never calls itself, whatever the text is.
struct SwiftLexer {
  private let bytes: [UInt8]
  private let prefix: [UInt8]
  private var position = 0
  private var startsLine = true
  /// Whether a line ended, and not inside of a comment, since the last token.
  private var isOnNewLine = true
  /// The indices of the brackets and conditions that are open.
  private var open: [Int] = []
  /// The number of conditions among them.
  private var conditions = 0
  private(set) var tokens: [SwiftToken] = []
  private(set) var comments: [AnnotationComment] = []
  private(set) var typeWords: [SourceTokens.TypeWord] = []
  private(set) var mistake: SourceMistake?

  /// The number of brackets, conditions and interpolations that can be open at once.
  ///
  /// A reader that calls itself for each of them would end with the program where a text has many thousands; the
  /// compiler has a limit too.
  static let limit = 200

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - prefix: The word before the colon of an annotation, whose case does not count.
  /// - Complexity: O(*n*) in the size of the text.
  init(reading bytes: [UInt8], prefix: String) {
    self.bytes = bytes
    self.prefix = prefix.lowercased().utf8 + [UInt8(ascii: ":")]
    if bytes.count > Int32.max {
      fail(at: 0, "it is larger than 2 GB")
    }
    skipStart()
    while position < bytes.count { readNext() }
    if mistake == nil, let last = open.last {
      let isBracket = tokens[last].kind == .sign
      fail(
        at: tokens[last].range.lowerBound,
        isBracket ? "nothing closes this bracket" : "no #endif closes this condition")
    }
  }

  private mutating func fail(at offset: Int, _ message: String) {
    if mistake == nil { mistake = SourceMistake(offset: offset, message: message) }
    position = bytes.count
  }

  /// Skips a byte-order mark and the line that names an interpreter.
  private mutating func skipStart() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if bytes[position...].starts(with: "#!".utf8) { skipLine() }
  }

  private mutating func skipLine() {
    let bytes = bytes
    while position < bytes.count, bytes[position] != 10, bytes[position] != 13 { position += 1 }
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private mutating func readNext() {
    let first = bytes[position]
    // Most tokens are words, and few of them have letters beyond ASCII.
    if first < 128, first.isPartOfWord {
      if first.isDigit { add(.number, to: endOfNumber) } else { readWord() }
      return
    }
    switch first {
    case 32, 9, 11, 12, 0: position += 1
    case 10, 13:
      startsLine = true
      isOnNewLine = true
      position += 1
    case 0xEF where byte(1) == 0xBB && byte(2) == 0xBF: position += 3
    case UInt8(ascii: "/") where byte(1) == first: readLineComment()
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): readBlockComment()
    case UInt8(ascii: "\""): readString(marks: 0)
    case UInt8(ascii: "#"): readAfterMarks()
    case UInt8(ascii: "`"): readQuotedName()
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      openGroup(add(.sign, to: position + 1))
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): closeGroup(first)
    case _ where operatorLength(at: position) > 0: readOperator()
    case _ where first.isPartOfWord: readWord()
    default: add(.sign, to: position + 1)
    }
  }

  @discardableResult
  private mutating func add(_ kind: SwiftToken.Kind, to end: Int) -> Int {
    let end = min(end, bytes.count)
    tokens.append(
      SwiftToken(
        kind: kind, startsLine: startsLine, first: bytes[position], range: position..<end))
    startsLine = false
    isOnNewLine = false
    position = end
    return tokens.count - 1
  }

  // MARK: - Words

  private var endOfWord: Int {
    let bytes = bytes
    var end = position
    while end < bytes.count, bytes[end].isPartOfWord {
      if bytes[end] < 128 {
        end += 1
        continue
      }
      if operatorLength(at: end) > 0 { break }
      end += 1
      // The rest of a scalar.
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    }
    return end == position ? end + 1 : end
  }

  private mutating func readWord() {
    let start = position
    let index = add(.word, to: endOfWord)
    let length = position - start
    if length >= SwiftWords.typesByLength.count { return }
    for word in SwiftWords.typesByLength[length] where word[0] == bytes[start] {
      if !bytes[start..<position].elementsEqual(word) { continue }
      let bracket = open.last { tokens[$0].kind == .sign }
      typeWords.append(
        .init(
          index: index, isConditional: conditions > 0,
          isInBraces: bracket.map { tokens[$0].isSign("{") } ?? false))
    }
  }

  private mutating func readQuotedName() {
    let end = bytes[(position + 1)...].firstIndex { [UInt8(ascii: "`"), 10, 13].contains($0) }
    guard let end, bytes[end] == UInt8(ascii: "`"), end > position + 1 else {
      return fail(at: position, "this backtick begins no name")
    }
    add(.quotedName, to: end + 1)
  }

  /// The end of a number; a period is part of one before a digit, and not in the index of a tuple.
  private var endOfNumber: Int {
    var end = position
    func digits() {
      while end < bytes.count, bytes[end].isPartOfWord, bytes[end] < 128 { end += 1 }
    }
    func isSign(_ signs: String) -> Bool { end < bytes.count && signs.utf8.contains(bytes[end]) }
    let isHexadecimal = byte() == UInt8(ascii: "0") && byte(1) == UInt8(ascii: "x")
    let exponents: [UInt8] =
      isHexadecimal
      ? [UInt8(ascii: "p"), UInt8(ascii: "P")] : [UInt8(ascii: "e"), UInt8(ascii: "E")]
    func exponentSign() {
      if isSign("+-"), exponents.contains(bytes[end - 1]), end + 1 < bytes.count,
        bytes[end + 1].isDigit
      {
        end += 1
        digits()
      }
    }
    digits()
    if isIndex { return end }
    exponentSign()
    let next = end + 1 < bytes.count ? bytes[end + 1] : 0
    if isSign("."), next.isDigit || (isHexadecimal && next.isHexadecimalDigit) {
      end += 1
      digits()
      exponentSign()
    }
    return end
  }

  /// Whether a single period, rather than an operator such as `...`, directly precedes a number.
  private var isIndex: Bool {
    guard let last = tokens.last, last.isSign("."), last.range.upperBound == position else {
      return false
    }
    let place = last.range.lowerBound
    return place == 0 || bytes[place - 1] != UInt8(ascii: ".")
  }

  // MARK: - Groups

  private mutating func openGroup(_ index: Int) {
    open.append(index)
    if open.count > Self.limit { failTooDeep(at: tokens[index].range.lowerBound) }
  }

  private mutating func failTooDeep(at offset: Int) {
    fail(
      at: offset,
      "more than \(Self.limit) brackets, conditions or interpolations are inside of each other")
  }

  private mutating func closeGroup(_ bracket: UInt8) {
    let opening: UInt8 =
      switch bracket {
      case UInt8(ascii: ")"): UInt8(ascii: "(")
      case UInt8(ascii: "]"): UInt8(ascii: "[")
      default: UInt8(ascii: "{")
      }
    guard let last = open.last, tokens[last].first == opening else {
      return fail(at: position, "this bracket closes none")
    }
    open.removeLast()
    let index = add(.sign, to: position + 1)
    tokens[last].partner = Int32(index)
    tokens[index].partner = Int32(last)
  }

  private mutating func readCondition(_ text: ArraySlice<UInt8>, to end: Int) {
    let index = add(.condition, to: end)
    if text.elementsEqual("#if".utf8) {
      conditions += 1
      return openGroup(index)
    }
    guard let last = open.last, tokens[last].kind == .condition else {
      return fail(at: text.startIndex, "no #if is open here")
    }
    tokens[last].partner = Int32(index)
    open.removeLast()
    if text.elementsEqual("#endif".utf8) {
      conditions -= 1
    } else {
      open.append(index)
    }
  }

  // MARK: - Operators

  /// The number of bytes of the character of an operator at a place; 0 for others.
  private func operatorLength(at place: Int) -> Int {
    let first = bytes[place]
    if first < 128 { return first.isOfOperator ? 1 : 0 }
    let (scalar, length) = scalar(at: place)
    return scalar.isOperator ? length : 0
  }

  private func scalar(at place: Int) -> (UInt32, Int) {
    let first = UInt32(bytes[place])
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
    var value = first & (0xFF >> UInt32(length + 1))
    for byte in bytes[(place + 1)...].prefix(length - 1) {
      value = value << 6 | UInt32(byte & 0x3F)
    }
    return (value, length)
  }

  /// Reads the characters of an operator, up to a comment or a regular expression.
  private mutating func readOperator() {
    let start = position
    var end = position
    while end < bytes.count {
      let length = operatorLength(at: end)
      if length == 0 { break }
      if bytes[end] == UInt8(ascii: "/"), end + 1 < bytes.count, end > start,
        bytes[end + 1] == UInt8(ascii: "/") || bytes[end + 1] == UInt8(ascii: "*")
      {
        break
      }
      end += length
    }
    end = min(end, bytes.count)
    if let slash = bytes[start..<end].firstIndex(of: UInt8(ascii: "/")),
      let stop = endOfRegex(at: slash, operator: start..<end)
    {
      addSigns(to: slash)
      add(.regex, to: stop)
    } else {
      addSigns(to: end)
    }
  }

  private mutating func addSigns(to end: Int) {
    while position < end { add(.sign, to: position + max(1, operatorLength(at: position))) }
  }

  /// The end of a regular expression that begins inside of what reads as an operator; nil if it is an
  /// operator.
  ///
  /// An operator is between operands, and a regular expression where an operand is expected: after white
  /// space or an opening bracket.
  private func endOfRegex(at slash: Int, operator range: Range<Int>) -> Int? {
    let isLeftBound = isBound(before: range.lowerBound)
    if isLeftBound { return nil }
    let previous = tokens.last
    if let previous, previous.kind == .word, isText(previous, ["func", "operator"]) { return nil }
    if !isBound(after: range.upperBound), let previous, endsExpression(previous) { return nil }
    return bytes.endOfRegex(at: slash)
  }

  private func isBound(before place: Int) -> Bool {
    guard place > 0 else { return false }
    switch bytes[place - 1] {
    case 0, 9...13, 32, UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: ":"):
      return false
    case UInt8(ascii: "/"): return !(place > 1 && bytes[place - 2] == UInt8(ascii: "*"))
    default: return true
    }
  }

  private func isBound(after place: Int) -> Bool {
    guard place < bytes.count else { return false }
    switch bytes[place] {
    case 0, 9...13, 32, UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","),
      UInt8(ascii: ";"), UInt8(ascii: ":"):
      return false
    default: return true
    }
  }

  private func isText(_ token: SwiftToken, _ words: [String]) -> Bool {
    words.contains { bytes[token.range].elementsEqual($0.utf8) }
  }

  /// Whether an expression may end with a token, so that an operator follows.
  private func endsExpression(_ token: SwiftToken) -> Bool {
    switch token.kind {
    case .quotedName, .number, .string, .regex: true
    case .word:
      SwiftWords.endsExpression(String(decoding: bytes[token.range], as: UTF8.self))
    case .sign:
      switch Unicode.Scalar(token.first) {
      case ")", "]", "}", ".": true
      // A postfix operator.
      case "!", "?", ">": isBound(before: token.range.lowerBound)
      default: false
      }
    case .condition, .macro: false
    }
  }

  // MARK: - Comments

  private mutating func readLineComment() {
    let start = position
    skipLine()
    takeComment(start)
  }

  private mutating func readBlockComment() {
    let start = position
    guard let end = bytes.endOfComment(at: start) else {
      return fail(at: start, "this comment has no end")
    }
    position = end
    takeComment(start)
    if bytes[start..<end].contains(where: { $0 == 10 || $0 == 13 }) { startsLine = true }
  }

  private mutating func takeComment(_ start: Int) {
    let bytes = bytes
    var place = start
    while place < position,
      bytes[place] <= 32 || bytes[place] == UInt8(ascii: "/") || bytes[place] == UInt8(ascii: "*")
    {
      place += 1
    }
    // Most comments end here.
    guard place + prefix.count <= position, bytes[place].lowercased == prefix[0],
      zip(bytes[place...], prefix).allSatisfy({ $0.lowercased == $1 })
    else { return }
    comments.append(
      AnnotationComment(
        range: start..<position, isTrailing: !isOnNewLine, next: tokens.count))
  }

  // MARK: - Strings

  /// Reads what number signs begin: a raw string, an extended regular expression, a condition or a macro.
  private mutating func readAfterMarks() {
    let start = position
    let end = bytes[position...].firstIndex { $0 != UInt8(ascii: "#") } ?? bytes.count
    let marks = end - position
    position = end
    if byte() == UInt8(ascii: "\"") {
      position = start
      return readString(marks: marks)
    }
    if byte() == UInt8(ascii: "/") {
      guard let stop = endOfExtendedRegex(marks: marks) else {
        return fail(at: start, "this regular expression has no end")
      }
      position = start
      add(.regex, to: stop)
      return
    }
    let stop = byte().isPartOfWord ? endOfWord : end
    position = start
    let text = bytes[start..<stop]
    if ["#if", "#elseif", "#else", "#endif"].contains(where: { text.elementsEqual($0.utf8) }) {
      readCondition(text, to: stop)
    } else {
      add(.macro, to: stop)
    }
  }

  private func endOfExtendedRegex(marks: Int) -> Int? {
    var place = position + 1
    // It has lines only where one ends right after its begin.
    let first = bytes[place...].first { $0 != 32 && $0 != 9 }
    let hasLines = first == 10 || first == 13
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "/") where bytes.hasMarks(marks, at: place + 1): return place + 1 + marks
      case UInt8(ascii: "\\"): place += 1
      case 10, 13: if !hasLines { return nil }
      default: break
      }
      place += 1
    }
    return nil
  }

  private mutating func readString(marks: Int) {
    let start = position
    var scan = StringScan(bytes: bytes, position: position, limit: Self.limit)
    switch scan.skip() {
    case .ended: add(.string, to: scan.position)
    case .open: fail(at: start, "this string has no end")
    case .tooDeep: failTooDeep(at: start)
    }
  }
}

extension [UInt8] {
  /// The end of a comment that may have others in it; nil if it has none.
  func endOfComment(at start: Int) -> Int? {
    var (place, depth) = (start, 0)
    while place + 1 < count {
      switch (self[place], self[place + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        depth += 1
        place += 2
      case (UInt8(ascii: "*"), UInt8(ascii: "/")):
        depth -= 1
        place += 2
        if depth == 0 { return place }
      default: place += 1
      }
    }
    return nil
  }

  /// Whether `count` number signs follow at a place.
  func hasMarks(_ count: Int, at start: Int) -> Bool {
    start + count <= self.count
      && self[start..<start + count].allSatisfy { $0 == UInt8(ascii: "#") }
  }

  /// The end of the regular expression that begins with a slash; nil for an operator.
  ///
  /// The rules follow SE-0354, "Regex Literals": no white space after the first slash and before the last
  /// one, which is on the same line, and no unbalanced closing bracket.
  func endOfRegex(at slash: Int) -> Int? {
    var place = slash + 1
    if place < count, [32, 9].contains(self[place]) { return nil }
    var (groups, classes) = (0, 0)
    while place < count {
      switch self[place] {
      case 10, 13: return nil
      case UInt8(ascii: "\\"): place += 1
      case UInt8(ascii: "/"):
        let next = place + 1 < count ? self[place + 1] : 0
        if next == UInt8(ascii: "/") || next == UInt8(ascii: "*") { return nil }
        return place > slash + 1 && ![32, 9].contains(self[place - 1]) ? place + 1 : nil
      case UInt8(ascii: "(") where classes == 0: groups += 1
      case UInt8(ascii: ")") where classes == 0:
        if groups == 0 { return nil }
        groups -= 1
      case UInt8(ascii: "["): classes += 1
      case UInt8(ascii: "]"): classes = Swift.max(0, classes - 1)
      default: break
      }
      place += 1
    }
    return nil
  }
}

extension UInt8 {
  /// Whether a byte is part of a name, a keyword or a number.
  ///
  /// Each byte of a source is asked for this, also in builds without optimisation, where a `switch` over ranges
  /// takes ten times as long as these bits.
  var isPartOfWord: Bool {
    if self >= 128 { return true }
    // Digits and "$", and letters and "_".
    let bits: UInt64 = self < 64 ? 0x03FF_0010_0000_0000 : 0x07FF_FFFE_87FF_FFFE
    return (bits &>> UInt64(truncatingIfNeeded: self)) & 1 == 1
  }

  /// The byte as a lowercase letter, if it is a letter of ASCII.
  fileprivate var lowercased: UInt8 { self >= 65 && self <= 90 ? self | 32 : self }

  /// Whether a byte is a character of an operator; the period is one beside another alone.
  var isOfOperator: Bool {
    switch self {
    case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
      UInt8(ascii: "~"), UInt8(ascii: "?"):
      true
    default: false
    }
  }

  fileprivate var isDigit: Bool { self >= 48 && self <= 57 }

  fileprivate var isHexadecimalDigit: Bool {
    isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self
      || UInt8(ascii: "A")...UInt8(ascii: "F") ~= self
  }
}

extension UInt32 {
  /// Whether a scalar beyond ASCII begins an operator: "operator-head" of the grammar in The Swift Programming Language.
  fileprivate var isOperator: Bool {
    switch self {
    case 0xA1...0xA7, 0xA9, 0xAB, 0xAC, 0xAE, 0xB0, 0xB1, 0xB6, 0xBB, 0xBF, 0xD7, 0xF7,
      0x2016...0x2017, 0x2020...0x2027, 0x2030...0x203E, 0x2041...0x2053, 0x2055...0x205E,
      0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF, 0x2E00...0x2E7F, 0x3001...0x3003,
      0x3008...0x3020, 0x3030:
      true
    default: false
    }
  }
}
