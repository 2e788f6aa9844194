internal import BoxEngine
internal import BoxModel
internal import BoxReport

extension [QueryOrder] {
  /// Reads an order such as `title desc, name ignoringCase, id nulls last`.
  ///
  /// A name is a property, or with groups `count`, the property of the groups, or a number such as
  /// `sum(price)`, in backquotes if it is not a plain word. Words may be in any case.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for what is not an order.
  /// - Complexity: O(*n*) in the length of the text.
  package init(order text: String) throws(CommandFailure) {
    self = []
    for part in NamePath.parts(of: text, at: ",") {
      let words = NamePath.parts(of: part) { $0.isWhitespace }.filter { !$0.isEmpty }
      guard let name = words.first else {
        throw CommandFailure(
          .usage, "the order '\(text)' has an empty part; write 'title desc, id'")
      }
      append(try QueryOrder(name, words.dropFirst(), in: text))
    }
  }
}

extension QueryOrder {
  fileprivate init(
    _ name: String, _ words: ArraySlice<String>, in text: String
  ) throws(CommandFailure) {
    self.init(name)
    var rest = words
    while let word = rest.popFirst() {
      switch word.lowercased() {
      case "asc": isDescending = false
      case "desc": isDescending = true
      case "ignoringcase": ignoresCase = true
      case "nulls":
        guard let place = rest.popFirst().flatMap({ Nulls(rawValue: $0.lowercased()) }) else {
          throw Self.failure(
            "after nulls one of \(Nulls.allCases.map(\.rawValue).joined(separator: ", "))", text)
        }
        nulls = place
      default:
        throw Self.failure(
          "asc, desc, ignoringCase or nulls instead of '\(word)', and in backquotes a name that is not a plain word",
          text)
      }
    }
  }

  private static func failure(_ expected: String, _ text: String) -> CommandFailure {
    CommandFailure(
      .usage, "cannot read the order '\(text)': write \(expected)")
  }
}
