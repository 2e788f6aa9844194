import BoxModel
import TestSupport

@testable import BoxSync

/// Clients, server processes and a network on one thread, all of whose choices follow from one seed.
final class World<Base: SimulatedBase> {
  var random: SplitMix64
  let plan: SeedPlan
  let access: TeamAccess
  var now: UInt64 = 1_000_000

  let backend: MemoryBackend
  var processes: [SyncServerMachine<MemoryBackend>] = []
  var resolvedAt: [UInt64] = []
  var clients: [SimulatedClient<Base>] = []
  var links: [Int: Link] = [:]
  var nextConnection = 1

  /// The states of all logs that there were, by their chains.
  var states: [UInt64: OracleState] = [:]
  /// The ghosts of the objects of the server.
  var ghosts: [GlobalKey: Ghost] = [:]
  var transactions: [UInt64: RawTransaction] = [:]
  var rejected: [UInt64: SyncCode] = [:]
  /// Marks that ended with a store that was replaced by an earlier version of itself.
  var abandoned: Set<UInt64> = []
  /// Marks that a restored server lost although they were acknowledged.
  var lost: Set<UInt64> = []
  var backup: (space: MemorySpace, state: OracleState)?
  /// The backups of clients, each of its own store.
  var clientBackups: [Int: SimulatedClient<Base>] = [:]
  var nextGhost: Int64 = 1
  var isTracing = false
  private(set) var trace: [String] = []
  /// An error of a store, which the next check throws.
  private(set) var failure: Violation?

  /// A connection: messages under way in both directions.
  struct Link {
    var client: Int
    var process: Int
    var view: OracleView
    var toServer: [[UInt8]?] = []
    var toClient: [[UInt8]?] = []
    var serverNumbering: Numbering?
    /// Whether the client still uses it.
    var isCurrent = true
  }

  init(seed: UInt64, isTracing: Bool = false, restoresServersOfCopies: Bool = false) {
    var random = SplitMix64(seed: seed)
    plan = SeedPlan(
      &random, restoresServersOfCopies: restoresServersOfCopies, canFail: Base.isStored)
    self.random = random
    self.isTracing = isTracing
    access = TeamAccess(isFiltered: plan.isFiltered, hasReadOnlyTeam: plan.hasReadOnlyTeam)
    backend = MemoryBackend(start: self.random.next() | 1)
    states[backend.space.space.chain] = OracleState()
    for index in 0..<plan.processes { addProcess(index) }
    for index in 0..<plan.clients {
      let model = plan.hasOldModel && index == 0 ? Schema.old : Schema.full
      var client = SimulatedClient<Base>(name: "c\(index)", machine: Base.machine(model))
      client.machine.variables = ["teams": "0,1,3"]
      client.machine.keepAcknowledged = plan.keepAcknowledged
      clients.append(client)
      drawMarks(index)
    }
  }

  /// Gives a client its own source of random bits, so that a copy draws other marks.
  func drawMarks(_ index: Int) {
    let source = MarkSource(seed: random.next())
    clients[index].machine.randomBits = { source.random.next() }
    clients[index].machine.view.base.draw(from: source)
  }

  private func addProcess(_ index: Int) {
    var process = SyncServerMachine(
      backend, model: Schema.full, access: access, process: index)
    (process.window, process.pageSize) = (plan.window, plan.pageSize)
    if index < processes.count { processes[index] = process } else { processes.append(process) }
    if index >= resolvedAt.count { resolvedAt.append(0) }
  }

  func log(_ text: @autoclosure () -> String) { if isTracing { trace.append(text()) } }

  // MARK: - A run

  /// Runs the seed.
  ///
  /// - Throws: `Violation`.
  func run() throws {
    for _ in 0..<plan.steps { try perform(plan.draw(&random)) }
    try quiesce()
  }

