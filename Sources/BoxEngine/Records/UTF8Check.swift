/// Whether bytes are UTF-8.
///
/// Most texts are short and ASCII: they need no call of the library, which makes a string.
///
/// - Complexity: O(*n*).
@inline(__always)
func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  unsafe isASCII(bytes) || String(validating: bytes, as: UTF8.self) != nil
}

/// Whether bytes are ASCII; eight at a time.
@inline(__always)
private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let start = bytes.baseAddress else { return true }
  var offset = 0
  while offset &+ 8 <= bytes.count {
    if unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080
      != 0
    {
      return false
    }
    offset &+= 8
  }
  while offset < bytes.count {
    if unsafe start.load(fromByteOffset: offset, as: UInt8.self) >= 0x80 { return false }
    offset &+= 1
  }
  return true
}
