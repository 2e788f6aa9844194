/// A number with a comma after each three digits.
package func grouped(_ number: Int) -> String {
  var digits = Array(String(number.magnitude))
  var position = digits.count - 3
  while position > 0 {
    digits.insert(",", at: position)
    position -= 3
  }
  return (number < 0 ? "-" : "") + String(digits)
}

/// A number with its noun, such as `1 entity` and `1,200 entities`.
///
/// - Parameters:
///   - number: The number.
///   - one: The noun for one.
///   - many: The noun for any other number; nil for one that only takes an s.
/// - Returns: Both, with a space between.
package func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
  "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
}

extension [String] {
  /// Names in a sentence: the first ten and the number of the others, as a message for each of many
  /// faults must not list all that there is.
  package var listed: String {
    let shown = prefix(10).joined(separator: ", ")
    return count > 10 ? "\(shown) and \(grouped(count - 10)) more" : shown
  }
}
