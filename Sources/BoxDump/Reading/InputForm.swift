internal import BoxJSON

/// The form of the files of an input that is not a dump: JSON, or delimited text as CSV and TSV.
///
/// By default the content and the name of each file decide.
public struct InputForm: Hashable, Sendable {
  /// A format of files.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// JSON if the text begins with an object or an array, and otherwise what the name of the file says; CSV
    /// without such a name if another member of the form is set.
    case auto
    /// Objects as lines, one after the other, or in an array.
    case json
    /// Comma-separated values (RFC 4180).
    case csv
    /// Values separated by tabs, with the quotes of CSV.
    case tsv
  }

  /// The treatment of quotation marks.
  public enum Quotes: String, Hashable, Sendable, CaseIterable {
    /// As RFC 4180 has them.
    case rfc4180
    /// Like any other character.
    case none
  }

  /// The treatment of the first record.
  public enum Header: String, Hashable, Sendable, CaseIterable {
    /// It has the names of the columns.
    case first
    /// It is one like the others.
    case none
    /// It is left out.
    case skip
  }

  /// The format of the files.
  public var format = Format.auto
  /// The ASCII character between fields; nil for a tab in TSV, and for the one that the first records of other
  /// text are split by: a comma, a semicolon, a tab or a vertical bar.
  public var delimiter: Unicode.Scalar?
  /// The text of a field without quotes that is null; nil for the empty one.
  public var null: String?
  /// The names of the columns, empty for one that is skipped; nil to take them from the first record, or
  /// `column1`, `column2` and so on if ``header`` says that it has none.
  public var columns: [String]?
  /// The treatment of the first record; nil if it has the names unless ``columns`` has them.
  public var header: Header?
  /// The number of lines before the first record.
  public var skippedLines = 0
  /// Whether a null field counts as missing, so that an import that changes an object keeps its value.
  public var keepsNull = false
  /// The place of the records in documents of JSON; nil if the files are the records.
  public var records: RecordPath?
  /// The treatment of quotation marks.
  public var quotes = Quotes.rfc4180

  /// The form that each file decides.
  public init() {}

  /// Whether a character can separate fields: it must not occur in numbers or end lines.
  public static func isDelimiter(_ character: Unicode.Scalar) -> Bool {
    guard let byte = UInt8(exactly: character.value), byte < 0x80, byte > 0 else { return false }
    switch byte {
    case 0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "_"):
      return false
    default:
      return !(0x30...0x39).contains(byte) && !(0x41...0x5A).contains(byte & 0xDF)
    }
  }
}

extension InputForm {
  /// Whether something is set that only delimited text has.
  var mentionsDelimitedText: Bool {
    delimiter != nil || null != nil || columns != nil || quotes != .rfc4180 || header != nil
      || skippedLines > 0 || keepsNull
  }

  /// The form as a checkpoint has it; nil for the default.
  var json: JSONValue? {
    if self == InputForm() { return nil }
    var members: [JSONValue.Member] = [
      .init("format", .string(format.rawValue)), .init("quotes", .string(quotes.rawValue)),
    ]
    if let delimiter { members.append(.init("delimiter", .string(String(delimiter)))) }
    if let null { members.append(.init("null", .string(null))) }
    if let columns { members.append(.init("columns", .array(columns.map { .string($0) }))) }
    if let header { members.append(.init("header", .string(header.rawValue))) }
    if keepsNull { members.append(.init("keepsNull", .bool(true))) }
    if let records { members.append(.init("records", .string("\(records)"))) }
    if skippedLines > 0 { members.append(.init("skippedLines", .int(skippedLines))) }
    return .object(members)
  }

  /// Reads the form of a checkpoint.
  ///
  /// - Throws: ``DumpError`` if it is not one that an import stores.
  init(_ reader: MemberReader) throws(DumpError) {
    format = try reader.word(reader.required("format"), "format")
    quotes = try reader.word(reader.required("quotes"), "quotes")
    if reader.node("delimiter") != nil {
      delimiter = try reader.string("delimiter").unicodeScalars.first
    }
    if reader.node("null") != nil { null = try reader.string("null") }
    if reader.node("columns") != nil { columns = try reader.strings("columns") }
    keepsNull = reader.node("keepsNull") != nil
    if let node = reader.node("header") { header = try reader.word(node, "header") }
    if reader.node("records") != nil { records = RecordPath(try reader.string("records")) }
    if reader.node("skippedLines") != nil {
      skippedLines = max(0, try reader.integer("skippedLines"))
    }
  }
}
