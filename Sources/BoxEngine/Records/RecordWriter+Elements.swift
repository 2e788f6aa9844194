extension RecordWriter {
  /// Sets a vector of numbers from their bytes.
  ///
  /// - Parameters:
  ///   - slot: The slot of the vector.
  ///   - bytes: Elements of the width that the slot has, in the byte order of the machine, which must
  ///     be little-endian.
  /// - Complexity: O(*n*).
  public mutating func set(_ slot: Int, elements bytes: UnsafeRawBufferPointer) {
    let width = max(1, type(slot)?.elementWidth ?? 1)
    requireVector(slot, width)
    let place = unsafe store(
      bytes, elements: bytes.count / width, alignment: width, isString: false)
    setReference(slot, place)
  }
}
