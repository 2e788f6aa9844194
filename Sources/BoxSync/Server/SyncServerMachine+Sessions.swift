extension SyncServerMachine {
  /// A connection of a client.
  struct Session {
    enum Phase { case greeting, challenged, loggingIn, active }
    var phase = Phase.greeting
    var login = Login()
    var model: SyncModel?
    var rules = SessionRules()
    /// The marks that the session has declared or sent, by number.
    var marks: [UInt64: Set<UInt64>] = [:]
    /// The position of the last entry that was sent.
    var position: UInt64 = 0
    /// The objects of a snapshot that were not sent; nil without one.
    var pages: ArraySlice<GlobalKey>?
    /// Whether the plan was a snapshot whose end was not reached.
    var snapshotEnd: UInt64?
    var scope: Set<UID> = []
    var isClosing = false

    func declares(_ number: UInt64) -> Bool { marks[number] != nil }

    mutating func begin(_ welcome: Welcome) {
      phase = .active
      position = welcome.plan == .full ? welcome.head : login.position
      for declaration in login.numbers {
        marks[declaration.number, default: []].formUnion(declaration.marks.map(\.mark))
      }
      switch welcome.plan {
      case .entries: break
      case .scoped(let entities): scope = Set(entities)
      case .full: scope = Set(model.map { Array($0.entities.keys) } ?? [])
      }
    }
  }

  /// The answer to a login, in the transaction that holds the row of the space.
  mutating func welcome(
    _ connection: Connection, _ resolver: inout Resolver<Backend.Reader>, now: UInt64
  ) -> Welcome? {
    guard var session = sessions[connection], let model = session.model else { return nil }
    let login = session.login
    session.rules = access.rules(login.variables)
    var rows: [Welcome.Row] = []
    for declaration in login.numbers {
      let isMoved = resolver.move(declaration.number, toFirst: declaration.first)
      let row = resolver.row(declaration.number) ?? NumberRow()
      rows.append(
        Welcome.Row(
          number: declaration.number, last: row.last,
          fates: row.ring.filter { $0.n >= declaration.first }, isMoved: isMoved))
    }
    let views = Dictionary(
      uniqueKeysWithValues: model.entities.keys.filter { session.rules.digest($0) != 0 }.map {
        ($0, session.rules.digest($0))
      })
    let plan = plan(login, model, views)
    sessions[connection] = session
    return Welcome(
      model: model, plan: plan, head: resolver.changes.space.head,
      chain: resolver.changes.space.chain, rows: rows, views: views,
      time: now, window: UInt32(window))
  }

  private func plan(_ login: Login, _ model: SyncModel, _ views: [UID: UInt64]) -> Welcome.Plan {
    let chain = backend.chain(at: login.position)
    let isSame =
      login.chain == chain || chain != nil && PlantedFault.omits(.comparisonOfChains)
    guard login.baseModel != 0, login.chain != 0, isSame else { return .full }
    let known = backend.model(login.baseModel)?.elements ?? []
    var scope = model.owners(of: model.elements.subtracting(known))
    for entity in model.entities.keys where views[entity] != login.views[entity] {
      scope.insert(entity)
    }
    return scope.isEmpty ? .entries : .scoped(scope.sorted())
  }

  // MARK: - What sessions get

  /// Sends one message to each session that has not got everything.
  mutating func push() {
    for connection in sessions.keys.sorted() { push(connection) }
  }

  private mutating func push(_ connection: Connection) {
    guard var session = sessions[connection], session.phase == .active, !session.isClosing,
      let model = session.model
    else { return }
    let view = SessionView(model: model, rules: session.rules)
    if !session.scope.isEmpty, session.pages == nil {
      session.pages = backend.keys(of: session.scope)[...]
    }
    if let pages = session.pages {
      let effects = pages.prefix(pageSize).flatMap { key in
        let (state, pairs) = backend.object(key)
        return view.page(key, state, pairs)
      }
      if !effects.isEmpty { send(.page(effects), to: connection) }
      session.pages = pages.dropFirst(pageSize)
      if pages.count <= pageSize {
        (session.pages, session.scope, session.snapshotEnd) = (nil, [], backend.head)
        send(.end(backend.head), to: connection)
      }
      sessions[connection] = session
      return
    }
    guard backend.head > session.position else { return }
    guard let entries = backend.entries(after: session.position, limit: pageSize),
      let last = entries.last
    else { return close(connection, .unknown, "the log was trimmed; log in again") }
    let isSnapshot = session.snapshotEnd.map { session.position < $0 } ?? false
    let list = entries.compactMap { entry(of: $0, session, view, isLong: isSnapshot) }
    let message = SessionEntries(
      from: session.position, to: last.position, chain: last.chain, list: list)
    session.position = last.position
    sessions[connection] = session
    send(.entries(message), to: connection)
  }

  private func entry(
    of entry: LogEntry, _ session: Session, _ view: SessionView, isLong: Bool
  ) -> SessionEntry? {
    let marks = session.marks[entry.number]
    var effects: [Effect<GlobalID>]? = view.effects(of: entry)
    if marks == nil, !entry.isFork, effects?.isEmpty == true { return nil }
    // The client applies its own transaction as it sent it.
    let isExact = entry.isExact || PlantedFault.omits(.longEntries)
    if !isLong, isExact, marks?.contains(entry.mark) == true, view.seesAll(of: entry) {
      effects = nil
    }
    return SessionEntry(
      position: entry.position, number: entry.number, n: entry.n,
      mark: marks != nil || entry.isFork ? entry.mark : nil, code: entry.code, place: entry.place,
      effects: effects)
  }
}

extension SyncModel {
  /// Whether another model has all elements of this one.
  func isPart(of other: SyncModel) -> Bool {
    entities.values.allSatisfy { entity in
      guard let same = other.entities[entity.uid] else { return false }
      return entity.properties.allSatisfy { same.property($0.uid) == $0 }
        && entity.clock == same.clock && entity.precedence == same.precedence
        && entity.sharesIDs == same.sharesIDs && entity.mergesObjects == same.mergesObjects
    } && relations.values.allSatisfy { other.relations[$0.uid] == $0 }
  }
}
