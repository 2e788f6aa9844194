extension StringProtocol {
  /// The text with every control character written out but line feeds, tabs and colours, so that it is
  /// safe to show on a terminal.
  ///
  /// The lines stay lines. A colour is the ANSI sequence that the printers write, of digits and
  /// semicolons. Names and messages are to be ``escapedForDisplay`` before they become part of a text:
  /// this is for what was forgotten.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public var escapedLines: String {
    var result = ""
    guard unicodeScalars.contains(where: \.isHazardousInLines) else { return String(self) }
    var rest = Substring(self).unicodeScalars
    while let scalar = rest.popFirst() {
      if !scalar.isHazardousInLines {
        result.unicodeScalars.append(scalar)
      } else if scalar == "\u{1B}", let color = rest.colorParameters {
        result += "\u{1B}" + String(color)
        rest = rest[color.endIndex...]
      } else {
        result += scalar.displayEscape
      }
    }
    return result
  }

  /// The text with what the log of a CI job takes for a command written out.
  ///
  /// GitHub's runner takes lines that start with two colons behind white space, and lines with
  /// `##[command]` anywhere in them; Azure's and TeamCity's take `##vso[…]` and `##teamcity[…]`. The
  /// escapes are those of JSON, so a JSON text means what it meant.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  public var escapedForRunner: String {
    var result = ""
    var isAtStart = true
    /// Hashes in a row, with the letters behind them.
    var hashes = 0
    var previous: Unicode.Scalar?
    var rest = Substring(self).unicodeScalars
    while let scalar = rest.popFirst() {
      let isCommand =
        scalar == ":" && isAtStart && rest.first == ":" || scalar == "[" && hashes >= 2
      if isCommand {
        result += scalar.displayEscape
      } else {
        result.unicodeScalars.append(scalar)
      }
      if scalar == "\n" || scalar == "\r" {
        isAtStart = true
      } else if !scalar.properties.isWhitespace {
        isAtStart = false
      }
      if scalar == "#" {
        hashes = previous == "#" ? hashes + 1 : 1
      } else if !scalar.isASCIILetter {
        hashes = 0
      }
      previous = scalar
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var isHazardousInLines: Bool {
    isHazardousForDisplay && self != "\n" && self != "\t"
  }

  fileprivate var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}

extension Substring.UnicodeScalarView {
  /// What follows the escape character of a sequence that sets colours; nil if it is another one.
  fileprivate var colorParameters: Substring.UnicodeScalarView? {
    guard first == "[" else { return nil }
    let end = dropFirst().firstIndex { !("0"..."9").contains($0) && $0 != ";" }
    guard let end, self[end] == "m" else { return nil }
    return self[...end]
  }
}
