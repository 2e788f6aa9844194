/// Which characters of a string are written as escapes.
///
/// Every style escapes the quote, the backslash, LF and CR. Where a control character has a short
/// escape (`\b`, `\t`, `\n`, `\f`, `\r`), that is used; the others are written with four lower-case
/// hexadecimal digits.
public enum JSONEscaping: Hashable, Sendable, CaseIterable {
  /// Nothing else, so other control characters stay as they are, which is no JSON: what the
  /// generator for Swift writes.
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
