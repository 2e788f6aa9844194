internal import BoxEngine

/// The objects of an entity that have one value of a property with others, by their values.
struct DuplicateGroups: Hashable {
  /// The objects with one value.
  struct Group: Hashable {
    /// The ids, in ascending order.
    var ids: [UInt64]
    /// The object that stays.
    var keptID: UInt64

    /// The objects that go, in ascending order.
    var removedIDs: [UInt64] { ids.filter { $0 != keptID } }
  }

  /// The groups, by their lowest ids.
  private(set) var groups: [Group]

  /// Finds the groups, as a unique index would.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - entity: Its entity.
  ///   - skipsZero: Whether zero is left out.
  ///   - observer: Receives the progress.
  ///   - transaction: The transaction to read in.
  /// - Throws: `StoreError` if the store cannot be read, also for a damaged object.
  /// - Complexity: O(*n* log *n*) in the number of objects; memory grows with the objects in groups.
  init(
    of property: PropertySchema, in entity: EntitySchema, skipsZero: Bool,
    _ observer: any WorkObserver, _ transaction: Transaction
  ) throws(StoreError) {
    var places: [UInt64: Int] = [:]
    var groups: [Group] = []
    defer { observer.finish() }
    try transaction.visitDuplicates(
      of: property, in: entity, skipsZero: skipsZero,
      progress: { observer.update("reading \(entity.name)", $0, of: $1, unit: "objects") }
    ) { first, id in
      if let place = places[first] {
        groups[place].ids.append(id)
      } else {
        places[first] = groups.count
        groups.append(Group(ids: [first, id], keptID: first))
      }
    }
    self.groups = groups.sorted { $0.ids[0] < $1.ids[0] }
  }

  /// The number of objects that go.
  var goingCount: Int { groups.reduce(0) { $0 + $1.ids.count - 1 } }

  /// The objects that stay, by those that go.
  var successors: [UInt64: UInt64] {
    var successors: [UInt64: UInt64] = [:]
    for group in groups {
      for id in group.ids where id != group.keptID { successors[id] = group.keptID }
    }
    return successors
  }

  /// Lets the object with the highest id of each group stay.
  mutating func keepNewest() {
    for position in groups.indices {
      groups[position].keptID = groups[position].ids.last ?? groups[position].keptID
    }
  }

  /// Lets the object of each group stay that comes first in an order of all objects.
  ///
  /// - Complexity: O(*n*) in the number of objects.
  mutating func keepFirst(in order: [UInt64]) {
    var places: [UInt64: Int] = [:]
    for (place, group) in groups.enumerated() {
      for id in group.ids { places[id] = place }
    }
    var isDecided = [Bool](repeating: false, count: groups.count)
    for id in order {
      guard let place = places[id], !isDecided[place] else { continue }
      groups[place].keptID = id
      isDecided[place] = true
    }
  }
}
