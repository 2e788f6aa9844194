internal import BoxModel

/// The changes that a write transaction records for observers.
struct RecordedChanges: Sendable {
  /// Consecutive notes of one kind about objects of one entity.
  ///
  /// A transaction that changes a million objects nearly always notes them in a few runs.
  private struct Run {
    var entity: Int32
    var kind: ObjectChange.Kind
    /// The number of notes before it.
    var start: Int
  }

  private struct Source: Hashable {
    var entity: Int
    var id: UInt64
  }

  /// Whether anything of the entity at a position was changed.
  private(set) var touched: [Bool]
  /// Whether the objects of the entity at a position are noted for observers.
  private let observed: [Bool]
  /// Whether the changes of all entities are noted, for the transaction itself.
  private var isLogging = false
  /// The ids of the noted objects, in the order of the notes.
  private var ids: [UInt64] = []
  private var runs: [Run] = []
  private var relations: [(entity: Int, change: RelationChange)] = []
  /// The place of the last note about each object whose relations were changed.
  private var linked: [Source: Int] = [:]
  /// The number of changes that were noted when the transaction last asked for all of them.
  private var mark = 0

  init(observed: [Bool]) {
    self.observed = observed
    touched = Array(repeating: false, count: observed.count)
  }

  @inline(__always)
  mutating func record(_ kind: ObjectChange.Kind, _ entity: Int, _ id: UInt64) {
    // Only the first write asks whether the array has another owner.
    if !touched[entity] { touched[entity] = true }
    if isObserved(entity) { note(kind, entity, id) }
  }

  @inline(__always)
  private mutating func note(_ kind: ObjectChange.Kind, _ entity: Int, _ id: UInt64) {
    let isSame = runs.last.map { $0.entity == entity && $0.kind == kind } ?? false
    if !isSame { runs.append(Run(entity: Int32(entity), kind: kind, start: ids.count)) }
    ids.append(id)
  }

  /// Records the change of a relation between two entities.
  mutating func record(_ change: RelationChange, from source: Int, to target: Int) {
    touched[source] = true
    touched[target] = true
    guard isObserved(source) else { return }
    if observed[source] { relations.append((source, change)) }
    let owner = Source(entity: source, id: change.source)
    // Who asked for changes from a mark on needs it after the mark too.
    if (linked[owner] ?? -1) < mark {
      linked[owner] = ids.count
      note(.updated, source, change.source)
    }
  }

  mutating func markTouched(_ entity: Int) { touched[entity] = true }

  /// The number of changes of objects that were noted.
  var end: Int { ids.count }

  /// Forgets the changes of objects that were noted after another number of them, and no changes of relations.
  mutating func forgetObjects(since end: Int) {
    ids.removeSubrange(end...)
    while let last = runs.last, last.start >= end { runs.removeLast() }
  }

  @inline(__always)
  func isObserved(_ entity: Int) -> Bool { isLogging || observed[entity] }

  /// The ids of the objects of an observed entity that were noted; they may repeat.
  ///
  /// - Complexity: O(*n*) in all that were noted.
  func ids(_ entity: Int) -> [UInt64] { runs(of: entity, after: 0).flatMap(\.ids) }

  /// Whether anything was changed.
  var isEmpty: Bool { !touched.contains(true) }

  /// Notes the objects of all entities from now on.
  ///
  /// Observers do not see these for other entities: earlier changes are missing.
  ///
  /// - Returns: The number of changes that are noted already.
  mutating func observeAll() -> Int {
    isLogging = true
    mark = ids.count
    return mark
  }

  /// The changes of the entity at a position, without the first ones of all entities.
  func changes(of entity: Int, after count: Int) -> [ObjectChange] {
    runs(of: entity, after: count).flatMap { run in
      run.ids.lazy.map { ObjectChange(kind: run.kind, id: $0) }
    }
  }

  /// The same as ids of objects that follow each other with one kind of change; the ids are not copied.
  ///
  /// - Complexity: O(*n*) in the runs of all entities.
  func runs(
    of entity: Int, after count: Int
  ) -> [(kind: ObjectChange.Kind, ids: ArraySlice<UInt64>)] {
    runs.indices.compactMap { index in
      let places = places(of: index)
      if runs[index].entity != entity || places.upperBound <= count { return nil }
      return (runs[index].kind, ids[max(places.lowerBound, count)..<places.upperBound])
    }
  }

  /// The places of the ids of a run.
  private func places(of run: Int) -> Range<Int> {
    runs[run].start..<(run + 1 < runs.endIndex ? runs[run + 1].start : ids.count)
  }

  /// The changes of each entity that was touched, in the order of the positions.
  ///
  /// - Complexity: O(*n*) in all changes and entities.
  func entities(_ uids: [UID]) -> [(position: Int, changes: EntityChanges)] {
    var byEntity = uids.map { EntityChanges(entity: $0, changes: []) }
    for (index, run) in runs.enumerated() where observed[Int(run.entity)] {
      byEntity[Int(run.entity)].changes += ids[places(of: index)].lazy.map {
        ObjectChange(kind: run.kind, id: $0)
      }
    }
    for (entity, change) in relations { byEntity[entity].relations.append(change) }
    for position in byEntity.indices { byEntity[position].isWhole = !observed[position] }
    return touched.indices.filter { touched[$0] }.map { ($0, byEntity[$0]) }
  }
}
