internal import BoxJSON

/// Reads a YAML text of one document into a tree.
struct YAMLReader {
  /// The largest text that is read: 256 KiB.
  static let maximumSize = 256 * 1024
  /// The maximum depth of nested sequences and mappings.
  static let maximumDepth = 16

  private let events: YAMLEventReader

  /// Reads a text, in UTF-8.
  ///
  /// - Returns: The root, or nil if the text has no content.
  /// - Throws: ``YAMLError`` if the text is not YAML or too large, has an alias, an anchor, a tag,
  ///   a key twice or a key that is not text, is nested too deep, or has a second document.
  /// - Complexity: O(*n*) in the size of the text.
  static func read(_ bytes: [UInt8]) throws(YAMLError) -> YAMLNode? {
    let start = JSONPosition(line: 1, column: 1)
    if bytes.count > maximumSize {
      throw YAMLError(message: "the file is larger than 256 KiB", position: start)
    }
    let reader = YAMLReader(events: try YAMLEventReader(bytes))
    var root: YAMLNode?
    while true {
      let (event, position) = try reader.events.next()
      switch event {
      case .streamEnd: return root
      case .documentStart:
        if root != nil {
          throw YAMLError(message: "a second document is not allowed here", position: position)
        }
      case .documentEnd: continue
      default: root = try reader.node(event, at: position, depth: 1)
      }
    }
  }

  private func node(
    _ event: YAMLEvent, at position: JSONPosition, depth: Int
  ) throws(YAMLError) -> YAMLNode {
    if depth > Self.maximumDepth {
      throw YAMLError(
        message: "nested deeper than \(Self.maximumDepth) levels", position: position)
    }
    switch event {
    case .scalar(let text, let isPlain):
      return YAMLNode(content: .scalar(text, isPlain: isPlain), position: position)
    case .sequenceStart:
      var elements: [YAMLNode] = []
      while true {
        let (event, place) = try events.next()
        if event == .sequenceEnd {
          return YAMLNode(content: .sequence(elements), position: position)
        }
        elements.append(try node(event, at: place, depth: depth + 1))
      }
    case .mappingStart: return try mapping(at: position, depth: depth)
    default: throw YAMLError(message: "this is not YAML", position: position)
    }
  }

  private func mapping(
    at position: JSONPosition, depth: Int
  ) throws(YAMLError) -> YAMLNode {
    var members: [YAMLNode.Member] = []
    var keys: Set<ExactText> = []
    while true {
      let (event, place) = try events.next()
      if event == .mappingEnd {
        return YAMLNode(content: .mapping(members), position: position)
      }
      guard case .scalar(let key, _) = event else {
        throw YAMLError(message: "a key must be a text", position: place)
      }
      guard keys.insert(ExactText(key)).inserted else {
        throw YAMLError(message: "the key '\(key)' occurs twice", position: place)
      }
      let (next, valuePlace) = try events.next()
      members.append(
        YAMLNode.Member(
          key: key, keyPosition: place,
          value: try node(next, at: valuePlace, depth: depth + 1)))
    }
  }
}
