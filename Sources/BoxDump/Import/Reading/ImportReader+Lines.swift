internal import BoxEngine
internal import BoxJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Input of one element in each line.
extension ImportReader {
  /// A dump of lines, behind its header.
  func readLines(_ text: InputText, hasEnd: Bool) throws {
    try skipToResume(text)
    var current: (plan: EntityPlan, scanner: ObjectScanner)?
    while let end = try text.endOfLine() {
      if hasEnd, end == text.end, !isWholeEnd(text, end) {
        throw text.endsEarly("the line has no end", at: text.start)
      }
      if let (plan, scanner) = current, hasPrefix(plan.prefix, text, end) {
        try object(
          plan, scanner, text, text.start + plan.prefix.count..<end, closes: true,
          spansLines: false)
      } else if let name = try name(text, end) {
        if name.text == DumpFormat.envelopeKey {
          try endLines(text, end, name.valueStart)
          return
        }
        if let plan = plan.entities[name.text] {
          current = (plan, scanner(plan))
          try object(
            plan, scanner(plan), text, name.valueStart..<end, closes: true, spansLines: false)
        } else {
          try otherLine(name, text, end)
        }
      }
      text.consumeLine(to: end)
      try endElement(text)
    }
    if hasEnd {
      throw text.endsEarly("the last line, with the totals, is missing", at: text.start)
    }
    try finish(ImportEnd())
  }

  /// Whether the last line of a dump is whole though no line feed ends it.
  private func isWholeEnd(_ text: InputText, _ end: Int) -> Bool {
    if isBlank(text, end) { return true }
    guard let document = try? text.document(text.start..<end) else { return false }
    return document.value(forKey: DumpFormat.envelopeKey, in: document.root) != nil
  }

  private func otherLine(_ name: LineName, _ text: InputText, _ end: Int) throws {
    if let relation = plan.relations[name.text] {
      try links(relation, text, name.valueStart..<end, closes: true, spansLines: false)
    } else if plan.droppedEntities.contains(name.text) || isOfDroppedEntity(name.text) {
      try count(name.text)
    } else {
      let issue = ImportIssue(
        "there is no entity or relation \(name.text.quotedForDisplay)",
        file: text.name, position: text.position(at: text.start),
        remedy: input.header == nil ? .nameEntity : nil)
      try self.issue(issue, text.bytes(text.start..<end), nil, isLine: true)
      try count("")
    }
  }

  /// Whether a relation belongs to an entity that the store does not have.
  func isOfDroppedEntity(_ name: String) -> Bool {
    guard let period = name.lastIndex(of: ".") else { return false }
    return plan.droppedEntities.contains(String(name[..<period]))
  }

  private func hasPrefix(_ prefix: [UInt8], _ text: InputText, _ end: Int) -> Bool {
    end - text.start > prefix.count
      && prefix.withUnsafeBufferPointer { prefix in
        guard let start = prefix.baseAddress else { return false }
        return memcmp(text.base + text.start, start, prefix.count) == 0
      }
  }

  private struct LineName {
    var text: String
    var valueStart: Int
  }

  /// The name that a line begins with; nil for an empty line, or one that is told of as an issue.
  private func name(_ text: InputText, _ end: Int) throws -> LineName? {
    var index = text.start
    func skipSpace() {
      while index < end, text.base[index].isWhiteSpace { index += 1 }
    }
    skipSpace()
    if index == end { return nil }
    let first = index
    if text.base[index] == .leftBrace {
      index += 1
      skipSpace()
      let start = index + 1
      if index < end, text.base[index] == .quote {
        index = start
        while index < end, text.base[index] != .quote {
          index += text.base[index] == .backslash ? 2 : 1
        }
        let stop = min(index, end)
        index += 1
        skipSpace()
        if index < end, text.base[index] == .colon {
          let raw = start - 1..<stop + 1
          let name = try text.document(raw)
          return LineName(text: name.key(name.root), valueStart: index + 1)
        }
      }
    }
    let issue = ImportIssue(
      "expected an object with the name of an entity, found \(text.shown(at: first))",
      file: text.name, position: text.position(at: first))
    try self.issue(issue, text.bytes(text.start..<end), nil, isLine: true)
    try count("")
    return nil
  }

