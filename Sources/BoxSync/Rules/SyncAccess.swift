/// A condition on the own properties of an object, which decides who sees or writes it.
package protocol ObjectFilter: Sendable {
  /// A hash of the condition and of the values of its variables.
  var digest: UInt64 { get }
  /// Whether an object satisfies the condition.
  func admits(_ fields: Fields<GlobalID>) -> Bool
}

/// The objects that a session may see and write; an entity without a filter is open.
package struct SessionRules: Sendable {
  /// The filters of what the session sees, by entity.
  package var views: [UID: any ObjectFilter]
  /// The filters of what the session writes, by entity.
  package var writes: [UID: any ObjectFilter]

  /// Creates rules.
  package init(
    views: [UID: any ObjectFilter] = [:], writes: [UID: any ObjectFilter] = [:]
  ) {
    (self.views, self.writes) = (views, writes)
  }

  func sees(_ entity: UID, _ state: ObjectState<GlobalID>) -> Bool {
    state.isAlive && admits(entity, state.fields)
  }

  func admits(_ entity: UID, _ fields: Fields<GlobalID>) -> Bool {
    views[entity]?.admits(fields) ?? true
  }

  func mayWrite(_ entity: UID, _ fields: Fields<GlobalID>) -> Bool {
    writes[entity]?.admits(fields) ?? true
  }

  /// The digests of the views of entities; 0 where there is no filter.
  func digest(_ entity: UID) -> UInt64 { views[entity]?.digest ?? 0 }
}

/// The rules of a space, from which each session gets its own.
package protocol SyncAccess: Sendable {
  /// The properties that any filter of an entity reads.
  func propertiesRead(_ entity: UID) -> Set<UID>
  /// The rules of a session with variables of its filters.
  func rules(_ variables: [String: String]) -> SessionRules
}

/// Access to everything for everybody.
package struct OpenAccess: SyncAccess {
  /// Creates the access.
  package init() {}
  /// No properties.
  package func propertiesRead(_ entity: UID) -> Set<UID> { [] }
  /// Rules without filters.
  package func rules(_ variables: [String: String]) -> SessionRules { SessionRules() }
}
