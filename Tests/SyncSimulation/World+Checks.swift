import BoxModel
import TestSupport

@testable import BoxSync

extension World {
  /// Compares what a client shows with the oracle (P3).
  func check(_ index: Int) throws {
    let client = clients[index]
    let status = client.machine.status
    let isFullSync = client.machine.events.contains(.fullSync)
    if status.position < client.position, !isFullSync {
      throw Violation("\(client.name) went back from \(client.position) to \(status.position)")
    }
    clients[index].position = status.position
    clients[index].machine.events = []
    let objects = client.objects()
    var shown: [Ghost: OracleObject] = [:]
    for (key, state) in objects {
      guard let ghost = SimulatedClient.ghost(key.entity, state.fields) else {
        throw Violation("\(client.name) shows an object without a ghost")
      }
      if let known = client.ghosts[key], known != ghost {
        throw Violation("\(client.name) shows an object of another copy: \(ghost), not \(known)")
      }
      clients[index].ghosts[key] = ghost
      if shown[ghost] != nil { throw Violation("\(client.name) shows \(ghost) twice") }
      shown[ghost] = OracleObject(life: state.life)
    }
    let current = clients[index]
    for (key, state) in objects {
      for field in state.fields.list {
        shown[current.ghost(key)]?.fields[field.property] = current.rawValue(
          key.entity, field.property, field.value, self)
      }
    }
    let state: OracleState
    if status.chain == 0 {
      state = OracleState()
    } else {
      guard let known = states[status.chain] else {
        throw Violation("\(client.name) is at a chain that no log has")
      }
      state = known
      if state.position != status.position {
        throw Violation("\(client.name) has a wrong position")
      }
    }
    let expected = state.shown(to: view(of: current), pending: current.pending())
    let unsure = trimmed(state, current)
    try compare(client, shown, expected, unsure)
    var pairs: Set<RawPair> = []
    for (pair, record) in client.machine.view.base.allPairs where record.isVisible {
      guard let relation = Schema.full.relations[pair.relation] else { continue }
      pairs.insert(
        RawPair(
          relation: pair.relation,
          source: current.ghost(LocalKey(entity: relation.source, id: pair.source)),
          target: current.ghost(LocalKey(entity: relation.target, id: pair.target))))
    }
    let difference = pairs.symmetricDifference(expected.pairs).filter {
      !unsure.contains($0.source) && !unsure.contains($0.target)
    }
    if let pair = difference.first {
      throw Violation(
        "\(client.name) \(pairs.contains(pair) ? "shows" : "lacks") \(pair) at \(status.position)")
    }
  }

  /// The elements and filters for which the base of a client is valid.
  private func view(of client: SimulatedClient) -> OracleView {
    let status = client.machine.status
    var view = access.view(client.model, client.machine.variables)
    let model = [Schema.old, Schema.full].first { SyncModelCoding.digest($0) == status.baseModel }
    view.model = model ?? SyncModel([])
    if status.outbox.contains(where: { _ in true }) || model == nil {
      view.model = model ?? client.model
    }
    let views = status.views
    let seen = access
    view.sees = { entity, fields in
      guard seen.isFiltered, entity != Schema.ranked, let digest = views[entity],
        case .value(.integer(let team))? = fields[entity + Schema.team]
      else { return true }
      return digest & 1 << UInt64(team + 1) != 0
    }
    return view
  }

  /// Objects whose tombstone the server forgot while a client has an insert of them: it may know the life.
  private func trimmed(_ state: OracleState, _ client: SimulatedClient) -> Set<Ghost> {
    let pending = Set(client.pending().flatMap(\.operations).map(\.object))
    return Set(state.objects.filter { $0.value.trimmed > 0 && pending.contains($0.key) }.keys)
  }

