extension String {
  /// The last name of a path such as `Library.Book`.
  var lastName: String {
    utf8.lastIndex(of: UInt8(ascii: ".")) == nil
      ? self : split(separator: ".").last.map(String.init) ?? self
  }
}
