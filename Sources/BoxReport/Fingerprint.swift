internal import BoxJSON

/// The 64-bit FNV-1a hash (draft-eastlake-fnv) of a sequence of texts.
///
/// It distinguishes findings; it does not protect against deliberate collisions.
struct Fingerprint: Hashable {
  /// The hash.
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Takes in a text, and an end mark, so that the limits between texts count.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  mutating func combine(_ text: some StringProtocol) {
    for byte in text.utf8 { combine(byte) }
    combine(0xFF)  // No UTF-8 text has this byte.
  }

  /// Takes in a byte.
  mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The hash as 16 hexadecimal digits.
  var hexadecimal: String { value.hexadecimal(digits: 16) }
}

extension Finding {
  /// A hash that stays the same when the finding moves to another line or its wording changes.
  ///
  /// It is over the rule, the file, and the source line without blanks at its ends, so two findings
  /// of a rule on equal lines of a file have the same one. Of a long line the part around the finding
  /// counts.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  var fingerprint: Fingerprint {
    var result = Fingerprint()
    result.combine(rule.id)
    result.combine(path)
    result.combine((sourceLine?.text ?? "").trimmingBlanks)
    return result
  }
}

extension String {
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || scalar == "\t" || scalar == "\r"
  }

  fileprivate var trimmingBlanks: Substring {
    let tail = unicodeScalars.drop(while: Self.isBlank)
    let end = tail.lastIndex { !Self.isBlank($0) }.map { tail.index(after: $0) }
    return Substring(tail[..<(end ?? tail.startIndex)])
  }
}
