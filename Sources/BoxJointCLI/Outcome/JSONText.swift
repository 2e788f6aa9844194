/// A JSON value to print, with the order of its members.
enum JSONText: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONText])
  case object([Member])

  /// A member of an object.
  struct Member: Hashable, Sendable {
    var key: String
    var value: JSONText
  }

  /// An object from pairs.
  static func object(_ pairs: KeyValuePairs<String, JSONText>) -> JSONText {
    .object(pairs.map { Member(key: $0.key, value: $0.value) })
  }

  /// A string, or null for nil.
  static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

  /// The text, indented by two spaces, with a line ending at its end.
  ///
  /// - Complexity: O(*n*) in the size of the text.
  var rendered: String {
    var output = ""
    render(into: &output, indentation: "")
    return output + "\n"
  }

  private func render(into output: inout String, indentation: String) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .integer(let value): output += String(value)
    case .string(let value): Self.quote(value, into: &output)
    case .array(let elements):
      Self.list(elements, "[", "]", &output, indentation) { element, output, inner in
        element.render(into: &output, indentation: inner)
      }
    case .object(let members):
      Self.list(members, "{", "}", &output, indentation) { member, output, inner in
        Self.quote(member.key, into: &output)
        output += ": "
        member.value.render(into: &output, indentation: inner)
      }
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, _ output: inout String,
    _ indentation: String, _ body: (Element, inout String, String) -> Void
  ) {
    output += open
    let inner = indentation + "  "
    for (index, element) in elements.enumerated() {
      output += (index == 0 ? "\n" : ",\n") + inner
      body(element, &output, inner)
    }
    if !elements.isEmpty { output += "\n" + indentation }
    output += close
  }

  private static func quote(_ text: String, into output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case let scalar where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
