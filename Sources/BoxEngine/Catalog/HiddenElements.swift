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
  /// Visits the data of hidden elements, as ``HiddenData/visit(_:)``.
  ///
  /// - Throws: As ``HiddenData/visit(_:)``.
  package func visitHidden(
    _ body: (_ element: HiddenElement, _ first: UInt64, _ second: UInt64) throws -> Void
  ) throws {
    try HiddenData(store.schema, try reading()).visit(body)
  }
}
