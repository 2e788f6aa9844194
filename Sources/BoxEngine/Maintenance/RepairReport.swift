/// The result of a repair of a store.
package struct RepairReport: Hashable, Sendable {
  /// The objects of an entity, or the entries of a relation to many.
  package struct Part: Hashable, Sendable {
    /// The name of the entity, or `Entity.relation`.
    package var name: String
    /// The number of those that the new store has.
    package var kept: Int
    /// The number of those that it lacks; nil if it is not known.
    package var lost: Int?
    /// The number of kept objects that an index contradicts, so that they can be earlier versions.
    package var doubtful = 0
  }

  /// The parts of a store, also those that its model hides.
  package struct Contents: Hashable, Sendable {
    /// The entities.
    package var entities: [Part] = []
    /// The relations to many.
    package var relations: [Part] = []
    /// The entities whose last id was lost, so that ids of objects that were removed can be given again.
    package var lostLastIDs: [String] = []
    /// The transactions of data sync that were not sent, and are lost as data sync was switched off; nil if it stays as
    /// it was.
    package var unsent: Part?
  }

  /// The first problem, one sentence without a trailing period.
  package var damage: String
  /// The parts of the store; nil if its catalog cannot be read, and then nothing is known of its contents.
  package var contents: Contents?
  /// The path of the damaged file; nil if nothing was changed.
  package var file: String?

  /// Whether the new store lacks anything, or may have earlier versions, as far as is known.
  package var hasLoss: Bool {
    contents.map {
      !$0.lostLastIDs.isEmpty || $0.unsent != nil
        || ($0.entities + $0.relations).contains { $0.lost != 0 || $0.doubtful != 0 }
    } ?? true
  }
}
