/// Whether bytes are UTF-8.
///
/// Most texts are short and ASCII: they need no call of the library, which makes a string.
///
/// - Parameter bytes: The bytes.
/// - Returns: Whether they are; true of no bytes.
/// - Complexity: O(*n*).
@inline(__always)
package func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  unsafe isASCII(bytes) || isUTF8BeyondASCII(bytes)
}

@inline(never)
private func isUTF8BeyondASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  unsafe String(validating: bytes, as: UTF8.self) != nil
}

/// Whether bytes are ASCII; eight at a time.
@inline(__always)
private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard let start = bytes.baseAddress else { return true }
  let count = bytes.count
  var offset = 0
  var joined: UInt64 = 0
  if count < 8 {
    while offset < count {
      unsafe joined |= UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
  } else {
    // The last word overlaps the one before.
    let last = count &- 8
    unsafe joined = start.loadUnaligned(as: UInt64.self)
    offset = 8
    while offset < last {
      unsafe joined |= start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    unsafe joined |= start.loadUnaligned(fromByteOffset: last, as: UInt64.self)
  }
  return joined & 0x8080_8080_8080_8080 == 0
}
