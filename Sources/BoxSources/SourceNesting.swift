/// The depth of brackets, arguments of types, conditions and interpolations in a source file.
///
/// A parser that calls itself for each of them would end with the program where a file has many thousands.
/// The compiler has a limit too.
package enum SourceNesting {
  /// The number that can be open at once.
  package static let limit = 200

  /// Whether more than the limit are open somewhere in a file.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  package static func isTooDeep(_ file: SwiftFile, prefix: String) -> Bool {
    let lexer = SwiftLexer.reading(file.bytes, prefix: prefix)
    if lexer.isTooDeep { return true }
    var depth = Depth()
    return lexer.tokens.contains { token in
      depth.read(token)
      return depth.isTooDeep
    }
  }

  private struct Depth {
    private var brackets = 0
    private var arguments = 0
    private var conditions = 0

    var isTooDeep: Bool { max(brackets, arguments, conditions) > limit }

    mutating func read(_ token: SwiftToken) {
      switch (token.kind, token.text) {
      case (.sign, "("), (.sign, "["), (.sign, "{"):
        brackets += 1
      case (.sign, ")"), (.sign, "]"), (.sign, "}"):
        brackets -= 1
        if token.text == "}" { arguments = 0 }
      // An operator counts as arguments do, but no statement has so many.
      case (.sign, "<"): arguments += 1
      case (.sign, ">"): arguments -= 1
      case (.sign, "="), (.sign, ";"), (.literal, _), (.annotation, _): arguments = 0
      case (.word, "#if"): conditions += 1
      case (.word, "#endif"): conditions -= 1
      default: break
      }
    }
  }
}
