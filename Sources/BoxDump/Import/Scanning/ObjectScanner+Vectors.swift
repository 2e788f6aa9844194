internal import BoxConvert
internal import BoxEngine
internal import BoxJSON

extension ObjectScanner {
  /// Reads an array of numbers for a field: its elements are stored outside of the text.
  func vector(of element: ImportField.Form, into field: Int) throws(ScanFailure) {
    side.align()
    let first = side.count
    let width = fields[field].type.elementWidth
    try elements { () throws(ScanFailure) in
      let bits: UInt64
      if base[index] == .leftBrace, let value = try extended() {
        bits = try reading(value) { () throws(ScanFailure) in try scalar(element) }
      } else {
        bits = try scalar(element)
      }
      side.reserve(width)
      switch width {
      case 1: side.append(UInt8(truncatingIfNeeded: bits))
      case 2: side.append(UInt16(truncatingIfNeeded: bits))
      case 4: side.append(UInt32(truncatingIfNeeded: bits))
      default: side.append(bits)
      }
    }
    values[field].bits = UInt64(first)
    values[field].count = side.count - first
    values[field].state = .side
  }

  /// Reads an array of strings for a field.
  func strings(into field: Int) throws(ScanFailure) {
    var strings: [String] = []
    try elements { () throws(ScanFailure) in
      if base[index] == .leftBrace, let value = try extended() {
        strings.append(try text(of: value))
      } else {
        strings.append(try string())
      }
    }
    values[field].bits = UInt64(stringLists.count)
    values[field].state = .strings
    stringLists.append(strings)
  }

  private func elements(_ body: () throws(ScanFailure) -> Void) throws(ScanFailure) {
    guard base[index] == .leftBracket else { throw mismatch() }
    index += 1
    skipSpace()
    if base[index] == .rightBracket {
      index += 1
      return
    }
    while true {
      try body()
      skipSpace()
      if base[index] == .rightBracket {
        index += 1
        return
      }
      guard base[index] == .comma else {
        throw unexpected("a comma or the end of the array")
      }
      index += 1
      skipSpace()
    }
  }

  // MARK: - Bytes

  /// Reads bytes in base64 or hexadecimal digits for a field.
  func base64(into field: Int) throws(ScanFailure) {
    let place = index
    try string(into: field)
    if !decodeBase64(field) {
      index = place
      throw mismatch()
    }
  }

  /// Replaces the text of a field by the bytes that it stands for; false if it stands for none.
  func decodeBase64(_ field: Int) -> Bool {
    let first = side.count
    // The call may move the bytes that are read.
    side.reserve(values[field].count / 4 * 3 + 3)
    let text = unsafe bytes(of: values[field])
    // No base64 has a backslash.
    let isHex = unsafe text.count >= 2 && text[0] == .backslash && text[1] == UInt8(ascii: "x")
    guard unsafe isHex ? decode(hex: text) : decode(text) else { return false }
    values[field].bits = UInt64(first)
    values[field].count = side.count - first
    values[field].state = .side
    return true
  }

  /// Decodes hexadecimal digits after two bytes; returns false for any other text.
  private func decode(hex text: UnsafeRawBufferPointer) -> Bool {
    if text.count % 2 != 0 { return false }
    for position in stride(from: 2, to: text.count, by: 2) {
      guard let high = unsafe text[position].hexadecimalValue,
        let low = unsafe text[position + 1].hexadecimalValue
      else { return false }
      side.append(UInt8(truncatingIfNeeded: high << 4 | low))
    }
    return true
  }

  /// Decodes canonical base64 with padding; returns false for any other text.
  private func decode(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.count % 4 != 0 { return false }
    if unsafe text.isEmpty { return true }
    let pad = UInt8(ascii: "=")
    let padding = unsafe text[text.count - 1] != pad ? 0 : text[text.count - 2] != pad ? 1 : 2
    var group: UInt32 = 0
    for position in 0..<text.count - padding {
      guard let value = unsafe Base64.value(of: text[position]) else { return false }
      group = group << 6 | value
      if position % 4 == 3 {
        side.append(UInt8(truncatingIfNeeded: group >> 16))
        side.append(UInt8(truncatingIfNeeded: group >> 8))
        side.append(UInt8(truncatingIfNeeded: group))
        group = 0
      }
    }
    // The unused bits must be zero, so that each value has one text.
    if padding == 1 {
      side.append(UInt8(truncatingIfNeeded: group >> 10))
      side.append(UInt8(truncatingIfNeeded: group >> 2))
      return group & 3 == 0
    }
    if padding == 2 {
      side.append(UInt8(truncatingIfNeeded: group >> 4))
      return group & 15 == 0
    }
    return true
  }
}