  private func compare(
    _ client: SimulatedClient, _ shown: [Ghost: OracleObject], _ expected: OracleState,
    _ unsure: Set<Ghost>
  ) throws {
    let place = "at \(client.machine.status.position)"
    for (ghost, object) in expected.objects.sorted(by: { $0.key < $1.key })
    where !unsure.contains(ghost) {
      guard let real = shown[ghost] else {
        let records = client.ghosts.filter { $0.value == ghost }.keys.map { key in
          "\(key.id) \(client.machine.view.base.record(key))"
        }
        throw Violation("\(client.name) lacks \(ghost) \(place): \(object); \(records)")
      }
      if real.life != object.life {
        throw Violation(
          "\(client.name) has life \(real.life) of \(ghost), not \(object.life) \(place)")
      }
      for property in Set(real.fields.keys).union(object.fields.keys) {
        let (a, b) = (real.fields[property], object.fields[property])
        if a == b || a == .unknown || b == .unknown { continue }
        throw Violation(
          "\(client.name) has \(String(describing: a)) in \(property) of \(ghost), not \(String(describing: b)) \(place)"
        )
      }
    }
    for ghost in shown.keys.sorted()
    where expected.objects[ghost] == nil && !unsure.contains(ghost) {
      throw Violation("\(client.name) shows \(ghost) \(place), which is not there")
    }
  }

  /// Compares the server with the oracle.
  func compareServer(_ state: OracleState) throws {
    var real: [Ghost: GlobalKey] = [:]
    for (key, object) in backend.space.objects where object.isAlive {
      guard let ghost = ghosts[key] else { throw Violation("an object of the server has no ghost") }
      if real.updateValue(key, forKey: ghost) != nil {
        throw Violation("the server has \(ghost) twice")
      }
      guard let expected = state.objects[ghost], expected.isAlive else {
        throw Violation("the server has \(ghost), which is not there")
      }
      if expected.life != object.life { throw Violation("the server has another life of \(ghost)") }
      for property in Set(object.fields.list.map(\.property)).union(expected.fields.keys) {
        let entity = Schema.full.entities[key.entity]
        let value: RawValue? = object.fields[property].map { value in
          switch value {
          case .value(let value): .value(value)
          case .reference(let id):
            ghosts[
              GlobalKey(entity: entity?.property(property)?.target ?? 0, id: id)
            ].map { .reference($0) } ?? .unknown
          }
        }
        if value != expected.fields[property], value != .unknown,
          expected.fields[property] != .unknown
        {
          throw Violation(
            "the server has \(String(describing: value)) in \(property) of \(ghost), not \(String(describing: expected.fields[property]))"
          )
        }
      }
    }
    for (ghost, object) in state.objects where object.isAlive && real[ghost] == nil {
      throw Violation("the server lacks \(ghost)")
    }
    var pairs: Set<RawPair> = []
    for pair in backend.space.pairs.values.joined() {
      guard let relation = Schema.full.relations[pair.relation],
        let source = ghosts[GlobalKey(entity: relation.source, id: pair.source)],
        let target = ghosts[GlobalKey(entity: relation.target, id: pair.target)]
      else { throw Violation("the server has a pair of unknown objects") }
      pairs.insert(RawPair(relation: pair.relation, source: source, target: target))
    }
    if pairs != state.pairs { throw Violation("the server has other pairs") }
  }

  /// Checks that everything came to rest, and that each transaction had its fate.
  func checkEnd(rounds: Int) throws {
    let final = states[backend.space.space.chain] ?? OracleState()
    var readable: Set<UInt64> = []
    for (index, client) in clients.enumerated() {
      try check(index)
      readable.formUnion(client.machine.status.rejections.map(\.transaction.mark))
      let base = client.machine.view.base
      if !base.parked.isEmpty { throw Violation("\(client.name) has parked objects at the end") }
      for entity in client.model.entities.keys {
        for key in base.objects(of: entity) where base.record(key).shadow != nil {
          throw Violation("\(client.name) has a shadow at the end")
        }
      }
    }
    for mark in transactions.keys.sorted() {
      if final.applied.contains(mark) || readable.contains(mark) { continue }
      if lost.contains(mark) || abandoned.contains(mark) { continue }
      throw Violation("a transaction is neither applied nor readable")
    }
  }
}
