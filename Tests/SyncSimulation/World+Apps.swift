import BoxModel
import TestSupport

@testable import BoxSync

extension World {
  /// Has the app of a client commit a transaction of a few changes.
  func commit(_ index: Int) throws {
    var client = clients[index]
    var changes: [LocalChange] = []
    // An app sees objects that its own transaction inserted.
    var inserted: [LocalKey] = []
    let base = client.machine.view.base
    try base.inspecting {
      for _ in 0..<(1 + random.below(3)) {
        if let change = change(&client, &inserted) { changes.append(change) }
      }
      for (key, _) in client.objects() where client.ghosts[key] == nil {
        client.ghosts[key] = client.ghost(key)
      }
    }
    clients[index] = client
    do {
      try Base.commit(&clients[index].machine, changes, now: time(of: index))
    } catch {
      log("\(client.name) cannot commit: \(error)")
      return try check(index)
    }
    // The client may hear of it later.
    if Base.isStored, random.oneIn(3) { return }
    let known = clients[index].taken.count
    perform(index) { _ in }
    if clients[index].taken.count == known { return }
    try check(index)
    flush(index)
  }

  /// Notes what the machine of a client has taken into its outbox, as the app made it.
  func take(_ index: Int) {
    let (status, base) = (clients[index].machine.status, clients[index].machine.view.base)
    for transaction in status.outbox + status.rejections.map(\.transaction)
    where transaction.void == nil && clients[index].taken.insert(transaction.mark).inserted {
      let operations = try? base.inspecting {
        transaction.operations.map { clients[index].raw($0, self) }
      }
      let raw = RawTransaction(mark: transaction.mark, operations: operations ?? [])
      clients[index].raw[transaction.mark] = raw
      transactions[transaction.mark] = raw
      log(
        "\(clients[index].name) commits (\(shortened(transaction.number)), \(transaction.n)) \(raw)"
      )
    }
  }

  private func change(
    _ client: inout SimulatedClient<Base>, _ inserted: inout [LocalKey]
  ) -> LocalChange? {
    let objects = client.objects()
    let entity = random.pick(client.model.entities.keys.sorted())
    let candidates = objects.map(\.key) + inserted
    if candidates.isEmpty || random.oneIn(4) {
      return insert(&client, entity, objects.map(\.key), &inserted)
    }
    let key = random.pick(candidates)
    switch random.below(8) {
    case 0: return .remove(key)
    case 1, 2:
      let relation = random.pick(client.model.relations.values.sorted { $0.uid < $1.uid })
      let sources = candidates.filter { $0.entity == relation.source }
      let targets = candidates.filter { $0.entity == relation.target }
      if sources.isEmpty || targets.isEmpty { return nil }
      let pair = LocalPair(
        relation: relation.uid, source: random.pick(sources).id, target: random.pick(targets).id)
      return random.oneIn(3) ? .unlink(pair) : .link(pair)
    default:
      // An object that this transaction removed is made again.
      var fields = values(client, key.entity, candidates, isWhole: false)
      fields[key.entity + Schema.ghost] = .value(.integer(client.ghost(key).value))
      return .put(key, fields)
    }
  }

  private func insert(
    _ client: inout SimulatedClient<Base>, _ entity: UID, _ objects: [LocalKey],
    _ inserted: inout [LocalKey]
  ) -> LocalChange {
    var key: LocalKey
    // Sometimes an object is made again under the id that it had.
    let removed = client.ghosts.keys.filter {
      $0.entity == entity && !client.machine.view.base.record($0).isInStore
        && !client.machine.view.base.record($0).isParked
        && client.machine.view.base.record($0).visible.life % 2 == 0
        && client.machine.view.base.record($0).visible.life > 0
    }.sorted { $0.id < $1.id }
    if !removed.isEmpty, random.oneIn(3) {
      key = random.pick(removed)
    } else if entity == Schema.shared {
      key = LocalKey(entity: entity, id: UInt64(1 + random.below(4)))
    } else {
      key = LocalKey(entity: entity, id: client.machine.reserveID(entity))
      // Ids of transactions that were undone are not used again.
      if random.oneIn(8) { key.id = client.machine.reserveID(entity) }
    }
    if client.ghosts[key] == nil {
      let value = entity == Schema.shared ? Int64(key.id) : nextGhost
      nextGhost += 1
      client.ghosts[key] = Ghost(entity: entity, value: value)
    }
    inserted.append(key)
    var fields = values(client, entity, objects, isWhole: true)
    fields[entity + Schema.ghost] = .value(.integer(client.ghost(key).value))
    return .put(key, fields)
  }

  private func values(
    _ client: SimulatedClient<Base>, _ entity: UID, _ objects: [LocalKey], isWhole: Bool
  ) -> Fields<UInt64> {
    var fields = Fields<UInt64>()
    for property in client.model.entities[entity]?.properties ?? [] {
      if property.uid == entity + Schema.ghost || property.uid == 23 { continue }
      if !isWhole, !random.oneIn(3) { continue }
      if let target = property.target {
        let targets = objects.filter { $0.entity == target }
        fields[property.uid] =
          targets.isEmpty || random.oneIn(4) ? .null : .reference(random.pick(targets).id)
      } else if property.uid == entity + Schema.team {
        fields[property.uid] = .value(.integer(random.pick([0, 0, 1, 2, 3])))
      } else if property.unique != .none {
        fields[property.uid] =
          random.oneIn(3) ? .null : .value(.string("u\(random.below(4))"))
      } else {
        fields[property.uid] = random.oneIn(6) ? .null : .value(.integer(Int64(random.below(9))))
      }
    }
    return fields
  }

  /// Copies the store of a client; both go on.
  func copy() {
    guard clients.count < plan.clients + plan.copies else { return }
    let index = random.below(clients.count)
    var copy = clients[index].duplicate()
    (copy.name, copy.connection, copy.numbering) = ("c\(clients.count)", nil, nil)
    (copy.endsInArrival, copy.failsInArrival) = (false, false)
    copy.machine.end()
    clients.append(copy)
    drawMarks(clients.count - 1)
    log("\(clients[index].name) is copied: c\(clients.count - 1)")
  }

  /// Makes a backup of the store of a client, or sets the store back to the one that there is.
  func restoreClient(_ index: Int) throws {
    guard let backup = clientBackups[index], random.oneIn(2) else {
      clientBackups[index] = clients[index].duplicate()
      return log("\(clients[index].name) has a backup")
    }
    cut(index)
    perform(index) { _ in }
    // What the replaced store alone had can be neither applied nor read from now on.
    let status = clients[index].machine.status
    abandoned.formUnion(status.outbox.map(\.mark) + status.rejections.map(\.transaction.mark))
    log("\(clients[index].name) is set back")
    clients[index] = backup.duplicate()
    clients[index].machine.end()
    clients[index].connection = nil
    drawMarks(index)
    try check(index)
  }
}
