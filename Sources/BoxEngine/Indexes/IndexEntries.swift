internal import BoxStorage

extension StorageTransaction {
  /// Visits the keys and objects of an index in the order of the keys.
  ///
  /// - Throws: ``StorageError``, or the error of the body.
  /// - Complexity: O(*n*) in the number of entries.
  func entries(
    of index: IndexSchema, _ body: (IndexKey, _ id: UInt64) throws -> VisitStep
  ) throws {
    if index.hasByteKeys {
      try entries(index.space, from: nil as UnsafeRawBufferPointer?, .forward) {
        try body(.bytes([UInt8]($0)), $1)
      }
    } else {
      try entries(index.space, from: nil as UInt64?, .forward) {
        try body(.integer($0.key), $0.member)
      }
    }
  }
}
