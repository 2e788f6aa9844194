internal import BoxJSON

/// The first records of a text, from which follows what the caller did not say.
///
/// No more is read than a block, of which the last record may be cut off; nothing of it is consumed but the
/// lines before the records.
struct DelimitedSample {
  /// The characters that may separate fields, if none is given.
  private static let delimiters = [",", ";", "\t", "|"].map { UInt8(ascii: $0 as Unicode.Scalar) }
  private static let size = 1 << 16
  /// Records that are compared; more would not change the answer about a file that is one.
  private static let records = 64

  private let text: InputText
  private var format: DelimitedFormat

  /// The format of a text, which then begins with its first record.
  ///
  /// - Parameters:
  ///   - text: The text, without a mark of its encoding.
  ///   - form: The form that the caller asks for.
  ///   - isTabbed: Whether the fields are separated by tabs unless the form has a delimiter.
  /// - Returns: The format.
  /// - Throws: ``DumpError`` if two delimiters fit, the lines to skip are more than there are, or the text cannot be
  ///   read.
  static func format(
    of text: InputText, _ form: InputForm, isTabbed: Bool
  ) throws(DumpError) -> DelimitedFormat {
    while text.end - text.start < min(size, text.limit), try text.readMore() {}
    var sample = DelimitedSample(text: text, format: DelimitedFormat(form))
    sample.findLineEnd()
    try sample.skipLines(form.skippedLines)
    let stated = sample.takeStatedDelimiter()
    if form.delimiter != nil { return sample.format }
    if isTabbed {
      sample.format.delimiter = UInt8(ascii: "\t")
    } else if let stated {
      sample.format.delimiter = stated
    } else if let found = try sample.delimiter() {
      sample.format.delimiter = found
    }
    return sample.format
  }

  /// Finds whether carriage returns end the lines: outside of quotes there is one, and no line feed.
  private mutating func findLineEnd() {
    var (isQuoted, hasReturn) = (false, false)
    for index in text.start..<min(text.end, text.start + Self.size) {
      switch text.base[index] {
      case format.quote: isQuoted.toggle()
      case 10 where !isQuoted: return
      // The last one may be the first half of an end.
      case 13 where !isQuoted && (index + 1 < text.end || text.isAtEnd): hasReturn = true
      default: break
      }
    }
    if hasReturn {
      format.lineEnd = 13
      text.lineEnd = 13
    }
  }

  private func skipLines(_ count: Int) throws(DumpError) {
    for number in 0..<count {
      if text.start == text.end, try !text.readMore() {
        throw DumpError(
          "has \(number) \(number == 1 ? "line" : "lines"), and \(count) are to be skipped",
          kind: .usage, path: text.name)
      }
      text.consumeLine(to: try text.endOfLine() ?? text.end)
    }
  }

  /// Takes the line by which spreadsheets state a delimiter, such as `sep=;`.
  private func takeStatedDelimiter() -> UInt8? {
    var line = text.bytes(text.start..<min(text.end, text.start + 16)).prefix {
      $0 != 10 && $0 != 13
    }
    let count = line.count
    if count > 2, let quote = format.quote, line.first == quote, line.last == quote {
      line = line.dropFirst().dropLast()
    }
    guard line.count == 5, line.starts(with: "sep=".utf8), let delimiter = line.last,
      InputForm.isDelimiter(Unicode.Scalar(delimiter))
    else { return nil }
    var next = text.start + count
    if next < text.end, text.base[next] == 13, text.lineEnd == 10 { next += 1 }
    text.consumeLine(to: next)
    return delimiter
  }

  /// The delimiter by which the records have the same number of fields, two or more; nil if none is found.
  ///
  /// Where some records are damaged, the first one decides.
  private func delimiter() throws(DumpError) -> UInt8? {
    let counts = Self.delimiters.map { ($0, fields($0)) }
    let fitting = counts.filter { $0.1.areEqual && $0.1.count > 1 }.map(\.0)
    if fitting.count > 1 {
      let names = fitting.map(DelimitedFormat.name).joined(separator: " and ")
      throw DumpError(
        "both \(names) split every record into fields", kind: .impossible, path: text.name,
        position: text.position(at: text.start), remedy: .nameDelimiter)
    }
    let splitting = counts.filter { $0.1.count > 1 }.map(\.0)
    return fitting.first ?? (splitting.count == 1 ? splitting[0] : nil)
  }

  /// The number of fields of the first record with a delimiter, and whether all records are whole and have as many.
  private func fields(_ delimiter: UInt8) -> (count: Int, areEqual: Bool) {
    var format = format
    format.delimiter = delimiter
    let end = min(text.end, text.start + Self.size)
    let isWhole = text.isAtEnd && end == text.end
    let part = InputText(
      ArraySource(text.bytes(text.start..<end)), name: text.name, limit: 2 * Self.size)
    part.lineEnd = text.lineEnd
    let record = DelimitedRecord(format)
    var first: Int?
    for _ in 0..<Self.records {
      // Quotes can end after the sample.
      guard let outcome = try? record.split(part) else { return (first ?? 0, !isWhole) }
      switch outcome {
      case .end: return (first ?? 0, true)
      case .invalid: return (first ?? 0, false)
      case .record:
        if !isWhole, record.next == part.end { return (first ?? 0, true) }
        if !record.isBlank {
          let expected = first ?? format.columns?.count ?? record.count
          first = first ?? record.count
          if record.count != expected { return (first ?? 0, false) }
        }
        part.consume(to: record.next)
      }
    }
    return (first ?? 0, true)
  }
}
