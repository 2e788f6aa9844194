extension String {
  /// The name of an identifier that may stand in backticks, or of a type that is inside others.
  package var withoutBackticks: String {
    // Most have none, and a look at bytes takes a hundredth of one at characters.
    utf8.contains(UInt8(ascii: "`")) ? filter { $0 != "`" } : self
  }
}
