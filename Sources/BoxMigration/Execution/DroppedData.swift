internal import BoxModel

/// The data that mappings dropped or replaced while objects were carried over.
///
/// An element that loses all of its data has a step of the plan in place of that.
package struct DroppedData: Hashable, Sendable {
  /// The kinds of data.
  package enum Kind: Hashable, Sendable {
    /// Objects that met no rule.
    case objects
    /// Values that a new property does not have, or not exactly.
    case values
    /// Entries of relations to many.
    case links
  }

  /// The data of one element.
  package struct Item: Hashable, Sendable {
    /// The kind of data.
    package var kind: Kind
    /// The entity before the step.
    package var entity: String
    /// The property or relation before the step; nil for objects.
    package var member: String?
    /// The number of objects, values or links.
    package var count: Int
  }

  /// The elements, in the order in which they lost something first.
  package private(set) var items: [Item] = []
  /// A checksum of the objects and links in the order of the migration.
  package private(set) var checksum: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the data of a migration that drops nothing.
  package init() {}

  /// Adds data of one object, or a link.
  mutating func add(
    _ kind: Kind, _ entity: String, _ member: String?, count: Int = 1, _ first: UInt64,
    _ second: UInt64
  ) {
    let known = items.firstIndex {
      $0.kind == kind && $0.entity == entity && $0.member == member
    }
    let place = known ?? items.count
    if known == nil {
      items.append(Item(kind: kind, entity: entity, member: member, count: 0))
    }
    items[place].count += count
    for number in [UInt64(place), UInt64(count), first, second] { mix(number) }
  }

  /// Adds the checksum of the record of an object that lost something.
  mutating func add(record checksum: UInt32, of id: UInt64) {
    mix(id)
    mix(UInt64(checksum))
  }

  /// Adds the data that a later step drops.
  mutating func add(_ other: DroppedData) {
    for item in other.items {
      add(item.kind, item.entity, item.member, count: item.count, 0, 0)
    }
    mix(other.checksum)
  }

  /// FNV-1a with words in place of bytes: the checksum tells states of a store apart, and no attacker.
  private mutating func mix(_ number: UInt64) {
    checksum = (checksum ^ number) &* 0x100_0000_01b3
    checksum ^= checksum >> 29
  }
}

extension ResolvedMapping {
  /// Whether carrying objects over can drop some of them, their values or links.
  ///
  /// - Parameter old: The model before.
  /// - Returns: False if every object that is carried over is so as a whole.
  func canDrop(from old: Model) -> Bool {
    let routes = sources.flatMap(\.routes)
    return sources.count < old.entities.count || Set(routes.map(\.new)).count < routes.count
      || routes.contains { route in
        !route.conditions.isEmpty || route.assignedID != nil
          || route.carriers.contains(where: \.canLose)
      }
  }

  /// Whether data that a carrier does not take is lost: nothing else takes it as it is.
  func isOnlyTaker(_ carrier: ValueCarrier, in route: Route) -> Bool {
    if let position = carrier.source { return !route.copies.contains { $0.source == position } }
    guard let related = carrier.related else { return false }
    switch related.end {
    case .property(let position):
      return !sources.contains { source in
        source.entity == related.entity
          && source.routes.contains { $0.copies.contains { $0.source == position } }
      }
    case .targets(let uid): return !links.contains { $0.origin.ownRelation == uid }
    case .sources, .toOneSources: return false
    }
  }

  /// The relations to many of an old entity whose links are carried over as they are.
  func carriedRelations(of entity: UID) -> Set<UID> {
    Set(links.filter { $0.sources.old == entity }.compactMap(\.origin.ownRelation))
  }
}

extension RelatedOrigin {
  /// The relation to many of the object itself; nil for any other origin.
  var ownRelation: UID? {
    if case .targets(let uid) = end, path.isEmpty { uid } else { nil }
  }
}
