internal import BoxJSON

/// Bytes as hexadecimal digits, two for each, in lower case.
package enum Hexadecimal {
  /// The digit of a value below 16.
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  package static func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[index * 2] = digit(byte >> 4)
        text[index * 2 + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  /// The bytes of hexadecimal digits in any case; nil for other characters, or for an odd number of digits.
  package static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for character in text {
      guard let digit = value(character) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  package static func value(_ character: UInt8) -> UInt8? {
    character.hexadecimalValue.map { UInt8(truncatingIfNeeded: $0) }
  }
}
