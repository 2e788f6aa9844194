internal import BoxModel

/// The findings of a visit of all objects of a store, for a verification that does not visit them again.
///
/// The caller adds each visible entity, with every object of it in the state that is verified.
/// ``Transaction/requireWhole(visited:progress:)`` looks at the rest.
package struct VisitedObjects: ~Copyable {
  /// The entities by their positions.
  private var entities: [Int: VisitedEntity] = [:]

  /// Creates a collection without entities.
  package init() {}

  /// Adds an entity all of whose objects were visited.
  package mutating func add(_ entity: consuming VisitedEntity) {
    entities[entity.position] = entity
  }

  /// The entries that the indexes of an entity should have; nil if it was not visited, or if an object
  /// has to be named.
  func tally(of entity: EntitySchema) -> IndexTally? {
    guard let visited = entities[entity.position], !visited.hasOdd else { return nil }
    return visited.tally
  }
}

/// The findings of a visit of all objects of an entity.
package struct VisitedEntity {
  fileprivate let position: Int
  fileprivate var tally: IndexTally
  /// Whether an object is not as it should be.
  fileprivate var hasOdd = false
  private let strings: [PropertySchema]
  /// The number of slots that the catalog knows.
  private let slots: Int

  /// Begins with no object.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - store: The store that it is of.
  package init(_ entity: EntitySchema, of store: ObjectStore) {
    position = entity.position
    tally = IndexTally(entity.indexes)
    strings = entity.verifiedStrings
    slots =
      store.schema.catalog.entities.first { $0.uid == entity.uid }?.nextSlot
      ?? entity.layout.types.count
  }

  /// Adds an object, whose record was verified by itself.
  @inline(__always)
  package mutating func add(_ id: UInt64, _ record: borrowing RecordView) {
    if id == 0 || id > ObjectStore.maximumID || record.hasValue(fromSlot: slots) { hasOdd = true }
    for property in strings where !property.isUTF8(in: record) { hasOdd = true }
    tally.add(id, record)
  }
}

extension Transaction {
  /// Requires that the store has no damage, as ``requireWhole(progress:)`` does, after a visit of its
  /// objects in this transaction.
  ///
  /// - Parameters:
  ///   - visited: The objects; an entity that is not among them is visited now.
  ///   - progress: Called with the number of entries checked so far and their total.
  /// - Throws: As ``requireWhole(progress:)``.
  /// - Complexity: O(*n*) in the entries of indexes and relations.
  package func requireWhole(
    visited: borrowing VisitedObjects,
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) {
    if isWritable { try flush() }
    let findings = try store.firstFindings(in: reading(), visited: visited, progress)
    if !findings.isEmpty { throw StoreError.damaged(findings) }
  }
}

extension EntitySchema {
  /// The properties whose strings a verification looks at.
  var verifiedStrings: [PropertySchema] {
    properties.filter { $0.type == .string || $0.type == .strings }
  }
}
