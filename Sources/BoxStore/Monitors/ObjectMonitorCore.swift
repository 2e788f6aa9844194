internal import BoxEngine
internal import BoxModel
internal import BoxStorage
internal import Dispatch
internal import Synchronization

/// The worker of an object monitor: it follows the commits, and publishes the object after each that
/// changed it.
final class ObjectMonitorCore<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  private struct State: Sendable {
    /// The relations that were changed and not published since.
    var pending = PendingCommits<Set<String>> { $0.formUnion($1) }
    /// Whether an update waits or runs; true until the object was first read.
    var isScheduled = true
    var observation: Observation?
    var closing: ClosingNotice?
  }

  let box: Box<E>
  let hub: MonitorHub<ObjectSnapshot>
  private let id: Id
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "boxjoint.monitor")

  init(_ box: Box<E>, _ id: Id) throws {
    self.box = box
    self.id = id
    hub = MonitorHub(ObjectSnapshot(object: nil))
    let observation = try ObjectBoxError.wrapping {
      try box.storeCore.engine.observe([box.core.schema]) { [weak self] in self?.note($0) }
    }
    let closing = box.storeCore.whenClosed { [weak self] in self?.end() }
    state.withLock { ($0.observation, $0.closing) = (observation, closing) }
    let entity = box.core.schema
    let object = try box.reading { id == 0 ? nil : try $0.get(entity, id) }
    hub.publish(ObjectSnapshot(object: object), [])
    state.withLock { $0.isScheduled = false }
    schedule()
  }

  deinit { end() }

  // MARK: - Following

  private func note(_ commit: CommitChanges) {
    let relations = box.core.schema.relations
    state.withLock { state in
      for changes in commit.entities {
        // A transaction that was running when the observer was added does not list its changes.
        let isListed = !changes.changes.isEmpty
        if isListed, !changes.changes.contains(where: { $0.id == id }) { continue }
        let names = changes.relations.filter { $0.source == id }.compactMap { change in
          relations.first { $0.uid == change.relation }?.name
        }
        state.pending.note(commit.number, Set(names))
      }
    }
    schedule()
  }

  private func schedule() {
    let begins = state.withLock { state in
      guard !state.pending.isEmpty, !state.isScheduled, !hub.isOver else { return false }
      state.isScheduled = true
      return true
    }
    if begins { queue.async { [self] in update() } }
  }

  private func update() {
    do {
      state.withLock { $0.pending.beginReading() }
      let (object, names) = try box.reading { transaction in
        let number = try transaction.number
        box.storeCore.engine.waitForObservers(through: number)
        let names = state.withLock { $0.pending.take(through: number) ?? [] }
        return (try transaction.get(box.core.schema, id), names)
      }
      hub.publish(ObjectSnapshot(object: object), names)
    } catch {
      // The end of the store is the end of the monitor, and not a failure.
      if box.storeCore.isClosed { end() } else { hub.fail(error) }
    }
    state.withLock { $0.isScheduled = false }
    schedule()
  }

  /// Ends the monitor and all subscriptions.
  func end() {
    let (observation, closing) = state.withLock { state in
      defer { (state.observation, state.closing) = (nil, nil) }
      return (state.observation, state.closing)
    }
    observation?.cancel()
    closing?.cancel()
    hub.end()
  }
}
