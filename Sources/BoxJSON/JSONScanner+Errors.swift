/// The errors of the scanner. None of this runs while a text is fine.
extension JSONScanner {
  @inline(never)
  func error(_ code: JSONError.Code, at offset: Int, _ message: String) -> JSONError {
    let text = unsafe UnsafeBufferPointer(start: base, count: count)
    let position = unsafe LineTable(of: text).position(of: offset, in: text)
    return JSONError(code: code, message: message, position: position, offset: offset)
  }

  @inline(never)
  func endOfText(_ expected: String) -> JSONError {
    error(.unexpectedEnd, at: count, "The text ends where \(expected) is expected")
  }

  /// The error for the text at the index, named in the message; invalid UTF-8 is reported first.
  @inline(never)
  func unexpected(_ code: JSONError.Code, _ expected: String) throws(JSONError) -> JSONError {
    error(code, at: index, "\(expected), found \(try found())")
  }

  private func found() throws(JSONError) -> String {
    guard index < count else { return "the end of the text" }
    guard let length = scalarLength(at: index) else { throw invalidUTF8() }
    let bytes = unsafe UnsafeBufferPointer(start: base + index, count: length)
    return unsafe JSONMessage.quoted(String(decoding: bytes, as: UTF8.self))
  }

  /// Skips a byte order mark of UTF-8, or refuses it, as the options say; refuses a byte order mark of
  /// UTF-16.
  mutating func skipByteOrderMark() throws(JSONError) {
    let start = unsafe UnsafeBufferPointer(start: base, count: count).prefix(3)
    if unsafe start.elementsEqual(JSONDocument.byteOrderMark) {
      guard options.allowsByteOrderMark else {
        throw error(.byteOrderMark, at: 0, "The text starts with a byte order mark")
      }
      index = start.count
    }
    if unsafe start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE]) {
      throw error(.byteOrderMark, at: 0, "The text is UTF-16, and JSON is UTF-8")
    }
  }

  /// The error for a byte that no value starts with.
  @inline(never)
  func noValue() throws(JSONError) -> JSONError {
    let word = wordAtIndex()
    if let error = notANumber(word, at: index) { return error }
    if unsafe base[index] == .plus || base[index] == .period {
      return error(
        .invalidNumber, at: index, "A number must start with a digit or a minus and a digit")
    }
    let literals = ["true", "false", "null"]
    if !word.isEmpty, index + word.utf8.count == count,
      literals.contains(where: { $0.hasPrefix(word) })
    {
      return endOfText(#"the rest of "\#(word)""#)
    }
    guard !word.isEmpty else { return try unexpected(.unexpectedCharacter, "Expected a value") }
    return error(
      .unexpectedCharacter, at: index, "Expected a value, found \(JSONMessage.quoted(word))")
  }

  @inline(never)
  mutating func noDigitAfterMinus(at start: Int) throws(JSONError) -> JSONError {
    if let error = notANumber(wordAtIndex(), at: start) { return error }
    return try unexpected(.invalidNumber, "Expected a digit after the minus")
  }

  private func notANumber(_ word: String, at offset: Int) -> JSONError? {
    guard ["nan", "inf", "infinity"].contains(word.lowercased()) else { return nil }
    return error(.notANumber, at: offset, "JSON has no NaN and no infinity")
  }

  /// The ASCII letters at the index, at most twenty.
  private func wordAtIndex() -> String {
    var end = index
    while end < count, end - index < 20, unsafe 0x61...0x7A ~= base[end] | 0x20 { end += 1 }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: base + index, count: end - index), as: UTF8.self)
  }

  @inline(never)
  func controlCharacter() -> JSONError {
    let byte = unsafe base[index]
    if byte == .lineFeed || byte == .carriageReturn {
      return error(
        .controlCharacter, at: index,
        "A string ends at the end of the line without its closing quote")
    }
    let name = JSONMessage.codePoint(UInt32(byte))
    return error(.controlCharacter, at: index, "The control character \(name) must be escaped")
  }

  @inline(never)
  func invalidEscape() throws(JSONError) -> JSONError {
    var end = index + 1
    guard let length = scalarLength(at: end) else {
      var bad = self
      bad.index = end
      throw bad.invalidUTF8()
    }
    end += length
    if unsafe base[index + 1] == UInt8(ascii: "u") {
      return error(.invalidEscape, at: index, #"Four hexadecimal digits must follow "\u""#)
    }
    let bytes = unsafe UnsafeBufferPointer(start: base + index + 1, count: length)
    let letter = unsafe JSONMessage.quoted(String(decoding: bytes, as: UTF8.self))
    return error(.invalidEscape, at: index, "There is no escape of a backslash and \(letter)")
  }

  @inline(never)
  func loneSurrogate(at offset: Int) -> JSONError {
    error(
      .loneSurrogate, at: offset, "The escape is one half of a surrogate pair without the other")
  }

  @inline(never)
  func invalidUTF8() -> JSONError {
    let byte = unsafe base[index]
    let next = unsafe index + 1 < count ? base[index + 1] : 0
    let reason =
      switch (byte, next) {
      case (0x80...0xBF, _): "a continuation byte without a start"
      case (0xC0...0xC1, _), (0xE0, 0x80...0x9F), (0xF0, 0x80...0x8F): "an overlong form"
      case (0xED, 0xA0...0xBF): "an encoded surrogate"
      case (0xF4, 0x90...0xBF), (0xF5...0xF7, _): "a value above U+10FFFF"
      case (0xF8...0xFF, _): "a byte that never occurs"
      default: "a sequence that is cut off"
      }
    let name = byte.hexadecimal(digits: 2, uppercase: true)
    return error(.invalidUTF8, at: index, "The text is not UTF-8: \(reason), at byte 0x\(name)")
  }

  @inline(never)
  func duplicateKey(_ key: Int, first: Int) -> JSONError {
    let text = unsafe UnsafeBufferPointer(start: base, count: count)
    let firstPosition = unsafe LineTable(of: text).position(of: Int(tape[first].start), in: text)
    let name = JSONMessage.quoted(String(decoding: resolvedKey(key), as: UTF8.self))
    return error(
      .duplicateKey, at: Int(tape[key].start),
      "The key \(name) occurs twice in the object, first in line \(firstPosition.line)")
  }
}
