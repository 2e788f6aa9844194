/// Resolves the escapes of strings that the scanner has found to be well-formed.
package enum JSONUnescaping {
  /// The UTF-8 bytes that the content of a string stands for.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package static func resolve(_ content: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = 0
    while index < content.count {
      guard unsafe content[index] == .backslash, index + 1 < content.count else {
        unsafe result.append(content[index])
        index += 1
        continue
      }
      let letter = unsafe content[index + 1]
      if letter == UInt8(ascii: "u") {
        let (scalar, length) = unsafe scalar(at: index, of: content)
        result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index += length
      } else {
        result.append(JSONEscape.byte(of: letter) ?? letter)
        index += 2
      }
    }
    return result
  }

  /// The scalar of one `\u` escape, or of two that are a surrogate pair, and their length.
  static func scalar(
    at index: Int, of content: UnsafeBufferPointer<UInt8>
  ) -> (Unicode.Scalar, length: Int) {
    let first = unsafe codeUnit(at: index, of: content)
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    let second = unsafe codeUnit(at: index + 6, of: content)
    return (JSONEscape.scalar(first, second) ?? "\u{FFFD}", 12)
  }

  private static func codeUnit(at index: Int, of content: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var unit: UInt32 = 0
    for offset in index + 2..<min(index + 6, content.count) {
      unit = unsafe unit << 4 | (content[offset].hexadecimalValue ?? 0)
    }
    return unit
  }
}