  /// The last line: what the dump has, and the check of all that comes before it.
  private func endLines(_ text: InputText, _ end: Int, _ valueStart: Int) throws {
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
    if dumpEnd.checksum != text.checksumToStart() {
      throw text.error(
        "the checksum of the dump is wrong: it was changed or damaged", at: text.start)
    }
    if !dumpEnd.isRight(after: input.headerChecksum) {
      throw text.error(DumpEnd.wrongCheck, at: text.start)
    }
    try require(dumpEnd.totals, text, line)
    text.consumeLine(to: end)
    while let end = try text.endOfLine() {
      guard (text.start..<end).allSatisfy({ text.base[$0].isWhiteSpace }) else {
        throw text.error("something follows the end of the dump", at: text.start)
      }
      text.consumeLine(to: end)
    }
    try finish(self.end(dumpEnd.totals))
  }

  /// Compares what was read with what the dump says it has.
  func require(_ totals: DumpTotals, _ text: InputText, _ line: Int) throws(DumpError) {
    let read = counts()
    func require(_ name: String, _ expected: Int, _ found: Int, _ what: String) throws(DumpError) {
      if expected == found { return }
      throw DumpError(
        "the dump has \(found) \(what) of \(name), and says that it has \(expected)",
        path: text.name, position: JSONPosition(line: line, column: 1))
    }
    for total in totals.entities {
      try require(total.name, total.objects, read.counts[total.name] ?? 0, "objects")
    }
    for total in totals.relations {
      try require(total.name, total.sources, read.counts[total.name] ?? 0, "sources")
      if plan.relations[total.name] != nil {
        try require(total.name, total.targets, read.targets[total.name] ?? 0, "targets")
      }
    }
  }

  /// The end of the input with the last ids, if ids are kept.
  func end(_ totals: DumpTotals) -> ImportEnd {
    var end = ImportEnd()
    if options.ids == .keep {
      for total in totals.entities {
        if let plan = plan.entities[total.name] { end.lastIDs.append((plan, total.lastID)) }
      }
    }
    return end
  }

  /// Goes to where an interrupted import is to go on.
  func skipToResume(_ text: InputText) throws(DumpError) {
    guard let resume else { return }
    try text.skip(to: resume.offset)
    if text.checksumToStart() != resume.checksum {
      throw DumpError(
        "is not what was imported: it differs before line \(resume.line), where the import is to "
          + "go on", kind: .impossible, path: text.name)
    }
  }

  // MARK: - Lines that are objects

  /// Lines of objects of one entity, or lines each of which names its entity.
  func readPlainLines(_ text: InputText) throws {
    guard let name = options.entity else {
      try readLines(text, hasEnd: false)
      return
    }
    let plan = try entityPlan(name)
    try skipToResume(text)
    try readObjectLines(text, plan)
    try finish(ImportEnd())
  }

  func readObjectLines(_ text: InputText, _ plan: EntityPlan) throws {
    let scanner = scanner(plan)
    while let end = try text.endOfLine() {
      try requireWhole(text, end)
      if !isBlank(text, end) {
        try object(
          plan, scanner, text, text.start..<end, closes: false, spansLines: false)
      }
      text.consumeLine(to: end)
      try endElement(text)
    }
  }

  /// Throws where a file of a directory ends in the middle of a line.
  func requireWhole(_ text: InputText, _ end: Int) throws(DumpError) {
    if end == text.end, let size = text.expectedSize, text.offset + end - text.start < size {
      throw text.endsEarly("the line has no end", at: text.start)
    }
  }

  func isBlank(_ text: InputText, _ end: Int) -> Bool {
    if text.start < end, text.base[text.start] == .leftBrace { return false }
    return (text.start..<end).allSatisfy { text.base[$0].isWhiteSpace }
  }

  /// The plan for the entity that the options name.
  func entityPlan(_ name: String) throws(DumpError) -> EntityPlan {
    if let plan = plan.entities[name] { return plan }
    throw DumpError(
      "the model has no entity \(name.quotedForDisplay); it has \(plan.entityNames)",
      kind: .impossible)
  }
}
