internal import BoxJSON

/// Splits delimited text into records and fields (RFC 4180).
///
/// ``fields`` are the fields of the last record, as indices of the text. They are valid until more of the
/// text is read.
final class DelimitedRecord {
  /// A field, without its quotes.
  struct Field {
    var start: Int
    var count: Int
    var isQuoted = false
    /// Whether quotes in it are doubled.
    var hasDoubledQuotes = false
  }

  /// The result of splitting.
  enum Outcome {
    case record
    /// The reason why the record cannot be split, and the index of the fault.
    case invalid(String, at: Int)
    /// The text has ended.
    case end
  }

  private let format: DelimitedFormat
  /// The quotation mark; -1 for a format without one.
  private let quote: Int
  /// Eight delimiters, and eight quotation marks or delimiters again.
  private let (delimiters, quotes): (UInt64, UInt64)
  /// Eight ends of lines.
  private let lineEnds: UInt64
  @safe @exclusivity(unchecked) private(set) var fields = FixedMemory(
    repeating: Field(start: 0, count: 0), count: 16)
  @safe @exclusivity(unchecked) private(set) var count = 0
  /// The index after the last character of the record, without the line ending.
  @safe @exclusivity(unchecked) private(set) var end = 0
  /// The index after the line ending.
  @safe @exclusivity(unchecked) private(set) var next = 0
  /// Whether a field is in quotes, so that the record may have several lines.
  @safe @exclusivity(unchecked) private(set) var hasQuotes = false
  /// The index of the current character while the record is split.
  @safe @exclusivity(unchecked) private var index = 0

