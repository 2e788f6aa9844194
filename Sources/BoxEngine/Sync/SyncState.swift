internal import BoxModel

/// The entities that an opening of a store captures, which change when it switches data sync on or off itself.
struct SyncState: Sendable {
  /// The generation of the catalog.
  var generation: Int
  /// The UIDs of the captured entities; nil in a store where data sync is not switched on.
  var entities: [UID]?
  var capture: CaptureSchema?

  init(_ schema: StoreSchema) {
    self.init(schema, generation: schema.catalog.generation, schema.catalog.sync, schema.syncSpaces)
  }

  init(_ schema: StoreSchema, generation: Int, _ entities: [UID]?, _ spaces: SyncSpaces?) {
    (self.generation, self.entities) = (generation, entities)
    if let entities, let spaces { capture = CaptureSchema(schema, entities, spaces) }
  }
}
