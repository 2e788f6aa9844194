internal import BoxJSON

/// Elements in arrays, in any layout.
extension DumpElements {
  /// The next value of an array or a document.
  func nextValue() throws(DumpError) -> Step {
    while true {
      switch state {
      case .beforeRecords:
        guard let records = input.form.records else { return .end }
        if try !beginRecords(records) { return .end }
      case .members:
        if try beginMember() { return .end }
      case .name(let isRelation):
        section = try arraySection(isRelation: isRelation)
        state = .beforeArray
      case .beforeArray:
        try text.expect(.leftBracket, as: "an array")
        state = .element
        if try text.nextByte() == .rightBracket {
          text.consume(to: text.start + 1)
          try endArray()
        }
      case .element:
        guard let section else { throw text.error("the array has no name", at: text.start) }
        if input.form.records?.areMembers == true { try skipKey() }
        let range = try text.value()
        if range.isEmpty { throw try missingElement() }
        state = .afterElement
        return value(section, range)
      case .afterElement:
        let records = input.form.records
        let close = records?.close ?? .rightBracket
        let kind = records?.areMembers == true ? "object" : "array"
        if try text.expect(.comma, close, as: "a comma or the end of the \(kind)") == .comma {
          state = .element
        } else {
          try endArray()
        }
      case .afterArray:
        let isRelation = section?.isRelation ?? false
        let byte = try text.expect(.comma, .rightBrace, as: "a comma or the end of the object")
        state = byte == .comma ? .name(isRelation: isRelation) : .members
      case .end: return .end
      }
    }
  }

  private func endArray() throws(DumpError) {
    if case .document = input.content {
      state = .afterArray
    } else if let records = input.form.records {
      try endRecords(records)
    } else {
      // An array of an input that is not a dump.
      try requireNothingMore()
      state = .end
    }
  }

  /// Begins a member of the document; returns whether it is the end.
  private func beginMember() throws(DumpError) -> Bool {
    guard try text.expect(.comma, .rightBrace, as: "a comma or the end of the dump") == .comma
    else {
      throw text.error("the dump has no \"end\" with the totals", at: text.start)
    }
    _ = try text.nextByte()
    let isLineStart = text.isAtLineStart
    let (place, offset) = (text.position(at: text.start), text.offset)
    let checksum = text.checksumToStart()
    let key = try text.key()
    switch key {
    case "entities", "relations":
      try text.expect(.colon, as: "a colon")
      try text.expect(.leftBrace, as: "an object")
      if try text.nextByte() == .rightBrace {
        text.consume(to: text.start + 1)
      } else {
        state = .name(isRelation: key == "relations")
      }
      return false
    case "end":
      checkedBytes = offset
      hasOtherLayout = !isLineStart
      try endDocument(isLineStart ? checksum : nil, line: place.line)
      state = .end
      return true
    default:
      throw DumpError(
        "expected \"entities\", \"relations\" or \"end\", found \(key.quotedForDisplay)",
        path: text.name, position: place)
    }
  }

  private func arraySection(isRelation: Bool) throws(DumpError) -> DumpSection {
    let name = try text.key()
    try text.expect(.colon, as: "a colon")
    if let section = isRelation ? sections.relation(name) : sections.entity(name) { return section }
    throw text.error(
      "there is no \(isRelation ? "relation" : "entity") \(name.quotedForDisplay)",
      at: text.start)
  }

  /// The error for an array in which nothing is where an element is expected.
  private func missingElement() throws(DumpError) -> DumpError {
    let closes = try text.nextByte() == .rightBracket
    let message = "expected an element of the array, found \(text.shown(at: text.start))"
    return text.error(
      closes ? message + "; remove the comma before it" : message, at: text.start)
  }

  private func requireNothingMore() throws(DumpError) {
    if try text.nextByte() != nil {
      throw text.error("something follows the end", at: text.start)
    }
  }

  private func endDocument(_ checksum: UInt32?, line: Int) throws(DumpError) {
    try text.expect(.colon, as: "a colon")
    let range = try text.value()
    let document = try text.document(range)
    let dumpEnd: DumpEnd
    do throws(DumpError) {
      dumpEnd = try DumpEnd(document.root, in: document, line: line)
    } catch {
      throw error.inFile(text.name)
    }
    try check(dumpEnd, checksum: checksum, line: line)
    text.consume(to: range.upperBound)
    try text.expect(.rightBrace, as: "the end of the dump")
    try requireNothingMore()
  }
}

/// Elements in the files of a directory.
extension DumpElements {
  @inline(__always)
  func nextOfDirectory() throws(DumpError) -> Step {
    if isFileOpen, let section, let step = try nextObject(section) { return step }
    return try nextFile()
  }

  /// The first element of the next file that has any.
  private func nextFile() throws(DumpError) -> Step {
    guard case .directory(let manifest) = input.content else { return .end }
    while file < endFile {
      if !isFileOpen { try openFile(manifest) }
      if let section, let step = try nextObject(section) { return step }
      isFileOpen = false
      file += 1
      try checkEnd(of: manifest.files[file - 1])
    }
    if endFile < manifest.files.count { return .end }
    text = InputText.empty(input.path + "/" + DumpManifest.fileName)
    try check(manifest.totals, at: nil)
    return .end
  }

  /// Skips the file of a directory that cannot be read; returns whether there was one.
  func skipFile() -> Bool {
    if file >= endFile { return false }
    file += 1
    isFileOpen = false
    return true
  }

  func openFile(_ manifest: DumpManifest) throws(DumpError) {
    let path = input.path + "/" + manifest.files[file].name
    section = sections.section(of: manifest.files[file])
    if section == nil {
      throw DumpError(
        "there is no entity or relation \(manifest.files[file].sectionName.quotedForDisplay)",
        path: path)
    }
    text = InputText(
      DecompressingSource(
        CountedSource(try FileSource(inDump: path), input.bytesRead), limits: input.decompression),
      name: path, limit: input.maximumElement)
    text.expectedSize = manifest.files[file].bytes
    isFileOpen = true
  }

  private func checkEnd(of file: DumpManifest.File) throws(DumpError) {
    checkedBytes += text.offset
    if text.offset < file.bytes {
      try problem(
        text.endsEarly("the file has \(text.offset) bytes of \(file.bytes)", at: text.start)
          .inDump())
    } else if text.offset != file.bytes || text.checksumToStart() != file.checksum {
      try problem(
        DumpError(
          "does not match \(DumpManifest.fileName): it was changed or damaged", path: text.name))
    }
  }
}

extension DumpManifest.File {
  /// `Entity`, or `Entity.relation`.
  fileprivate var sectionName: String {
    switch content {
    case .entity(let total): total.name
    case .relation(let total): total.name
    }
  }
}
