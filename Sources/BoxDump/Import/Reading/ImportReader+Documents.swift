internal import BoxEngine
internal import BoxJSON

/// Input of elements in arrays, in any layout.
extension ImportReader {
  /// An array of objects of one entity.
  func readArray(_ text: InputText) throws {
    guard let name = options.entity else {
      throw DumpError(
        "is an array of objects whose entity is not given", kind: .impossible, path: text.name,
        remedy: .nameEntity)
    }
    let plan = try entityPlan(name)
    let scanner = scanner(plan)
    try readElements(text, resumes: resume != nil) { range in
      try object(plan, scanner, text, range, closes: false, spansLines: true)
    }
    try requireNothingMore(text)
    try finish(ImportEnd())
  }

  /// A dump that is a document, behind its header.
  func readDocument(_ text: InputText) throws {
    if let resume {
      try skipToResume(text)
      try readMembers(of: resume.section, text, resumes: true)
    }
    while try text.expect(.comma, .rightBrace, as: "a comma or the end of the dump") == .comma {
      _ = try text.nextByte()
      let isLineStart = text.isAtLineStart
      let (place, line) = (text.position(at: text.start), text.line)
      let checksum = text.checksumToStart()
      let key = try text.key()
      switch key {
      case "entities", "relations":
        try text.expect(.colon, as: "a colon")
        try text.expect(.leftBrace, as: "an object")
        try readMembers(of: key, text, resumes: false)
      case "end":
        try endDocument(text, isLineStart ? checksum : nil, line)
        return
      default:
        throw DumpError(
          "expected \"entities\", \"relations\" or \"end\", found \(key.quotedForDisplay)",
          path: text.name, position: place)
      }
    }
    throw text.error("the dump has no \"end\" with the totals", at: text.start)
  }

  /// The arrays of the entities or of the relations, up to behind the brace that ends them.
  private func readMembers(
    of section: String, _ text: InputText, resumes: Bool
  ) throws {
    if resumes {
      try readArray(of: section, named: place.name, text, resumes: true)
    } else if try text.nextByte() == .rightBrace {
      text.consume(to: text.start + 1)
      return
    } else {
      try readArray(of: section, named: try memberName(text), text, resumes: false)
    }
    while try text.expect(.comma, .rightBrace, as: "a comma or the end of the object") == .comma {
      try readArray(of: section, named: try memberName(text), text, resumes: false)
    }
  }

  private func memberName(_ text: InputText) throws(DumpError) -> String {
    let name = try text.key()
    try text.expect(.colon, as: "a colon")
    return name
  }

  private func readArray(
    of section: String, named name: String, _ text: InputText, resumes: Bool
  ) throws {
    (place.section, place.name) = (section, name)
    let entity = section == "entities" ? plan.entities[name] : nil
    let relation = section == "relations" ? plan.relations[name] : nil
    let isDropped = plan.droppedEntities.contains(name) || isOfDroppedEntity(name)
    if entity == nil && relation == nil && !isDropped {
      throw text.error(
        "there is no \(section == "entities" ? "entity" : "relation") \(name.quotedForDisplay)",
        at: text.start)
    }
    let scanner = entity.map { self.scanner($0) }
    try readElements(text, resumes: resumes) { range in
      if let entity, let scanner {
        try object(entity, scanner, text, range, closes: false, spansLines: true)
      } else if let relation {
        try links(relation, text, range, closes: false, spansLines: true)
      } else {
        try count(name)
      }
    }
  }

  /// The elements of an array, one after the other, up to behind the bracket that ends it.
  private func readElements(
    _ text: InputText, resumes: Bool, _ body: (Range<Int>) throws -> Void
  ) throws {
    if resumes {
      if place.section.isEmpty { try skipToResume(text) }
    } else {
      try text.expect(.leftBracket, as: "an array")
      if try text.nextByte() == .rightBracket {
        text.consume(to: text.start + 1)
        return
      }
      try readElement(text, body)
    }
    while try text.expect(.comma, .rightBracket, as: "a comma or the end of the array") == .comma {
      try readElement(text, body)
    }
  }

