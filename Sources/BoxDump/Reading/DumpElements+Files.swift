internal import BoxJSON

/// Elements in the files of an input that is not a dump.
extension DumpElements {
  /// Begins with the first element of an open file.
  ///
  /// - Throws: ``DumpError`` if nothing says of which entity its objects are.
  func begin(_ file: InputFile) throws(DumpError) {
    text = file.text
    source = file.source
    section = chosenSection
    (columns, record) = (nil, nil)
    current = nil
    spansLines = false
    switch file.shape {
    case .lines: form = section == nil ? .lines(hasEnd: false) : .objects
    case .sequence:
      form = .sequence
      spansLines = true
    case .array:
      guard section != nil else {
        throw DumpError(
          "is an array of objects whose entity is not given", kind: .impossible, path: text.name,
          remedy: .nameEntity)
      }
      form = .values
      state = input.form.records == nil ? .beforeArray : .beforeRecords
      spansLines = true
    case .delimited(let columns):
      section = section ?? sections.entity(ofFile: text.name)
      guard section != nil else {
        throw DumpError(
          "consists of records whose entity is not given, and the file is not named after an entity",
          kind: .impossible, path: text.name, remedy: .nameEntity)
      }
      form = .records
      self.columns = columns
      record = DelimitedRecord(columns.format)
    }
  }

  /// Ends the file that was read, and opens the next one; false after the last file.
  func openNextFile() throws(DumpError) -> Bool {
    guard case .files = input.content, let source else { return false }
    identities.append(source.identity)
    self.source = nil
    file += 1
    if file >= endFile { return false }
    try begin(input.open(file))
    return true
  }

  /// The bytes of all files; nil before the end, and for a dump.
  var identityOfFiles: InputIdentity? {
    guard case .files = input.content, identities.count == endFile else { return nil }
    return InputIdentity(of: identities)
  }

  // MARK: - Objects one after the other

  /// Whether a line is nothing but the brace that opens an object over several lines.
  @inline(__always)
  func isOpeningBrace(_ end: Int) -> Bool {
    guard end - text.start <= 2, text.start < end, text.base[text.start] == .leftBrace else {
      return false
    }
    guard case .files = input.content else { return false }
    // At the end of the text the object is cut off, which is the error of a line.
    return end < text.end && (end - text.start == 1 || text.base[text.start + 1] == 13)
  }

  /// Reads the rest of a file of lines as objects in any layout.
  func beginSequence() throws(DumpError) -> Step {
    form = .sequence
    spansLines = true
    return try nextOfSequence()
  }

  /// The next object of a sequence.
  func nextOfSequence() throws(DumpError) -> Step {
    guard try text.nextByte() != nil else { return .end }
    let range = try text.value()
    if range.isEmpty {
      throw text.error("expected an object, found \(text.shown(at: text.start))", at: text.start)
    }
    if let section {
      isLine = false
      return value(section, range)
    }
    switch try name(range.lowerBound, range.upperBound) {
    case .none, .invalid:
      let found = text.shown(at: range.lowerBound)
      return invalidValue(
        "expected an object with the name of an entity, found \(found)", .nameEntity, range)
    case .name(let name, let start):
      guard let section = sections.section(name) else {
        return invalidValue(
          "there is no entity or relation \(name.quotedForDisplay)", .nameEntity, range)
      }
      isLine = true
      return value(section, start..<range.upperBound)
    }
  }

  // MARK: - Records

  /// The next record of delimited text.
  @inline(__always)
  func nextRecord() throws(DumpError) -> Step {
    guard let record, let columns, let section else { return .end }
    while true {
      switch try record.split(text) {
      case .end: return .end
      case .invalid(let message, let index):
        endRecord(record)
        return .invalid(message, columns.format.quote == nil ? nil : .ignoreQuotes, at: index)
      case .record:
        if record.isBlank {
          text.consume(to: record.next)
          continue
        }
        endRecord(record)
        if record.count != columns.names.count {
          return .invalid(wrongCount(record, columns), nil, at: text.start)
        }
        return .element(section)
      }
    }
  }

  private func wrongCount(_ record: DelimitedRecord, _ columns: DelimitedColumns) -> String {
    let (count, found) = (columns.names.count, record.count)
    return "expected \(count) \(count == 1 ? "field" : "fields"), as many as there are columns, "
      + "found \(found)"
  }
}

extension DumpSections {
  /// The section of a file that is named after its entity, as exports name files.
  ///
  /// The name of an entity may have periods, so of several that fit the longest counts.
  fileprivate func entity(ofFile path: String) -> DumpSection? {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? ""[...].utf8
    var end = name.endIndex
    while let period = name[..<end].lastIndex(of: .period) {
      if let section = entity(ofTable: String(Substring(name[..<period]))) { return section }
      end = period
    }
    return nil
  }
}
