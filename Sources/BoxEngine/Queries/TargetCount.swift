internal import BoxStorage

/// The objects at an end of a relation of an object, of which there are any number.
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

extension Transaction {
  /// The number of objects at an end of a relation.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - id: The id of the object that the relation is of.
  /// - Returns: The number; nil for a to-one relation without an index, which only a look at every object counts.
  /// - Throws: ``StoreError/foreignSchema(_:)``, ``StoreError/transactionEnded`` or
  ///   ``StoreError/storage(_:)``.
  /// - Complexity: O(log *n*).
  package func count(_ end: TargetCount, of id: UInt64) throws(StoreError) -> Int? {
    guard let space = try space(end) else { return nil }
    return try reading().memberCount(space, id)
  }

  /// The first objects at an end of a relation, in the order of their ids.
  ///
  /// - Parameters:
  ///   - end: The end.
  ///   - id: The id of the object that the relation is of.
  ///   - limit: The maximum number of ids, at least 1.
  /// - Returns: The ids; none for a to-one relation without an index.
  /// - Throws: As ``count(_:of:)``.
  /// - Complexity: O(log *n*), and O(1) for each id.
  package func ids(
    _ end: TargetCount, of id: UInt64, limit: Int
  ) throws(StoreError) -> [UInt64] {
    guard let space = try space(end) else { return [] }
    var ids: [UInt64] = []
    try reading().members(space, id) { (member) throws(StoreError) in
      ids.append(member)
      return ids.count >= limit ? .stop : .next
    }
    return ids
  }

  /// The space with the objects at an end, by the id; nil without one.
  private func space(_ end: TargetCount) throws(StoreError) -> Space? {
    switch end {
    case .targets(let relation):
      try require(relation)
      return relation.forward
    case .sources(let relation):
      try require(relation)
      return relation.backward
    case .backlinks(let entity, let property):
      try require(entity)
      guard let index = property.index, index.kind == .value else { return nil }
      if isWritable { try pending.flush(index, to: try writing()) }
      return index.space
    }
  }
}
