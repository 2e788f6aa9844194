internal import BoxReport

/// The text in a word made by `scriptQuoted`; nil for any other word.
///
/// - Complexity: O(*n*) in the length of the word.
package func shellUnquoted(_ word: String) -> String? {
  var text = word
  if word.hasPrefix("'"), word.hasSuffix("'"), word.utf8.count >= 2 {
    text = word.dropFirst().dropLast().replacing(part: #"'\''"#, by: "'")
  }
  return scriptQuoted(text) == word ? text : nil
}
