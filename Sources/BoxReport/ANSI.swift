/// The control sequences of terminals (ECMA-48) that the program writes.
package enum ANSI {
  /// The character that begins a sequence.
  package static let escape: Unicode.Scalar = "\u{1B}"
  /// Erases the line from the cursor to its end.
  package static let eraseToEnd = "\u{1B}[K"
}

/// The parameters of the sequence "select graphic rendition".
package enum Paint: String, Hashable, Sendable {
  case bold = "1"
  case red = "1;31"
  case yellow = "1;33"
  case cyan = "1;36"
  case caret = "1;32"

  /// A text in this paint.
  package func applied(to text: String) -> String {
    "\(ANSI.escape)[\(rawValue)m\(text)\(ANSI.escape)[0m"
  }
}

extension Severity {
  /// The paint of the severity.
  package var paint: Paint {
    switch self {
    case .note: .cyan
    case .warning: .yellow
    case .error: .red
    }
  }
}
