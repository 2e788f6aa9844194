extension SyncClientMachine {
  /// Keeps entries until the snapshot is complete.
  mutating func collect(_ entries: SessionEntries) {
    guard var snapshot, entries.from == snapshot.position else { return end() }
    snapshot.entries += entries.list
    (snapshot.position, snapshot.chain) = (entries.to, entries.chain)
    self.snapshot = snapshot
    finishSnapshot()
  }

  /// Applies a snapshot once its pages and all entries up to its end are here.
  mutating func finishSnapshot() {
    guard let snapshot, let last = snapshot.end, snapshot.position >= last else { return }
    // A page may have objects of another copy: all forks come first.
    guard place(snapshot.entries), !mustLogInAgain else { return end() }
    self.snapshot = nil
    let isFull = snapshot.scope == nil
    if !PlantedFault.omits(.clearingBySnapshots) {
      clear(snapshot.scope ?? Set(view.model.entities.keys))
    }
    while isFull, PlantedFault.omits(.outboxInFullSync), !status.outbox.isEmpty {
      _ = view.dequeue(at: 0)
    }
    for page in snapshot.pages { apply(page) }
    if isFull { settle(by: snapshot.rows) }
    for entry in snapshot.entries where !PlantedFault.omits(.entriesOfSnapshots) {
      apply(entry, in: snapshot)
    }
    (status.position, status.chain) = (snapshot.position, snapshot.chain)
    (status.views, status.baseModel) = (snapshot.views, snapshot.model)
    putUnplacedAside()
    if isFull { events.append(.fullSync) }
  }

  /// Empties the base of entities.
  private mutating func clear(_ scope: Set<UID>) {
    for entity in scope {
      for key in view.base.objects(of: entity) {
        view.removePairs(of: key, onlyOwn: true)
        view.setBase(key, ObjectState())
      }
    }
  }

  /// Settles what a full snapshot has already, and takes back what it lost.
  private mutating func settle(by rows: [Welcome.Row]) {
    for row in rows {
      for fate in row.fates {
        if let index = pending(row.number, fate.n, fate.mark) {
          settle(at: index, fate.code, place: 0)
        }
      }
    }
    let lost = status.kept.filter { kept in
      rows.contains { $0.number == kept.number && $0.last < kept.n }
    }
    if lost.isEmpty || PlantedFault.omits(.sendingAgain) { return }
    status.kept.removeAll { lost.contains($0) }
    for (index, transaction) in lost.enumerated() { view.enqueue(transaction, at: index) }
  }

  private mutating func apply(_ entry: SessionEntry, in snapshot: Snapshot) {
    guard let scope = snapshot.scope, entry.position <= snapshot.start else { return apply(entry) }
    // The pages have what these entries did to the entities in the scope.
    var entry = entry
    var removed: [Effect<GlobalID>] = []
    entry.effects = (entry.effects ?? []).filter { effect in
      switch effect {
      case .put(let key, _, _, _), .pairs(let key, _), .forget(let key, _):
        return !scope.contains(key.entity)
      case .remove(let key, _):
        if scope.contains(key.entity) { removed.append(effect) }
        return !scope.contains(key.entity)
      case .link(let pair), .unlink(let pair):
        return !scope.contains(view.model.relations[pair.relation]?.source ?? 0)
      }
    }
    apply(entry)
    for effect in removed {
      guard case .remove(let key, _)? = localEffect(effect) else { continue }
      for pair in view.base.pairs(of: key) where view.base.pairRecord(pair).isInBase {
        if let source = view.model.relations[pair.relation]?.source, !scope.contains(source) {
          view.setBase(pair, isLinked: false)
        }
      }
    }
  }
}
