internal import BoxJSON
internal import CYAML

/// An event of libyaml's parser.
enum YAMLEvent: Hashable, Sendable {
  case documentStart
  case documentEnd
  case streamEnd
  case scalar(String, isPlain: Bool)
  case sequenceStart
  case sequenceEnd
  case mappingStart
  case mappingEnd
}

/// Reads the events of a YAML text with libyaml's `yaml_parser_parse`.
///
/// Anchors, aliases and tags are errors: a settings file has no use for them, and a few hundred
/// bytes of aliases can expand to gigabytes.
final class YAMLEventReader {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  /// The text, which must not move since libyaml keeps a pointer to it.
  private let text: UnsafeMutableBufferPointer<UInt8>

  /// Starts to read a text.
  ///
  /// - Throws: ``YAMLError`` if there is no memory.
  init(_ bytes: [UInt8]) throws(YAMLError) {
    parser = .allocate(capacity: 1)
    text = .allocate(capacity: bytes.count)
    _ = text.initialize(from: bytes)
    guard yaml_parser_initialize(parser) == 1 else {
      // A failed initialisation leaves a parser that may be deleted: all of it is zero.
      throw YAMLError(message: "out of memory", position: JSONPosition(line: 1, column: 1))
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    text.deallocate()
  }

  /// The next event and its place, without the start of the stream.
  ///
  /// - Throws: ``YAMLError`` if the text is not YAML, or uses an anchor, an alias or a tag.
  func next() throws(YAMLError) -> (event: YAMLEvent, position: JSONPosition) {
    while true {
      var raw = yaml_event_t()
      guard yaml_parser_parse(parser, &raw) == 1 else { throw problem() }
      defer { yaml_event_delete(&raw) }
      let position = Self.position(raw.start_mark)
      if let event = try Self.event(raw, at: position) { return (event, position) }
    }
  }

  private static func event(
    _ raw: yaml_event_t, at position: JSONPosition
  ) throws(YAMLError) -> YAMLEvent? {
    switch raw.type {
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_STREAM_END_EVENT: return .streamEnd
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    case YAML_ALIAS_EVENT:
      throw YAMLError(message: "aliases are not allowed here", position: position)
    case YAML_SEQUENCE_START_EVENT:
      let start = raw.data.sequence_start
      try refuse(anchor: start.anchor, tag: start.tag, at: position)
      return .sequenceStart
    case YAML_MAPPING_START_EVENT:
      let start = raw.data.mapping_start
      try refuse(anchor: start.anchor, tag: start.tag, at: position)
      return .mappingStart
    case YAML_SCALAR_EVENT:
      let scalar = raw.data.scalar
      try refuse(anchor: scalar.anchor, tag: scalar.tag, at: position)
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return .scalar(
        String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
    default: return nil
    }
  }

  private static func refuse(
    anchor: UnsafeMutablePointer<UInt8>?, tag: UnsafeMutablePointer<UInt8>?,
    at position: JSONPosition
  ) throws(YAMLError) {
    guard anchor != nil || tag != nil else { return }
    let what = anchor != nil ? "anchors" : "tags"
    throw YAMLError(message: "\(what) are not allowed here", position: position)
  }

  private func problem() -> YAMLError {
    let state = parser.pointee
    let message = state.problem.map { String(cString: $0) } ?? "this is not YAML"
    // Errors in the encoding come with an offset in bytes and no mark.
    guard state.error == YAML_READER_ERROR else {
      return YAMLError(message: message, position: Self.position(state.problem_mark))
    }
    let before = text.prefix(Int(state.problem_offset))
    let line = before.count { $0 == 0x0A } + 1
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? before.startIndex
    // Bytes that continue a character begin with the bits 10.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return YAMLError(message: message, position: JSONPosition(line: line, column: column))
  }

  private static func position(_ mark: yaml_mark_t) -> JSONPosition {
    JSONPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}
