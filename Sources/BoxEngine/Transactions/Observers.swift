public import BoxModel
internal import Dispatch
internal import Synchronization

/// A change of an object in a committed transaction.
public struct ObjectChange: Hashable, Sendable {
  /// The kind of a change.
  public enum Kind: Hashable, Sendable {
    case inserted, updated, removed
  }

  /// The kind of the change.
  public var kind: Kind
  /// Its id.
  public var id: UInt64
}

/// The changes of one entity in one committed transaction.
public struct EntityChanges: Hashable, Sendable {
  /// The UID of the entity.
  public var entity: UID
  /// The changes in the order in which they were made; an object can occur more than once.
  public var changes: [ObjectChange]
}

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
  typealias Handler = @Sendable (EntityChanges) -> Void

  private struct Observer: Sendable {
    var entity: Int
    var handler: Handler
  }

  private struct State: Sendable {
    var observers: [Int: Observer] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "boxjoint.observers")

  func add(_ entity: Int, _ handler: @escaping Handler) -> Observation {
    let number = state.withLock { state in
      state.next += 1
      state.observers[state.next] = Observer(entity: entity, handler: handler)
      return state.next
    }
    return Observation { [weak self] in self?.remove(number) }
  }

  private func remove(_ number: Int) {
    _ = state.withLock { $0.observers.removeValue(forKey: number) }
  }

  /// The entities that have an observer: a Bool for each position.
  func observedEntities(count: Int) -> [Bool] {
    state.withLock { state in
      var observed = Array(repeating: false, count: count)
      for observer in state.observers.values { observed[observer.entity] = true }
      return observed
    }
  }

  /// Delivers the changes of a committed transaction, entity by entity.
  func deliver(_ changes: [PendingWrites.Change], uids: [UID]) {
    if changes.isEmpty { return }
    var byEntity: [Int: [ObjectChange]] = [:]
    var order: [Int] = []
    for change in changes {
      if byEntity[change.entity] == nil { order.append(change.entity) }
      byEntity[change.entity, default: []].append(
        ObjectChange(kind: change.kind, id: change.id))
    }
    let batches = order.map { ($0, EntityChanges(entity: uids[$0], changes: byEntity[$0] ?? [])) }
    queue.async { [self] in
      for (entity, changes) in batches {
        let handlers = state.withLock { state in
          state.observers.sorted { $0.key < $1.key }.map(\.value)
            .filter { $0.entity == entity }.map(\.handler)
        }
        for handler in handlers { handler(changes) }
      }
    }
  }

  /// Waits until everything that was committed before is delivered.
  func drain() { queue.sync {} }
}
