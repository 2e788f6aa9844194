internal import BoxModel

/// The memory of which properties every object has.
///
/// An opener with a model alone, such as an import, does not know which properties are optional. If it stores an object
/// without a value that all others have, the catalog has to stop saying that they all do. The next opening that knows which
/// properties are optional then looks at the objects.
extension Transaction {
  /// Notes the properties that a record lacks, of those that every object has had.
  @inline(never)
  func noteLacking(_ entity: EntitySchema, _ record: UnsafeRawBufferPointer) {
    for (slot, uid) in entity.trackedSlots
    where unsafe !missingProperties.contains(uid) && !RecordReader.isStored(slot, in: record) {
      missingProperties.insert(uid)
    }
  }

  /// Writes down what records lack, as a part of the transaction.
  ///
  /// The catalog means the same to everybody who has it open, so that its generation stays.
  func forgetRequirements(_ storage: StorageAccess) throws(StoreError) {
    if missingProperties.isEmpty { return }
    let space = store.schema.catalogSpace
    guard let stored = try StoredCatalog.read(space, storage) else { return }
    let catalog = stored.without(requirements: missingProperties)
    if catalog != stored { try StoredCatalog.rewrite(catalog, space, storage) }
  }
}

extension Catalog {
  /// The catalog without saying of some properties that every object has them.
  func without(requirements uids: Set<UID>) -> Catalog {
    var catalog = self
    for e in catalog.entities.indices {
      for p in catalog.entities[e].properties.indices
      where uids.contains(catalog.entities[e].properties[p].uid) {
        catalog.entities[e].properties[p].isRequired = false
      }
    }
    return catalog
  }

  /// The properties of which it does not say that every object has them.
  var unrequired: Set<UID> {
    Set(entities.flatMap(\.properties).filter { !$0.isRequired }.map(\.uid))
  }
}
