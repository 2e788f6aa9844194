package import BoxModel
internal import BoxStorage

/// A stored element that the current model lacks.
package struct HiddenElement: Hashable, Sendable {
  /// The kind and the UID of the element.
  package var key: ElementKey
  /// The name of the entity in the last model that had it.
  package var entity: String
  /// The name of the property or relation; nil for an entity.
  package var member: String?

  /// The name for people: `Entity` or `Entity.member`.
  package var label: String { member.map { "\(entity).\($0)" } ?? entity }
}

extension ObjectStore {
  /// The stored elements that are hidden; of a hidden entity only the entity itself.
  ///
  /// - Complexity: O(*n*) in the number of stored elements.
  package func hiddenElements() -> [HiddenElement] { schema.catalog.hiddenElements }
}

extension Catalog {
  /// The elements that are hidden; of a hidden entity only the entity itself.
  fileprivate var hiddenElements: [HiddenElement] {
    entities.flatMap { entity -> [HiddenElement] in
      if entity.isHidden {
        return [HiddenElement(key: ElementKey(.entity, entity.uid), entity: entity.name)]
      }
      return entity.properties.filter(\.isHidden).map {
        HiddenElement(
          key: ElementKey(.property, $0.uid), entity: entity.name, member: $0.name)
      }
        + entity.relations.filter(\.isHidden).map {
          HiddenElement(
            key: ElementKey(.relation, $0.uid), entity: entity.name, member: $0.name)
        }
    }
  }
}

/// The data of hidden elements in one state of a store, which a purge removes.
package struct HiddenData {
  private let schema: StoreSchema
  private let storage: StorageAccess

  init(_ schema: StoreSchema, _ storage: StorageAccess) {
    (self.schema, self.storage) = (schema, storage)
  }

  /// Visits the data in the order of the catalog and of the ids.
  ///
  /// - Parameter body: Called with the element, and the id and the checksum of an object that goes or has a value that
  ///   goes; for a relation with the ids of a source and a target.
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``, ``StoreError/storage(_:)`` and the error of `body`.
  /// - Complexity: O(*n*) in the objects of entities that are hidden or have hidden properties, and in the entries of
  ///   hidden relations.
  package func visit(
    _ body: (_ element: HiddenElement, _ first: UInt64, _ second: UInt64) throws -> Void
  ) throws {
    for element in schema.catalog.hiddenElements {
      switch element.key.kind {
      case .entity:
        for entity in schema.hiddenEntities where entity.uid == element.key.uid {
          try unsafe storage.visitRecords(entity.space, from: nil, .forward) { id, record in
            try unsafe body(element, id, UInt64(Transaction.checksum(record)))
            return .next
          }
        }
        for relation in schema.hiddenRelations where relation.source == element.key.uid {
          let key = ElementKey(.relation, relation.uid)
          let member = HiddenElement(key: key, entity: element.entity, member: relation.name)
          try visitEntries(relation, of: member, body)
        }
      case .relation:
        for relation in schema.hiddenRelations where relation.uid == element.key.uid {
          try visitEntries(relation, of: element, body)
        }
      case .property: try visitValues(element, body)
      case .index: break
      }
    }
  }

  /// The marks of the transactions of data sync that were not sent.
  ///
  /// - Throws: ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in their number.
  package func unsentMarks() throws(StoreError) -> [UInt64] {
    guard let space = schema.syncSpaces?.outbox else { return [] }
    var marks: [UInt64] = []
    try OutboxReader(space: space, storage: storage).visitHeads { place, head in
      // Nobody can say whether one with a damaged head was sent.
      if head?.state != .acknowledged { marks.append(head?.mark ?? place) }
    }
    return marks
  }

  /// Requires that all changes were sent.
  ///
  /// - Throws: ``StoreError/unsent(transactions:)`` or ``StoreError/storage(_:)``.
  package func requireNothingUnsent() throws(StoreError) {
    let count = try unsentMarks().count
    if count > 0 { throw .unsent(transactions: count) }
  }

  private func visitEntries(
    _ relation: RelationSchema, of element: HiddenElement,
    _ body: (HiddenElement, UInt64, UInt64) throws -> Void
  ) throws {
    try storage.visitEntries(relation.forward, from: nil as UInt64?, .forward) { source, target in
      try body(element, source, target)
      return .next
    }
  }

  /// Visits the objects that have a value of a hidden property.
  private func visitValues(
    _ element: HiddenElement, _ body: (HiddenElement, UInt64, UInt64) throws -> Void
  ) throws {
    for stored in schema.catalog.entities {
      guard let slot = stored.properties.first(where: { $0.uid == element.key.uid })?.slot,
        let entity = schema.entities.first(where: { $0.uid == stored.uid })
      else { continue }
      let reader = RecordReader(entity.layout)
      try unsafe storage.visitRecords(entity.space, from: nil, .forward) { id, record in
        if try unsafe !reader.view(of: entity, id, record).isNull(slot) {
          try unsafe body(element, id, UInt64(Transaction.checksum(record)))
        }
        return .next
      }
    }
  }
}

