internal import BoxJSON
internal import BoxModel

/// A vector as an array, each element by a converter of its own.
struct VectorForm: StrictForm {
  let kinds: Set<JSONKind> = [.array]
  let type: StoredType
  let element: BoundConverter

  var names: [String] { element.names }

  func stored(named name: String) throws(ConversionError) -> Value {
    try element.stored(named: name)
  }

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard let elements = stored.elements else { throw .malformed("a list") }
    var result: [JSONValue] = []
    result.reserveCapacity(elements.count)
    for value in elements { result.append(try element.json(value)) }
    return .array(result)
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .array(let elements) = json else { throw .malformed("a list") }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for json in elements {
      let value = try element.stored(json)
      if case .null = value { throw .malformed("a list without null") }
      values.append(value)
    }
    guard let vector = type.vector(values) else { throw .malformed("a list for \(type)") }
    return vector
  }

  func problem(_ stored: Value) -> ConversionError? {
    guard let elements = stored.elements else { return .malformed("a list") }
    for value in elements {
      if let problem = element.problem(value) { return problem }
    }
    return nil
  }
}

/// A text that holds a list: as a JSON array, or with a separator between its elements.
struct ListTextForm: StrictForm {
  let kinds: Set<JSONKind> = [.array]
  /// The separator between the elements; nil for a JSON array.
  let separator: String?

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard case .string(let text) = stored else { throw .malformed("a text") }
    guard let separator else {
      let value = try JSONTextForm(isExact: true).json(stored)
      guard case .array = value else { throw .malformed("a JSON array") }
      return value
    }
    return .array(text.split(between: separator).map { .string($0) })
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard case .array(let elements) = json else { throw .malformed("a list") }
    guard let separator else { return try JSONTextForm(isExact: true).stored(json) }
    let expected = "texts without \"\(separator)\""
    var texts: [String] = []
    for element in elements {
      guard case .string(let text) = element, text.split(between: separator).count <= 1,
        !text.isEmpty || elements.count > 1
      else { throw .malformed(expected) }
      texts.append(text)
    }
    let text = texts.joined(separator: separator)
    // An element can end with the beginning of the separator.
    guard text.split(between: separator).count == texts.count else { throw .malformed(expected) }
    return .string(text)
  }
}

extension String {
  /// The parts between separators, compared by bytes; none of an empty text.
  fileprivate func split(between separator: String) -> [String] {
    let text = Array(utf8)
    let mark = Array(separator.utf8)
    if text.isEmpty || mark.isEmpty { return text.isEmpty ? [] : [self] }
    var parts: [String] = []
    var start = 0
    var index = 0
    while index + mark.count <= text.count {
      if text[index] == mark[0], text[index..<index + mark.count].elementsEqual(mark) {
        parts.append(String(decoding: text[start..<index], as: UTF8.self))
        index += mark.count
        start = index
      } else {
        index += 1
      }
    }
    return parts + [String(decoding: text[start...], as: UTF8.self)]
  }
}

extension Value {
  /// The elements of a vector; nil for anything else.
  var elements: [Value]? {
    switch self {
    case .bools(let values): values.map { .bool($0) }
    case .integers(let values): values.map { .integer($0) }
    case .unsignedIntegers(let values): values.map { .unsigned($0) }
    case .floats(let values): values.map { .float($0) }
    case .doubles(let values): values.map { .double($0) }
    case .strings(let values): values.map { .string($0) }
    default: nil
    }
  }
}

extension StoredType {
  /// The vector of elements; nil if one of them does not fit.
  func vector(_ elements: [Value]) -> Value? {
    var strings: [String] = []
    if kind == .strings {
      for case .string(let text) in elements { strings.append(text) }
      return strings.count == elements.count ? .strings(strings) : nil
    }
    return PlainForm.stored(.array(elements.map { PlainForm.json($0) }), as: self)
  }
}
