public import BoxJSON

/// A value of a catalogue and its place in the file, read from YAML or JSON.
public struct CatalogueNode: Hashable, Sendable {
  /// The content of a value.
  public indirect enum Content: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    case number(Double)
    case text(String)
    case list([CatalogueNode])
    case mapping([Member])
  }

  /// A key and its value.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The place of the key.
    public var position: JSONPosition?
    /// The value.
    public var value: CatalogueNode

    /// Creates a member.
    public init(key: String, position: JSONPosition?, value: CatalogueNode) {
      self.key = key
      self.position = position
      self.value = value
    }
  }

  /// The value.
  public var content: Content
  /// The place; nil if it was not read from a file.
  public var position: JSONPosition?

  /// Creates a node.
  public init(_ content: Content, position: JSONPosition? = nil) {
    self.content = content
    self.position = position
  }

  /// A value without places.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public init(_ json: JSONValue) {
    switch json {
    case .null: content = .null
    case .bool(let value): content = .bool(value)
    case .int(let value): content = .integer(Int128(value))
    case .uint(let value): content = .integer(Int128(value))
    case .double(let value): content = .number(value)
    case .number: content = CatalogueNode(json.rounded).content
    case .string(let text): content = .text(text)
    case .array(let elements): content = .list(elements.map { CatalogueNode($0) })
    case .object(let members):
      content = .mapping(
        members.map { Member(key: $0.key, position: nil, value: CatalogueNode($0.value)) })
    }
  }

  /// A value of a document with its places.
  ///
  /// - Complexity: O(*n* log *m*) in the size of the value and the number of lines.
  package init(_ node: JSONNode, in document: JSONDocument) {
    self.init(node, in: document, JSONValueDecoder())
  }

  /// A JSON text with its places.
  ///
  /// - Throws: ``CatalogueError`` with the place of what is not JSON.
  /// - Complexity: O(*n* log *m*) in the size of the text and the number of lines.
  package init(parsingJSON bytes: [UInt8]) throws(CatalogueError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes, options: .file)
    } catch {
      throw CatalogueError(error.message, at: error.position)
    }
    self.init(document.root, in: document)
  }

  private init(_ node: JSONNode, in document: JSONDocument, _ decoder: JSONValueDecoder) {
    switch document.kind(of: node) {
    case .array:
      content = .list(
        document.elements(of: node).map { CatalogueNode($0, in: document, decoder) })
    case .object:
      content = .mapping(
        document.members(of: node).map { key, value in
          Member(
            key: document.key(key), position: Self.position(key, document),
            value: CatalogueNode(value, in: document, decoder))
        })
    default: content = CatalogueNode(document.value(of: node, decoder)).content
    }
    position = Self.position(node, document)
  }

  private static func position(_ node: JSONNode, _ document: JSONDocument) -> JSONPosition {
    document.position(at: document.range(of: node).lowerBound)
  }

  /// The value as JSON.
  ///
  /// - Complexity: O(*n*) in the size of the value.
  public var json: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): JSONValue(value) ?? .double(Double(value))
    case .number(let value): .double(value)
    case .text(let text): .string(text)
    case .list(let elements): .array(elements.map(\.json))
    case .mapping(let members):
      .object(members.map { JSONValue.Member($0.key, $0.value.json) })
    }
  }
}

/// A catalogue that cannot be taken, and where.
public struct CatalogueError: Error, Hashable, Sendable {
  /// One sentence without a trailing period.
  public let message: String
  /// The place; nil if the catalogue was not read from a file.
  public let position: JSONPosition?

  /// Creates an error.
  public init(_ message: String, at position: JSONPosition?) {
    self.message = message
    self.position = position
  }
}

/// Reading of what a catalogue is made of.
extension CatalogueNode {
  /// The members of a mapping; none of an absent value.
  package func members(of what: String) throws(CatalogueError) -> [Member] {
    switch content {
    case .mapping(let members): return members
    case .null: return []
    default: throw CatalogueError("\(what) must be a mapping of keys to values", at: position)
    }
  }

  /// The members of a mapping that has no other keys than these.
  package func members(of what: String, keys: [String]) throws(CatalogueError) -> [Member] {
    let members = try members(of: what)
    for member in members where !keys.contains(member.key) {
      throw CatalogueError(
        "\(what) has no '\(member.key)'; there are: \(keys.joined(separator: ", "))",
        at: member.position)
    }
    return members
  }

  package func text(_ what: String) throws(CatalogueError) -> String {
    guard case .text(let text) = content else {
      throw CatalogueError("\(what) must be a text", at: position)
    }
    return text
  }

  package func flag(_ what: String) throws(CatalogueError) -> Bool {
    guard case .bool(let value) = content else {
      throw CatalogueError("\(what) must be true or false", at: position)
    }
    return value
  }

  package func integer(
    _ what: String, in range: ClosedRange<Int128>
  ) throws(CatalogueError) -> Int128 {
    guard case .integer(let value) = content, range.contains(value) else {
      throw CatalogueError(
        "\(what) must be an integer from \(range.lowerBound) to \(range.upperBound)", at: position)
    }
    return value
  }

  package func choice<T: RawRepresentable<String> & CaseIterable>(
    _ what: String, _ type: T.Type
  ) throws(CatalogueError) -> T {
    if case .text(let text) = content, let value = T(rawValue: text) { return value }
    let names = T.allCases.map(\.rawValue).joined(separator: ", ")
    throw CatalogueError("\(what) must be one of \(names)", at: position)
  }
}
