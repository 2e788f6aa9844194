internal import BoxJSON

/// A file of an input that is not a dump, read as far as its first element.
struct InputFile {
  /// The way in which the objects are written.
  enum Shape {
    /// An object in each line.
    case lines
    /// Objects one after the other, in any layout.
    case sequence
    /// An array of objects.
    case array
    /// A record for each object.
    case delimited(DelimitedColumns)
  }

  var text: InputText
  var shape: Shape
  /// The source of the bytes as they are in the file.
  var source: IdentifyingSource
}

/// The kind of a file, from its first bytes.
enum InputOpening {
  case dump(DumpInput.Content, DumpHeader, DumpChecksum)
  case file(InputFile.Shape)

  /// Reads a text as far as the header of the dump, or the first element.
  ///
  /// - Throws: ``DumpError`` if the text is not of a known kind.
  init(_ text: InputText, _ form: InputForm) throws(DumpError) {
    while text.end < 4, try text.readMore() {}
    try Self.skipByteOrderMark(text)
    if form.records != nil {
      guard let first = try text.nextByte() else {
        self = .file(.array)
        return
      }
      if first != .leftBrace {
        throw text.error(
          "expected an object that has the records, found \(text.shown(at: text.start))",
          at: text.start)
      }
      self = .file(.array)
      return
    }
    if let format = try Self.delimitedFormat(text, form) {
      self = .file(.delimited(try DelimitedColumns(reading: text, format)))
      return
    }
    switch try text.nextByte() {
    case nil: self = .file(.lines)
    case UInt8.leftBracket: self = .file(.array)
    case UInt8.leftBrace:
      self = try Self.beginObject(text)
    default:
      try Self.requireNoDatabase(text)
      throw DumpError(
        "expected a dump, objects or an array, found \(text.shown(at: text.start))",
        path: text.name, position: text.position(at: text.start), remedy: .nameFormat)
    }
  }

  /// Throws if a text is a database of SQLite.
  private static func requireNoDatabase(_ text: InputText) throws(DumpError) {
    let first = Array("SQLite format 3\0".utf8)
    while text.end - text.start < first.count, try text.readMore() {}
    let end = min(text.end, text.start + first.count)
    if Array(text.bytes(text.start..<end)) != first { return }
    throw text.error(
      "this is a database of SQLite, which is for other programs; export the store as a dump, or the tables "
        + "of another program as CSV or JSON", at: text.start)
  }

  /// Skips the mark of UTF-8 at the beginning of a text.
  ///
  /// - Throws: ``DumpError`` for UTF-16 and UTF-32.
  private static func skipByteOrderMark(_ text: InputText) throws(DumpError) {
    let (first, second) = (text.base[0], text.base[1])
    // No text has a zero; ASCII in the wider encodings has one in each character.
    let isWide = text.end >= 2 && (first == 0 || second == 0)
    if isWide || (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF) {
      // UTF-32 has two zeros in a row, in one of the first two pairs.
      let hasFour = text.end - text.start >= 4
      let isLonger =
        hasFour && (first == 0 && second == 0 || text.base[2] == 0 && text.base[3] == 0)
      throw text.error(
        "the text is \(isLonger ? "UTF-32" : "UTF-16"), and has to be UTF-8; convert it, for example with "
          + "iconv -f \(isLonger ? "UTF-32" : "UTF-16") -t UTF-8", at: text.start)
    }
    if first == 0xEF, second == 0xBB, text.base[2] == 0xBF { text.skipByteOrderMark() }
  }

  // MARK: - JSON

  private static func beginObject(_ text: InputText) throws(DumpError) -> InputOpening {
    switch try firstKey(text) {
    case DumpFormat.envelopeKey: return try beginLines(text)
    case "boxjoint":
      do throws(DumpError) {
        return try beginDocument(text)
      } catch {
        throw error.inDump()
      }
    case "_note1":
      // Generators write this key first, and no entity has this name.
      throw text.error(
        "this is a model file, and holds no objects; import a dump, lines of objects or an array",
        at: text.start)
    default: return .file(try text.isLineOfObject() ? .lines : .sequence)
    }
  }

  /// The key of the first member, without consuming anything; nil if it is a long one.
  private static func firstKey(_ text: InputText) throws(DumpError) -> String? {
    while text.end - text.start < 256, try text.readMore() {}
    var index = text.start + 1
    while index < text.end, text.base[index].isWhiteSpace { index += 1 }
    guard index < text.end, text.base[index] == .quote else { return nil }
    let first = index + 1
    index = first
    while index < min(text.end, first + 64), text.base[index] != .quote { index += 1 }
    return String(decoding: text.bytes(first..<index), as: UTF8.self)
  }

  private static func beginLines(
    _ text: InputText
  ) throws(DumpError) -> InputOpening {
    guard let end = try text.endOfLine() else {
      throw text.error("the header is missing", at: text.start)
    }
    let document: JSONDocument
    do throws(DumpError) {
      document = try text.document(text.start..<end)
    } catch {
      if end == text.end {
        throw text.endsEarly("the dump is cut off in its header", at: text.start)
      }
      throw error
    }
    do throws(DumpError) {
      let reader = try MemberReader(document, document.root, "the first line", line: text.line)
      let node = try reader.required(DumpFormat.envelopeKey)
      let header = try DumpHeader(node, in: document, line: text.line)
      let isRejects = document.value(forKey: "rejects", in: node) != nil
      text.consumeLine(to: end)
      return .dump(
        .lines(text, hasEnd: !isRejects), header, DumpChecksum(node, in: document))
    } catch {
      throw error.inFile(text.name)
    }
  }

  private static func beginDocument(
    _ text: InputText
  ) throws(DumpError) -> InputOpening {
    text.consume(to: text.start + 1)
    _ = try text.key()
    try text.expect(.colon, as: "a colon")
    let range = try text.value()
    let line = text.position(at: range.lowerBound).line
    let document = try text.document(range)
    do throws(DumpError) {
      let header = try DumpHeader(document.root, in: document, line: line)
      text.consume(to: range.upperBound)
      return .dump(.document(text), header, DumpChecksum(document.root, in: document))
    } catch {
      throw error.inFile(text.name)
    }
  }

  // MARK: - Delimited text

  /// The format of a text that is delimited; nil for JSON.
  private static func delimitedFormat(
    _ text: InputText, _ form: InputForm
  ) throws(DumpError) -> DelimitedFormat? {
    switch form.format {
    case .json: return nil
    case .csv: return try DelimitedSample.format(of: text, form, isTabbed: false)
    case .tsv: return try DelimitedSample.format(of: text, form, isTabbed: true)
    case .auto: break
    }
    let first = try text.firstVisibleByte()
    if first == .leftBrace || first == .leftBracket { return nil }
    let endings = endings(of: text.name)
    let isTabbed = endings.contains("tsv") || endings.contains("tab")
    if !isTabbed, !endings.contains("csv"), !form.mentionsDelimitedText { return nil }
    return try DelimitedSample.format(of: text, form, isTabbed: isTabbed)
  }

  /// The extension of a file, and before the extension of a compression the one before it.
  private static func endings(of path: String) -> [String] {
    let name = path.split(separator: "/").last ?? ""
    var endings = name.lowercased().split(separator: ".").dropFirst().map(String.init)
    if let last = endings.last, ["gz", "zst"].contains(last) { endings.removeLast() }
    return endings.suffix(1)
  }
}
