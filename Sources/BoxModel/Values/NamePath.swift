internal import BoxReport

/// The names of a path, as conditions, options and files write them: `title`, `author.name`,
/// `` Film.`first name` ``.
///
/// A period separates names. A name is between backquotes, with the escapes of ``QuotedText``, or unquoted.
/// Of two readings of a text, the one with names between backquotes comes first, and the text as a name of
/// its own second, so what is written by ``quoted(_:)`` always reads back.
package struct NamePath: Hashable, Sendable {
  /// The names, without backquotes.
  package let names: [String]
  /// The parts of the text that the names are.
  private let parts: [String]

  /// Creates a path of names.
  package init(_ names: [String]) {
    self.names = names
    parts = names.map(Self.quoted)
  }

  /// Reads a path; every text is one.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package init(reading text: String) {
    parts = Self.parts(of: text, at: ".")
    names = parts.map { Self.unquoted($0) ?? $0 }
  }

  /// The text of the names from a position, which a name with periods of its own is.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func text(from position: Int) -> String {
    parts[position...].joined(separator: ".")
  }

  /// The names as they are, with periods between them, if that is read as these names; otherwise
  /// ``description``.
  package var shortText: String {
    let text = names.joined(separator: ".")
    return Self(reading: text).names == names ? text : description
  }

  /// The name of an element and the name of its member, which may contain periods; nil for a single name.
  package var member: (owner: String, name: String)? {
    names.count < 2 ? nil : (names[0], names.count == 2 ? names[1] : text(from: 1))
  }

  /// A name for a column: a single name itself, or the names with periods between them.
  package var title: String {
    if names.count == 1 { return names[0] }
    return names.map { $0.contains(".") ? Self.quoted($0) : $0 }.joined(separator: ".")
  }
}

extension NamePath: CustomStringConvertible {
  /// The path as ``init(reading:)`` and conditions read it, with backquotes where they are needed.
  package var description: String { names.map(Self.quoted).joined(separator: ".") }
}

// MARK: - Names

extension NamePath {
  /// Words of conditions that are not names without backquotes.
  package static let keywords: Set<String> = [
    "and", "or", "not", "in", "is", "between", "contains", "startswith", "endswith",
    "ignoringcase", "nil", "null", "true", "false", "nan", "infinity",
  ]

  package static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar == "@" || scalar.properties.isXIDStart
  }

  package static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar == "$" || scalar.properties.isXIDContinue
  }

  /// Whether a name never needs backquotes.
  package static func isPlain(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, isWordStart(first) else { return false }
    return name.unicodeScalars.dropFirst().allSatisfy(isWordPart)
      && !keywords.contains(name.lowercased())
  }

  /// A name as a path and a condition have it: between backquotes if it is not a plain word.
  ///
  /// - Complexity: O(*n*) in the length of the name.
  package static func quoted(_ name: String) -> String {
    if isPlain(name) { return name }
    var text = "`"
    for scalar in name.unicodeScalars {
      switch scalar {
      case "`", "\\": text += "\\" + String(scalar)
      case "\n", "\t", "\r": text += scalar.displayEscape
      // A mark would combine with the backquote.
      case _ where scalar.isWrittenOut,
        _ where text == "`" && scalar.properties.isGraphemeExtend:
        text += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "`"
  }

  /// The name that a text between backquotes is; nil for any other text.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func unquoted(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "`")) else { return nil }
    let isBlank: (Unicode.Scalar) -> Bool = \.properties.isWhitespace
    var scalars = Array(text.unicodeScalars.drop(while: isBlank))
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    var end = 0
    guard scalars.first == "`", let name = try? QuotedText.read(scalars, at: &end),
      end == scalars.count
    else { return nil }
    return name
  }

  /// The name that a text means: that between its backquotes, or the text itself.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - exists: Whether a name is one of those that can be meant.
  /// - Returns: The first reading that exists; the first reading if none does.
  package static func name(
    _ text: String, where exists: (String) -> Bool = { _ in true }
  ) -> String {
    guard let name = unquoted(text) else { return text }
    return !exists(name) && exists(text) ? text : name
  }

  /// The name that a wrong text most likely means, with backquotes where they are needed; nil if none
  /// is close.
  ///
  /// If a name has characters that no word has, the text may be a part of it, where the name was split.
  package static func nearest(to text: String, among names: [String]) -> String? {
    part(text, of: names) ?? nearestName(to: text, among: names).map(quoted)
  }

  /// The first name, between backquotes, that contains a text and has characters that no word has.
  package static func part(_ text: String, of names: [String]) -> String? {
    names.first { !text.isEmpty && !isPlain($0) && $0 != text && $0.contains(text) }.map(quoted)
  }
}

// MARK: - Lists

extension NamePath {
  /// The parts of a text between separators that are not between backquotes.
  ///
  /// Backquotes mean something at the beginning of a name only.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func parts(
    of text: String, at separator: Character, maxSplits: Int = .max
  ) -> [String] {
    parts(of: text, maxSplits: maxSplits) { $0 == separator }
  }

  /// The parts of a text between characters that are not between backquotes.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func parts(
    of text: String, maxSplits: Int = .max, where isSeparator: (Character) -> Bool
  ) -> [String] {
    // By scalars, as a name may begin with one that combines with the backquote.
    let scalars = Array(text.unicodeScalars)
    var (parts, part, index, isStart): ([String], String.UnicodeScalarView, Int, Bool) =
      ([], .init(), 0, true)
    while index < scalars.count {
      let scalar = scalars[index]
      var end = index
      if isStart, scalar == "`", (try? QuotedText.read(scalars, at: &end)) != nil {
        part.append(contentsOf: scalars[index..<end])
        (index, isStart) = (end, false)
        continue
      }
      if parts.count < maxSplits, isSeparator(Character(scalar)) {
        parts.append(String(part))
        part = .init()
      } else {
        part.append(scalar)
      }
      isStart = ".,(=:".unicodeScalars.contains(scalar) || scalar.properties.isWhitespace
      index += 1
    }
    return parts + [String(part)]
  }
}
