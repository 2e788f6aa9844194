internal import BoxEngine
internal import BoxModel

/// The objects that are made with another one, with their ids.
struct NestedObjects {
  /// The entries of a to-many relation.
  struct Entries {
    var relation: RelationSchema
    /// The name of the relation, for the summary.
    var name: String
    var source: UInt64
    var targets: [UInt64]
  }

  fileprivate(set) var objects: [ImportObject] = []
  fileprivate(set) var ids: [UInt64] = []
  /// The values of the relations to one of each object.
  fileprivate(set) var references: [[(position: Int, id: UInt64?)]] = []
  fileprivate(set) var entries: [Entries] = []
  fileprivate var lastIDs: [UID: UInt64] = [:]
}

/// Nested objects, which are written after the object that they are a part of.
extension ImportWriter {
  /// Assigns ids to nested objects, and sets the to-one relations to them.
  ///
  /// - Parameters:
  ///   - nested: The relations of the object.
  ///   - object: The object that has them, as it is about to be put.
  ///   - parts: Collects the objects to put after it.
  ///   - transaction: The transaction in which the last ids are looked up.
  /// - Throws: ``StoreError``.
  func add(
    _ nested: [ImportNested], to object: inout DynamicObject, _ parts: inout NestedObjects,
    _ transaction: Transaction
  ) throws {
    if nested.isEmpty { return }
    let entity = object.entity
    parts.lastIDs[entity.uid] = max(parts.lastIDs[entity.uid] ?? 0, object.id)
    let references = try add(nested, of: entity, object.id, &parts, transaction)
    for reference in references {
      object.values[reference.position] = reference.id.map { .unsigned($0) } ?? .null
    }
  }

  /// Returns the values of the to-one relations.
  private func add(
    _ nested: [ImportNested], of entity: EntitySchema, _ source: UInt64,
    _ parts: inout NestedObjects, _ transaction: Transaction
  ) throws -> [(position: Int, id: UInt64?)] {
    var references: [(position: Int, id: UInt64?)] = []
    for relation in nested {
      var ids: [UInt64] = []
      for object in relation.objects {
        let target = object.plan.entity
        let last = max(try transaction.lastID(target), parts.lastIDs[target.uid] ?? 0)
        if last >= ObjectStore.maximumID { throw StoreError.idsExhausted(entity: target.name) }
        let id = last + 1
        parts.lastIDs[target.uid] = id
        ids.append(id)
        let position = parts.objects.count
        parts.objects.append(object)
        parts.ids.append(id)
        parts.references.append([])
        parts.references[position] = try add(object.nested, of: target, id, &parts, transaction)
      }
      if let schema = relation.relation {
        parts.entries.append(
          NestedObjects.Entries(
            relation: schema, name: "\(entity.name).\(schema.name)", source: source, targets: ids))
      } else if relation.position >= 0 {
        references.append((relation.position, ids.first))
      }
    }
    return references
  }

  /// Puts nested objects, and the entries of to-many relations to them.
  func put(_ parts: NestedObjects, _ transaction: Transaction) throws {
    for (number, part) in parts.objects.enumerated() {
      var part = part
      part.nested = []
      part.values += parts.references[number].map { reference in
        (reference.position, reference.id.map { .unsigned($0) } ?? .null)
      }
      try putPart(part, id: parts.ids[number], transaction)
    }
    for entries in parts.entries {
      try set(entries.relation, of: entries.source, to: entries.targets, transaction)
      checkpoint.summary.count(entries.name, added: entries.targets.count, leftOut: 0)
    }
  }

  /// Puts a nested object with the objects that it finds by a key.
  private func putPart(_ part: ImportObject, id: UInt64, _ transaction: Transaction) throws {
    let entity = part.plan.entity
    var object = DynamicObject(entity, id: id)
    for (position, value) in part.values { object.values[position] = value }
    let made = try setReferences(part.links, of: &object, transaction)
    checkpoint.summary.count(entity.name, isNew: try put(object, transaction))
    try putMade(made, transaction)
    try putEntries(part.links, of: object, transaction)
  }
}