  func perform(_ action: SeedPlan.Action) throws {
    now += UInt64(random.below(40))
    switch action {
    case .commit: try commit(random.below(clients.count))
    case .connect:
      let index = random.below(clients.count)
      if clients[index].connection == nil { connect(index) }
    case .disconnect: cut(random.below(clients.count))
    case .toServer:
      let open = links.keys.sorted().filter { links[$0]?.toServer.isEmpty == false }
      if !open.isEmpty { try deliverToServer(random.pick(open)) }
    case .toClient:
      let open = links.keys.sorted().filter { links[$0]?.toClient.isEmpty == false }
      if !open.isEmpty { try deliverToClient(random.pick(open)) }
    case .step: try step(random.below(processes.count))
    case .crash: crash(random.below(processes.count))
    case .clientCrash: clients[random.below(clients.count)].endsInArrival = true
    case .fullDisk: clients[random.below(clients.count)].failsInArrival = true
    case .trim: trim()
    case .backup:
      if !backendIsLocked, let state = states[backend.space.space.chain] {
        backup = (backend.space, state)
        log("backup at \(backend.head)")
      }
    case .restore: restore()
    case .copy: copy()
    case .restoreClient: try restoreClient(random.below(clients.count))
    case .variables:
      let index = random.below(clients.count)
      clients[index].machine.variables = [
        "teams": random.pick(["0,1,3", "0,2,3", "1,2", "0,1,2,3", "3"])
      ]
      log("\(clients[index].name) has teams \(clients[index].machine.variables)")
      cut(index)
    case .upgrade:
      if clients[0].model == Schema.old {
        cut(0)
        clients[0].machine.view.model = Schema.full
        clients[0].machine.view.base.adopt(Schema.full)
        log("c0 has the new model")
        try check(0)
      }
    case .jump:
      let index = random.below(clients.count)
      clients[index].skew = random.pick([0, 1_000, 60_000, 315_360_000_000, -500_000])
    }
  }

  private var backendIsLocked: Bool { processes.contains { $0.isInTransaction } }

  /// Calls functions of the machine of a client.
  func perform(_ index: Int, _ body: (inout SyncClientMachine<Base>) -> Void) {
    do {
      try Base.perform(&clients[index].machine, body)
    } catch { failure = Violation("\(clients[index].name) cannot write: \(error)") }
    take(index)
  }

  // MARK: - Network

  func connect(_ index: Int) {
    let connection = nextConnection
    nextConnection += 1
    let process = random.below(processes.count)
    let client = clients[index]
    links[connection] = Link(
      client: index, process: process, view: access.view(client.model, client.machine.variables))
    processes[process].open(connection)
    clients[index].connection = connection
    clients[index].numbering = nil
    perform(index) { $0.connect() }
    log("\(client.name) connects (\(connection)) to process \(process)")
    flush(index)
  }

  /// Ends the connection of a client; what it sent may still arrive.
  func cut(_ index: Int) {
    guard let connection = clients[index].connection else { return }
    log("\(clients[index].name) loses its connection")
    clients[index].machine.end()
    leave(index, connection)
  }

  private func leave(_ index: Int, _ connection: Int) {
    clients[index].connection = nil
    links[connection]?.isCurrent = false
    if !PlantedFault.omits(.droppingOldMessages) { links[connection]?.toClient = [] }
    links[connection]?.toServer.append(nil)
    guard random.oneIn(2), let sent = links[connection]?.toServer else { return }
    // The network loses the end of what was sent.
    let arrives = Array(sent.prefix(random.below(sent.count))) + [nil]
    links[connection]?.toServer = arrives
  }

  /// Puts what a client wants to send on its way.
  func flush(_ index: Int) {
    perform(index) { $0.sendPending() }
    guard let connection = clients[index].connection else { return }
    for message in clients[index].machine.takeOutgoing() {
      log("\(clients[index].name) sends \(text(message))")
      let bytes = MessageEncoder.encode(message, clients[index].numbering)
      links[connection]?.toServer.append(bytes)
    }
    if clients[index].machine.phase == .disconnected { leave(index, connection) }
  }

