/// The form in which strings are compared when case is ignored.
///
/// Each scalar is mapped to lower, to upper and again to lower case, all in full and without regard to a
/// language, so that ß equals ss and ς equals σ; the dotless ı stays itself. That is the full case
/// folding of Unicode but for a few scripts in which it prefers capitals, where the same letters
/// are equal all the same. Nothing is normalised: é in one scalar differs from é in two.
enum CaseFolding {
  /// The UTF-8 bytes of the folded text.
  ///
  /// - Complexity: O(*n*).
  static func fold(_ utf8: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(utf8.count)
    if unsafe isASCII(utf8) {
      for index in utf8.indices { unsafe folded.append(lowercase(utf8[index])) }
      return folded
    }
    for scalar in unsafe String(decoding: utf8, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        folded.append(lowercase(UInt8(truncatingIfNeeded: scalar.value)))
      } else if scalar == "\u{131}" {
        folded.append(contentsOf: Array(String(scalar).utf8))
      } else {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
          for upper in lower.properties.uppercaseMapping.unicodeScalars {
            folded.append(contentsOf: upper.properties.lowercaseMapping.utf8)
          }
        }
      }
    }
    return folded
  }

  static func fold(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { unsafe fold($0) }
  }

  static func isASCII(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe utf8.allSatisfy { $0 < 0x80 }
  }

  @inline(__always)
  static func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }
}
