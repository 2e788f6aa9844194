internal import BoxConvert

extension CatalogueNode {
  /// The catalogue as YAML in block style; texts are quoted, so that none is read as another type.
  ///
  /// - Complexity: O(*n*) in the size of the catalogue.
  var yaml: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  /// The words of the format, which need no quotes.
  private static let keywords: Set<String> = [
    "types", "properties", "type", "values", "retired", "aliases", "of",
  ]

  private func write(to text: inout String, indent: String) {
    guard case .mapping(let members) = content else { return }
    for member in members {
      let key = Self.keywords.contains(member.key) ? member.key : Self.quoted(member.key)
      text += "\(indent)\(key):"
      switch member.value.content {
      case .mapping(let inner) where !inner.isEmpty:
        text += "\n"
        member.value.write(to: &text, indent: indent + "  ")
      case .mapping: text += " {}\n"
      case .text(let value): text += " \(Self.quoted(value))\n"
      case .integer(let value): text += " \(value)\n"
      // A catalogue of enums has no other values.
      case .null, .bool, .number, .list: text += " null\n"
      }
    }
  }

  /// A text in double quotes, in which YAML and JSON agree.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 32 || 127...159 ~= scalar.value:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