  private func deliverToServer(_ connection: Int) throws {
    guard var link = links[connection], !link.toServer.isEmpty else { return }
    let bytes = link.toServer.removeFirst()
    links[connection] = link
    guard let bytes else {
      processes[link.process].close(connection)
      noteView(connection)
      // A client that does not know of the end yet learns it from the network.
      if link.isCurrent { links[connection]?.toClient.append(nil) } else { links[connection] = nil }
      return
    }
    guard let message = try decode(bytes, link.serverNumbering) else { return }
    processes[link.process].receive(message, from: connection, now: now)
    collect(link.process)
  }

  private func decode(_ bytes: [UInt8], _ numbering: Numbering?) throws -> SyncMessage? {
    do {
      return try MessageDecoder.decode(bytes, numbering)
    } catch { throw Violation("a message of our own is refused: \(error)") }
  }

  /// Puts what a process wants to send on its way.
  private func collect(_ process: Int) {
    for output in processes[process].takeOutputs() {
      guard links[output.connection] != nil else { continue }
      guard let message = output.message else {
        links[output.connection]?.toClient.append(nil)
        continue
      }
      if case .welcome(let welcome) = message {
        links[output.connection]?.serverNumbering = Numbering(welcome.model)
      }
      guard links[output.connection]?.isCurrent == true else { continue }
      let bytes = MessageEncoder.encode(message, links[output.connection]?.serverNumbering)
      links[output.connection]?.toClient.append(bytes)
    }
  }

  private func deliverToClient(_ connection: Int) throws {
    guard let link = links[connection], !link.toClient.isEmpty else { return }
    let index = link.client
    guard let bytes = links[connection]?.toClient.removeFirst() ?? nil else {
      if clients[index].connection == connection {
        clients[index].machine.end()
        leave(index, connection)
      }
      return
    }
    guard
      clients[index].connection == connection || PlantedFault.omits(.droppingOldMessages),
      let message = try decode(bytes, links[connection]?.serverNumbering)
    else { return }
    if case .welcome(let welcome) = message {
      clients[index].numbering = Numbering(welcome.model)
    }
    log("\(clients[index].name) gets \(text(message))")
    let before = clients[index].endsInArrival ? clients[index].duplicate() : nil
    let now = time(of: index)
    if clients[index].failsInArrival {
      clients[index].failsInArrival = false
      log("\(clients[index].name) has a full disk")
      Base.fail(&clients[index].machine) { $0.receive(message, now: now) }
      try check(index)
      return leave(index, connection)
    }
    perform(index) { $0.receive(message, now: now) }
    if let before { return try restart(index, before) }
    try check(index)
    flush(index)
  }

  /// Ends the program of a client while it handles a message, and starts it again: its store has all of what
  /// the message did, or nothing.
  private func restart(_ index: Int, _ before: SimulatedClient<Base>) throws {
    clients[index].endsInArrival = false
    try check(index)
    let old = clients[index].machine
    var base = old.view.base
    if random.oneIn(2) {
      base = before.machine.view.base
      clients[index].taken = before.taken
      clients[index].ghosts = before.ghosts
      if PlantedFault.omits(.positionWithData) {
        (base.status.position, base.status.chain) = (old.status.position, old.status.chain)
      }
      clients[index].position = base.status.position
    }
    log("\(clients[index].name) ends and starts again at \(base.status.position)")
    cut(index)
    var machine = Base.restart(base, model: old.view.model, randomBits: old.randomBits)
    (machine.variables, machine.keepAcknowledged) = (old.variables, old.keepAcknowledged)
    clients[index].machine = machine
    try check(index)
  }

  func time(of index: Int) -> UInt64 {
    UInt64(max(0, Int64(now) + clients[index].skew))
  }

  // MARK: - Servers

  func step(_ process: Int) throws {
    let wasInTransaction = processes[process].isInTransaction
    let chain = backend.space.space.chain
    let head = backend.head
    processes[process].step(now: now)
    if !wasInTransaction, processes[process].isInTransaction { resolvedAt[process] = now }
    if backend.head != head || backend.space.space.chain != chain {
      try fold(from: chain, after: head, process)
    }
    collect(process)
  }

