extension String {
  /// The text with the lines of usage that the parser of arguments makes broken into 80 columns.
  ///
  /// The parser wraps everything else in its help, and keeps the usage in one line of any length. A line
  /// is broken between two arguments, and continues below the name of the command.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var withBrokenUsage: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        ["USAGE: ", "Usage: "].contains { line.hasPrefix($0) } ? brokenUsage(line) : String(line)
      }
      .joined(separator: "\n")
  }
}

private func brokenUsage(_ line: Substring) -> String {
  let indent = "       "
  var lines: [String] = []
  for argument in usageArguments(line) {
    guard let last = lines.last, last.count + 1 + argument.count <= 80 else {
      lines.append(lines.isEmpty ? argument : indent + argument)
      continue
    }
    lines[lines.count - 1] = "\(last) \(argument)"
  }
  return lines.joined(separator: "\n")
}

/// The arguments of a usage: an option with its value, and what is in brackets, are one.
private func usageArguments(_ line: Substring) -> [String] {
  var arguments: [String] = []
  var depth = 0
  for word in line.split(separator: " ") {
    let isValue = word == "..." || word.hasPrefix("<") && arguments.last?.hasPrefix("--") == true
    if let last = arguments.last, depth > 0 || isValue {
      arguments[arguments.count - 1] = "\(last) \(word)"
    } else {
      arguments.append(String(word))
    }
    for character in word {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
    }
  }
  return arguments
}
