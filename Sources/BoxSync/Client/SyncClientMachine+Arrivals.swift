extension SyncClientMachine {
  mutating func receive(_ entries: SessionEntries) {
    if snapshot != nil { return collect(entries) }
    guard entries.from == status.position else { return end() }
    // A fork begins a new session, which gets all of the message again.
    guard place(entries.list), !mustLogInAgain else { return end() }
    for entry in entries.list { apply(entry) }
    (status.position, status.chain) = (entries.to, entries.chain)
    putUnplacedAside()
  }

  // MARK: - Entries

  /// Finds out whose transactions entries have, and forks where they show another copy of the store.
  ///
  /// - Returns: Whether the session can continue; else the client has to log in again.
  mutating func place(_ entries: [SessionEntry]) -> Bool {
    var answered: Set<UInt64> = []
    for entry in entries {
      // After its answer, a transaction that another copy sent under its own number is foreign.
      if let mark = entry.mark, answered.contains(mark) { continue }
      guard place(entry) else { return false }
      if let mark = entry.mark { answered.insert(mark) }
    }
    return true
  }

  private mutating func place(_ entry: SessionEntry) -> Bool {
    if let mark = entry.mark, let index = status.outbox.firstIndex(where: { $0.mark == mark }) {
      let own = status.outbox[index]
      if (own.number, own.n) == (entry.number, entry.n) || own.void != nil { return true }
      // Another copy sent it under another number; what follows it moves along.
      _ = fork(own.number, at: own.n, to: entry.number, first: entry.n)
      return false
    }
    // A server that lost it got it from another copy.
    if status.kept.contains(where: {
      ($0.mark, $0.number, $0.n) == (entry.mark, entry.number, entry.n)
    }) {
      return true
    }
    let isOurs =
      entry.number == status.number
      || status.outbox.contains { $0.number == entry.number && $0.n >= entry.n }
    guard isOurs else { return true }
    guard isDeclared(entry.number) else { return false }
    return !fork(entry.number, at: entry.n)
  }

  /// Applies an entry to the base.
  mutating func apply(_ entry: SessionEntry) {
    if let mark = entry.mark, let index = pending(entry.number, entry.n, mark) {
      if entry.code == .ok {
        if let effects = entry.effects {
          apply(effects)
        } else {
          for effect in expectedEffects(of: status.outbox[index]) { apply(effect) }
        }
      }
      settle(at: index, entry.code, place: entry.place)
    } else {
      apply(entry.effects ?? [])
    }
  }

  /// Changes the base by effects of the server.
  mutating func apply(_ effects: [Effect<GlobalID>]) {
    for effect in effects {
      if let effect = localEffect(effect) { apply(effect) }
    }
  }

  /// The effects that an own transaction has if it has exactly those that it says.
  private func expectedEffects(of transaction: PendingTransaction) -> [Effect<UInt64>] {
    transaction.operations.compactMap { operation in
      switch operation.kind {
      case .insert:
        .put(
          operation.key, life: operation.life, operation.fields.withoutNulls, isWhole: true)
      case .update: .put(operation.key, life: operation.life, operation.fields, isWhole: false)
      case .remove: .remove(operation.key, life: operation.life + 1)
      case .link: operation.pair.map { .link($0) }
      case .unlink: operation.pair.map { .unlink($0) }
      case .replaced: nil
      }
    }
  }

  private mutating func apply(_ effect: Effect<UInt64>) {
    switch effect {
    case .put(let key, let life, let fields, let isWhole):
      if isWhole { return view.setBase(key, ObjectState(life: life, fields: fields)) }
      var state = view.base.record(key).base
      // Bits of an object that is not there belong to one that left the view later.
      guard state.isAlive else { return }
      state.fields.assign(fields)
      state.life = life
      view.setBase(key, state)
    case .pairs(let key, let pairs):
      view.removePairs(of: key, onlyOwn: true)
      for pair in pairs { view.setBase(pair, isLinked: true) }
    case .remove(let key, let life):
      view.removePairs(of: key, onlyOwn: false)
      view.setBase(key, ObjectState(life: life))
    case .forget(let key, let life):
      view.removePairs(of: key, onlyOwn: true)
      view.setBase(key, ObjectState(life: life))
    case .link(let pair):
      guard let relation = view.model.relations[pair.relation],
        view.base.record(LocalKey(entity: relation.source, id: pair.source)).base.isAlive
      else { return }
      view.setBase(pair, isLinked: true)
    case .unlink(let pair):
      if !PlantedFault.omits(.unlinks) { view.setBase(pair, isLinked: false) }
    }
  }

  // MARK: - Own transactions

  /// Takes an answered transaction out of the outbox.
  mutating func settle(at index: Int, _ code: SyncCode, place: Int) {
    var transaction = view.dequeue(at: index)
    noteUnsent(transaction.mark)
    if code != .ok {
      if transaction.void == nil { reject(transaction, code, place) }
      (transaction.void, transaction.operations) = (code, [])
    }
    status.kept.append(transaction)
    if status.kept.count > keepAcknowledged {
      status.kept.removeFirst(status.kept.count - keepAcknowledged)
    }
  }

  /// Takes a transaction that nobody can place out of the outbox.
  mutating func putAside(at index: Int) {
    let transaction = view.dequeue(at: index)
    noteUnsent(transaction.mark)
    separate(transaction)
    if transaction.void == nil { reject(transaction, .clientIdTaken, 0) }
    putDependentsAside([transaction])
  }

  /// Empties the transactions of the outbox that name an object which one that was put aside inserted: nobody
  /// can say which object of the server it is.
  private mutating func putDependentsAside(_ transactions: [PendingTransaction]) {
    var unplaced = Set(transactions.flatMap(\.insertedKeys))
    if unplaced.isEmpty { return }
    for index in status.outbox.indices {
      let transaction = status.outbox[index]
      guard transaction.void == nil, names(transaction, unplaced) else { continue }
      unplaced.formUnion(transaction.insertedKeys)
      separate(transaction)
      reject(transaction, .clientIdTaken, 0)
      empty(at: index)
    }
  }

  /// Takes the operations out of a transaction that keeps its place in the outbox.
  private mutating func empty(at index: Int) {
    var void = view.dequeue(at: index)
    (void.void, void.operations) = (.clientIdTaken, [])
    // The session has declared the mark, and the server would send a short entry.
    mustLogInAgain = true
    view.enqueue(void, at: index)
  }

  private func names(_ transaction: PendingTransaction, _ keys: Set<LocalKey>) -> Bool {
    transaction.operations.contains { operation in
      if let pair = operation.pair, let relation = view.model.relations[pair.relation] {
        return keys.contains(LocalKey(entity: relation.source, id: pair.source))
          || keys.contains(LocalKey(entity: relation.target, id: pair.target))
      }
      let entity = view.model.entities[operation.element]
      return keys.contains(operation.key)
        || operation.fields.list.contains { field in
          guard case .reference(let id) = field.value,
            let target = entity?.property(field.property)?.target
          else { return false }
          return keys.contains(LocalKey(entity: target, id: id))
        }
    }
  }

  private mutating func reject(_ transaction: PendingTransaction, _ code: SyncCode, _ place: Int) {
    status.rejections.append(Rejection(transaction: transaction, code: code, place: place))
    events.append(.rejected(code))
  }

  // MARK: - Forks

  /// Compares the own transactions with the rows that a login shows.
  ///
  /// - Returns: Whether the client has to log in again, since it has a number that was not declared.
  mutating func place(by rows: [Welcome.Row], isFull: Bool) -> Bool {
    for row in rows where place(by: row, isFull: isFull) { return true }
    return mustLogInAgain
  }

  private mutating func place(by row: Welcome.Row, isFull: Bool) -> Bool {
    // Another copy may have sent a transaction under the number from which this store forked.
    for fate in row.fates {
      if let own = status.outbox.first(where: { $0.mark == fate.mark }), own.void == nil,
        own.number != row.number
      {
        return fork(own.number, at: own.n, to: row.number, first: fate.n)
      }
    }
    let fates = Dictionary(row.fates.map { ($0.n, $0) }) { $1 }
    let isOwn = { (other: PendingTransaction) in other.number == row.number }
    let unknown = status.outbox.first { isOwn($0) && $0.n <= row.last && fates[$0.n] == nil }
    let own = (isFull ? status.kept + status.outbox : status.outbox).filter(isOwn)
    let other = own.first { own in fates[own.n].map { $0.mark != own.mark } ?? false }
    // The last transaction is always in the ring, and shows whether all before it are the same.
    if let unknown, isFull {
      // Nobody can say which of those that are older than the ring the server has, nor where the copies
      // parted.
      while let index = status.outbox.firstIndex(where: {
        isOwn($0) && $0.n >= unknown.n && (other != nil || $0.n <= row.last && fates[$0.n] == nil)
      }) { putAside(at: index) }
    }
    if unknown != nil, !isFull {
      // Their entries come, and show where the copies parted.
      if other != nil { held.insert(row.number) }
      return false
    }
    if let other {
      return fork(row.number, at: other.n)
    } else if row.number == status.number, row.last > status.lastN[row.number] ?? 0 {
      return fork(row.number, at: (status.lastN[row.number] ?? 0) + 1)
    }
    return false
  }

  /// Puts transactions aside whose place the server gave away when it had lost its tail.
  mutating func putUnplacedAside() {
    guard let welcome, status.position >= welcome.head else { return }
    for row in welcome.rows {
      while let index = status.outbox.firstIndex(where: {
        $0.number == row.number && $0.n <= row.last
      }) { putAside(at: index) }
    }
  }

  /// Moves own transactions to a number of their own, since another copy of the store has used this one.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - n: The first transaction that the server has with another mark.
  ///   - to: The number that another copy forked to; nil for the one that follows from the mark.
  ///   - first: The *n* there of the first transaction that moves.
  /// - Returns: Whether transactions moved to a number that has to be declared by a login.
  mutating func fork(_ number: UInt64, at n: UInt64, to: UInt64? = nil, first: UInt64 = 1) -> Bool {
    let isMoving = { (other: PendingTransaction) in other.number == number && other.n >= n }
    let lost = status.kept.filter(isMoving)
    status.kept.removeAll(where: isMoving)
    let moving = status.outbox.filter(isMoving)
    let isCurrent = status.number == number
    status.lastN[number] = min(status.lastN[number] ?? 0, n - 1)
    // Nobody can say which copy made what followed the same acknowledged transactions, so these are put
    // aside.
    for transaction in lost where transaction.void == nil { reject(transaction, .clientIdTaken, 0) }
    guard let origin = moving.first ?? lost.first else {
      if isCurrent { (status.number, status.previousNumber) = (nil, number) }
      events.append(.forked(nil))
      return false
    }
    let new = to ?? StoreNumber.make(mark: origin.mark, previous: number)
    separate(lost + moving, number: new)
    var next = first
    for index in status.outbox.indices where isMoving(status.outbox[index]) {
      (status.outbox[index].number, status.outbox[index].n) = (new, next)
      next += 1
    }
    putDependentsAside(lost)
    if moving.isEmpty {
      if isCurrent { (status.number, status.previousNumber) = (nil, number) }
      events.append(.forked(nil))
      return false
    }
    if status.origins[new] == nil { status.origins[new] = number }
    status.lastN[new] = max(status.lastN[new] ?? 0, next - 1)
    if isCurrent { status.number = new }
    events.append(.forked(new))
    return true
  }

  /// Gives the objects of a transaction that was put aside a number that no server has.
  private mutating func separate(_ transaction: PendingTransaction) {
    separate(
      [transaction], number: StoreNumber.make(mark: transaction.mark, previous: transaction.number))
  }

  /// Gives the objects that transactions inserted with ids never used before another number.
  private mutating func separate(_ transactions: [PendingTransaction], number: UInt64) {
    for transaction in transactions {
      for key in transaction.insertedKeys
      where view.base.globalID(key)?.number == transaction.number {
        view.base.bind(key, to: GlobalID(number: number, id: key.id))
      }
    }
  }

  // MARK: - Identities

  /// The effect with local ids; an object that is not here gets an id at once.
  ///
  /// A whole object has no nulls.
  ///
  /// - Returns: Nil if the model does not have what it changes.
  mutating func localEffect(_ effect: Effect<GlobalID>) -> Effect<UInt64>? {
    switch effect {
    case .put(let key, let life, let fields, let isWhole):
      guard let entity = view.model.entities[key.entity] else { return nil }
      let key = localKey(key)
      let local: Fields<UInt64> = fields.compactMap { property, value in
        guard let property = entity.property(property), !isWhole || !value.isNull else {
          return nil
        }
        switch value {
        case .value(let value): return .value(value)
        case .reference(let id):
          return .reference(localKey(GlobalKey(entity: property.target ?? 0, id: id)).id)
        }
      }
      return .put(key, life: life, local, isWhole: isWhole)
    case .pairs(let key, let pairs):
      guard view.model.entities[key.entity] != nil else { return nil }
      return .pairs(localKey(key), pairs.compactMap { localPair($0) })
    case .remove(let key, let life):
      return view.model.entities[key.entity] == nil ? nil : .remove(localKey(key), life: life)
    case .forget(let key, let life):
      return view.model.entities[key.entity] == nil ? nil : .forget(localKey(key), life: life)
    case .link(let pair): return localPair(pair).map { .link($0) }
    case .unlink(let pair): return localPair(pair).map { .unlink($0) }
    }
  }

  private mutating func localKey(_ key: GlobalKey) -> LocalKey {
    if let id = view.base.localID(key) { return LocalKey(entity: key.entity, id: id) }
    var local = LocalKey(entity: key.entity, id: key.id.id)
    if view.model.entities[key.entity]?.sharesIDs == true {
      _ = view.base.useID(local)
    } else {
      local.id = view.base.reserveID(key.entity)
    }
    view.base.bind(local, to: key.id)
    return local
  }

  private mutating func localPair(_ pair: GlobalPair) -> LocalPair? {
    guard let relation = view.model.relations[pair.relation] else { return nil }
    return LocalPair(
      relation: pair.relation,
      source: localKey(GlobalKey(entity: relation.source, id: pair.source)).id,
      target: localKey(GlobalKey(entity: relation.target, id: pair.target)).id)
  }
}

extension PendingTransaction {
  /// The objects that the transaction inserted under ids never used before.
  var insertedKeys: [LocalKey] {
    operations.filter { $0.kind == .insert && $0.isFresh }.map(\.key)
  }
}