  private func readElement(
    _ text: InputText, _ body: (Range<Int>) throws -> Void
  ) throws {
    let range = try text.value()
    if range.isEmpty { throw try missingElement(text) }
    try body(range)
    text.consume(to: range.upperBound)
    try endElement(text)
  }

  /// The error for an array in which nothing stands where an element is expected.
  private func missingElement(_ text: InputText) throws(DumpError) -> DumpError {
    let closes = try text.nextByte() == .rightBracket
    let message = "expected an element of the array, found \(text.shown(at: text.start))"
    return text.error(
      closes ? message + "; remove the comma before it" : message, at: text.start)
  }

  private func requireNothingMore(_ text: InputText) throws(DumpError) {
    if try text.nextByte() != nil {
      throw text.error("something follows the end", at: text.start)
    }
  }

  private func endDocument(_ text: InputText, _ checksum: UInt32?, _ line: Int) throws {
    try text.expect(.colon, as: "a colon")
    let range = try text.value()
    let document = try text.document(range)
    let dumpEnd: DumpEnd
    do throws(DumpError) {
      dumpEnd = try DumpEnd(document.root, in: document, line: line)
    } catch {
      throw error.inFile(text.name)
    }
    if let checksum, checksum != dumpEnd.checksum {
      throw text.error(
        "the checksum of the dump is wrong: it was changed or damaged", at: text.start)
    }
    if !dumpEnd.isRight(after: input.headerChecksum) {
      throw text.error(DumpEnd.wrongCheck, at: text.start)
    }
    try require(dumpEnd.totals, text, line)
    text.consume(to: range.upperBound)
    try text.expect(.rightBrace, as: "the end of the dump")
    try requireNothingMore(text)
    var end = self.end(dumpEnd.totals)
    if checksum == nil {
      end.notes.append("the layout of the dump was changed, so its checksum was not compared")
    }
    try finish(end)
  }

  // MARK: - A folder

  func readFolder(_ manifest: DumpManifest) throws {
    for (number, file) in manifest.files.enumerated() {
      let isResumed = resume?.file == number
      if let resume, number < resume.file { continue }
      place.file = number
      let path = input.path + "/" + file.name
      let source = DecompressingSource(
        CountedSource(try FileSource(inDump: path), input.bytesRead),
        limits: input.decompression)
      let text = InputText(source, name: path, limit: input.maximumElement)
      if isResumed { try skipToResume(text) }
      text.expectedSize = file.bytes
      try readFile(file, text)
      if text.offset < file.bytes {
        throw text.endsEarly(
          "the file has \(text.offset) bytes of \(file.bytes)", at: text.start)
      }
      if text.offset != file.bytes || text.checksumToStart() != file.checksum {
        throw DumpError(
          "is not what \(DumpManifest.fileName) says: it was changed or damaged", path: path)
      }
    }
    let text = InputText(EmptySource(), name: input.path + "/" + DumpManifest.fileName, limit: 1)
    try require(manifest.totals, text, 1)
    try finish(end(manifest.totals))
  }

  private func readFile(_ file: DumpManifest.File, _ text: InputText) throws {
    switch file.content {
    case .entity(let total):
      if let plan = plan.entities[total.name] {
        try readObjectLines(text, plan)
      } else {
        try readOtherLines(text, total.name, nil)
      }
    case .relation(let total):
      try readOtherLines(text, total.name, plan.relations[total.name])
    }
  }

  private func readOtherLines(
    _ text: InputText, _ name: String, _ relation: RelationPlan?
  ) throws {
    if relation == nil && !plan.droppedEntities.contains(name) && !isOfDroppedEntity(name) {
      throw DumpError("there is no entity or relation \(name.quotedForDisplay)", path: text.name)
    }
    while let end = try text.endOfLine() {
      try requireWhole(text, end)
      if !isBlank(text, end) {
        if let relation {
          try links(relation, text, text.start..<end, closes: false, spansLines: false)
        } else {
          try count(name)
        }
      }
      text.consumeLine(to: end)
      try endElement(text)
    }
  }
}

/// No bytes.
private final class EmptySource: ByteSource {
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(DumpError) -> Int { 0 }
}
