internal import BoxHash

/// The numbers of the branches of stores, which follow from marks (decision 0063).
package enum StoreNumber {
  /// The number that a store makes at its first transaction, or at a fork: copies that share the
  /// transaction make the same one.
  ///
  /// - Parameters:
  ///   - mark: The mark of the first transaction under the number.
  ///   - previous: The number that the store had before; 0 if it had none.
  /// - Returns: A number of 63 bits.
  package static func make(mark: UInt64, previous: UInt64) -> UInt64 {
    var hash = Fingerprint()
    for word in [mark, previous] {
      for shift in stride(from: 0, to: 64, by: 8) {
        hash.combine(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    // Numbers have 63 bits, as a column of SQL has; shared ids have 0.
    return max(1, hash.value >> 1)
  }
}
