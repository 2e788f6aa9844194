internal import BoxJSON
internal import BoxModel

/// A text that is JSON, shown as what it says, its numbers with all their digits.
struct JSONTextForm: StrictForm {
  let kinds: Set<JSONKind> = [.bool, .number, .string, .array, .object]
  /// Whether a text that is spelled in another way than this form writes it counts as malformed,
  /// since it would come back with other bytes.
  let isExact: Bool

  /// The options for reading JSON so that it can be written with the same digits.
  ///
  /// The JSON is shown inside an object, and maybe a list, so the depth leaves room for readers
  /// that allow 128 levels.
  static let options = {
    var options = JSONDocument.Options()
    options.allowsLargeIntegers = true
    options.maximumDepth = 120
    return options
  }()

  func json(_ stored: Value) throws(ConversionError) -> JSONValue {
    guard case .string(let text) = stored else { throw .malformed("a text that is JSON") }
    let value = try Self.parsed(text)
    if isExact, !value.text(indent: 0).hasSameBytes(as: text) {
      throw .malformed("JSON without white space, and with the usual escapes")
    }
    return value
  }

  func stored(_ json: JSONValue) throws(ConversionError) -> Value {
    guard json.isFinite else { throw .malformed("JSON, which has no infinity and no NaN") }
    return .string(json.text(indent: 0))
  }

  static func parsed(_ text: String) throws(ConversionError) -> JSONValue {
    do throws(JSONError) {
      let document = try JSONDocument(parsing: Array(text.utf8), options: options)
      return document.exactValue(of: document.root)
    } catch {
      throw .malformed("JSON (\(error.message) at \(error.position.line):\(error.position.column))")
    }
  }
}

extension JSONValue {
  /// Whether all numbers are finite: infinity and NaN would be written as text.
  var isFinite: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .array(let elements): elements.allSatisfy(\.isFinite)
    case .object(let members): members.allSatisfy(\.value.isFinite)
    default: true
    }
  }
}
