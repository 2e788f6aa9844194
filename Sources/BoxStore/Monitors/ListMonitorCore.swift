internal import BoxEngine
internal import BoxModel
internal import BoxStorage
internal import Dispatch
internal import Synchronization

/// The worker of a list monitor: it follows the commits, and publishes the list after each.
final class ListMonitorCore<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The question that the list answers.
  struct Question: Sendable {
    var reader: ListReader
    var entities: [EntitySchema]
    var isDivided: Bool
    /// The name of the section with a value.
    var name: @Sendable (Value) throws -> String
  }

  /// The changes of commits.
  private struct Changed: Sendable {
    var ids: Set<UInt64> = []
    /// Whether other objects can have other places too.
    var isStale = false

    mutating func formUnion(_ other: Changed) {
      ids.formUnion(other.ids)
      isStale = isStale || other.isStale
    }
  }

  private struct State: Sendable {
    var question: Question
    var list: ListState
    /// The places of the objects in the list.
    var keys: [UInt64: ListKey] = [:]
    /// The changes that were not looked at yet.
    var pending = PendingCommits<Changed> { $0.formUnion($1) }
    /// Whether another question was asked, so that all objects have to be looked at.
    var isAskedAgain = false
    var isPaused = false
    /// Whether the list was read.
    var isRead = false
    var feed: CommitFeed?
  }

  let box: Box<E>
  let hub: MonitorHub<ListSnapshot<E>>
  private let state: Mutex<State>
  private let delivery = Delivery(DispatchQueue(label: "boxjoint.monitor"))

  /// Reads the list, and follows the commits from then on.
  init(_ box: Box<E>, _ question: Question) throws {
    self.box = box
    let empty = try Self.splitting { try ListState([], isDivided: question.isDivided) }
    state = Mutex(State(question: question, list: empty))
    hub = MonitorHub(ListSnapshot(list: empty))
    try observe(question.entities)
    let read = try Self.read(question, box)
    hub.publish(ListSnapshot(list: read.0), [:])
    state.withLock { state in
      (state.list, state.keys) = read
      state.isRead = true
    }
    schedule()
  }

  deinit { end() }

  private func observe(_ entities: [EntitySchema]) throws {
    let feed = try CommitFeed(
      box.storeCore, entities, .objects, for: "a ListMonitor",
      onClose: { [weak self] in self?.end() }
    ) { [weak self] in self?.recordChanges($0) }
    // Released after the lock.
    let ended = state.withLock { state in
      defer { state.feed = feed }
      return state.feed
    }
    ended?.cancel()
  }

  // MARK: - Following

  /// Records what a commit changed.
  private func recordChanges(_ commit: CommitChanges) {
    let own = box.core.schema.uid
    state.withLock { state in
      var changed = Changed()
      for changes in commit.entities {
        if changes.entity == own { changed.ids.formUnion(changes.changes.map(\.id)) }
        if changes.entity != own || changes.isWhole || !state.question.reader.isLocal {
          changed.isStale = true
        }
      }
      state.pending.append(commit.number, changed)
    }
    schedule()
  }

  private func schedule() {
    delivery.resume { [self] in
      state.withLock { $0.isRead && !$0.isPaused && ($0.isAskedAgain || !$0.pending.isEmpty) }
        && !hub.isOver
    } _: { [self] in
      update()
    }
  }

  /// Looks at what was changed, on the queue of the monitor.
  private func update() {
    do {
      state.withLock { $0.pending.beginReading() }
      try box.reading { transaction in
        let number = try transaction.number
        box.storeCore.engine.waitForObservers(through: number)
        let (question, changed) = state.withLock { state in
          defer { state.isAskedAgain = false }
          var changed = state.pending.consume(through: number) ?? Changed()
          // Many single looks cost more than one at all.
          let isMuch = changed.ids.count > max(1000, state.keys.count / 4)
          changed.isStale = changed.isStale || state.isAskedAgain || isMuch
          return (state.question, changed)
        }
        if changed.isStale {
          try replace(try Self.read(question, box), changed: changed.ids)
        } else {
          let found = try question.reader.entries(of: changed.ids, transaction)
          try change(changed.ids, found, question)
        }
      }
    } catch {
      fail(error)
    }
  }

  /// Reads the whole list.
  private static func read(
    _ question: Question, _ box: Box<E>
  ) throws -> (ListState, [UInt64: ListKey]) {
    let entries = try box.reading { try question.reader.entries($0) }
    var names: [Value: String] = [:]
    let named = try entries.map { entry -> (key: ListKey, section: String) in
      if let known = names[entry.section] { return (entry.key, known) }
      let name = try question.name(entry.section)
      names[entry.section] = name
      return (entry.key, name)
    }
    let list = try splitting { try ListState(named, isDivided: question.isDivided) }
    return (list, Dictionary(uniqueKeysWithValues: entries.map { ($0.key.id, $0.key) }))
  }

  /// Puts changed objects in their new places.
  private func change(
    _ ids: Set<UInt64>, _ found: [UInt64: ListEntry], _ question: Question
  ) throws {
    let named = try found.mapValues { ($0.key, try question.name($0.section)) }
    try publish { state in
      var changes: [UInt64: KeyChange] = [:]
      for id in ids {
        let change = KeyChange(old: state.keys[id], new: named[id]?.0)
        if change.old == nil && change.new == nil { continue }
        changes[id] = change
        if let old = change.old { state.list.remove(old) }
        state.keys[id] = change.new
      }
      for (key, name) in named.values.sorted(by: { $0.0 < $1.0 }) {
        try Self.splitting { try state.list.insert(key, section: name) }
      }
      return changes
    }
  }

  /// Replaces the list by one that was read; objects that have another place were changed too.
  private func replace(_ read: (ListState, [UInt64: ListKey]), changed: Set<UInt64>) throws {
    try publish { state in
      var changes: [UInt64: KeyChange] = [:]
      for (id, old) in state.keys where read.1[id] != old || changed.contains(id) {
        changes[id] = KeyChange(old: old, new: read.1[id])
      }
      for (id, new) in read.1 where state.keys[id] == nil { changes[id] = KeyChange(new: new) }
      (state.list, state.keys) = read
      return changes
    }
  }

  private func publish(_ change: (inout State) throws -> [UInt64: KeyChange]) throws {
    let (list, changes) = try state.withLock { state in
      let changes = try change(&state)
      return (state.list, changes)
    }
    if !changes.isEmpty { hub.publish(ListSnapshot(list: list), changes) }
  }

  private static func splitting<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as SectionRuns.Split {
      throw ObjectBoxError.illegalArgument(
        message: "the order of the query puts other objects between the objects of section "
          + "\"\(error.name)\"; give neighbours in the order the same section")
    }
  }

  private func fail(_ error: any Error) {
    // The end of the store is the end of the monitor, and not a failure.
    if box.storeCore.isClosed { end() } else { hub.fail(error) }
  }

  // MARK: - Controls

  /// Follows no commits until it is resumed.
  func setPaused(_ isPaused: Bool) {
    state.withLock { $0.isPaused = isPaused }
    schedule()
  }

  /// Reads the whole list again, as the answer to another question.
  ///
  /// - Throws: The error with which the monitor ended.
  func refetch(_ question: Question) throws {
    _ = try hub.latest()
    try observe(question.entities)
    state.withLock { state in
      state.question = question
      state.isAskedAgain = true
    }
    schedule()
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
