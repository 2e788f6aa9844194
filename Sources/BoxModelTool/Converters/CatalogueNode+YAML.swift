package import BoxConvert
internal import BoxJSON

extension CatalogueNode {
  /// The catalogue as YAML: its sections and their entries in lines, smaller mappings in braces.
  ///
  /// - Complexity: O(*n*) in the size of the catalogue.
  package var yamlText: String {
    guard case .mapping(let members) = content else { return flow + "\n" }
    return Self.block(members, depth: 0)
  }

  private static func block(_ members: [Member], depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    return members.map { member in
      let key = indent + scalar(member.key) + ":"
      if case .mapping(let inner) = member.value.content, !inner.isEmpty, member.value.isNested {
        return key + "\n" + block(inner, depth: depth + 1)
      }
      return key + " " + member.value.flow + "\n"
    }.joined()
  }

  /// Whether the value is a mapping that is written in lines: the sections, and what has mappings.
  private var isNested: Bool {
    guard case .mapping(let members) = content else { return false }
    let settings: Set = ["from", "type", "of", "values"]
    return !members.contains { settings.contains($0.key) }
  }

  private var flow: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): Self.scalar(text)
    case .list(let elements): "[" + elements.map(\.flow).joined(separator: ", ") + "]"
    case .mapping(let members):
      "{ " + members.map { Self.scalar($0.key) + ": " + $0.value.flow }.joined(separator: ", ")
        + " }"
    }
  }

  /// A text as YAML reads it back: plain if it is a word or a path, otherwise in quotes with the
  /// escapes of JSON, which YAML has too.
  private static func scalar(_ text: String) -> String {
    let reserved: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
    let isPlain =
      text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
      }
      && text.utf8.first.map { !(0x30...0x39).contains($0) && $0 != UInt8(ascii: ".") } ?? false
      && !reserved.contains(text.lowercased())
    if isPlain { return text }
    var quoted = ""
    for scalar in JSONValue.string(text).text(indent: 0).unicodeScalars {
      // YAML does not allow these, and reads a line break in some of them.
      switch scalar.value {
      case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}
