internal import BoxEngine
internal import BoxModel
internal import BoxStorage

/// Links from and to objects that go, which are moved to those that stay.
///
/// These are to-one relations that refer to an object that goes, and the entries of to-many relations that
/// it has or is a target of. Its own to-one relations are values that go with it.
struct LinkMoves {
  /// New values of a to-one relation.
  private struct Values {
    var entity: EntitySchema
    var position: Int
    /// The objects that refer to objects that go, in ascending order, by their new targets.
    var ids: [UInt64: [UInt64]] = [:]
  }

  /// New entries of a to-many relation.
  private struct Entries {
    var relation: RelationSchema
    var ends: [(source: UInt64, target: UInt64)] = []
  }

  private var values: [Values] = []
  private var entries: [Entries] = []

  /// No links.
  init() {}

  /// Finds the links of objects that go; nothing is written.
  ///
  /// - Parameters:
  ///   - entity: The entity of the objects.
  ///   - successors: The objects that stay, by those that go.
  ///   - store: The store.
  ///   - transaction: The transaction to read in.
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(log *n*) for each object that goes and each of its links, and O(*n*) in the objects
  ///   whose to-one relation has no index.
  init(
    of entity: EntitySchema, _ successors: [UInt64: UInt64], in store: ObjectStore,
    _ transaction: Transaction
  ) throws {
    if successors.isEmpty { return }
    let gone = successors.keys.sorted()
    for other in store.entities {
      for position in other.properties.indices
      where other.properties[position].target == entity.uid {
        try find(position, of: other, isOwn: other == entity, gone, successors, store, transaction)
      }
      for relation in other.relations
      where relation.source == entity.uid || relation.target == entity.uid {
        try find(relation, of: entity, gone, successors, store, transaction)
      }
    }
  }

  private mutating func find(
    _ position: Int, of other: EntitySchema, isOwn: Bool, _ gone: [UInt64],
    _ successors: [UInt64: UInt64], _ store: ObjectStore, _ transaction: Transaction
  ) throws {
    let property = other.properties[position]
    let targets = gone.map { id in
      Int64(exactly: id).map { Condition.Literal.integer($0) } ?? .unsigned(id)
    }
    let query = try store.prepare(
      StoreQuery(other, .isOneOf(Condition.PropertyName(property.name), targets)))
    var moved = Values(entity: other, position: position)
    try transaction.visit(query) { id, record in
      if let target = record.uint64(property.slot).flatMap({ successors[$0] }),
        !isOwn || successors[id] == nil
      {
        moved.ids[target, default: []].append(id)
      }
      return .next
    }
    if !moved.ids.isEmpty { values.append(moved) }
  }

  private mutating func find(
    _ relation: RelationSchema, of entity: EntitySchema, _ gone: [UInt64],
    _ successors: [UInt64: UInt64], _ store: ObjectStore, _ transaction: Transaction
  ) throws {
    let (isSource, isTarget) = (relation.source == entity.uid, relation.target == entity.uid)
    guard let sources = store.entity(relation.source), let targets = store.entity(relation.target)
    else { return }
    var moved = Entries(relation: relation)
    func move(_ source: UInt64, _ target: UInt64) throws {
      // A damaged relation has entries whose objects do not exist.
      guard try transaction.contains(sources, source), try transaction.contains(targets, target)
      else { return }
      moved.ends.append(
        (
          isSource ? successors[source] ?? source : source,
          isTarget ? successors[target] ?? target : target
        ))
    }
    for id in gone {
      if isSource {
        for target in try transaction.targets(relation, of: id) { try move(id, target) }
      }
      if isTarget {
        // An entry between two objects that go was found as one of its source.
        for source in try transaction.sources(relation, of: id)
        where !isSource || successors[source] == nil {
          try move(source, id)
        }
      }
    }
    if !moved.ends.isEmpty { entries.append(moved) }
  }

  /// Removes the entries that objects which go have in the relations whose entries are moved.
  ///
  /// - Throws: `StoreError` if the store cannot be read or written.
  /// - Complexity: O(log *n*) for each entry.
  func removeEntries(
    of ids: [UInt64], of entity: EntitySchema, in transaction: Transaction
  ) throws {
    for moved in entries {
      for id in ids {
        if moved.relation.source == entity.uid {
          for target in try transaction.targets(moved.relation, of: id) {
            try transaction.unlink(moved.relation, id, target)
          }
        }
        if moved.relation.target == entity.uid {
          for source in try transaction.sources(moved.relation, of: id) {
            try transaction.unlink(moved.relation, source, id)
          }
        }
      }
    }
  }

  /// The number of links.
  var count: Int {
    values.reduce(0) { $0 + $1.ids.values.reduce(0) { $0 + $1.count } }
      + entries.reduce(0) { $0 + $1.ends.count }
  }

  /// Writes the links.
  ///
  /// - Throws: `StoreError`, `uniqueViolation` for two objects whose unique to-one relation would refer to
  ///   one object.
  /// - Complexity: O(log *n*) for each link.
  func apply(_ transaction: Transaction) throws {
    for moved in values {
      let property = moved.entity.properties[moved.position]
      for (target, ids) in moved.ids.sorted(by: { $0.key < $1.key }) {
        let value = Value.unsigned(target)
        if property.index?.isUnique == true {
          // A put could remove the other object, instead of failing.
          let holders = try transaction.ids(moved.entity, where: property, equals: value) + ids
          if holders.count > 1 {
            throw StoreError.uniqueViolation(
              entity: moved.entity.name, property: property.name, value: value,
              existing: holders[0])
          }
        }
        _ = try ObjectEdit(moved.entity, [moved.position: value]).apply(to: ids, transaction)
      }
    }
    for moved in entries {
      for (source, target) in moved.ends { try transaction.link(moved.relation, source, target) }
    }
  }
}
