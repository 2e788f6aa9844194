// Quoting of a text as one word of a POSIX shell, and the way back.

/// A text as one word for a POSIX shell; words of harmless characters stay as they are.
///
/// - Complexity: O(*n*) in the length of the text.
package func shellQuoted(_ text: String) -> String {
  let harmless = text.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "/._-+:@,".utf8.contains(byte)
  }
  if harmless && !text.isEmpty { return text }
  return "'" + text.replacing(part: "'", by: #"'\''"#) + "'"
}

/// The text in a word made by ``shellQuoted(_:)``; nil for any other word.
///
/// - Complexity: O(*n*) in the length of the word.
package func shellUnquoted(_ word: String) -> String? {
  var text = word
  if word.hasPrefix("'"), word.hasSuffix("'"), word.utf8.count >= 2 {
    text = word.dropFirst().dropLast().replacing(part: #"'\''"#, by: "'")
  }
  return shellQuoted(text) == word ? text : nil
}

/// Paths as the last arguments of a command line for a user to type: after `--` if one looks like
/// an option.
package func shellOperands(_ paths: [String]) -> String {
  let words = paths.map { shellQuoted($0) }.joined(separator: " ")
  return paths.contains { $0.hasPrefix("-") } ? "-- " + words : words
}

/// A path as the last argument of a command line for a user to type.
package func shellOperand(_ path: String) -> String { shellOperands([path]) }
