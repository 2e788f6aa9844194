internal import BoxJSON

/// The characters of a file of delimited text.
struct DelimitedFormat: Hashable, Sendable {
  var delimiter = UInt8(ascii: ",")
  /// The quotation mark; nil if the file has none.
  var quote: UInt8? = UInt8(ascii: "\"")
  /// The text of a field without quotes that is null.
  var null: [UInt8] = []
  /// The names of the columns; nil if the first record has them.
  var columns: [String]?

  /// The format of a file.
  ///
  /// - Parameters:
  ///   - form: The form that the caller asks for.
  ///   - isTabbed: Whether tabs separate the fields if the form does not say otherwise.
  init(_ form: InputForm, isTabbed: Bool) {
    delimiter = UInt8(ascii: isTabbed ? "\t" : ",")
    if let character = form.delimiter, character.isASCII { delimiter = UInt8(ascii: character) }
    if form.quotes == .none { quote = nil }
    if let null = form.null { self.null = Array(null.utf8) }
    columns = form.columns
  }

  /// The character between fields, for messages.
  var delimiterName: String {
    switch delimiter {
    case UInt8(ascii: ","): "a comma"
    case UInt8(ascii: "\t"): "a tab"
    case UInt8(ascii: ";"): "a semicolon"
    default: String(Unicode.Scalar(delimiter)).quotedForDisplay
    }
  }
}

/// The columns of a file of delimited text.
final class DelimitedColumns: Sendable {
  /// The names; an empty one is that of a column to skip.
  let names: [String]
  /// The place of each name in the file; empty if the caller passed the names.
  let positions: [JSONPosition]
  let format: DelimitedFormat
  /// The first record as it is in the file; empty if the caller passed the names.
  let header: [UInt8]

  init(
    _ names: [String], at positions: [JSONPosition], header: [UInt8], _ format: DelimitedFormat
  ) {
    self.names = names
    self.positions = positions
    self.header = header
    self.format = format
  }
}

extension DelimitedColumns {
  /// Reads the first record of a text; a text without one has no columns and no records.
  ///
  /// - Throws: ``DumpError`` if the record cannot be split, is not UTF-8, or has a name twice.
  convenience init(readingHeader text: InputText, _ format: DelimitedFormat) throws(DumpError) {
    let record = DelimitedRecord(format)
    while true {
      switch try record.split(text) {
      case .end:
        self.init([], at: [], header: [], format)
        return
      case .invalid(let message, let index): throw text.error(message, at: index)
      case .record where record.isBlank: text.consume(to: record.next)
      case .record:
        try self.init(record, text, format)
        text.consume(to: record.next)
        return
      }
    }
  }

  private convenience init(
    _ record: DelimitedRecord, _ text: InputText, _ format: DelimitedFormat
  ) throws(DumpError) {
    var names: [String] = []
    var positions: [JSONPosition] = []
    for field in 0..<record.count {
      let place = record.fields[field].start
      guard let name = String(validating: record.bytes(field, in: text), as: UTF8.self) else {
        throw text.error("the name of the column is not valid UTF-8", at: place)
      }
      let trimmed = name.trimmed
      if !trimmed.isEmpty, names.contains(trimmed) {
        throw text.error("the column \(trimmed.quotedForDisplay) occurs twice", at: place)
      }
      names.append(trimmed)
      positions.append(text.position(at: place))
    }
    self.init(
      names, at: positions, header: text.bytes(text.start..<record.end), format)
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
