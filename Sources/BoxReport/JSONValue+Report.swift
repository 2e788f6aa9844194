package import BoxJSON

extension JSONValue {
  /// An object of the members that have a value.
  package static func compact(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// The value as text that is safe to show, ending with a line feed.
  ///
  /// Control characters that JSON would take as they are, such as U+009B or U+202E, are written as
  /// escapes; the strings that a reader gets are the same.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var displayText: String {
    // The text has line feeds between values only, and all other hazardous characters are inside of strings,
    // where JSON has escapes for them.
    text(indent: 2).split(separator: "\n", omittingEmptySubsequences: false)
      .map(\.escapedForDisplay).joined(separator: "\n") + "\n"
  }
}
