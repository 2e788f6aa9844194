internal import BoxJSON
internal import BoxModel

/// A mapping that was checked against the two models: what to do, by positions and UIDs.
struct ResolvedMapping: Sendable {
  /// A way of the objects of an old entity into a new one.
  struct Route: Sendable {
    /// The UIDs of the entities.
    var old: UID
    var new: UID
    var ids: IDRule
    /// How each new property gets its value; those without one are null.
    var carriers: [ValueCarrier]
    /// What an old object must meet.
    var conditions: [Condition] = []
    var position: JSONPosition?
  }

  /// Whether a property has one of some values.
  struct Condition: Sendable {
    var property: Int
    var values: Set<Value>
    var isNegated: Bool
  }

  /// What is done with the objects of an old entity.
  struct Source: Sendable {
    var entity: UID
    var routes: [Route]
    /// Makes the objects, along the routes; nil where the routes say all.
    var function: EntityMigration.Function?
    /// The place in the file.
    var position: JSONPosition?
  }

  /// A relation to many that is carried over.
  struct Links: Sendable {
    /// The UIDs of the relations.
    var old: UID
    var new: UID
    /// The ends: the entities before and after.
    var sources: (old: UID, new: UID)
    var targets: (old: UID, new: UID)
  }

  /// The old entities whose objects are carried over, in the order of the old model.
  var sources: [Source] = []
  var links: [Links] = []

  /// Whether an object meets all conditions of a route.
  static func meets(_ conditions: [Condition], _ values: [Value]) -> Bool {
    conditions.allSatisfy { $0.values.contains(values[$0.property]) != $0.isNegated }
  }
}
