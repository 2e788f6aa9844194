internal import BoxModel
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Keeps an observer active until it is cancelled or released.
public final class Observation: Sendable {
  private let cancelled = Atomic<Bool>(false)
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { cancel() }

  /// Ends the observation; a notification that is under way is still delivered.
  public func cancel() {
    if !cancelled.exchange(true, ordering: .relaxed) { end() }
  }
}

/// The observers of a store, and the queue on which they are called in the order of the commits.
final class Observers: Sendable {
  typealias Handler = @Sendable (CommitChanges) -> Void

  private struct Observer: Sendable {
    /// The positions of the entities.
    var entities: Set<Int>
    var detail: ObservationDetail
    var handler: Handler
  }

  private struct State: Sendable {
    var observers: [Int: Observer] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "boxjoint.observers")
  /// The number of the last commit whose calls wait or were made.
  private let lastNumber = Atomic<UInt64>(0)

  func add(
    _ entities: Set<Int>, _ detail: ObservationDetail, _ handler: @escaping Handler
  ) -> Observation {
    let number = state.withLock { state in
      state.next += 1
      state.observers[state.next] = Observer(
        entities: entities, detail: detail, handler: handler)
      return state.next
    }
    return Observation { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }

  /// The positions of the entities that are observed.
  var entities: Set<Int> {
    state.withLock { $0.observers.values.reduce(into: []) { $0.formUnion($1.entities) } }
  }

  /// The entities whose objects are observed: a Bool for each position.
  func observedEntities(count: Int) -> [Bool] {
    state.withLock { state in
      var observed = Array(repeating: false, count: count)
      for observer in state.observers.values where observer.detail == .objects {
        for entity in observer.entities { observed[entity] = true }
      }
      return observed
    }
  }

  /// Delivers the changes of a committed transaction, one call for each observer.
  ///
  /// An observer that was added while the transaction ran gets at least the entities: it may have read the
  /// state before.
  func deliver(_ changes: RecordedChanges, number: UInt64, uids: [UID]) {
    defer { lastNumber.store(number, ordering: .releasing) }
    if !changes.touched.contains(true) || state.withLock({ $0.observers.isEmpty }) { return }
    deliver(number: number, .here) { changes.entities(uids) }
  }

  /// Delivers the changes of commits that were made elsewhere.
  func deliver(_ changes: [(position: Int, changes: EntityChanges)], number: UInt64) {
    lastNumber.store(number, ordering: .releasing)
    if !changes.isEmpty { deliver(number: number, .elsewhere) { changes } }
  }

  private func deliver(
    number: UInt64, _ origin: CommitOrigin,
    _ changes: @escaping @Sendable () -> [(position: Int, changes: EntityChanges)]
  ) {
    queue.async { [self] in
      let all = changes()
      let observers = state.withLock { state in
        state.observers.sorted { $0.key < $1.key }.map(\.value)
      }
      for observer in observers {
        var entities: [EntityChanges] = []
        for (position, changes) in all where observer.entities.contains(position) {
          entities.append(
            observer.detail == .objects
              ? changes : EntityChanges(entity: changes.entity, changes: []))
        }
        if entities.isEmpty { continue }
        observer.handler(CommitChanges(number: number, origin: origin, entities: entities))
      }
    }
  }

  /// Calls a function after the pending calls of observers.
  func later(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  /// Waits until everything that was committed before is delivered.
  func drain() { queue.sync {} }

  /// Waits until the commits up to a number are delivered; not to be called by an observer.
  ///
  /// A reader can see a commit before its calls wait in the queue. A commit of another process that is not heard
  /// makes no calls, so the wait for them is short.
  func drain(through number: UInt64) {
    for _ in 0..<100 where lastNumber.load(ordering: .acquiring) < number { sched_yield() }
    drain()
  }
}

/// The changes that a write transaction records for observers.
struct RecordedChanges: Sendable {
  private struct Object {
    var entity: Int
    var kind: ObjectChange.Kind
    var id: UInt64
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
  private var objects: [Object] = []
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
    if isObserved(entity) { objects.append(Object(entity: entity, kind: kind, id: id)) }
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
      linked[owner] = objects.count
      objects.append(Object(entity: source, kind: .updated, id: change.source))
    }
  }

  mutating func markTouched(_ entity: Int) { touched[entity] = true }

  /// The number of changes of objects that were noted.
  var end: Int { objects.count }

  /// Forgets the changes of objects that were noted after another number of them, and no changes of relations.
  mutating func forgetObjects(since end: Int) { objects.removeSubrange(end...) }

  @inline(__always)
  func isObserved(_ entity: Int) -> Bool { isLogging || observed[entity] }

  /// The ids of the objects of an observed entity that were noted; they may repeat.
  ///
  /// - Complexity: O(*n*) in all that were noted.
  func ids(_ entity: Int) -> [UInt64] { objects.filter { $0.entity == entity }.map(\.id) }

  /// Whether anything was changed.
  var isEmpty: Bool { !touched.contains(true) }

  /// Notes the objects of all entities from now on.
  ///
  /// Observers do not see these for other entities: earlier changes are missing.
  ///
  /// - Returns: The number of changes that are noted already.
  mutating func observeAll() -> Int {
    isLogging = true
    mark = objects.count
    return mark
  }

  /// The changes of the entity at a position, without the first ones of all entities.
  func changes(of entity: Int, after count: Int) -> [ObjectChange] {
    var changes: [ObjectChange] = []
    changes.reserveCapacity(max(0, objects.count - count))
    for object in objects.dropFirst(count) where object.entity == entity {
      changes.append(ObjectChange(kind: object.kind, id: object.id))
    }
    return changes
  }

  /// The changes of each entity that was touched, in the order of the positions.
  func entities(_ uids: [UID]) -> [(position: Int, changes: EntityChanges)] {
    var byEntity = uids.map { EntityChanges(entity: $0, changes: []) }
    for object in objects where observed[object.entity] {
      byEntity[object.entity].changes.append(ObjectChange(kind: object.kind, id: object.id))
    }
    for (entity, change) in relations { byEntity[entity].relations.append(change) }
    for position in byEntity.indices { byEntity[position].isWhole = !observed[position] }
    return touched.indices.filter { touched[$0] }.map { ($0, byEntity[$0]) }
  }
}
