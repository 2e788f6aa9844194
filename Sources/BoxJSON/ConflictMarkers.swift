/// Finds the lines that git writes around a conflict.
enum ConflictMarkers {
  /// The offset of the first line that opens a conflict; without one, of the first other marker.
  ///
  /// A marker is a line that starts with seven or more of `<`, `|`, `=` or `>`, followed by a space
  /// or the end of the line.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  static func firstOffset(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    var other: Int?
    for start in unsafe LineTable(of: text).starts {
      let start = Int(start)
      guard let marker = unsafe marker(at: start, in: text) else { continue }
      if marker == UInt8(ascii: "<") { return start }
      other = other ?? start
    }
    return other
  }

  private static func marker(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> UInt8? {
    guard start < text.count, unsafe "<|=>".utf8.contains(text[start]) else { return nil }
    var end = start
    while end < text.count, unsafe text[end] == text[start] { end += 1 }
    guard end - start >= 7 else { return nil }
    guard end < text.count else { return unsafe text[start] }
    return unsafe [.space, .lineFeed, .carriageReturn].contains(text[end]) ? text[start] : nil
  }
}
