package import BoxConvert
package import BoxEngine
internal import BoxModel

/// The names in a store that a person types.
package struct StoreNames: Hashable, Sendable {
  /// The properties and relations of each entity.
  package var members: [String: [String]] = [:]
  /// The names of the values that converters have, by entity.
  package var values: [String: [String]] = [:]
  /// The facts about the properties and relations of each entity, in the order of the model.
  package var facts: [String: [MemberFacts]] = [:]

  /// No names.
  package init() {}

  /// The names of a store.
  ///
  /// - Parameters:
  ///   - store: The open store.
  ///   - catalogue: The converters; nil for none.
  /// - Complexity: O(*n*) in the elements of the model and the names of values.
  package init(_ store: ObjectStore, _ catalogue: Catalogue?) {
    let converters = catalogue.map { ConditionConverters($0) }
    for entity in store.entities {
      members[entity.name] = (entity.properties.map(\.name) + entity.relations.map(\.name)).sorted()
      facts[entity.name] = MemberFacts.all(of: entity, store, converters)
      values[entity.name] = Set(
        entity.properties.flatMap { property in
          ((try? converters?.converter(entity, property)) ?? nil)?.names ?? []
        }
      ).sorted()
    }
  }

  /// The names of the store of a session, with the converters that are in force there.
  ///
  /// - Throws: As ``OpenStore/with(_:_:_:isReadOnly:in:_:)``.
  package init(
    of session: StoreSession, _ catalogue: CatalogueChoice?, in place: Workspace
  ) throws {
    self = try OpenStore.with(
      session.path, StoreAccess(session: session), catalogue, isReadOnly: true, in: place
    ) {
      StoreNames($0.store, $0.catalogue)
    }
  }
}
