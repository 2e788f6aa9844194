import BoxModel
import TestSupport

@testable import BoxSync

extension World {
  /// Compares what a client shows with the oracle (P3).
  func check(_ index: Int) throws {
    perform(index) { _ in }
    if let failure { throw failure }
    let base = clients[index].machine.view.base
    try base.inspecting { try compare(index) }
  }

  private func compare(_ index: Int) throws {
    let client = clients[index]
    let status = client.machine.status
    let isFullSync = client.machine.events.contains(.fullSync)
    if status.position < client.position, !isFullSync {
      throw Violation("\(client.name) went back from \(client.position) to \(status.position)")
    }
    clients[index].position = status.position
    clients[index].machine.events = []
    let objects = client.objects()
    if isTracing {
      for (key, state) in objects {
        log(
          "\(client.name) shows \(key.entity) \(key.id) \(String(describing: client.machine.view.base.globalID(key))) \(state)"
        )
      }
    }
    var shown: [Ghost: OracleObject] = [:]
    for (key, state) in objects {
      guard let ghost = SimulatedClient<Base>.ghost(key.entity, state.fields) else {
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
    for pair in client.machine.view.base.visiblePairs() {
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
    if Base.isStored { try compareBase(current, state) }
  }

  /// Compares what a store keeps of the server with the log: with what the store shows, this is the law of capture.
  private func compareBase(_ client: SimulatedClient<Base>, _ state: OracleState) throws {
    let base = client.machine.view.base
    let expected = state.shown(to: view(of: client), pending: [])
    let unsure = trimmed(state, client)
    var kept: [Ghost: OracleObject] = [:]
    var (ghosts, pairs): ([LocalKey: Ghost], Set<LocalPair>) = ([:], [])
    for entity in client.model.entities.keys {
      for key in base.objects(of: entity) {
        pairs.formUnion(base.pairs(of: key))
        let version = base.record(key).base
        guard version.isAlive, let ghost = SimulatedClient<Base>.ghost(entity, version.fields)
        else {
          continue
        }
        ghosts[key] = ghost
        var object = OracleObject(life: version.life)
        for field in version.fields.list {
          object.fields[field.property] = client.rawValue(
            entity, field.property, field.value, self)
        }
        kept[ghost] = object
      }
    }
    try compare(client, kept, expected, unsure, name: "\(client.name)'s base")
    let known: [RawPair] = pairs.filter { base.pairRecord($0).isInBase }.compactMap { pair in
      guard let relation = Schema.full.relations[pair.relation],
        let source = ghosts[LocalKey(entity: relation.source, id: pair.source)],
        let target = ghosts[LocalKey(entity: relation.target, id: pair.target)]
      else { return nil }
      return RawPair(relation: pair.relation, source: source, target: target)
    }
    let difference = Set(known).symmetricDifference(expected.pairs).first {
      !unsure.contains($0.source) && !unsure.contains($0.target)
    }
    if let difference { throw Violation("\(client.name)'s base differs in \(difference)") }
  }

  /// The elements and filters for which the base of a client is valid.
  private func view(of client: SimulatedClient<Base>) -> OracleView {
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
  private func trimmed(_ state: OracleState, _ client: SimulatedClient<Base>) -> Set<Ghost> {
    let pending = Set(client.pending().flatMap(\.operations).map(\.object))
    return Set(state.objects.filter { $0.value.trimmed > 0 && pending.contains($0.key) }.keys)
  }

  private func compare(
    _ client: SimulatedClient<Base>, _ shown: [Ghost: OracleObject], _ expected: OracleState,
    _ unsure: Set<Ghost>, name: String? = nil
  ) throws {
    let name = name ?? client.name
    let place = "at \(client.machine.status.position)"
    for (ghost, object) in expected.objects.sorted(by: { $0.key < $1.key })
    where !unsure.contains(ghost) {
      guard let real = shown[ghost] else {
        let records = client.ghosts.filter { $0.value == ghost }.keys.map { key in
          "\(key.id) \(client.machine.view.base.record(key))"
        }
        throw Violation("\(name) lacks \(ghost) \(place): \(object); \(records)")
      }
      if real.life != object.life {
        throw Violation(
          "\(name) has life \(real.life) of \(ghost), not \(object.life) \(place)")
      }
      for property in Set(real.fields.keys).union(object.fields.keys) {
        let (a, b) = (real.fields[property], object.fields[property])
        if a == b || a == .unknown || b == .unknown { continue }
        throw Violation(
          "\(name) has \(String(describing: a)) in \(property) of \(ghost), not \(String(describing: b)) \(place)"
        )
      }
    }
    for ghost in shown.keys.sorted()
    where expected.objects[ghost] == nil && !unsure.contains(ghost) {
      throw Violation("\(name) shows \(ghost) \(place), which is not there")
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
      try base.inspecting {
        for entity in client.model.entities.keys {
          for key in base.objects(of: entity) where base.record(key).shadow != nil {
            throw Violation("\(client.name) has a shadow at the end")
          }
        }
      }
      if let problem = try base.problems().first { throw Violation("\(client.name): \(problem)") }
    }
    for mark in transactions.keys.sorted() {
      if final.applied.contains(mark) || readable.contains(mark) { continue }
      if lost.contains(mark) || abandoned.contains(mark) { continue }
      throw Violation("a transaction is neither applied nor readable")
    }
  }
}
