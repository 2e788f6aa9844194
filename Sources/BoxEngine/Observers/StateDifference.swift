internal import BoxJSON
internal import BoxModel
internal import BoxStorage

/// The changes of objects and relations between two states of a store.
struct StateDifference {
  private let older: StorageAccess
  private let newer: StorageAccess
  private let maximumPages: Int
  /// The names of the spaces with other pages; nil if they are not known.
  private let spaces: Set<ExactText>?
  private var byPosition: [Int: EntityChanges] = [:]

  /// Creates a difference in which no entity is compared yet.
  ///
  /// - Parameters:
  ///   - older: The older state.
  ///   - newer: The newer state.
  ///   - maximumPages: The number of changed leaves of one space above which an entity is ``EntityChanges/isWhole``.
  init(_ older: StorageAccess, _ newer: StorageAccess, maximumPages: Int) {
    (self.older, self.newer, self.maximumPages) = (older, newer, maximumPages)
    spaces = (try? newer.base.changedSpaces(since: older.base)).map {
      Set($0.map { ExactText($0) })
    }
  }

  /// The changes of the entities that differ, in the order of the model.
  var changes: [(position: Int, changes: EntityChanges)] {
    byPosition.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Counts an entity as changed, whatever its objects are.
  mutating func markWhole(_ entity: EntitySchema) {
    byPosition[entity.position] = EntityChanges(wholeOf: entity.uid)
  }

  /// Compares the objects of an entity, and the relations that lead from them or to them.
  ///
  /// - Complexity: O(*m* log *n*) in the changed objects and all of them.
  mutating func compare(_ entity: EntitySchema) {
    var objects: [ObjectChange] = []
    let isKnown = compare(SpaceName.objects(of: entity.uid)) { change, key, _ in
      objects.append(
        ObjectChange(kind: ObjectChange.Kind(change), id: unsafe key.loadUnaligned(as: UInt64.self))
      )
    }
    var result = EntityChanges(entity: entity.uid, changes: [])
    result.isWhole = !isKnown
    var isTouched = !isKnown || !objects.isEmpty
    if isKnown { result.changes = objects }
    for relation in entity.relations where !result.isWhole {
      isTouched = compare(relation, of: entity, &result) || isTouched
    }
    // Relations touch their target entity.
    if !isTouched {
      isTouched = entity.incoming.contains { differs($0) }
    }
    if isTouched { byPosition[entity.position] = result }
  }

  /// Compares the pairs of a relation; returns whether it differs.
  private func compare(
    _ relation: RelationSchema, of entity: EntitySchema, _ result: inout EntityChanges
  ) -> Bool {
    var pairs: [RelationChange] = []
    let isKnown = compare(SpaceName.targets(of: relation.uid)) { change, key, value in
      pairs.append(
        RelationChange(
          relation: relation.uid, source: unsafe key.loadUnaligned(as: UInt64.self),
          target: unsafe value.loadUnaligned(as: UInt64.self), isAdded: change == .inserted))
    }
    if !isKnown {
      result = EntityChanges(wholeOf: entity.uid)
      return true
    }
    if pairs.isEmpty { return false }
    let removed = Set(result.changes.filter { $0.kind == .removed }.map(\.id))
    let known = Set(result.changes.map(\.id))
    // Pairs that went with a removed object are not listed.
    pairs.removeAll { removed.contains($0.source) }
    let sources = Set(pairs.map(\.source)).subtracting(known).sorted()
    if !sources.isEmpty {
      result.changes += sources.map { ObjectChange(kind: .updated, id: $0) }
      result.changes.sort { $0.id < $1.id }
    }
    result.relations += pairs
    return true
  }

  /// Whether the pairs of a relation differ, or perhaps do.
  private func differs(_ relation: RelationSchema) -> Bool {
    var isDifferent = false
    let isKnown = compare(SpaceName.sources(of: relation.uid)) { _, _, _ in isDifferent = true }
    return !isKnown || isDifferent
  }

  /// Calls a function with the entries of a space that differ; returns whether they are known.
  private func compare(
    _ name: String,
    _ body: (EntryChange, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard let spaces else { return false }
    if !spaces.contains(ExactText(name)) { return true }
    let isKnown = try? unsafe newer.base.visitDifferences(
      ofSpace: name, since: older.base, maximumPages: maximumPages, body)
    return isKnown ?? false
  }
}

extension ObjectChange.Kind {
  fileprivate init(_ change: EntryChange) {
    self =
      switch change {
      case .inserted: .inserted
      case .removed: .removed
      case .updated: .updated
      }
  }
}
