internal import BoxEngine

/// The state machine of a client over messages, a clock and a store.
package struct SyncClientMachine<Base: ClientBase> {
  /// The phases of a connection.
  package enum Phase: Hashable, Sendable {
    case disconnected
    case greeting
    case loggingIn
    case loggedIn
  }

  /// Something that the app may want to know.
  package enum Event: Hashable, Sendable {
    case loggedIn
    case rejected(SyncCode)
    /// All data were replaced by a snapshot, and the position may be an earlier one.
    case fullSync
    /// Another copy of the store was found; new transactions have this number.
    case forked(UInt64?)
    /// A restored server lost transactions that are no longer kept.
    case lost(number: UInt64)
    case refused(SyncCode, String)
  }

  /// A snapshot under way.
  struct Snapshot {
    /// The entities of a scoped snapshot; nil for a full one.
    var scope: Set<UID>?
    /// The head when it began.
    var start: UInt64
    var rows: [Welcome.Row]
    /// The digests of the filters, and of the model, for which the base is valid afterwards.
    var views: [UID: UInt64]
    var model: UInt64
    var pages: [[Effect<GlobalID>]] = []
    var entries: [SessionEntry] = []
    /// The head at its end; nil while pages are sent.
    var end: UInt64?
    /// The position of the last entry that was received.
    var position: UInt64
    var chain: UInt64 = 0
  }

  /// The store.
  package var view: ClientView<Base>
  /// The variables of the filters.
  package var variables: [String: String] = [:]
  /// The credentials.
  package var credentials: [Login.Credential] = []
  /// The most acknowledged transactions that are kept for a server that loses its tail.
  package var keepAcknowledged = 1000
  /// The phase of the connection.
  package private(set) var phase = Phase.disconnected
  /// Messages to send.
  package private(set) var outgoing: [SyncMessage] = []
  /// The events since the app last asked.
  package var events: [Event] = []
  package var randomBits: () -> UInt64

  var snapshot: Snapshot?
  private(set) var welcome: Welcome?
  /// Numbers of which nothing is sent until an entry has shown where another copy parted.
  var held: Set<UInt64> = []
  /// Whether a transaction that the session has declared lost its operations.
  var mustLogInAgain = false
  private var declared: Set<UInt64> = []
  private var sent: Set<UInt64> = []
  private var window = 64

  /// Creates the machine of a store.
  ///
  /// - Parameters:
  ///   - base: The store.
  ///   - model: The model of the app.
  ///   - randomBits: Draws the marks of transactions.
  package init(_ base: Base, model: SyncModel, randomBits: @escaping () -> UInt64) {
    view = ClientView(base, model: model)
    self.randomBits = randomBits
  }

  /// The state of the store besides objects.
  package var status: ClientStatus {
    get { view.base.status }
    _modify { yield &view.base.status }
  }

  /// Whether nothing is pending and no snapshot is under way.
  package var isComplete: Bool {
    phase == .loggedIn && snapshot == nil && status.outbox.isEmpty
  }

  // MARK: - Connections

  /// Begins a connection.
  @specialized(where Base == MemoryClientBase)
  package mutating func connect() {
    end()
    phase = .greeting
    if status.number == nil && status.previousNumber == 0 {
      let number = StoreNumber.make(mark: randomBits(), previous: 0)
      (status.number, status.origins[number]) = (number, 0)
    }
    outgoing = [.hello(lowest: 1, highest: 1)]
  }

  /// Ends the connection, by the network or since a message was refused.
  package mutating func end() {
    (phase, snapshot, welcome) = (.disconnected, nil, nil)
    (sent, held, outgoing, mustLogInAgain) = ([], [], [], false)
  }

  /// The messages that were not taken yet.
  package mutating func takeOutgoing() -> [SyncMessage] {
    defer { outgoing = [] }
    return outgoing
  }

  /// Handles a message of the current connection; the network drops other ones.
  ///
  /// After the call the connection is to be closed if the phase is `disconnected`.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - now: The time of this machine in milliseconds.
  @specialized(where Base == MemoryClientBase)
  package mutating func receive(_ message: SyncMessage, now: UInt64) {
    switch (message, phase) {
    case (.challenge, .greeting):
      phase = .loggingIn
      outgoing.append(.login(login()))
    case (.model(nil), .loggingIn): outgoing.append(.model(view.model))
    case (.welcome(let welcome), .loggingIn): accept(welcome, now: now)
    case (.refuse(let code, let text, _), _), (.goodbye(let code, let text), _):
      events.append(.refused(code, text))
      end()
    case (.entries(let entries), .loggedIn): receive(entries)
    case (.page(let effects), .loggedIn) where snapshot?.end == nil: snapshot?.pages.append(effects)
    case (.end(let position), .loggedIn):
      snapshot?.end = position
      finishSnapshot()
    case (.answer(let number, let n, let mark, let code, let position), .loggedIn):
      // A transaction after the own position is settled by its entry.
      if position <= status.position, let index = pending(number, n, mark) {
        settle(at: index, code, place: 0)
      }
    case (.fork(let number, let n), .loggedIn):
      _ = fork(number, at: n)
      end()
    case (.unsure, .loggedIn):
      // Its entry may be on the way; the next login says whether one comes.
      end()
    case (.ping(let value), _): outgoing.append(.pong(value))
    case (.pong, _), (.credit, _): break
    default: end()
    }
    if mustLogInAgain { end() }
    // The app no longer sees what was put aside or moved, also where the session ended.
    view.recompute()
    sendPending()
  }

  private func login() -> Login {
    var login = Login()
    (login.credentials, login.variables) = (credentials, variables)
    (login.model, login.baseModel) = (SyncModelCoding.digest(view.model), status.baseModel)
    (login.position, login.chain, login.views) = (status.position, status.chain, status.views)
    var numbers: [UInt64] = []
    // The rows of numbers from which the store forked show whether the server has the same after all.
    let origins = status.outbox.compactMap { status.origins[$0.number] }.filter { $0 != 0 }
    for number in (status.kept + status.outbox).map(\.number) + [status.number].compactMap(\.self)
      + origins
    where !numbers.contains(number) { numbers.append(number) }
    login.numbers = numbers.map { number in
      let own = (status.kept + status.outbox).filter { $0.number == number }
      let next = number == status.number ? (status.lastN[number] ?? 0) + 1 : 1
      return Login.Declaration(
        number: number, first: own.map(\.n).min() ?? next,
        marks: own.filter { $0.void == nil }.map { .init(n: $0.n, mark: $0.mark) })
    }
    return login
  }

  private mutating func accept(_ welcome: Welcome, now: UInt64) {
    phase = .loggedIn
    self.welcome = welcome
    window = Int(welcome.window)
    declared = Set(welcome.rows.map(\.number))
    status.timeOffset = Int64(clamping: welcome.time) - Int64(clamping: now)
    // A clock that was ahead would win over everybody until their clocks reach it.
    status.clock = min(
      status.clock, SyncClock.value(milliseconds: welcome.time + SyncClock.tolerance))
    for row in welcome.rows where row.isMoved { events.append(.lost(number: row.number)) }
    if place(by: welcome.rows, isFull: welcome.plan == .full) { return end() }
    let model = SyncModelCoding.digest(view.model)
    switch welcome.plan {
    case .entries:
      (status.views, status.baseModel) = (welcome.views, model)
      putUnplacedAside()
    case .scoped(let entities):
      snapshot = Snapshot(
        scope: Set(entities), start: welcome.head, rows: welcome.rows, views: welcome.views,
        model: model, position: status.position, chain: status.chain)
    case .full:
      snapshot = Snapshot(
        scope: nil, start: welcome.head, rows: welcome.rows, views: welcome.views, model: model,
        position: welcome.head, chain: welcome.chain)
    }
    events.append(.loggedIn)
  }

  /// Sends what is pending, as far as the window allows.
  @specialized(where Base == MemoryClientBase)
  package mutating func sendPending() {
    guard phase == .loggedIn, snapshot == nil, let welcome else { return }
    var changes: [Submission] = []
    for transaction in status.outbox {
      let number = transaction.number
      if sent.contains(transaction.mark) { continue }
      if sent.count >= window { break }
      // A number made after the login has to be declared, so that the row of the server can be compared.
      guard declared.contains(number) else { return end() }
      let last = welcome.rows.first { $0.number == number }?.last ?? 0
      if transaction.n <= last || held.contains(number) { continue }
      changes.append(submission(transaction))
      sent.insert(transaction.mark)
    }
    if !changes.isEmpty { outgoing.append(.changes(changes)) }
  }

  private func submission(_ transaction: PendingTransaction) -> Submission {
    Submission(
      number: transaction.number, previous: status.origins[transaction.number] ?? 0,
      n: transaction.n, mark: transaction.mark, void: transaction.void,
      operations: transaction.operations.compactMap(global))
  }

  /// An operation with the identities that all stores know; nil if it is not sent.
  private func global(_ operation: SyncOperation<UInt64>) -> SyncOperation<GlobalID>? {
    if operation.kind == .replaced { return nil }
    if let pair = operation.pair {
      guard let relation = view.model.relations[pair.relation] else { return nil }
      return SyncOperation(
        operation.kind,
        GlobalPair(
          relation: pair.relation, source: global(relation.source, pair.source),
          target: global(relation.target, pair.target)))
    }
    let entity = view.model.entities[operation.element]
    let fields: Fields<GlobalID> = operation.fields.compactMap { property, value in
      switch value {
      case .value(let value): .value(value)
      case .reference(let id): .reference(global(entity?.property(property)?.target ?? 0, id))
      }
    }
    return SyncOperation(
      operation.kind,
      GlobalKey(entity: operation.element, id: global(operation.element, operation.object)),
      life: operation.life, fields: fields, isFresh: operation.isFresh)
  }

  private func global(_ entity: UID, _ id: UInt64) -> GlobalID {
    view.base.globalID(LocalKey(entity: entity, id: id)) ?? GlobalID(number: 0, id: id)
  }

  func isDeclared(_ number: UInt64) -> Bool { declared.contains(number) }

  mutating func noteUnsent(_ mark: UInt64) { sent.remove(mark) }

  func pending(_ number: UInt64, _ n: UInt64, _ mark: UInt64) -> Int? {
    status.outbox.firstIndex { $0.number == number && $0.n == n && $0.mark == mark }
  }
}
