extension String {
  /// The name of an identifier that may be in backticks, or of a nested type.
  package var withoutBackticks: String {
    // Most have none, and a look at bytes takes a hundredth of one at characters.
    utf8.contains(UInt8(ascii: "`")) ? filter { $0 != "`" } : self
  }
}
