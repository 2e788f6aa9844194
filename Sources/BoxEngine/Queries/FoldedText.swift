/// A buffer for text whose case is ignored, which grows with the longest one.
///
/// It belongs to one thread; what ``fold(_:)`` returns is valid until its next call.
@safe final class FoldedText {
  private var memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  init() { unsafe memory = .allocate(capacity: 256) }

  deinit { unsafe memory.deallocate() }

  /// The folded form of a text, as ``CaseFolding/fold(_:)-([UInt8])`` has it.
  ///
  /// - Complexity: O(*n*).
  func fold(_ utf8: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    count = 0
    reserve(utf8.count)
    guard let from = utf8.baseAddress, let to = unsafe memory.baseAddress else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    // All bytes at once: the processor does sixteen at a time.
    var bits: UInt8 = 0
    for index in 0..<utf8.count {
      let byte = unsafe from[index]
      bits |= byte
      unsafe to[index] = CaseFolding.lowercase(byte)
    }
    if bits < 0x80 {
      count = utf8.count
    } else {
      unsafe CaseFolding.fold(utf8) { append($0) }
    }
    return unsafe UnsafeBufferPointer(rebasing: memory[..<count])
  }

  private func append(_ byte: UInt8) {
    if unsafe count == memory.count { reserve(2 * count) }
    unsafe memory[count] = byte
    count += 1
  }

  private func reserve(_ capacity: Int) {
    if unsafe capacity <= memory.count { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
    _ = unsafe larger.initialize(from: memory[..<count])
    unsafe memory.deallocate()
    unsafe memory = unsafe larger
  }
}
