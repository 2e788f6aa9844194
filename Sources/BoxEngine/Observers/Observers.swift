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
