internal import BoxJSON

/// The characters of a file of delimited text.
struct DelimitedFormat: Hashable, Sendable {
  var delimiter = UInt8(ascii: ",")
  /// The quotation mark; nil if the file has none.
  var quote: UInt8? = UInt8(ascii: "\"")
  /// The character that ends records: a line feed, also after a carriage return, or the latter alone.
  var lineEnd: UInt8 = 10
  /// The text of a field without quotes that is null.
  var null: [UInt8] = []
  /// Whether a null field counts as missing.
  var keepsNull = false
  /// The names of the columns; nil if the file has them, or nothing.
  var columns: [String]?
  var header = InputForm.Header.first
  /// Whether the first record is left out if it has the names of the columns, as nothing says what it is.
  var skipsEqualHeader = false

  /// The format of a file by the form that the caller asks for, with commas where it names no delimiter.
  init(_ form: InputForm) {
    if let character = form.delimiter, character.isASCII { delimiter = UInt8(ascii: character) }
    if form.quotes == .none { quote = nil }
    if let null = form.null { self.null = Array(null.utf8) }
    keepsNull = form.keepsNull
    columns = form.columns
    header = form.header ?? (columns == nil ? .first : .none)
    skipsEqualHeader = form.header == nil && columns != nil
  }

  /// The character between fields, for messages.
  var delimiterName: String { Self.name(of: delimiter) }

  static func name(of delimiter: UInt8) -> String {
    switch delimiter {
    case UInt8(ascii: ","): "a comma"
    case UInt8(ascii: "\t"): "a tab"
    case UInt8(ascii: ";"): "a semicolon"
    case UInt8(ascii: "|"): "a vertical bar"
    default: String(Unicode.Scalar(delimiter)).quotedForDisplay
    }
  }
}
