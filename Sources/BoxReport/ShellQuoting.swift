internal import BoxJSON

// Texts as words of a command line that a message advises.

/// A text as one word for a shell script; words of harmless characters stay as they are.
///
/// - Complexity: O(*n*) in the length of the text.
package func scriptQuoted(_ text: String) -> String {
  let harmless = text.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || "/._-+:@,".utf8.contains(byte)
  }
  if harmless && !text.isEmpty { return text }
  let quote: UInt8 = 0x27
  var word = [quote]
  for byte in text.utf8 {
    if byte == quote { word += #"'\'"#.utf8 }
    word.append(byte)
  }
  return String(decoding: word + [quote], as: UTF8.self)
}

/// A text as one word for a user to type, without a character that a message would have to write out.
///
/// Such characters are in `$'…'`, by their bytes, which bash, zsh, ksh and POSIX.1-2024 read, and `dash` does not.
///
/// - Complexity: O(*n*) in the length of the text.
package func shellQuoted(_ text: String) -> String {
  if !text.unicodeScalars.contains(where: \.isWrittenOut) { return scriptQuoted(text) }
  var word = "$'"
  for scalar in text.unicodeScalars {
    switch scalar {
    case "'", "\\": word += "\\" + String(scalar)
    case "\n", "\t", "\r": word += scalar.displayEscape
    case _ where scalar.isWrittenOut:
      for byte in UTF8.encode(scalar) ?? .init() {
        word += "\\x" + UInt32(byte).hexadecimal(digits: 2)
      }
    default: word.unicodeScalars.append(scalar)
    }
  }
  return word + "'"
}

extension Unicode.Scalar {
  /// Whether pages and messages show the scalar by its number: it is hazardous, or XML cannot have it.
  package var isWrittenOut: Bool { isHazardousForDisplay || 0xFFFE...0xFFFF ~= value }
}

/// Paths as the last arguments of a command line for a user to type: after `--` if one looks like
/// an option, which `-` for standard input does not.
package func shellOperands(_ paths: [String]) -> String {
  let words = paths.map { shellQuoted($0) }.joined(separator: " ")
  return paths.contains { $0.hasPrefix("-") && $0 != "-" } ? "-- " + words : words
}

/// A path as the last argument of a command line for a user to type.
package func shellOperand(_ path: String) -> String { shellOperands([path]) }

/// A command line between quotation marks that it does not have itself, for a sentence.
package func quotedCommand(_ line: String) -> String {
  line.utf8.contains(UInt8(ascii: "'")) ? "`\(line)`" : "'\(line)'"
}
