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
    /// Whether the object was read.
    var isRead = false
    var feed: CommitFeed?
  }

  let box: Box<E>
  let hub: MonitorHub<ObjectSnapshot>
  private let id: Id
  private let state = Mutex(State())
  private let delivery = Delivery(DispatchQueue(label: "boxjoint.monitor"))

  init(_ box: Box<E>, _ id: Id) throws {
    self.box = box
    self.id = id
    hub = MonitorHub(ObjectSnapshot(object: nil))
    let entity = box.core.schema
    let feed = try CommitFeed(
      box.storeCore, [entity], .objects, for: "an ObjectMonitor",
      onClose: { [weak self] in self?.end() }
    ) { [weak self] in self?.recordChanges($0) }
    state.withLock { $0.feed = feed }
    let object = try box.reading { id == 0 ? nil : try $0.get(entity, id) }
    hub.publish(ObjectSnapshot(object: object), [])
    state.withLock { $0.isRead = true }
    schedule()
  }

  deinit { end() }

  // MARK: - Following

  private func recordChanges(_ commit: CommitChanges) {
    let relations = box.core.schema.relations
    state.withLock { state in
      for changes in commit.entities {
        if !changes.isWhole, !changes.changes.contains(where: { $0.id == id }) { continue }
        let names = changes.relations.filter { $0.source == id }.compactMap { change in
          relations.first { $0.uid == change.relation }?.name
        }
        state.pending.append(commit.number, Set(names))
      }
    }
    schedule()
  }

  private func schedule() {
    delivery.resume { [self] in
      state.withLock { $0.isRead && !$0.pending.isEmpty } && !hub.isOver
    } _: { [self] in
      update()
    }
  }

  private func update() {
    do {
      state.withLock { $0.pending.beginReading() }
      let (object, names) = try box.reading { transaction in
        let number = try transaction.number
        box.storeCore.engine.waitForObservers(through: number)
        let names = state.withLock { $0.pending.consume(through: number) ?? [] }
        return (try transaction.get(box.core.schema, id), names)
      }
      hub.publish(ObjectSnapshot(object: object), names)
    } catch {
      // The end of the store is the end of the monitor, and not a failure.
      if box.storeCore.isClosed { end() } else { hub.fail(error) }
    }
  }

  /// Ends the monitor and all subscriptions.
  func end() {
    // Released after the lock.
    let feed = state.withLock { state in
      defer { state.feed = nil }
      return state.feed
    }
    feed?.cancel()
    hub.end()
  }
}
