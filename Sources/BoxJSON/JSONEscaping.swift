/// The set of characters that a writer escapes in strings.
///
/// Every style escapes the quote, the backslash, LF and CR. A control character that is escaped is
/// written with its short escape (`\b`, `\t`, `\n`, `\f`, `\r`) if it has one, otherwise with four
/// lower-case hexadecimal digits.
package enum JSONEscaping: Hashable, Sendable, CaseIterable {
  /// Only these. Other control characters stay as they are, which is not valid JSON, but is what
  /// the generator for Swift writes.
  case minimal
  /// Control characters below U+0020: what the generator for Dart writes.
  case standard
  /// Control characters, U+2028 and U+2029: what the generator for Java and Kotlin writes.
  case standardAndLineSeparators
  /// Control characters, U+2028, U+2029, `<`, `>` and `&`: what the generator for Go, C and C++
  /// writes.
  case html
  /// Control characters, U+007F and everything beyond ASCII, with surrogate pairs above U+FFFF: what
  /// the generator for Python writes.
  case ascii
}
