internal import BoxJSON

/// Reads the members of an object of a dump, with an error at the place of each that is wrong.
struct MemberReader {
  let document: JSONDocument
  let object: JSONNode
  /// The name of the object in messages: `the header`.
  let name: String
  /// The line of the file that the text begins on.
  let line: Int

  init(
    _ document: JSONDocument, _ object: JSONNode, _ name: String, line: Int
  ) throws(DumpError) {
    self.document = document
    self.object = object
    self.name = name
    self.line = line
    if document.kind(of: object) != .object { throw error("\(name) is not an object", object) }
  }

  func error(_ message: String, _ node: JSONNode) -> DumpError {
    let place = document.position(at: document.range(of: node).lowerBound)
    return DumpError(
      message, position: JSONPosition(line: place.line + line - 1, column: place.column))
  }

  func node(_ key: String) -> JSONNode? { document.value(forKey: key, in: object) }

  func required(_ key: String) throws(DumpError) -> JSONNode {
    guard let node = node(key) else { throw error("\(name) has no \"\(key)\"", object) }
    return node
  }

  func string(_ node: JSONNode, _ key: String) throws(DumpError) -> String {
    guard document.kind(of: node) == .string else {
      throw error("\"\(key)\" of \(name) is not a string", node)
    }
    return document.key(node)
  }

  func string(_ key: String) throws(DumpError) -> String {
    try string(try required(key), key)
  }

  func integer<T: FixedWidthInteger>(_ key: String, as: T.Type = T.self) throws(DumpError) -> T {
    try integer(try required(key), key)
  }

  /// A number, or a string of digits as readers of doubles need them.
  func integer<T: FixedWidthInteger>(_ node: JSONNode, _ key: String) throws(DumpError) -> T {
    let text: String? =
      switch document.kind(of: node) {
      case .number where document.isInteger(node): document.text(of: node)
      case .string: document.key(node)
      default: nil
      }
    guard let text, let value = T(text), value >= 0 else {
      throw error("\"\(key)\" of \(name) is not a number from 0 to \(T.max)", node)
    }
    return value
  }

  func strings(_ key: String) throws(DumpError) -> [String] {
    let list = try required(key)
    guard document.kind(of: list) == .array else {
      throw error("\"\(key)\" of \(name) is not an array", list)
    }
    var strings: [String] = []
    for element in document.elementNodes(of: list) { strings.append(try string(element, key)) }
    return strings
  }

  /// One of the known words.
  func word<Word: RawRepresentable & CaseIterable>(
    _ node: JSONNode, _ key: String, as: Word.Type = Word.self
  ) throws(DumpError) -> Word where Word.RawValue == String {
    let text = try string(node, key)
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
    throw error("\"\(key)\" of \(name) is \"\(text)\" and not one of \(words)", node)
  }

  /// The members of an object that is a member of this one.
  func object(_ key: String, _ name: String) throws(DumpError) -> MemberReader {
    try MemberReader(document, try required(key), name, line: line)
  }
}
