internal import BoxJSON

/// A value of a YAML document and its place.
struct YAMLNode: Hashable, Sendable {
  /// The content of a value; the reader decides which type a scalar has.
  enum Content: Hashable, Sendable {
    /// Text; `isPlain` if it has no quotes.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Member])
  }

  /// A key of a mapping and its value.
  struct Member: Hashable, Sendable {
    var key: String
    var keyPosition: JSONPosition
    var value: YAMLNode
  }

  var content: Content
  var position: JSONPosition

  /// Whether it is an absent value: nothing, `~` or `null`, without quotes.
  var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }
}

/// A YAML text that is not taken, and where.
struct YAMLError: Error, Hashable, Sendable {
  /// One sentence without a trailing period.
  var message: String
  var position: JSONPosition
}
