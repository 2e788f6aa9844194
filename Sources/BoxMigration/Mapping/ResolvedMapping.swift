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
    /// The carriers that make the values of new properties; a property without one is null.
    var carriers: [ValueCarrier]
    /// The carrier of the id if a rule assigns it, instead of ``ids``.
    var assignedID: ValueCarrier?
    /// Values that are copied as they are, which most are; they have no carrier.
    var copies: [Copy] = []
    /// The conditions that an old object must meet.
    var conditions: [Condition] = []
    /// The rules for to-many relations.
    var links: [LinkRule] = []
    var position: JSONPosition?
  }

  /// A rule that says where the links of a to-many relation come from.
  struct LinkRule: Sendable {
    /// The UID of the new relation.
    var relation: UID
    var origin: RelatedOrigin
    /// The UID of the old target entity of the links.
    var target: UID
    var position: JSONPosition?
  }

  /// The positions of an old and of a new property.
  struct Copy: Sendable {
    var source: Int
    var destination: Int
  }

  /// Whether a property has one of some values.
  struct Condition: Sendable {
    /// The position of the property, where it is one of the object itself.
    var property: Int?
    /// The origin of the value otherwise.
    var related: RelatedOrigin?
    var values: Set<Value>
    /// Whether NaN, which no set has, is one of them.
    var includesNaN = false
    var isNegated: Bool

    /// Whether a value fulfils it.
    func holds(for value: Value) -> Bool {
      (values.contains(value) || includesNaN && value.isNaN) != isNegated
    }
  }

  /// The rules for the objects of an old entity.
  struct Source: Sendable {
    var entity: UID
    var routes: [Route]
    /// Makes the objects, along the routes; nil if the routes say everything.
    var function: EntityMigration.Function?
    /// The place in the file.
    var position: JSONPosition?
  }

  /// The links of a to-many relation.
  struct Links: Sendable {
    /// The index of the route's source.
    var source: Int
    var route: Int
    var origin: RelatedOrigin
    /// The UID of the new relation.
    var new: UID
    /// The ends: the entities before and after.
    var sources: (old: UID, new: UID)
    var targets: (old: UID, new: UID)
  }

  /// The old entities whose objects are carried over, in the order of the old model.
  var sources: [Source] = []
  var links: [Links] = []

  /// Separates the values that are copied as they are from those that need a carrier.
  mutating func separateCopies(from model: Model, _ lookup: ModelLookup) {
    for source in sources.indices {
      let id = lookup.entity(sources[source].entity).flatMap { position in
        model.entities[position].properties.firstIndex { $0.flags.contains(.id) }
      }
      for route in sources[source].routes.indices {
        var others: [ValueCarrier] = []
        for carrier in sources[source].routes[route].carriers {
          if case .same = carrier.kind, case .null = carrier.defaultValue,
            let position = carrier.source,
            position != id
          {
            sources[source].routes[route].copies.append(
              Copy(source: position, destination: carrier.destination))
          } else {
            others.append(carrier)
          }
        }
        sources[source].routes[route].carriers = others
      }
    }
  }
}

extension Value {
  /// Whether it is NaN, which is not equal to itself.
  var isNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }
}
