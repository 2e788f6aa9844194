package import BoxModel

/// New values for some properties of objects, whose other values stay.
package struct ObjectEdit {
  private let entity: EntitySchema
  private let new: [Int: Value]
  private let steps: [Step]
  /// The new values as a patch of whole records; nil if a value has no fixed width.
  private let patch: RecordPatch?

  /// The part of a new record that one property has.
  private enum Step {
    case keep(slot: Int)
    case set(position: Int, Value)
  }

  /// Creates a change.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - new: The new values, by the positions of their properties.
  package init(_ entity: EntitySchema, _ new: [Int: Value]) {
    (self.entity, self.new) = (entity, new)
    patch = RecordPatch(entity, new)
    steps = entity.writeOrder.map { position in
      new[position].map { .set(position: position, $0) }
        ?? .keep(slot: entity.properties[position].slot)
    }
  }

  /// Visiting all objects is cheaper than looking up one object of `visitedShare` or more.
  private static let visitedShare = 8

  /// Changes objects.
  ///
  /// - Parameters:
  ///   - ids: The ids in ascending order; nil for all objects.
  ///   - transaction: The write transaction.
  /// - Returns: The number of objects that were changed; an object that was removed meanwhile, since
  ///   another one has its unique value, is skipped.
  /// - Throws: `StoreError`, as `Transaction.put` and `Transaction.rewrite`.
  /// - Complexity: O(log *n*) for each object and each index entry that changes; O(*n*) in all objects if
  ///   many of them change.
  package func apply(to ids: [UInt64]?, _ transaction: Transaction) throws -> Int {
    guard let ids else { return try rewrite(nil, transaction) }
    if ids.count >= (try transaction.count(entity)) / Self.visitedShare + 2 {
      return try rewrite(ids, transaction)
    }
    var changed = 0
    for id in ids {
      guard var object = try transaction.get(entity, id) else { continue }
      for (position, value) in new { object.values[position] = value }
      try transaction.put(object, mode: .update)
      changed += 1
    }
    return changed
  }

  private func rewrite(_ ids: [UInt64]?, _ transaction: Transaction) throws -> Int {
    if ids?.isEmpty == true { return 0 }
    var (changed, next) = (0, 0)
    try transaction.rewrite(entity, from: ids?.first ?? 0) { id, old, writer in
      if let ids {
        while next < ids.count, ids[next] < id { next += 1 }
        if next == ids.count { return .stop }
        if ids[next] != id { return .keep }
      }
      if let patch, writer.apply(patch) {
        changed += 1
        return .replace
      }
      for step in steps {
        switch step {
        case .keep(let slot): writer.copy(slot, from: old, slot)
        case .set(let position, let value): try writer.set(position, of: entity, to: value)
        }
      }
      changed += 1
      return .replace
    }
    return changed
  }
}
