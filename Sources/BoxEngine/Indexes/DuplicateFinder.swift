internal import BoxStorage

/// Finds objects with the same value among the entries of an index.
///
/// The entries must come in the order of their keys, so that entries with the same key follow each
/// other.
struct DuplicateFinder {
  private let index: IndexSchema
  private let entity: EntitySchema
  private let reader: RecordReader
  private let transaction: StorageAccess
  private var key: IndexKey?
  private var holders: [UInt64] = []

  init(_ index: IndexSchema, of entity: EntitySchema, _ transaction: StorageAccess) {
    self.index = index
    self.entity = entity
    self.transaction = transaction
    reader = RecordReader(entity.layout)
  }

  /// An earlier object that has the same value as this one.
  ///
  /// - Parameters:
  ///   - id: The object of the next entry.
  ///   - key: The key of the entry.
  /// - Returns: The id of the first such object, if any.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n*) in the number of values that have the key.
  mutating func duplicate(of id: UInt64, under key: IndexKey) throws(StoreError) -> UInt64? {
    if key != self.key {
      self.key = key
      holders = [id]
      return nil
    }
    for other in holders where try isSame(other, id) { return other }
    holders.append(id)
    return nil
  }

  private func isSame(_ a: UInt64, _ b: UInt64) throws(StoreError) -> Bool {
    if !index.isInexact { return true }
    return try text(a) == text(b)
  }

  private func text(_ id: UInt64) throws(StoreError) -> [UInt8]? {
    guard let record = try unsafe transaction.value(entity.space, id) else { return nil }
    return try unsafe reader.view(of: entity, id, record).copiedElements(index.slot)
  }
}
