internal import BoxConvert

extension YAMLNode {
  /// The value as a part of a catalogue, with its types by the core schema of YAML 1.2.
  var catalogueNode: CatalogueNode {
    switch content {
    case .scalar(let text, let isPlain):
      CatalogueNode(isPlain ? Self.scalar(text) : .text(text), position: position)
    case .sequence(let elements):
      CatalogueNode(.list(elements.map(\.catalogueNode)), position: position)
    case .mapping(let members):
      CatalogueNode(
        .mapping(
          members.map {
            CatalogueNode.Member(
              key: $0.key, position: $0.keyPosition, value: $0.value.catalogueNode)
          }),
        position: position)
    }
  }

  private static func scalar(_ text: String) -> CatalogueNode.Content {
    switch text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if let integer = integer(text) { return .integer(integer) }
    if let number = number(text) { return .number(number) }
    return .text(text)
  }

  private static func integer(_ text: String) -> Int128? {
    if text.hasPrefix("0x") { return digits(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0o") { return digits(text.dropFirst(2), radix: 8) }
    let sign = text.utf8.first.map { "+-".utf8.contains($0) } ?? false
    guard digits(text.dropFirst(sign ? 1 : 0), radix: 10) != nil else { return nil }
    return Int128(text)
  }

  private static func digits(_ text: Substring, radix: Int) -> Int128? {
    // Int128 takes a sign, which has no place here.
    guard let first = text.utf8.first, !"+-".utf8.contains(first) else { return nil }
    return Int128(text, radix: radix)
  }

  private static func number(_ text: String) -> Double? {
    // Double takes words and hexadecimal digits too.
    let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    guard isNumber, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    return Double(text)
  }
}
