internal import BoxModel
internal import BoxStorage

/// The links of a store to objects that do not exist, and the objects that a removal of their owner has left.
package struct StoreOrphans: Hashable, Sendable {
  /// The objects of a kind: their number, and the first of them.
  package struct Objects: Hashable, Sendable {
    /// The number of objects.
    package private(set) var count = 0
    /// The ids of the first ones, in ascending order.
    package private(set) var first: [UInt64] = []

    fileprivate mutating func add(_ id: UInt64) {
      if first.count < 10 { first.append(id) }
      count += 1
    }
  }

  /// A relation to one with links to objects that do not exist.
  package struct Dangling: Hashable, Sendable {
    /// The relation, as `Entity.relation`.
    package var relation: String
    /// The name of the entity whose objects have the relation.
    package var source: String
    /// The name of the target entity.
    package var target: String
    /// The objects that have such a relation.
    package var objects: Objects
  }

  /// Objects of one entity to which no object leads by a relation with a cascade.
  package struct Unowned: Hashable, Sendable {
    /// The name of the entity.
    package var entity: String
    /// The relations whose rule would remove the objects with their owner, as `Entity.relation`.
    package var relations: [String]
    /// The objects.
    package var objects: Objects
  }

  /// The relations to one with such links, in the order of the model.
  package fileprivate(set) var dangling: [Dangling] = []
  /// The objects without an owner, in the order of the model.
  package fileprivate(set) var unowned: [Unowned] = []

  /// Whether there is neither.
  package var isEmpty: Bool { dangling.isEmpty && unowned.isEmpty }
}

extension Transaction {
  /// Finds the links to objects that do not exist, and the objects without an owner.
  ///
  /// Hidden entities and relations are not looked at.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)``, ``StoreError/interrupted``,
  ///   ``StoreError/transactionEnded`` or ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the objects; memory for 8 bytes for each object that has a relation to one with a
  ///   cascade to its target.
  package func orphans() throws(StoreError) -> StoreOrphans {
    var orphans = StoreOrphans()
    for entity in store.entities { orphans.dangling += try dangling(entity) }
    for entity in store.entities {
      if let unowned = try unowned(entity) { orphans.unowned.append(unowned) }
    }
    return orphans
  }

  private func dangling(_ entity: EntitySchema) throws(StoreError) -> [StoreOrphans.Dangling] {
    let links = entity.properties.compactMap { property in
      property.target.flatMap { store.entity($0) }.map { (property, target: $0) }
    }
    if links.isEmpty { return [] }
    var found = links.map { link in
      StoreOrphans.Dangling(
        relation: "\(entity.name).\(link.0.name)", source: entity.name, target: link.target.name,
        objects: .init())
    }
    try visitForOrphans(entity) { (id, targets) throws(StoreError) in
      for (position, link) in links.enumerated() {
        guard let target = targets(link.0.slot) else { continue }
        if try !contains(link.target, target) { found[position].objects.add(id) }
      }
    }
    return found.filter { $0.objects.count > 0 }
  }

  private func unowned(_ entity: EntitySchema) throws(StoreError) -> StoreOrphans.Unowned? {
    var owners: [(link: RuledLink, entity: EntitySchema)] = []
    for owner in store.entities {
      for link in owner.rules?.cascades ?? [] where link.other == entity.position {
        owners.append((link, owner))
      }
    }
    if owners.isEmpty { return nil }
    var targets: [IDSet?] = []
    for (link, owner) in owners { targets.append(try allTargets(link, of: owner)) }
    var found = StoreOrphans.Objects()
    try visitForOrphans(entity) { (id, values) throws(StoreError) in
      for (position, (link, owner)) in owners.enumerated() {
        switch link.route {
        case .target: if targets[position]?.contains(id) ?? false { return }
        case .sources(let property):
          let value = values(entity.properties[property].slot)
          if let value, try contains(owner, value) { return }
        case .targets(let relation): if try !sources(relation, of: id).isEmpty { return }
        case .owners(let relation): if try !self.targets(relation, of: id).isEmpty { return }
        }
      }
      found.add(id)
    }
    if found.count == 0 { return nil }
    return StoreOrphans.Unowned(
      entity: entity.name, relations: owners.map(\.link).names, objects: found)
  }

  /// The ids in a relation to one of all objects; nil for another relation.
  private func allTargets(
    _ link: RuledLink, of entity: EntitySchema
  ) throws(StoreError) -> IDSet? {
    guard case .target(let slot) = link.route else { return nil }
    var ids: [UInt64] = []
    try visitForOrphans(entity) { (_, targets) throws(StoreError) in
      if let target = targets(slot) { ids.append(target) }
    }
    return IDSet(ids)
  }

  /// Visits the objects of an entity, with a function that reads a relation to one of the object; nil for null.
  private func visitForOrphans(
    _ entity: EntitySchema,
    _ body: (_ id: UInt64, _ target: (Int) -> UInt64?) throws(StoreError) -> Void
  ) throws(StoreError) {
    let storage = try reading()
    let slots = entity.properties.filter { $0.target != nil }.map(\.slot)
    var last: UInt64?
    var visited = 0
    while let (id, record) = try unsafe storage.nextRecord(entity.space, after: last) {
      last = id
      visited &+= 1
      if visited % Self.visitsBetweenLooks == 0 { try checkInterruption() }
      let view = try unsafe view(entity, id, record)
      let values = slots.map { view.integerBits($0) }
      try body(id) { slot in
        slots.firstIndex(of: slot).flatMap { values[$0] }.flatMap { $0 == 0 ? nil : $0 }
      }
    }
  }
}
