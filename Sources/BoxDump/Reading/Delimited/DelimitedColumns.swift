internal import BoxJSON

/// The columns of a file of delimited text.
final class DelimitedColumns: Sendable {
  /// A column that the file names in another way, or not at all.
  struct Renamed: Hashable, Sendable {
    /// The name in the file; empty for a column without one.
    var written: String
    var name: String
    var position: JSONPosition
  }

  /// The names; a column with an empty name is skipped.
  let names: [String]
  /// The place of each name in the file; empty if the file has no names.
  let positions: [JSONPosition]
  let renamed: [Renamed]
  /// The place of a first record that was left out, as it has the names that the caller gave.
  let leftOut: JSONPosition?
  let format: DelimitedFormat
  /// The first record as it is in the file, if it has the names; empty otherwise.
  let header: [UInt8]

  private init(
    _ names: [String], at positions: [JSONPosition] = [], renamed: [Renamed] = [],
    header: [UInt8] = [], leftOut: JSONPosition? = nil, _ format: DelimitedFormat
  ) {
    self.leftOut = leftOut
    self.names = names
    self.positions = positions
    self.renamed = renamed
    self.header = header
    self.format = format
  }
}

extension DelimitedColumns {
  /// Reads a text as far as the first record with values; one without records has no columns.
  ///
  /// - Throws: ``DumpError`` if the first record cannot be split, or has the names and is not UTF-8.
  convenience init(reading text: InputText, _ format: DelimitedFormat) throws(DumpError) {
    let record = DelimitedRecord(format)
    if let columns = format.columns, format.header != .skip {
      guard format.skipsEqualHeader, case .record = try record.split(text),
        Self.isHeader(record, text, columns)
      else {
        self.init(columns, format)
        return
      }
      self.init(columns, leftOut: text.position(at: text.start), format)
      text.consume(to: record.next)
      return
    }
    while true {
      switch try record.split(text) {
      case .end:
        self.init([], format)
        return
      case .invalid(let message, let index): throw text.error(message, at: index)
      case .record where record.isBlank: text.consume(to: record.next)
      case .record:
        if format.header == .first {
          try self.init(record, text, format)
        } else {
          self.init(format.columns ?? (1...record.count).map(Self.name), format)
        }
        if format.header != .none { text.consume(to: record.next) }
        return
      }
    }
  }

  private convenience init(
    _ record: DelimitedRecord, _ text: InputText, _ format: DelimitedFormat
  ) throws(DumpError) {
    var written: [String] = []
    var positions: [JSONPosition] = []
    for field in 0..<record.count {
      let place = record.fields[field].start
      guard let name = String(validating: record.bytes(field, in: text), as: UTF8.self) else {
        throw text.error("the name of the column is not valid UTF-8", at: place)
      }
      // In quotes, blanks belong to the name.
      written.append(record.fields[field].isQuoted ? name : name.trimmed)
      positions.append(text.position(at: place))
    }
    let (names, renamed) = Self.distinct(written, at: positions)
    self.init(
      names, at: positions, renamed: renamed, header: text.bytes(text.start..<record.end), format)
  }

  /// Whether a record has some of the names of columns, each in its place, and nothing else.
  private static func isHeader(
    _ record: DelimitedRecord, _ text: InputText, _ names: [String]
  ) -> Bool {
    guard record.count == names.count else { return false }
    let fields = (0..<record.count).map {
      let name = String(decoding: record.bytes($0, in: text), as: UTF8.self)
      return record.fields[$0].isQuoted ? name : name.trimmed
    }
    return zip(fields, names).allSatisfy { $0.isEmpty || $1.isEmpty || $0 == $1 }
      && zip(fields, names).contains { !$0.isEmpty && $0 == $1 }
  }

  /// The name of a column that has none, by its number from 1.
  private static func name(of number: Int) -> String { "column\(number)" }

  /// Names that differ from each other: a column keeps its name if it is the first with it.
  ///
  /// - Complexity: O(*n*) in the number of columns, unless many names end in numbers of doubled ones.
  private static func distinct(
    _ written: [String], at positions: [JSONPosition]
  ) -> (names: [String], renamed: [Renamed]) {
    var taken = Set(written.map { ExactText($0) })
    var seen: Set<ExactText> = []
    var next: [ExactText: Int] = [:]
    var renamed: [Renamed] = []
    var names = written
    for (index, text) in written.enumerated()
    where text.isEmpty || !seen.insert(ExactText(text)).inserted {
      let stem = text.isEmpty ? name(of: index + 1) : text
      var (name, number) = (stem, next[ExactText(stem)] ?? 2)
      if !text.isEmpty || !taken.insert(ExactText(name)).inserted {
        repeat {
          name = "\(stem)_\(number)"
          number += 1
        } while !taken.insert(ExactText(name)).inserted
        next[ExactText(stem)] = number
      }
      names[index] = name
      renamed.append(Renamed(written: text, name: name, position: positions[index]))
    }
    return (names, renamed)
  }

  /// The notes about columns that are called other than in the file, and about a header that was left out.
  var notes: [(name: String?, message: String, position: JSONPosition)] {
    let header = leftOut.map { position in
      (
        name: String?.none,
        message: "the first record has the names of the columns, and is left out", position
      )
    }
    return [header].compactMap(\.self)
      + renamed.map { column in
        let message =
          column.written.isEmpty
          ? "a column without a name is called \(column.name)"
          : "the column \(column.written.quotedForDisplay) occurs again, and is called \(column.name)"
        return (column.name, message, column.position)
      }
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
