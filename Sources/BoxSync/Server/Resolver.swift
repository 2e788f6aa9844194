/// The rules by which a server turns transactions into entries: states before and transactions in, states
/// after, entries and answers out (decision 0064).
///
/// A resolver lives for one batch, in which its reader does not change.
package struct Resolver<Reader: SpaceReader> {
  /// The fate of a transaction at its arrival.
  package enum Answer: Hashable, Sendable {
    /// An entry was appended.
    case appended
    /// The transaction was there already.
    case known(SyncCode, position: UInt64)
    /// The server has another transaction at this place.
    case fork
    /// Nobody can say what the server has.
    case unsure
    /// A transaction in between is missing.
    case gap
  }

  /// The model of the space: the elements of all clients.
  let model: SyncModel
  let access: any SyncAccess
  let reader: Reader
  /// The most fates that a row keeps.
  let ringSize: Int
  /// The changes of the batch.
  package private(set) var changes: SpaceChanges

  // Of the transaction that is resolved now.
  var effects: [LoggedEffect] = []
  var undo: [Undo] = []
  var isExact = true

  /// A step back in a transaction that is rejected: what the batch had changed before, nil for nothing.
  enum Undo {
    case object(GlobalKey, ObjectState<GlobalID>?)
    case pairs(GlobalKey, Set<GlobalPair>?)
    case holder(UniqueKey, GlobalKey??)
  }

  /// Creates the resolver of a batch.
  package init(_ reader: Reader, model: SyncModel, access: any SyncAccess, ringSize: Int = 64) {
    (self.reader, self.model, self.access, self.ringSize) = (reader, model, access, ringSize)
    changes = SpaceChanges(space: reader.space)
  }

  /// Resolves a transaction.
  ///
  /// - Parameters:
  ///   - submission: The transaction.
  ///   - writer: The model and the rules of its session.
  ///   - now: The server's time in milliseconds.
  /// - Returns: The fate of the transaction.
  /// - Complexity: O(*n*) in the number of operations, and of pairs of removed objects.
  package mutating func apply(
    _ submission: Submission, as writer: Writer, now: UInt64
  ) -> Answer {
    var row = row(submission.number) ?? NumberRow()
    if submission.n <= row.last, !PlantedFault.omits(.answerOfKnownTransactions) {
      guard let fate = row.fate(submission.n) else { return .unsure }
      guard fate.mark == submission.mark || PlantedFault.omits(.forks) else { return .fork }
      return .known(fate.code, position: fate.position)
    }
    guard submission.n == row.last + 1 || PlantedFault.omits(.answerOfKnownTransactions) else {
      return .gap
    }
    // Another copy may have forked at this transaction before this one learned of the fork.
    let forked = StoreNumber.make(mark: submission.mark, previous: submission.number)
    if let other = self.row(forked), other.firstMark == submission.mark { return .fork }

    var code = submission.void ?? .ok
    var place = 0
    let hlc = changes.space.hlc
    (effects, undo, isExact) = ([], [], submission.void == nil)
    if submission.void == nil {
      for (index, operation) in submission.operations.enumerated() {
        if let rejection = resolve(operation, writer, now: now) {
          (code, place) = (rejection, index)
          rollBack()
          // A void transaction leaves the clock alone too, and both have to end in the same state.
          changes.space.hlc = hlc
          break
        }
      }
    }
    append(submission, code, place, &row)
    return .appended
  }

  private mutating func append(
    _ submission: Submission, _ code: SyncCode, _ place: Int, _ row: inout NumberRow
  ) {
    if row.last == 0 { (row.isFork, row.firstMark) = (submission.previous != 0, submission.mark) }
    changes.space.head += 1
    var entry = LogEntry(
      position: changes.space.head, number: submission.number, n: submission.n,
      mark: submission.mark, code: code, place: place, isExact: isExact && code == .ok,
      isFork: row.isFork, effects: effects, chain: 0)
    entry.chain = EntryCoding.chain(after: changes.space.chain, entry)
    changes.space.chain = entry.chain
    changes.entries.append(entry)
    row.last = submission.n
    row.ring.append(
      .init(n: submission.n, mark: submission.mark, code: code, position: entry.position))
    if row.ring.count > ringSize { row.ring.removeFirst(row.ring.count - ringSize) }
    changes.rows[submission.number] = row
  }

  private mutating func rollBack() {
    if PlantedFault.omits(.rollBack) { return }
    for step in undo.reversed() {
      switch step {
      case .object(let key, let state): changes.objects[key] = state
      case .pairs(let key, let pairs): changes.pairs[key] = pairs
      case .holder(let key, let holder): changes.holders[key] = holder
      }
    }
    (effects, undo) = ([], [])
  }

  /// Moves the last *n* of a number up to the first that its store keeps, where a restored server lost more.
  ///
  /// - Returns: Whether the number was moved.
  package mutating func move(_ number: UInt64, toFirst first: UInt64) -> Bool {
    var row = row(number) ?? NumberRow()
    guard row.last + 1 < first else { return false }
    row.last = first - 1
    changes.rows[number] = row
    return true
  }

  // MARK: - States within the batch

  func row(_ number: UInt64) -> NumberRow? { changes.rows[number] ?? reader.row(number) }

  func object(_ key: GlobalKey) -> ObjectState<GlobalID> {
    changes.objects[key] ?? reader.object(key)
  }

  func pairs(of key: GlobalKey) -> Set<GlobalPair> { changes.pairs[key] ?? reader.pairs(of: key) }

  func holder(_ key: UniqueKey) -> GlobalKey? {
    if let holder = changes.holders[key] { holder } else { reader.holder(key) }
  }

  mutating func set(_ key: GlobalKey, _ state: ObjectState<GlobalID>) {
    undo.append(.object(key, changes.objects[key]))
    changes.objects[key] = state
  }

  mutating func setHolder(_ key: UniqueKey, _ holder: GlobalKey?) {
    undo.append(.holder(key, changes.holders[key]))
    changes.holders[key] = .some(holder)
  }

  mutating func change(_ pair: GlobalPair, isLinked: Bool, _ relation: SyncRelation) {
    let ends = [
      GlobalKey(entity: relation.source, id: pair.source),
      GlobalKey(entity: relation.target, id: pair.target),
    ]
    for end in Set(ends) {
      var pairs = pairs(of: end)
      undo.append(.pairs(end, changes.pairs[end]))
      if isLinked { pairs.insert(pair) } else { pairs.remove(pair) }
      changes.pairs[end] = pairs
    }
  }
}

/// The session that a transaction comes from: its model and its rules.
package struct Writer: Sendable {
  /// The model of the client.
  package var model: SyncModel
  /// The objects that the client may see and write.
  package var rules: SessionRules

  /// Creates a writer.
  package init(model: SyncModel, rules: SessionRules) {
    (self.model, self.rules) = (model, rules)
  }
}

extension Resolver {
  /// Moves the space's clock up.
  mutating func advanceClock(to clock: UInt64) { changes.space.hlc = clock }
}
