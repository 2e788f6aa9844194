/// One annotation of a comment such as `// objectbox: index = "value", unique`.
struct Annotation: Hashable, Sendable {
  /// The name, such as `index`.
  var name: String
  /// The value after the equals sign or the colon; nil without one.
  var value: AnnotationValue?
  /// The place of the name.
  var place: SourcePlace

  /// The text of the value; nil without a value, or if it is a list of options.
  var text: String? {
    if case .text(let text)? = value { text } else { nil }
  }
}

/// The value of an annotation.
enum AnnotationValue: Hashable, Sendable {
  /// A word, a number or a text without its quotes.
  case text(String)
  /// Options: `{ "dbType": "Int", "default": ".unknown" }`, or `dimensions=3` after a colon.
  case options([AnnotationOption])
  /// A text in braces that is not a list of options.
  case malformed(String)
}

/// A key and a value between the braces of an annotation.
struct AnnotationOption: Hashable, Sendable {
  var key: String
  var value: String
}
