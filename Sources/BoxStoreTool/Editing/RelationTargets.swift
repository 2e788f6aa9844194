internal import BoxEngine
internal import BoxModel

/// Finds values of to-one relations that refer to objects which do not exist.
struct RelationTargets {
  private let entity: EntitySchema
  private let store: ObjectStore
  /// The targets, by the position of the property.
  private var ids: [Int: Set<UInt64>] = [:]

  init(of entity: EntitySchema, in store: ObjectStore) {
    (self.entity, self.store) = (entity, store)
  }

  /// Notes the targets among the values of an object, except 0.
  mutating func insert(_ values: [Int: Value]) {
    for (position, value) in values where entity.properties[position].target != nil {
      switch value {
      case .unsigned(let id) where id != 0: ids[position, default: []].insert(id)
      case .integer(let id) where id != 0:
        ids[position, default: []].insert(UInt64(bitPattern: id))
      default: continue
      }
    }
  }

  /// Adds a problem for each relation with targets that do not exist.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*) for each target.
  func check(in transaction: Transaction, _ problems: inout EditProblems) throws(StoreError) {
    for (position, targets) in ids.sorted(by: { $0.key < $1.key }) {
      let property = entity.properties[position]
      guard let target = property.target.flatMap({ store.entity($0) }) else { continue }
      guard var failure = try transaction.missing(targets, of: target) else { continue }
      failure.message = "\(entity.name).\(property.name): " + failure.message
      problems.add(failure)
    }
  }
}
