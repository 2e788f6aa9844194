/// A parsed JSON text that keeps every byte: order of keys, layout, the digits of numbers.
///
/// It accepts RFC 8259 with three more requirements: the keys of an object differ, integers fit
/// into 64 bits (signed or unsigned; an option allows others), and the depth is limited. In
/// addition to the text it needs 16 bytes for each key and value, 4 bytes for each line, 8 to 16
/// for each member of an object with more than 32, and 4 for each 512 bytes of text if it has a
/// line of more than 1024.
///
/// A ``JSONNode`` belongs to the document from which it came. Using it with another document is a
/// programmer error, and so is asking a scalar for members or elements: the result is then wrong or
/// empty.
package struct JSONDocument: Sendable {
  /// The extensions of RFC 8259 that a document may use, and its maximum depth.
  package struct Options: Hashable, Sendable {
    /// Whether an unescaped tab inside a string is accepted, as one code generator writes it, and
    /// listed in ``JSONDocument/rawTabs``.
    package var allowsRawTabs = false
    /// Whether a byte order mark of UTF-8 in front of the text is skipped, as some editors write it to
    /// files, and kept in ``JSONDocument/bytes``; see ``JSONDocument/hasByteOrderMark``.
    package var allowsByteOrderMark = false
    /// Whether integers that do not fit into 64 bits are accepted; they are numbers, but not
    /// integers for ``JSONDocument/isInteger(_:)``.
    package var allowsLargeIntegers = false
    /// The maximum depth of nested arrays and objects.
    package var maximumDepth = 128

    /// Creates the options of a plain document: no raw tabs, integers of 64 bits, 128 levels.
    package init() {}

    /// The options for a file that people edit: as a plain document, but a byte order mark is skipped.
    package static let file: Options = {
      var options = Options()
      options.allowsByteOrderMark = true
      return options
    }()
  }

  /// The byte order mark of UTF-8.
  package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether the text begins with a byte order mark.
  package var hasByteOrderMark: Bool { bytes.starts(with: Self.byteOrderMark) }

  /// The text.
  package let bytes: [UInt8]
  /// The offsets of unescaped tabs inside strings.
  package let rawTabs: [Int]

  let tape: JSONTape
  /// The keys of large objects, by the tape index of the object.
  let keyTables: [Int: JSONKeyTable]
  let lines: LineTable

  /// Parses a text.
  ///
  /// The first thing that is wrong is reported; a repeated key is found where its object ends. A text
  /// that does not parse and has conflict markers is reported as that.
  ///
  /// - Throws: ``JSONError`` with a code of its own for each kind of defect.
  /// - Complexity: O(*n*) in the number of bytes, on average.
  package init(parsing bytes: [UInt8], options: Options = Options()) throws(JSONError) {
    let scanner = try unsafe bytes.withUnsafeBufferPointer {
      (text) throws(JSONError) -> JSONScanner in
      try unsafe Self.scan(text, options: options)
    }
    self.bytes = bytes
    tape = scanner.tape
    keyTables = scanner.keyTables
    rawTabs = scanner.rawTabs
    lines = unsafe bytes.withUnsafeBufferPointer {
      unsafe LineTable(starts: scanner.lineStarts, of: $0)
    }
  }

  private static func scan(
    _ text: UnsafeBufferPointer<UInt8>, options: Options
  ) throws(JSONError) -> JSONScanner {
    let start = JSONPosition(line: 1, column: 1)
    guard let base = text.baseAddress, !text.isEmpty else {
      throw JSONError(code: .empty, message: "The text is empty", position: start, offset: 0)
    }
    guard text.count < Int(Int32.max) else {
      throw JSONError(
        code: .tooLarge, message: "The text is larger than 2 GiB", position: start, offset: 0)
    }
    var scanner = unsafe JSONScanner(base: base, count: text.count, options: options)
    do throws(JSONError) {
      try scanner.scan()
    } catch {
      guard let offset = unsafe ConflictMarkers.firstOffset(in: text) else { throw error }
      throw scanner.error(.conflictMarkers, at: offset, "The text has unresolved conflict markers")
    }
    return scanner
  }

  /// The value of the text.
  package var root: JSONNode { JSONNode(index: 0) }

  func entry(_ node: JSONNode) -> JSONTapeEntry { tape[Int(node.index)] }

  /// The kind of a value; a key is a string.
  package func kind(of node: JSONNode) -> JSONKind { entry(node).kind }

  /// Whether a value is a number without a fraction and an exponent, of 64 bits.
  ///
  /// Such a number is at least -2^63 and at most 2^64 - 1.
  package func isInteger(_ node: JSONNode) -> Bool { entry(node).has(.integer) }

  /// The bytes of a value: a string with its quotes, an object with its braces.
  package func range(of node: JSONNode) -> Range<Int> { entry(node).range }

  /// The text of a node as it is in the document.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func text(of node: JSONNode) -> String {
    String(decoding: bytes[range(of: node)], as: UTF8.self)
  }

  /// A key, or a string, with its escapes resolved.
  ///
  /// - Complexity: O(*n*) in the length of the key.
  package func key(_ node: JSONNode) -> String {
    let entry = entry(node)
    guard entry.kind == .string else { return "" }
    let content = Int(entry.start) + 1..<Int(entry.end) - 1
    guard entry.has(.escapes) else { return String(decoding: bytes[content], as: UTF8.self) }
    return unsafe bytes.withUnsafeBufferPointer { text in
      unsafe String(
        decoding: JSONUnescaping.resolve(UnsafeBufferPointer(rebasing: text[content])),
        as: UTF8.self)
    }
  }
}
