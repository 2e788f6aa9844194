internal import BoxEngine

/// Writes objects of an entity as records of delimited text.
///
/// The values are those that an ``ObjectWriter`` writes, so that all forms of an export say the same.
struct TableWriter: Sendable {
  private let values: ObjectWriter
  private let areConverted: [Bool]
  private let text: DelimitedText
  private let quotesIDs: Bool
  /// The line of titles.
  let header: [UInt8]

  /// Creates the writer of some properties and relations to many of an entity.
  init(
    _ values: ObjectWriter, relations: [String], _ text: DelimitedText, quotesIDs: Bool
  ) {
    self.values = values
    areConverted = values.areConverted
    self.text = text
    self.quotesIDs = quotesIDs
    var header: [UInt8] = []
    for (position, name) in (values.names + relations).enumerated() {
      if position > 0 { header.append(text.delimiter) }
      text.append(column: name, to: &header)
    }
    self.header = header + Self.lineEnding
  }

  private static let lineEnding: [UInt8] = [0x0D, 0x0A]

  /// Appends the record of an object.
  ///
  /// - Parameters:
  ///   - id: The id of the object.
  ///   - record: The object.
  ///   - targets: The targets of each to-many relation.
  ///   - value: A writer into memory, which is empty before and after.
  ///   - output: The text.
  /// - Throws: `ObjectWriter.Failure` if a value cannot be written.
  func write(
    _ id: UInt64, _ record: borrowing RecordView, _ targets: [[UInt64]],
    through value: inout BlockWriter, to output: inout [UInt8]
  ) throws(ObjectWriter.Failure) {
    for position in 0..<values.count {
      if position > 0 { output.append(text.delimiter) }
      let isText = try values.writeCell(at: position, as: .text, id, record, to: &value)
      unsafe text.append(
        TableCell(value.bytes, isText: isText), isConverted: areConverted[position], to: &output)
      value.clear()
    }
    for list in targets {
      output.append(text.delimiter)
      let ids = list.map { quotesIDs ? "\"\($0)\"" : "\($0)" }.joined(separator: ",")
      unsafe Array("[\(ids)]".utf8).withUnsafeBytes {
        unsafe text.append(TableCell($0, isText: false), to: &output)
      }
    }
    output += Self.lineEnding
  }
}