  init(_ format: DelimitedFormat) {
    self.format = format
    quote = format.quote.map(Int.init) ?? -1
    delimiters = Self.ones &* UInt64(format.delimiter)
    quotes = Self.ones &* UInt64(format.quote ?? format.delimiter)
    lineEnds = Self.ones &* UInt64(format.lineEnd)
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Splits the record at the start of a text, all of which is in memory then; it is not consumed.
  ///
  /// A record that cannot be split ends with its line.
  ///
  /// - Throws: ``DumpError`` if the text ends within quotes or cannot be read, or if the record is
  ///   longer than the limit of the text.
  /// - Complexity: O(*n*) in the size of the record.
  @inline(__always)
  func split(_ text: InputText) throws(DumpError) -> Outcome {
    count = 0
    hasQuotes = false
    index = text.start
    if index == text.end, try !readMore(text) { return .end }
    while true {
      // After the end of the text there is a zero, which begins an empty field.
      if index == text.end { _ = try readMore(text) }
      let outcome =
        Int(text.base[index]) == quote ? try quotedField(text) : try plainField(text)
      if let outcome { return outcome }
    }
  }

  /// Whether the record is a line without a character.
  var isBlank: Bool { count == 1 && fields[0].count == 0 && !fields[0].isQuoted }

  // MARK: - Fields

  /// Takes a field without quotes, and its delimiter; returns the outcome if the record ends with it.
  @inline(__always)
  private func plainField(_ text: InputText) throws(DumpError) -> Outcome? {
    var first = index
    while true {
      index = endOfPlain(text)
      if index < text.end { break }
      let old = index
      let isMore = try readMore(text)
      first -= old - index
      if !isMore {
        append(first, to: endOfLine(text, first))
        finish(next: index)
        return .record
      }
    }
    switch text.base[index] {
    case format.delimiter:
      append(first, to: index)
      index += 1
      return nil
    case format.lineEnd:
      append(first, to: endOfLine(text, first))
      finish(next: index + 1)
      return .record
    default:
      return try invalid(
        "there is a quote in a field without quotes; put the field in quotes and double the quote",
        text)
    }
  }

  /// The index of the next delimiter, end of a line or quotation mark; or else the end of the text.
  @inline(__always)
  private func endOfPlain(_ text: InputText) -> Int {
    let (base, ones, highs) = (text.base, Self.ones, Self.ones << 7)
    var position = index
    while position < text.end {
      // Eight bytes at once; after the end there are zeros, which match none of the three.
      let word = base.word(at: position)
      let (delimiter, feed, quote) = (word ^ delimiters, word ^ lineEnds, word ^ quotes)
      let found =
        ((delimiter &- ones) & ~delimiter | (feed &- ones) & ~feed | (quote &- ones) & ~quote)
        & highs
      if found != 0 { return position + found.trailingZeroBitCount >> 3 }
      position += 8
    }
    return text.end
  }

  /// The index after the last character of a line that ends at the current one.
  @inline(__always)
  private func endOfLine(_ text: InputText, _ first: Int) -> Int {
    index > first && text.base[index - 1] == 13 ? index - 1 : index
  }

  /// Takes a field in quotes, and its delimiter; returns the outcome if the record ends with it.
  private func quotedField(_ text: InputText) throws(DumpError) -> Outcome? {
    let quote = text.base[index]
    // From the start of the text, which does not change when more is read.
    let opening = index - text.start
    var hasDoubledQuotes = false
    hasQuotes = true
    index += 1
    while true {
      if let found = text.base.firstIndex(of: quote, in: index..<text.end) {
        index = found
        if try hasNext(text, opening), text.base[index + 1] == quote {
          hasDoubledQuotes = true
          index += 2
          continue
        }
        break
      }
      index = text.end
      if try !readMore(text, opening) {
        throw text.endsEarly(
          "the text ends within the quotes that begin here", at: text.start + opening)
      }
    }
    append(
      text.start + opening + 1, to: index, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes)
    index += 1
    if index == text.end, try !readMore(text) {
      finish(next: index)
      return .record
    }
    switch text.base[index] {
    case format.delimiter:
      index += 1
      return nil
    case format.lineEnd:
      finish(next: index + 1)
      return .record
    case 13:
      if try !hasNext(text) {
        finish(next: index + 1)
        return .record
      }
      if text.base[index + 1] == 10 {
        finish(next: index + 2)
        return .record
      }
    default: break
    }
    return try invalid(
      "expected \(format.delimiterName) or the end of the line after the closing quote, found "
        + text.shown(at: index), text)
  }

  // MARK: - Parts

  /// Whether a character follows the current one.
  @inline(__always)
  private func hasNext(_ text: InputText, _ opening: Int? = nil) throws(DumpError) -> Bool {
    if index + 1 < text.end { return true }
    return try readMore(text, opening)
  }

  /// Reads more of the text, and moves the current index with it; false at the end of the text.
  private func readMore(_ text: InputText, _ opening: Int? = nil) throws(DumpError) -> Bool {
    if let opening, text.end - text.start > text.limit {
      var failure = text.error(
        "the record is longer than \(text.limit) bytes; the quotes that begin here may not be closed",
        at: text.start + opening)
      failure.remedy = .raiseElementLimit
      throw failure
    }
    let start = text.start
    let isMore = try text.readMore()
    let moved = start - text.start
    index -= moved
    for field in 0..<count { fields[field].start -= moved }
    return isMore
  }

  @inline(__always)
  private func append(
    _ first: Int, to last: Int, isQuoted: Bool = false, hasDoubledQuotes: Bool = false
  ) {
    if count == fields.count { fields.grow(to: 2 * count, with: Field(start: 0, count: 0)) }
    fields[count] = Field(
      start: first, count: last - first, isQuoted: isQuoted, hasDoubledQuotes: hasDoubledQuotes)
    count += 1
  }

  @inline(__always)
  private func finish(next: Int) {
    self.next = next
    let last = fields[count - 1]
    end = last.start + last.count + (last.isQuoted ? 1 : 0)
  }

  /// Ends a record that cannot be split, with its line.
  private func invalid(_ message: String, _ text: InputText) throws(DumpError) -> Outcome {
    let fault = index - text.start
    while true {
      if let found = text.base.firstIndex(of: format.lineEnd, in: index..<text.end) {
        index = found
        end = endOfLine(text, text.start)
        next = index + 1
        break
      }
      index = text.end
      if try !readMore(text) {
        (end, next) = (index, index)
        break
      }
    }
    hasQuotes = true
    return .invalid(message, at: text.start + fault)
  }

  // MARK: - Values

  /// The text of a field, with quotes as they are meant.
  func bytes(_ field: Int, in text: InputText) -> [UInt8] { fields[field].bytes(in: text.base) }
}

extension DelimitedRecord.Field {
  /// The indices of its text.
  @inline(__always) var range: Range<Int> { start..<start + count }

  /// The text of the field, with quotes as they are meant.
  func bytes(in base: PaddedBytes) -> [UInt8] {
    let bytes = unsafe Array(base[range])
    if !hasDoubledQuotes { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(count)
    var isSecond = false
    for byte in bytes {
      // Each quote in the field is followed by a second one.
      isSecond = byte == .quote && !isSecond
      if byte != .quote || isSecond { text.append(byte) }
    }
    return text
  }
}