  private func crash(_ index: Int) {
    log("process \(index) ends")
    backend.release(index)
    addProcess(index)
    for connection in links.keys.sorted() where links[connection]?.process == index {
      links[connection]?.toServer = [nil]
      if links[connection]?.isCurrent == true { links[connection]?.toClient.append(nil) }
    }
  }

  private func trim() {
    guard !backendIsLocked, backend.head > backend.space.space.floor else { return }
    let position =
      backend.space.space.floor
      + UInt64(1 + random.below(Int(backend.head - backend.space.space.floor)))
    log("trim to \(position)")
    backend.space.trim(to: position, Schema.full)
    states[backend.space.space.chain]?.trim(to: position, Schema.full)
  }

  private func restore() {
    guard let backup else { return }
    log("restore from \(backend.head) to \(backup.space.space.head)")
    for index in processes.indices { crash(index) }
    let before = states[backend.space.space.chain]?.applied ?? []
    backend.space = backup.space
    states[backup.space.space.chain] = backup.state
    lost.formUnion(before.subtracting(backup.state.applied))
    ghosts = [:]
    noteGhosts()
  }

  /// Folds the entries of a commit in the oracle, and compares the server with it.
  private func fold(from chain: UInt64, after head: UInt64, _ process: Int) throws {
    guard var state = states[chain] else { throw Violation("the server has an unknown chain") }
    let entries = backend.space.log.filter { $0.position > head }
    let writers = processes[process].appended
    for (entry, connection) in zip(entries, writers) {
      guard let raw = transactions[entry.mark],
        let view = links[connection]?.view ?? oldViews[connection]
      else { throw Violation("the log has a transaction that nobody made") }
      if state.applied.contains(entry.mark), entry.code == .ok {
        throw Violation("a transaction is applied twice")
      }
      log("entry \(entry.position) (\(shortened(entry.number)), \(entry.n)) \(entry.code): \(raw)")
      let before = state
      var code = state.apply(raw, view, now: resolvedAt[process])
      if entry.code != code, entry.code == .clientIdTaken || rejected[entry.mark] == entry.code {
        // A void transaction: it was rejected before the server lost its entry.
        state = before
        code = entry.code
      }
      if entry.code != code {
        throw Violation("an entry has the code \(entry.code), and the oracle \(code)")
      }
      if code != .ok { rejected[entry.mark] = code }
      state.position = entry.position
      states[entry.chain] = state
    }
    noteGhosts()
    try compareServer(state)
  }

  /// The views of connections that are gone, whose transactions may still be resolved.
  var oldViews: [Int: OracleView] = [:]

  private func noteGhosts() {
    for (key, object) in backend.space.objects where object.isAlive {
      if case .value(.integer(let value))? = object.fields[key.entity + Schema.ghost] {
        ghosts[key] = Ghost(entity: key.entity, value: value)
      }
    }
  }

  func quiesce() throws {
    for round in 0..<3000 {
      for index in clients.indices where clients[index].connection == nil { connect(index) }
      // What apps committed last.
      if Base.isStored { for index in clients.indices { flush(index) } }
      for index in processes.indices { try step(index) }
      for connection in links.keys.sorted() {
        try deliverToServer(connection)
        try deliverToClient(connection)
      }
      now += 10
      let isQuiet =
        links.values.allSatisfy { $0.toServer.isEmpty && $0.toClient.isEmpty }
        && processes.allSatisfy { !$0.isBusy }
        && clients.allSatisfy {
          $0.machine.isComplete && $0.machine.status.position == backend.head
        }
      if isQuiet { return try checkEnd(rounds: round) }
    }
    let open = clients.filter { !$0.machine.isComplete }.map {
      "\($0.name) \($0.machine.phase), pending: "
        + $0.machine.status.outbox.map { "(\(shortened($0.number)),\($0.n))" }.joined()
    }
    throw Violation("nothing comes to rest: \(open)")
  }

  func noteView(_ connection: Int) { oldViews[connection] = links[connection]?.view }
}