extension Transaction {
  /// The data of hidden elements.
  ///
  /// - Throws: ``StoreError/transactionEnded``.
  package func hiddenData() throws(StoreError) -> HiddenData {
    HiddenData(store.schema, try reading())
  }

  /// Visits the data of hidden elements, as ``HiddenData/visit(_:)``.
  ///
  /// - Throws: As ``HiddenData/visit(_:)``.
  package func visitHidden(
    _ body: (_ element: HiddenElement, _ first: UInt64, _ second: UInt64) throws -> Void
  ) throws {
    try hiddenData().visit(body)
  }

  /// Visits the hidden data of objects that another state of the store has no longer.
  ///
  /// A put keeps the hidden values of an object, and a removal takes them along, with the entries of hidden relations.
  ///
  /// - Parameters:
  ///   - changed: The ids of the objects to look at, in ascending order, by the positions of their entities.
  ///   - new: The other state.
  ///   - body: Called with the element and the id of an object that had a value, or the ids of a source and a target.
  ///     The second number is 0 for a value. Not called for the values of a damaged object.
  /// - Throws: `StoreError`, and the error of `body`.
  /// - Complexity: O(log *n*) for each object and hidden property, and for each entry of a hidden relation.
  package func visitHidden(
    of changed: [[UInt64]], missingIn new: Transaction,
    _ body: (_ element: HiddenElement, _ first: UInt64, _ second: UInt64) throws -> Void
  ) throws {
    for stored in store.schema.catalog.entities where !stored.isHidden {
      guard let position = store.schema.positions.byUID[stored.uid] else { continue }
      let entity = store.schema.entities[position]
      for property in stored.properties where property.isHidden {
        let element = HiddenElement(
          key: ElementKey(.property, property.uid), entity: stored.name, member: property.name)
        for id in changed[position] where try hasValue(entity, id, property.slot) {
          if try !new.hasValue(entity, id, property.slot) { try body(element, id, 0) }
        }
      }
    }
    for relation in store.schema.hiddenRelations {
      let owner = store.schema.catalog.entities.first { $0.uid == relation.source }
      let element = HiddenElement(
        key: ElementKey(.relation, relation.uid), entity: owner?.name ?? "", member: relation.name)
      for (source, target) in try entries(of: relation, changed) {
        if try !new.targets(relation, of: source).contains(target) {
          try body(element, source, target)
        }
      }
    }
  }

  /// The entries of a relation that changed objects are an end of, in order.
  private func entries(
    of relation: RelationSchema, _ changed: [[UInt64]]
  ) throws(StoreError) -> [(source: UInt64, target: UInt64)] {
    func ids(_ entity: UID) -> [UInt64] {
      store.schema.positions.byUID[entity].map { changed[$0] } ?? []
    }
    var entries: [(source: UInt64, target: UInt64)] = []
    let sources = ids(relation.source)
    for source in sources {
      entries += try targets(relation, of: source).map { (source, $0) }
    }
    let known = Set(sources)
    for target in ids(relation.target) {
      entries += try self.sources(relation, of: target).filter { !known.contains($0) }
        .map { ($0, target) }
    }
    return entries.sorted { $0 < $1 }
  }

  /// Whether an object has a value in a slot; false for a damaged one.
  private func hasValue(
    _ entity: EntitySchema, _ id: UInt64, _ slot: Int
  ) throws(StoreError) -> Bool {
    do throws(StoreError) {
      guard let record = try unsafe reading().value(entity.space, id) else { return false }
      return try unsafe !view(entity, id, record).isNull(slot)
    } catch {
      guard case .damagedRecord = error else { throw error }
      return false
    }
  }
}
