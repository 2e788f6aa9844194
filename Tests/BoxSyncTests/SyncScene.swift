import BoxModel
import TestSupport

@testable import BoxSync

/// A server and its clients on machines in memory, for schedules that are written out.
final class SyncScene {
  /// Notes have a text, a plain unique name, a team and a tag; tags have a text, a clock and a team; seats
  /// have a text, a unique code that replaces, and a rank.
  static let note: UID = 10
  static let tag: UID = 20
  static let seat: UID = 30
  static let tags: UID = 50
  static let model = SyncModel(
    [
      SyncEntity(
        note,
        [
          SyncProperty(11), SyncProperty(12, unique: .plain), SyncProperty(13),
          SyncProperty(14, target: tag),
        ]),
      SyncEntity(tag, [SyncProperty(21), SyncProperty(22), SyncProperty(23)], clock: 22),
      SyncEntity(seat, [SyncProperty(31), SyncProperty(32, unique: .replace)]),
    ], [SyncRelation(tags, from: note, to: tag)])

  struct Client {
    var machine: SyncClientMachine<MemoryClientBase>
    var connection: Int?
    var toClient: [SyncMessage?] = []
    /// The lead of its machine's clock, in milliseconds.
    var lead: UInt64 = 0
  }

  let backend = MemoryBackend(start: 7)
  var server: SyncServerMachine<MemoryBackend>
  var clients: [Client] = []
  var now: UInt64 = 1_000_000
  private let window: Int
  private var connections = 0
  private var marks: UInt64 = 0

  init(clients count: Int, window: Int = 64) {
    self.window = window
    server = SyncServerMachine(backend, model: Self.model, access: SceneAccess(), process: 0)
    server.window = window
    for _ in 0..<count { add() }
  }

  @discardableResult func add(model: SyncModel = SyncScene.model) -> Int {
    clients.append(
      Client(machine: .init(MemoryClientBase(), model: model, randomBits: { [self] in mark() })))
    return clients.count - 1
  }

  private func mark() -> UInt64 {
    marks += 1
    return SplitMix64(seed: marks).value
  }

  /// A second store with the files of a client.
  func copy(_ index: Int) -> Int {
    var copy = clients[index]
    copy.machine.end()
    (copy.connection, copy.toClient) = (nil, [])
    clients.append(copy)
    return clients.count - 1
  }

  // MARK: - Apps

  @discardableResult func commit(_ index: Int, _ changes: LocalChange...) throws
    -> PendingTransaction?
  {
    now += 1
    return try clients[index].machine.commit(changes, now: now + clients[index].lead)
  }

  /// A put of a new object; its text tells it from others.
  func new(_ index: Int, _ entity: UID, _ text: String, _ more: [UID: SyncValue<UInt64>] = [:])
    -> LocalChange
  {
    let id = clients[index].machine.reserveID(entity)
    return put(LocalKey(entity: entity, id: id), more.merging([entity + 1: .text(text)]) { $1 })
  }

  func put(_ key: LocalKey, _ values: [UID: SyncValue<UInt64>]) -> LocalChange {
    .put(key, Fields(values.map { .init($0.key, $0.value) }))
  }

  func link(_ note: LocalKey, _ tag: LocalKey) -> LocalChange {
    .link(LocalPair(relation: Self.tags, source: note.id, target: tag.id))
  }

  /// The key of the object with a text, whether the app finds it or not.
  func key(_ index: Int, _ entity: UID, _ text: String) -> LocalKey? {
    let base = clients[index].machine.view.base
    return base.objects(of: entity).first {
      base.record($0).visible.fields[entity + 1] == .text(text)
    }
  }

  /// The objects that an app finds, by their texts, with a value of each.
  func shown(_ index: Int, _ entity: UID, _ property: UID? = nil) -> [String: SyncValue<UInt64>] {
    let base = clients[index].machine.view.base
    var result: [String: SyncValue<UInt64>] = [:]
    for key in base.objects(of: entity) where base.record(key).isInStore {
      let fields = base.record(key).visible.fields
      guard case .value(.string(let text))? = fields[entity + 1] else { continue }
      result[text] = property.flatMap { fields[$0] } ?? .null
    }
    return result
  }

  func texts(_ index: Int, _ entity: UID = SyncScene.note) -> [String] {
    shown(index, entity).keys.sorted()
  }

