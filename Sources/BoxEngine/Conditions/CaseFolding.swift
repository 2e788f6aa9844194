/// The form in which strings are compared when case is ignored.
///
/// Each scalar is mapped to lower, to upper and again to lower case, all in full and without regard to a
/// language, so that ß equals ss and ς equals σ; the dotless ı stays itself. That is the full case
/// folding of Unicode but for a few scripts in which it prefers capitals, where the same letters
/// are equal all the same. Nothing is normalised: é in one scalar differs from é in two.
package enum CaseFolding {
  /// The UTF-8 bytes of the folded text.
  ///
  /// - Complexity: O(*n*).
  static func fold(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(utf8.count)
    unsafe fold(utf8) { folded.append($0) }
    return folded
  }

  /// Gives the bytes of the folded text one by one; nothing is allocated.
  ///
  /// - Complexity: O(*n*).
  @inline(__always)
  static func fold(_ utf8: UnsafeBufferPointer<UInt8>, _ body: (UInt8) -> Void) {
    var decoder = UTF8()
    var bytes = unsafe utf8.makeIterator()
    while true {
      let scalar: Unicode.Scalar
      switch unsafe decoder.decode(&bytes) {
      case .scalarValue(let value): scalar = value
      case .error: scalar = "\u{FFFD}"
      case .emptyInput: return
      }
      if scalar.isASCII {
        body(lowercase(UInt8(truncatingIfNeeded: scalar.value)))
      } else if scalar == "\u{131}" {
        for byte in scalar.utf8 { body(byte) }
      } else {
        // A string of a few scalars is not on the heap.
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
          for upper in lower.properties.uppercaseMapping.unicodeScalars {
            for byte in upper.properties.lowercaseMapping.utf8 { body(byte) }
          }
        }
      }
    }
  }

  /// The UTF-8 bytes of a folded text.
  ///
  /// - Complexity: O(*n*).
  package static func fold(_ text: String) -> [UInt8] { fold(Array(text.utf8)) }

  static func fold(_ utf8: [UInt8]) -> [UInt8] {
    unsafe utf8.withUnsafeBufferPointer { unsafe fold($0) }
  }

  @inline(__always)
  static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
