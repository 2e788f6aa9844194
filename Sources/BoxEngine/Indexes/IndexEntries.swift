internal import BoxStorage

extension StorageAccess {
  /// Visits the keys and objects of an index in the order of the keys.
  ///
  /// - Throws: ``StorageError``, or the error of the body.
  /// - Complexity: O(*n*) in the number of entries.
  func entries(
    of index: IndexSchema, _ body: (IndexKey, _ id: UInt64) throws(StoreError) -> VisitStep
  ) throws(StoreError) {
    if index.hasByteKeys {
      try unsafe entries(index.space, from: nil as UnsafeRawBufferPointer?, .forward) {
        (key, id) throws(StoreError) in
        try unsafe body(.bytes([UInt8](key)), id)
      }
    } else {
      try entries(index.space, from: nil as UInt64?, .forward) { (key, id) throws(StoreError) in
        try body(.integer(key), id)
      }
    }
  }
}
