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
  var undo: [UndoStep] = []
  var isExact = true

  /// Creates the resolver of a batch.
  ///
  /// The batch has about `count` transactions, for which room is reserved.
  package init(
    _ reader: Reader, model: SyncModel, access: any SyncAccess, ringSize: Int = 64,
    count: Int = 0
  ) {
    (self.reader, self.model, self.access, self.ringSize) = (reader, model, access, ringSize)
    changes = SpaceChanges(space: reader.space)
    changes.objects.reserveCapacity(count)
    changes.entries.reserveCapacity(count)
    let hasUnique = model.entities.values.contains { entity in
      entity.properties.contains { $0.unique != .none }
    }
    if hasUnique { changes.holders.reserveCapacity(count) }
  }

  /// Resolves a transaction.
  ///
  /// - Parameters:
  ///   - submission: The transaction.
  ///   - writer: The model and the rules of its session.
  ///   - now: The server's time in milliseconds.
  /// - Returns: The fate of the transaction.
  /// - Complexity: O(*n*) in the number of operations, and of pairs of removed objects.
  @specialized(where Reader == MemorySpace)
  package mutating func apply(
    _ submission: Submission, as writer: Writer, now: UInt64
  ) -> Answer {
    if let answer = answer(withoutResolving: submission) { return answer }
    var code = submission.void ?? .ok
    var place = 0
    let hlc = changes.space.hlc
    (effects, isExact) = ([], submission.void == nil)
    undo.removeAll(keepingCapacity: true)
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
    append(submission, code, place)
    return .appended
  }

  /// The answer to a transaction that is there already, or that cannot be at its place.
  private func answer(withoutResolving submission: Submission) -> Answer? {
    let row = row(submission.number) ?? NumberRow()
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
    // And one that did not fork may have sent it under the number from which this one was forked.
    if submission.n == 1, submission.previous != 0, let origin = self.row(submission.previous),
      origin.ring.contains(where: { $0.mark == submission.mark })
    {
      return .unsure
    }
    return nil
  }

  private mutating func append(_ submission: Submission, _ code: SyncCode, _ place: Int) {
    let isFork = submission.previous != 0 || row(submission.number)?.isFork == true
    changes.space.head += 1
    var entry = LogEntry(
      position: changes.space.head, number: submission.number, n: submission.n,
      mark: submission.mark, code: code, place: place, isExact: isExact && code == .ok,
      isFork: isFork, effects: effects, chain: 0)
    entry.chain = EntryCoding.chain(after: changes.space.chain, entry)
    changes.space.chain = entry.chain
    changes.entries.append(entry)
    note(submission, isFork: isFork, code, at: entry.position)
  }

  /// Enters the fate of a transaction into the row of its number, in place: the ring is not copied.
  private mutating func note(
    _ submission: Submission, isFork: Bool, _ code: SyncCode, at position: UInt64
  ) {
    let number = submission.number
    if changes.rows[number] == nil { changes.rows[number] = reader.row(number) ?? NumberRow() }
    let fate = NumberRow.Fate(
      n: submission.n, mark: submission.mark, code: code, position: position)
    let limit = ringSize
    changes.rows[number]?.append(fate, isFork: isFork, limit: limit)
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
    undo.append(.object(key, changes.objects.updateValue(state, forKey: key)))
  }

  mutating func setHolder(_ key: UniqueKey, _ holder: GlobalKey?) {
    undo.append(.holder(key, changes.holders.updateValue(holder, forKey: key)))
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

/// A step back in a transaction that is rejected: what the batch had changed before, nil for nothing.
enum UndoStep {
  case object(GlobalKey, ObjectState<GlobalID>?)
  case pairs(GlobalKey, Set<GlobalPair>?)
  case holder(UniqueKey, GlobalKey??)
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
