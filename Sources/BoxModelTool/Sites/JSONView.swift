internal import BoxJSON

/// A value of an untrusted JSON text, read without assuming its form.
struct JSONView: Sendable {
  private let document: JSONDocument
  private let node: JSONNode

  /// Parses a text.
  ///
  /// - Returns: Nil if it is not JSON.
  /// - Complexity: O(*n*) in the number of bytes.
  init?(parsing bytes: [UInt8]) {
    var options = JSONDocument.Options()
    options.allowsLargeIntegers = true
    guard let document = try? JSONDocument(parsing: bytes, options: options) else { return nil }
    self.init(document, document.root)
  }

  private init(_ document: JSONDocument, _ node: JSONNode) {
    self.document = document
    self.node = node
  }

  /// The value of a member; nil if this is not an object, lacks the member, or has null there.
  subscript(key: String) -> JSONView? {
    guard document.kind(of: node) == .object,
      let value = document.value(forKey: key, in: node), document.kind(of: value) != .null
    else { return nil }
    return JSONView(document, value)
  }

  /// The text of a string; nil for another kind.
  var string: String? { document.kind(of: node) == .string ? document.key(node) : nil }

  /// The hash of a commit, and nothing else that git would take for a revision; nil for another text.
  var hash: String? {
    guard let text = string, [40, 64].contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return text
  }

  /// The value of an integer; nil for another kind.
  var int: Int? { document.isInteger(node) ? Int(document.text(of: node)) : nil }

  /// The elements of an array; nil for another kind.
  var elements: [JSONView]? {
    guard document.kind(of: node) == .array else { return nil }
    return document.elements(of: node).map { JSONView(document, $0) }
  }
}
