import BoxJSON
import BoxReport

/// The readers of single values; each notes the issues of the form.
extension ModelParser {
  mutating func report(
    _ rule: Rule, severity: Severity? = nil, _ range: Range<Int>, _ message: String,
    advice: String? = nil, fix: ModelEdit? = nil
  ) {
    issues.append(
      ModelIssue(rule, severity: severity, at: range, message, advice: advice, fix: fix))
  }

  mutating func wrongType(_ node: JSONNode, _ message: String) {
    report(
      ModelRule.wrongType, document.range(of: node), message,
      advice: "restore the value from version control")
  }

  mutating func missing(_ field: ElementField, _ element: String, _ node: JSONNode) {
    let start = document.range(of: node).lowerBound
    report(
      ModelRule.missingKey, start..<start + 1, "this \(element) has no \"\(field.key)\"",
      advice: "restore it from version control, or remove what is left of the \(element)")
  }

  func otherMember(_ key: String, _ value: JSONNode) -> OtherMember {
    OtherMember(key: key, text: document.text(of: value))
  }

  /// Adds a member that has no code of its own: a plain value, else an unknown key.
  mutating func addMember(
    _ field: ElementField?, _ key: String, _ node: JSONNode, to element: inout some FieldHolder
  ) {
    guard let field, field.isPlain else {
      return element.otherMembers.append(otherMember(key, node))
    }
    element.plain[field] = plainValue(node, field.form)
  }

  private mutating func plainValue(_ node: JSONNode, _ form: ElementField.Form) -> FieldValue? {
    switch form {
    case .text: string(node).map { .text(ExactText($0)) }
    case .number: integer(node).map { .number($0) }
    default: .json(ExactText(document.text(of: node)))
    }
  }

  mutating func string(_ node: JSONNode) -> String? {
    if let text = decoder.string(node, in: document) { return text }
    wrongType(node, "a string is expected here")
    return nil
  }

  /// The longest name that is read, in bytes of UTF-8.
  ///
  /// The name of an entity is in the message of each issue of its properties, so without a limit a
  /// long one would cost its length for each of them.
  static let maximumNameLength = 1024

  /// The name of an element.
  mutating func name(_ node: JSONNode) -> String? {
    guard let name = string(node) else { return nil }
    if name.utf8.count <= Self.maximumNameLength { return name }
    report(
      ModelRule.nameTooLong, document.range(of: node),
      "the name \(shortText(of: node)) has \(name.utf8.count) bytes, and "
        + "\(Self.maximumNameLength) at most are read",
      advice: "restore the name from version control")
    return nil
  }

  /// The text of a value for a message, cut if it is long.
  private func shortText(of node: JSONNode) -> String {
    let range = document.range(of: node)
    if range.count <= 80 { return document.text(of: node) }
    let start = String(decoding: document.bytes[range.prefix(160)], as: UTF8.self)
    return String(String.UnicodeScalarView(start.unicodeScalars.prefix(40))) + "…"
  }

  mutating func array(_ node: JSONNode) -> JSONElementNodes {
    if document.kind(of: node) != .array { wrongType(node, "an array is expected here") }
    return document.elementNodes(of: node)
  }

  mutating func integer<T: FixedWidthInteger>(_ node: JSONNode) -> T? {
    if let number = decoder.integer(node, in: document, as: T.self) { return number }
    wrongType(node, "a whole number of \(T.bitWidth) bits is expected here")
    return nil
  }

  mutating func flags(_ node: JSONNode) -> UInt32 {
    integer(node) ?? 0
  }

  mutating func elementPair(_ node: JSONNode) -> IDPair? {
    guard let pair = pair(node) else { return nil }
    guard let value = pair.value, value.id != 0 else {
      report(
        ModelRule.malformedPair, document.range(of: node),
        "\(shortText(of: node)) is not an id: "
          + expectation(node, "two numbers above 0 with a colon between them are expected"),
        advice: "restore the id from version control")
      return nil
    }
    checkRange(value.uid, node)
    return value
  }

  /// The pair of a target; Go's generator writes an empty text for a target that it has not found
  /// yet.
  mutating func targetPair(_ node: JSONNode) -> IDPair? {
    document.text(of: node) == "\"\"" ? .unset : elementPair(node)
  }

  mutating func lastPair(_ node: JSONNode) -> IDPair? {
    guard let pair = pair(node) else { return nil }
    guard let value = pair.value, (value.id == 0) == (value.uid == 0) else {
      report(
        ModelRule.malformedPair, document.range(of: node),
        "\(shortText(of: node)) is not an id: "
          + expectation(
            node,
            "two numbers with a colon between them are expected, \"0:0\" or nothing for none"),
        advice: "restore the id from version control")
      return nil
    }
    if !value.isUnset { checkRange(value.uid, node) }
    return value
  }

  /// The rule that the text of a pair breaks: its numbers may be too large to be read.
  private func expectation(_ node: JSONNode, _ form: String) -> String {
    let numbers = (decoder.string(node, in: document) ?? "").split(
      separator: ":", omittingEmptySubsequences: false)
    let isPair =
      numbers.count == 2
      && numbers.allSatisfy { number in
        !number.isEmpty && number.utf8.allSatisfy { $0 &- 0x30 <= 9 }
      }
    if !isPair { return form }
    if UInt64(numbers[0]) ?? .max > UInt64(UInt32.max) { return "the id is above \(UInt32.max)" }
    return UInt64(numbers[1]) == nil ? "the UID is above \(UID.max)" : form
  }

  /// The pair that a string holds.
  private struct PairText {
    /// Nil if the string is not a pair.
    var value: IDPair?
  }

  /// Reads a pair; nil if the node is not a string.
  private mutating func pair(_ node: JSONNode) -> PairText? {
    guard document.kind(of: node) == .string else {
      wrongType(node, "a string is expected here")
      return nil
    }
    let range = document.range(of: node)
    let content = range.lowerBound + 1..<range.upperBound - 1
    // A pair is digits and a colon, which JSON never escapes.
    let value = document.bytes.withUnsafeBufferPointer {
      IDPair(utf8: UnsafeBufferPointer(rebasing: $0[content]))
    }
    return PairText(value: value ?? IDPair(text: decoder.string(node, in: document) ?? ""))
  }

  /// A list of UIDs; nil for null, which the first versions of Go's generator wrote for an empty one.
  mutating func uids(_ node: JSONNode) -> [UID]? {
    if document.kind(of: node) == .null { return nil }
    var result: [UID] = []
    for element in array(node) {
      guard let uid: UID = integer(element) else { continue }
      checkRange(uid, element)
      result.append(uid)
    }
    return result
  }

  private mutating func checkRange(_ uid: UID, _ node: JSONNode) {
    if uid == 0 {
      report(
        ModelRule.uidOutOfRange, document.range(of: node),
        "0 is not a UID: numbers from 1 to \(UID.max) are",
        advice: "restore the UID from version control")
    } else if uid > maximumUID {
      // All are alike, and a file that has one has many.
      if hasWideUID { return }
      hasWideUID = true
      report(
        ModelRule.uidOutOfRange, severity: .warning, document.range(of: node),
        "the UID \(uid) is above \(maximumUID), as the generator for Rust makes them: the other "
          + "generators refuse the file",
        advice: "use the file with that generator alone")
    } else if uid < 256 {
      report(
        ModelRule.uidOutOfRange, severity: .note, document.range(of: node),
        "the UID \(uid) is below 256: the generator for Swift refuses it",
        advice: "use a UID that a generator made")
    }
  }
}
