internal import BoxJSON

/// Objects as JSON, each with its place.
struct PutInput {
  /// An object.
  struct Element {
    let document: JSONDocument
    let node: JSONNode
    /// The name of its text in messages.
    let source: String
    /// The number of lines before the document.
    let lines: Int

    /// The failure of the object, at an offset of its document.
    func failure(_ kind: FailureKind, _ message: String, at offset: Int? = nil) -> CommandFailure {
      var position = document.position(at: offset ?? document.range(of: node).lowerBound)
      position.line += lines
      return CommandFailure(kind, message, path: source, position: position)
    }
  }

  private(set) var elements: [Element] = []

  /// Reads a text: an object, an array of objects, or an object in each line.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - source: The name of the text in messages.
  ///   - problems: Receives a failure for each text and element that is not an object.
  mutating func add(_ bytes: [UInt8], _ source: String, _ problems: inout EditProblems) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let filled = lines.indices.filter { !lines[$0].allSatisfy(\.isJSONSpace) }
    if let first = filled.first, filled.count > 1, (try? Self.document(Array(lines[first]))) != nil
    {
      for line in filled { add(Array(lines[line]), source, lines: line, &problems) }
    } else {
      add(bytes, source, lines: 0, &problems)
    }
  }

  private mutating func add(
    _ bytes: [UInt8], _ source: String, lines: Int, _ problems: inout EditProblems
  ) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try Self.document(bytes)
    } catch {
      var position = error.position
      position.line += lines
      return problems.add(
        CommandFailure(.badInput, error.message, path: source, position: position))
    }
    let root = document.root
    let nodes = document.kind(of: root) == .array ? document.elements(of: root) : [root]
    for node in nodes {
      let element = Element(document: document, node: node, source: source, lines: lines)
      if document.kind(of: node) == .object {
        elements.append(element)
      } else {
        problems.add(element.failure(.badInput, "expected an object"))
      }
    }
  }

  private static func document(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
    var options = JSONDocument.Options.file
    options.allowsLargeIntegers = true
    return try JSONDocument(parsing: bytes, options: options)
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0D }
}
