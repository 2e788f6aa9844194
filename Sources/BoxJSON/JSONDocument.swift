/// The kind of a JSON value.
public enum JSONKind: UInt8, Hashable, Sendable {
  case null, bool, number, string, array, object
}

/// A value, or a key, of a ``JSONDocument``: an index into it, without a meaning elsewhere.
public struct JSONNode: Hashable, Sendable {
  /// The position of the node in document order.
  public let index: Int32
}

/// A parsed JSON text that keeps every byte: order of keys, layout, the digits of numbers.
public struct JSONDocument: Sendable {
  /// What a document may hold beyond RFC 8259, and how large it may be.
  public struct Options: Hashable, Sendable {
    /// Takes an unescaped tab inside a string, as one code generator writes it, and lists it in
    /// ``JSONDocument/rawTabs``.
    public var allowsRawTabs = false
    /// How deep arrays and objects may be nested.
    public var maximumDepth = 128
    public init() {}
  }

  /// The text.
  public let bytes: [UInt8]
  /// The offsets of unescaped tabs inside strings.
  public let rawTabs: [Int]

  public init(parsing bytes: [UInt8], options: Options = Options()) throws(JSONError) {
    fatalError()
  }

  public var root: JSONNode { JSONNode(index: 0) }
  public func kind(of node: JSONNode) -> JSONKind { fatalError() }
  /// The bytes of a value: a string with its quotes, an object with its braces.
  public func range(of node: JSONNode) -> Range<Int> { fatalError() }
  /// The key and the value of each member of an object, in order.
  public func members(of object: JSONNode) -> [(key: JSONNode, value: JSONNode)] { fatalError() }
  public func elements(of array: JSONNode) -> [JSONNode] { fatalError() }
  public func value(forKey key: String, in object: JSONNode) -> JSONNode? { fatalError() }
  /// A key with its escapes resolved.
  public func key(_ node: JSONNode) -> String { fatalError() }
  /// The text of a node as it stands in the document.
  public func text(of node: JSONNode) -> String { fatalError() }
  public func position(at offset: Int) -> JSONPosition { fatalError() }
}

/// Reads single values of documents with json-c.
public final class JSONValueDecoder {
  public init() {}
  /// The string, or nil if the node is no string.
  public func string(_ node: JSONNode, in document: JSONDocument) -> String? { fatalError() }
  /// The integer, or nil if the node is no number, has a fraction or an exponent, or is out of range.
  public func integer<T: FixedWidthInteger>(_ node: JSONNode, in document: JSONDocument, as type: T.Type = T.self) -> T? { fatalError() }
  public func double(_ node: JSONNode, in document: JSONDocument) -> Double? { fatalError() }
  public func bool(_ node: JSONNode, in document: JSONDocument) -> Bool? { fatalError() }
}
