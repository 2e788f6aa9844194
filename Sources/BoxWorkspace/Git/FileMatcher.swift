internal import BoxModel

/// A file pattern in the form in which paths are compared with it.
///
/// The meaning is the same as in git's pathspecs with `glob`, byte by byte. Git tries every place for each
/// star, so that a pattern of a few bytes can take hours; this matcher does not.
struct FileMatcher: Sendable {
  /// A part of a pattern.
  enum Token: Hashable, Sendable {
    /// One byte.
    case byte(UInt8)
    /// One byte of a set.
    case set(ByteSet)
    /// `*`: any bytes but slashes.
    case name
    /// `**` at the end: any bytes.
    case anything
    /// `**/`: nothing, or any bytes and a slash.
    case directories
  }

  private static let slash = UInt8(ascii: "/")

  /// The whole pattern, which also matches as it is: a file of the name, or all that is in a directory.
  private let literal: [UInt8]
  /// The bytes before the first special character.
  private let prefix: ArraySlice<UInt8>
  /// The tokens after that; nil where the pattern matches only as it is.
  private let tokens: [Token]?

  /// Compiles a pattern.
  ///
  /// - Complexity: O(*n*) in the length of the pattern.
  init(_ pattern: FilePattern) {
    literal = Array(Self.anchored(pattern.text).utf8)
    prefix = literal.prefix { !FileTokens.isSpecial($0) }
    var rest = FileTokens(literal[prefix.endIndex...])
    tokens = prefix.count == literal.count ? nil : rest.all()
  }

  /// The pattern from the top of the repository.
  private static func anchored(_ text: String) -> String {
    if !text.contains("/") { return "**/" + text }
    return text.hasPrefix("/") ? String(text.dropFirst()) : text
  }

  /// Whether the pattern matches a path from the top of the repository.
  ///
  /// - Complexity: O(*n* *m*) in the lengths of the pattern and the path; usually the end of the path
  ///   decides.
  func matches(_ path: ArraySlice<UInt8>) -> Bool {
    if isLiteral(path) { return true }
    guard let tokens, path.starts(with: prefix) else { return false }
    var bytes = path.dropFirst(prefix.count)
    var rest = tokens[...]
    while let token = rest.last, let isMatch = Self.isMatch(token, bytes.last) {
      if !isMatch { return false }
      rest.removeLast()
      bytes.removeLast()
    }
    return Self.matches(rest, Array(bytes))
  }

  /// Whether the pattern matches a path from the top of the repository.
  ///
  /// - Complexity: As ``matches(_:)-(ArraySlice<UInt8>)``.
  func matches(_ path: String) -> Bool { matches(Array(path.utf8)[...]) }

  private func isLiteral(_ path: ArraySlice<UInt8>) -> Bool {
    guard path.starts(with: literal) else { return false }
    return path.count == literal.count || literal.isEmpty || literal.last == Self.slash
      || path[path.startIndex + literal.count] == Self.slash
  }

  /// Whether a byte is what a token for one byte matches; nil for other tokens.
  private static func isMatch(_ token: Token, _ byte: UInt8?) -> Bool? {
    switch token {
    case .byte(let expected): byte == expected
    case .set(let set): byte.map { set.contains($0) } ?? false
    case .name, .anything, .directories: nil
    }
  }

  /// Whether tokens match bytes from the first to the last.
  private static func matches(_ tokens: ArraySlice<Token>, _ bytes: [UInt8]) -> Bool {
    // Whether the tokens so far match the bytes before a position.
    var isReached = [Bool](repeating: false, count: bytes.count + 1)
    isReached[0] = true
    for token in tokens {
      switch token {
      case .byte, .set:
        for position in bytes.indices.reversed() {
          isReached[position + 1] =
            isReached[position] && isMatch(token, bytes[position]) == true
        }
        isReached[0] = false
      case .name, .anything:
        for position in bytes.indices where isReached[position] {
          if token == .anything || bytes[position] != slash { isReached[position + 1] = true }
        }
      case .directories:
        guard let first = isReached.firstIndex(of: true) else { return false }
        for position in bytes.indices[first...] where bytes[position] == slash {
          isReached[position + 1] = true
        }
      }
    }
    return isReached[bytes.count]
  }
}

extension [FilePattern] {
  /// The paths that any of the patterns matches, in their order.
  ///
  /// A file of rules is beside a model file, and has a name of its form: only a pattern that is for such files matches
  /// it.
  ///
  /// - Complexity: O(*n* *m*) in the length of the patterns and of the paths.
  package func matching(_ paths: [String]) -> [String] {
    let matchers = map { ($0.isForRules, FileMatcher($0)) }
    return paths.filter { path in
      let bytes = [UInt8](path.utf8)[...]
      let isRules = path.hasSuffix(Declarations.fileEnding)
      return matchers.contains { isForRules, matcher in
        isForRules == isRules && matcher.matches(bytes)
      }
    }
  }
}