  /// The pairs that an app finds.
  func pairs(_ index: Int) -> Int {
    clients[index].machine.view.base.allPairs.values.count { $0.isVisible }
  }

  func status(_ index: Int) -> ClientStatus { clients[index].machine.status }

  // MARK: - Network

  func connect(_ list: Int...) {
    for index in list {
      connections += 1
      clients[index].connection = connections
      clients[index].toClient = []
      server.open(connections)
      clients[index].machine.connect()
    }
  }

  /// Ends connections; nothing that was under way arrives.
  func cut(_ list: Int...) {
    for index in list {
      if let connection = clients[index].connection { server.close(connection) }
      clients[index].machine.end()
      clients[index].connection = nil
    }
  }

  /// Gives the server what a client sends, without carrying it out.
  func send(_ index: Int) {
    clients[index].machine.sendPending()
    for message in clients[index].machine.takeOutgoing() {
      if let connection = clients[index].connection {
        server.receive(message, from: connection, now: now)
      }
    }
  }

  /// Has the server carry out and commit what waits, and put messages on their way.
  func serve() {
    var isQuiet = false
    while !isQuiet {
      now += 1
      server.step(now: now)
      let outputs = server.takeOutputs()
      isQuiet = outputs.isEmpty && !server.isBusy
      for output in outputs {
        for index in clients.indices where clients[index].connection == output.connection {
          clients[index].toClient.append(output.message)
        }
      }
    }
  }

  /// Gives a client what is on its way; a closed connection begins again.
  func deliver(_ index: Int) {
    let messages = clients[index].toClient
    clients[index].toClient = []
    for message in messages {
      guard let message, clients[index].machine.phase != .disconnected else { break }
      clients[index].machine.receive(message, now: now + clients[index].lead)
    }
    if clients[index].machine.phase == .disconnected || messages.contains(nil) {
      cut(index)
      connect(index)
    }
  }

  /// One message of a client and what follows from it.
  func step(_ index: Int) {
    send(index)
    serve()
    deliver(index)
  }

  /// Connects the clients and lets everything come to rest.
  ///
  /// - Returns: Whether it did: all are complete and at the head.
  func settle(_ list: Int...) -> Bool {
    let indices = list.isEmpty ? Array(clients.indices) : list
    for index in indices where clients[index].connection == nil { connect(index) }
    for _ in 0..<200 {
      for index in indices { send(index) }
      serve()
      for index in indices { deliver(index) }
      let isQuiet = indices.allSatisfy {
        clients[$0].machine.isComplete && clients[$0].machine.status.position == backend.head
      }
      if isQuiet { return true }
    }
    return false
  }

  /// Starts a new server on an earlier state of its database.
  func restore(_ space: MemorySpace) {
    for index in clients.indices { cut(index) }
    backend.space = space
    server = SyncServerMachine(backend, model: Self.model, access: SceneAccess(), process: 0)
    server.window = window
  }
}

extension SplitMix64 {
  /// The first number of a seed.
  fileprivate var value: UInt64 {
    var copy = self
    return copy.next()
  }
}

extension SyncValue {
  static func text(_ text: String) -> SyncValue { .value(.string(text)) }
  static func int(_ value: Int64) -> SyncValue { .value(.integer(value)) }
}

/// Sessions with the variable `team` see the objects of this team and of none, and write none of team 3.
private struct SceneAccess: SyncAccess {
  struct Filter: ObjectFilter {
    var property: UID
    var team: String?
    var digest: UInt64 { team.map { 2 + (UInt64($0) ?? 0) } ?? 1 }
    func admits(_ fields: Fields<GlobalID>) -> Bool {
      guard case .value(.integer(let value))? = fields[property] else { return true }
      return team.map { $0 == String(value) } ?? (value != 3)
    }
  }

  func propertiesRead(_ entity: UID) -> Set<UID> {
    entity == SyncScene.seat ? [] : [entity + 3]
  }

  func rules(_ variables: [String: String]) -> SessionRules {
    var rules = SessionRules()
    for entity in [SyncScene.note, SyncScene.tag] {
      if let team = variables["team"] {
        rules.views[entity] = Filter(property: entity + 3, team: team)
      }
      if variables["reader"] != nil {
        rules.writes[entity] = Filter(property: entity + 3, team: nil)
      }
    }
    return rules
  }
}
