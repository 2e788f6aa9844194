extension Unicode.Scalar {
  /// The number of terminal columns that the scalar takes: 0, 1 or 2.
  ///
  /// Terminals disagree on sequences that combine into one picture. Each scalar is counted by
  /// itself here, as most terminals do.
  package var displayWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    return isWide ? 2 : 1
  }

  /// Whether the Unicode property East Asian Width (UAX 11) is Wide or Fullwidth.
  ///
  /// The standard library does not offer it, so these are its blocks; unassigned code points in
  /// them are wide as well.
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
      0x20000...0x2FFFD, 0x30000...0x3FFFD:
      true
    default: properties.isEmojiPresentation
    }
  }
}

extension StringProtocol {
  /// The number of terminal columns that the text takes, provided it has no control characters.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }
}
