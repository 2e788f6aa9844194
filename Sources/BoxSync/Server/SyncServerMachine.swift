/// The state machine of a server process over messages, a clock and the database of a space.
///
/// A process works in stages, each by one call of ``step(now:)``: it resolves what waits in a transaction
/// that has locked the row of the space, commits it, and sends what sessions have not got yet. A process
/// that ends between two stages leaves nothing but the lock, which its database frees.
package struct SyncServerMachine<Backend: SyncBackend> {
  /// A connection of the network.
  package typealias Connection = Int

  /// A message to send; a connection without one is to be closed after those before it.
  package struct Output: Sendable {
    /// The connection.
    package var connection: Connection
    /// The message; nil closes the connection.
    package var message: SyncMessage?
  }

  enum Work {
    case login(Connection)
    case submission(Connection, Submission)
  }

  /// A resolved batch, which is not committed.
  struct Batch {
    var changes: SpaceChanges
    var outputs: [Output] = []
    var welcomes: [(Connection, Welcome)] = []
    var appended: [Connection] = []
  }

  let backend: Backend
  let model: SyncModel
  let access: any SyncAccess
  let process: Int
  /// The most transactions under way, and fates that a row keeps.
  package var window = 64
  /// The most entries of a message, and objects of a page.
  package var pageSize = 100
  /// The most transactions of a batch.
  package var batchSize = 1000

  var sessions: [Connection: Session] = [:]
  private var work: [Work] = []
  private var batch: Batch?
  /// The connections whose transactions the last committed batch appended, in order.
  package private(set) var appended: [Connection] = []
  var outputs: [Output] = []

  /// Creates a process.
  ///
  /// - Parameters:
  ///   - backend: The database.
  ///   - model: The model of the space, which has every element of its clients.
  ///   - access: The rules of the space.
  ///   - process: A number that no other process has.
  package init(_ backend: Backend, model: SyncModel, access: any SyncAccess, process: Int) {
    (self.backend, self.model) = (backend, model)
    (self.access, self.process) = (access, process)
  }

  /// Whether a batch is resolved or waits.
  package var isBusy: Bool { batch != nil || !work.isEmpty }

  /// Whether a batch is resolved and not committed.
  package var isInTransaction: Bool { batch != nil }

  /// Takes the messages that have to be sent, in order.
  package mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  // MARK: - Connections

  /// Begins a session.
  package mutating func open(_ connection: Connection) { sessions[connection] = Session() }

  /// Ends a session whose connection was closed; its transactions that wait are still resolved.
  package mutating func close(_ connection: Connection) { sessions[connection] = nil }

  /// Handles a message of a connection.
  @specialized(where Backend == MemoryBackend)
  package mutating func receive(_ message: SyncMessage, from connection: Connection, now: UInt64) {
    guard var session = sessions[connection], !session.isClosing else { return }
    switch (message, session.phase) {
    case (.hello(let lowest, let highest), .greeting):
      guard lowest <= 1, highest >= 1 else {
        return refuse(connection, .badVersion, "this server speaks version 1 of the protocol")
      }
      session.phase = .challenged
      send(.challenge(nonce: 0, kinds: [1], time: now), to: connection)
    case (.login(let login), .challenged):
      session.login = login
      session.phase = .loggingIn
      if let model = backend.model(login.model) {
        session.model = model
        work.append(.login(connection))
      } else {
        send(.model(nil), to: connection)
      }
    case (.model(let model?), .loggingIn) where session.model == nil:
      guard SyncModelCoding.digest(model) == session.login.model, model.isPart(of: self.model)
      else {
        return refuse(connection, .reqRejected, "the model has elements that the server's lacks")
      }
      backend.add(model)
      session.model = model
      work.append(.login(connection))
    case (.changes(let submissions), .active):
      for submission in submissions {
        guard session.declares(submission.number) else {
          return close(connection, .reqRejected, "a transaction has a number without a declaration")
        }
        // The client no longer has the operations of a void transaction, so its entry cannot be short.
        if submission.void == nil {
          session.marks[submission.number, default: []].insert(submission.mark)
        }
        work.append(.submission(connection, submission))
      }
    case (.ping(let value), _): send(.pong(value), to: connection)
    case (.pong, _), (.credit, _): break
    case (.goodbye, _): return close(connection)
    default: return close(connection, .reqRejected, "the message does not belong here")
    }
    sessions[connection] = session
  }

  func isOpen(_ connection: Connection) -> Bool { sessions[connection] != nil }

  mutating func send(_ message: SyncMessage, to connection: Connection) {
    outputs.append(Output(connection: connection, message: message))
  }

  private mutating func refuse(_ connection: Connection, _ code: SyncCode, _ text: String) {
    send(.refuse(code, text: text, retryAfter: 0), to: connection)
    outputs.append(Output(connection: connection, message: nil))
    close(connection)
  }

  mutating func close(_ connection: Connection, _ code: SyncCode, _ text: String) {
    send(.goodbye(code, text: text), to: connection)
    outputs.append(Output(connection: connection, message: nil))
    close(connection)
  }

  // MARK: - Stages

  /// Carries out the next stage.
  ///
  /// - Parameter now: The time in milliseconds.
  @specialized(where Backend == MemoryBackend)
  package mutating func step(now: UInt64) {
    if let batch {
      commit(batch)
    } else if !work.isEmpty {
      guard let reader = backend.lock(process) else { return push() }
      batch = resolve(reader, now: now)
    } else {
      push()
    }
  }

  private mutating func resolve(_ reader: Backend.Reader, now: UInt64) -> Batch {
    var resolver = Resolver(
      reader, model: model, access: access, ringSize: window, count: min(work.count, batchSize))
    // The resolver's changes come at the end: with a copy here, its first changes would copy them.
    var batch = Batch(changes: SpaceChanges(space: reader.space))
    for item in work.prefix(batchSize) {
      switch item {
      case .login(let connection):
        if let welcome = welcome(connection, &resolver, now: now) {
          batch.welcomes.append((connection, welcome))
        }
      case .submission(let connection, let submission):
        resolve(submission, connection, &resolver, &batch, now: now)
      }
    }
    work.removeFirst(min(work.count, batchSize))
    batch.changes = resolver.changes
    return batch
  }

  private mutating func resolve(
    _ submission: Submission, _ connection: Connection, _ resolver: inout Resolver<Backend.Reader>,
    _ batch: inout Batch, now: UInt64
  ) {
    guard let session = sessions[connection], !session.isClosing, let model = session.model else {
      return
    }
    let (number, n, mark) = (submission.number, submission.n, submission.mark)
    let writer = Writer(model: model, rules: session.rules)
    let answer: SyncMessage
    switch resolver.apply(submission, as: writer, now: now) {
    case .appended: return batch.appended.append(connection)
    case .known(let code, let position):
      answer = .answer(number: number, n: n, mark: mark, code, position: position)
      return batch.outputs.append(Output(connection: connection, message: answer))
    case .fork: answer = .fork(number: number, n: n)
    case .unsure: answer = .unsure(number: number, n: n)
    case .gap: answer = .goodbye(.reqRejected, text: "a transaction in between is missing")
    }
    // Later transactions of this session would take places that belong to another copy.
    sessions[connection]?.isClosing = true
    batch.outputs.append(Output(connection: connection, message: answer))
    batch.outputs.append(Output(connection: connection, message: nil))
  }

  private mutating func commit(_ batch: Batch) {
    self.batch = nil
    guard backend.commit(batch.changes, process) else { return failed(batch) }
    appended = batch.appended
    for (connection, welcome) in batch.welcomes {
      guard var session = sessions[connection] else { continue }
      send(.welcome(welcome), to: connection)
      session.begin(welcome)
      sessions[connection] = session
    }
    outputs += batch.outputs
    for output in batch.outputs where output.message == nil { close(output.connection) }
  }

  /// Ends the sessions of a batch that was not committed: their clients log in and send again.
  private mutating func failed(_ batch: Batch) {
    for connection in sessions.keys.sorted() {
      close(connection, .unknown, "the database did not commit")
    }
  }
}
