internal import BoxStorage

/// The number of targets of a to-many relation of an object.
package enum TargetCount: Sendable {
  /// The targets of a standalone relation.
  case targets(RelationSchema)
  /// The sources of a standalone relation.
  case sources(RelationSchema)
  /// The objects whose to-one relation refers to the object.
  case backlinks(EntitySchema, PropertySchema)
}

/// Counts targets in one transaction.
struct TargetCounter {
  private let target: TargetCount
  private let storage: StorageAccess
  /// The index of a to-one relation.
  private let index: IndexSchema?
  /// The counts by id, where no index has them.
  private var counted: [UInt64: Int] = [:]

  /// Begins to count.
  ///
  /// - Throws: ``StoreError``.
  /// - Complexity: O(1), or O(*n*) in the sources of a to-one relation without an index.
  init(_ target: TargetCount, in transaction: Transaction) throws(StoreError) {
    self.target = target
    storage = try transaction.reading()
    guard case .backlinks(let entity, let property) = target else {
      index = nil
      return
    }
    index = property.index?.kind == .value ? property.index : nil
    if let index {
      if transaction.isWritable { try transaction.pending.flush(index, to: storage) }
      return
    }
    var counted: [UInt64: Int] = [:]
    try StoreError.only {
      try transaction.visit(entity, from: nil, .forward) { _, record in
        if let id = record.integerBits(property.slot) { counted[id, default: 0] += 1 }
        return .next
      }
    }
    self.counted = counted
  }

  /// The number of targets of an object.
  ///
  /// - Complexity: O(log *n*).
  func count(of id: UInt64) throws(StoreError) -> Int {
    switch target {
    case .targets(let relation): try storage.memberCount(relation.forward, id)
    case .sources(let relation): try storage.memberCount(relation.backward, id)
    case .backlinks:
      if let index { try storage.memberCount(index.space, id) } else { counted[id] ?? 0 }
    }
  }
}
