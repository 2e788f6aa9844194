internal import BoxJSON

/// Elements in lines.
extension DumpElements {
  /// The next line that names its section.
  func nextLine(hasEnd: Bool) throws(DumpError) -> Step {
    while let end = try text.endOfLine() {
      if hasEnd, end == text.end, !isWholeEnd(end) {
        throw text.endsEarly("the line has no end", at: text.start)
      }
      if let current, hasPrefix(current.prefix, end) {
        return line(current, from: text.start + current.prefix.count, to: end, isLine: true)
      }
      if isOpeningBrace(end) { return try beginSequence() }
      switch try name(text.start, end) {
      case .none: text.consumeLine(to: end)
      case .invalid(let index):
        let found = text.shown(at: index)
        return invalid(
          "expected an object with the name of an entity, found \(found)", at: index, lineEnd: end)
      case .name(DumpFormat.envelopeKey, _):
        try endLines(end)
        return .end
      case .name(let name, let start):
        guard let section = sections.section(name) else {
          return invalid(
            "there is no entity or relation \(name.quotedForDisplay)",
            input.header == nil ? .nameEntity : nil, at: text.start, lineEnd: end)
        }
        current = section
        return line(section, from: start, to: end, isLine: true)
      }
    }
    if hasEnd {
      throw text.endsEarly("the last line, with the totals, is missing", at: text.start)
    }
    return .end
  }

  /// The next line that is an object; nil at the end of the text.
  func nextObject(_ section: DumpSection) throws(DumpError) -> Step? {
    while let end = try text.endOfLine() {
      // A file of a directory may end in the middle of a line.
      if end == text.end, let size = text.expectedSize, text.offset + end - text.start < size {
        throw text.endsEarly("the line has no end", at: text.start)
      }
      if isOpeningBrace(end) { return try beginSequence() }
      if !isBlank(end) { return line(section, from: text.start, to: end, isLine: false) }
      text.consumeLine(to: end)
    }
    return nil
  }

  private func isBlank(_ end: Int) -> Bool {
    if text.start < end, text.base[text.start] == .leftBrace { return false }
    return (text.start..<end).allSatisfy { text.base[$0].isWhiteSpace }
  }

  @inline(__always)
  private func hasPrefix(_ prefix: [UInt8], _ end: Int) -> Bool {
    end - text.start > prefix.count && text.base.has(prefix, at: text.start)
  }

  /// The beginning of a line.
  enum LineName {
    /// Nothing but white space.
    case none
    /// The name, and the index of the value.
    case name(String, Int)
    /// The index of what is not an object with a name.
    case invalid(Int)
  }

  /// The name at the beginning of an object that names its section.
  func name(_ start: Int, _ end: Int) throws(DumpError) -> LineName {
    var index = start
    func skipSpace() {
      while index < end, text.base[index].isWhiteSpace { index += 1 }
    }
    skipSpace()
    if index == end { return .none }
    let first = index
    guard text.base[index] == .leftBrace else { return .invalid(first) }
    index += 1
    skipSpace()
    guard index < end, text.base[index] == .quote else { return .invalid(first) }
    let opening = index
    index += 1
    while index < end, text.base[index] != .quote {
      index += text.base[index] == .backslash ? 2 : 1
    }
    let stop = min(index + 1, end)
    index += 1
    skipSpace()
    guard index < end, text.base[index] == .colon else { return .invalid(first) }
    let name = try text.document(opening..<stop)
    return .name(name.key(name.root), index + 1)
  }

  // MARK: - The end

  /// Whether the last line of a dump is whole though no line feed ends it.
  private func isWholeEnd(_ end: Int) -> Bool {
    if isBlank(end) { return true }
    guard let document = try? text.document(text.start..<end) else { return false }
    return document.value(forKey: DumpFormat.envelopeKey, in: document.root) != nil
  }

  /// Reads the last line, with the totals and the check of all that comes before it.
  private func endLines(_ end: Int) throws(DumpError) {
    let line = text.line
    let document = try text.document(text.start..<end)
    let dumpEnd: DumpEnd
    do throws(DumpError) {
      let reader = try MemberReader(document, document.root, "the last line", line: line)
      let envelope = try reader.object(DumpFormat.envelopeKey, "the last line")
      dumpEnd = try DumpEnd(try envelope.required("end"), in: document, line: line)
    } catch {
      throw error.inFile(text.name)
    }
    checkedBytes = text.offset
    try check(dumpEnd, checksum: text.checksumToStart(), line: line)
    text.consumeLine(to: end)
    while let end = try text.endOfLine() {
      guard isBlank(end) else {
        throw text.error("something follows the end of the dump", at: text.start)
      }
      text.consumeLine(to: end)
    }
  }
}
