internal import BoxModel

/// A store with the rules that keep its objects what they have to be: the server's version with the
/// unanswered transactions on top.
package struct ClientView<Base: ClientBase> {
  /// The store.
  package var base: Base
  /// The model of the app.
  package var model: SyncModel
  /// The counts of operations of the outbox that name an object, or link a pair.
  private var namedObjects: [LocalKey: Int] = [:]
  private var namedPairs: [LocalPair: Int] = [:]
  /// The objects and pairs that arrivals touched since the last recomputation.
  private var touched: Set<LocalKey> = []
  private var touchedPairs: Set<LocalPair> = []

  /// Creates the view of a store.
  package init(_ base: Base, model: SyncModel) {
    (self.base, self.model) = (base, model)
    for transaction in base.status.outbox { count(transaction, 1) }
  }

  // MARK: - The outbox

  private mutating func count(_ transaction: PendingTransaction, _ change: Int) {
    for operation in transaction.operations {
      if let pair = operation.pair {
        namedPairs[pair, default: 0] += change
        if namedPairs[pair] == 0 { namedPairs[pair] = nil }
      } else {
        namedObjects[operation.key, default: 0] += change
        if namedObjects[operation.key] == 0 { namedObjects[operation.key] = nil }
      }
    }
  }

  /// Puts a transaction into the outbox, and what it names before the next recomputation.
  mutating func enqueue(_ transaction: PendingTransaction, at index: Int? = nil) {
    let end = base.status.outbox.count
    base.status.outbox.insert(transaction, at: index ?? end)
    count(transaction, 1)
    touchNamed(by: transaction)
  }

  /// Takes a transaction out of the outbox.
  mutating func dequeue(at index: Int) -> PendingTransaction {
    let transaction = base.status.outbox.remove(at: index)
    count(transaction, -1)
    touchNamed(by: transaction)
    return transaction
  }

  private mutating func touchNamed(by transaction: PendingTransaction) {
    for operation in transaction.operations {
      if let pair = operation.pair {
        touchedPairs.insert(pair)
      } else {
        touched.insert(operation.key)
      }
    }
  }

  // MARK: - The base

  /// Changes the server's version of an object.
  mutating func setBase(_ key: LocalKey, _ state: ObjectState<UInt64>) {
    var record = base.record(key)
    record.shadow = state
    base.setRecord(key, record)
    touched.insert(key)
  }

  mutating func setBase(_ pair: LocalPair, isLinked: Bool) {
    guard let relation = model.relations[pair.relation] else { return }
    var record = base.pairRecord(pair)
    record.isInBase = isLinked
    base.setPairRecord(pair, record, relation)
    touchedPairs.insert(pair)
  }

  /// Removes pairs of an object from the base: all of them, or those that it is the source of.
  mutating func removePairs(of key: LocalKey, onlyOwn: Bool) {
    for pair in base.pairs(of: key) where base.pairRecord(pair).isInBase {
      if onlyOwn && !isSource(key, of: pair) { continue }
      setBase(pair, isLinked: false)
    }
  }

  func isSource(_ key: LocalKey, of pair: LocalPair) -> Bool {
    pair.source == key.id && model.relations[pair.relation]?.source == key.entity
  }

  private func ends(of pair: LocalPair) -> (source: LocalKey, target: LocalKey)? {
    model.relations[pair.relation].map {
      (
        LocalKey(entity: $0.source, id: pair.source),
        LocalKey(entity: $0.target, id: pair.target)
      )
    }
  }

  // MARK: - Recomputation

  /// Brings the store up to date after bases or the outbox changed.
  ///
  /// - Complexity: O(*n*) in the operations of the outbox, and in what was touched.
  package mutating func recompute() {
    if touched.isEmpty && touchedPairs.isEmpty { return }
    var keys = touched.union(base.parked)
    var pairs = touchedPairs
    (touched, touchedPairs) = ([], [])
    for key in keys { pairs.formUnion(base.pairs(of: key)) }
    var folded = fold(keys, pairs)
    // Objects of the store that have a value which a touched one wants are looked at as well.
    while case let holders = otherHolders(folded, keys), !holders.isEmpty {
      keys.formUnion(holders)
      for key in holders { pairs.formUnion(base.pairs(of: key)) }
      folded = fold(keys, pairs)
    }
    let parked = losers(folded, keys)
    for key in keys { release(key, folded, isParked: parked.contains(key)) }
    for key in keys { store(key, folded, isParked: parked.contains(key)) }
    for pair in pairs { store(pair, isLinked: folded.pairs[pair] ?? false) }
  }

  private func fold(_ keys: Set<LocalKey>, _ pairs: Set<LocalPair>) -> Folded {
    var folded = Folded()
    for key in keys { folded.states[key] = base.record(key).base }
    for pair in pairs {
      folded.pairs[pair] = base.pairRecord(pair).isInBase
      guard let ends = ends(of: pair) else { continue }
      for end in [ends.source, ends.target] {
        if folded.states[end] == nil { folded.states[end] = base.record(end).base }
        folded.pairsOf[end, default: []].append(pair)
      }
    }
    var index = 0
    for transaction in base.status.outbox where !PlantedFault.omits(.outboxOnTop) {
      for operation in transaction.operations {
        index += 1
        apply(operation, index, &folded)
      }
    }
    return folded
  }

  private func apply(_ operation: SyncOperation<UInt64>, _ index: Int, _ folded: inout Folded) {
    if let pair = operation.pair {
      guard folded.pairs[pair] != nil, let ends = ends(of: pair),
        folded.states[ends.source]?.isAlive == true, folded.states[ends.target]?.isAlive == true
      else { return }
      folded.pairs[pair] = operation.kind == .link
      return
    }
    let key = operation.key
    guard var state = folded.states[key], let entity = model.entities[key.entity] else { return }
    switch entity.merge(operation, into: &state) {
    case .noEffect: return
    case .removed:
      for pair in folded.pairsOf[key] ?? [] { folded.pairs[pair] = false }
    case .created, .changed:
      for property in entity.properties where property.unique != .none {
        if let value = operation.fields[property.uid], !value.isNull {
          folded.claims[.init(key: key, property: property.uid)] = index
        }
      }
    }
    folded.states[key] = state
  }

  private func uniqueKeys(_ key: LocalKey, _ state: ObjectState<UInt64>?) -> [UniqueKey] {
    guard let state, state.isAlive, let entity = model.entities[key.entity] else { return [] }
    return entity.properties.compactMap { property in
      guard property.unique != .none, case .value(let value)? = state.fields[property.uid],
        value != .null
      else { return nil }
      return UniqueKey(property: property.uid, value: value)
    }
  }

  private func otherHolders(_ folded: Folded, _ keys: Set<LocalKey>) -> Set<LocalKey> {
    var result: Set<LocalKey> = []
    for key in keys {
      for unique in uniqueKeys(key, folded.states[key]) {
        if let holder = base.holder(unique), !keys.contains(holder) { result.insert(holder) }
      }
    }
    return result
  }

  /// The objects that have to leave the store, since another one has a unique value of theirs.
  private func losers(_ folded: Folded, _ keys: Set<LocalKey>) -> Set<LocalKey> {
    var first: [UniqueKey: LocalKey] = [:]
    var groups: [UniqueKey: [LocalKey]] = [:]
    for key in keys {
      for unique in uniqueKeys(key, folded.states[key]) {
        if let other = first.updateValue(key, forKey: unique) {
          groups[unique, default: [other]].append(key)
        }
      }
    }
    var losers: Set<LocalKey> = []
    for (unique, group) in groups {
      let owner = group.first { uniqueKeys($0, base.record($0).base).contains(unique) }
      let latest = group.max {
        (claim($0, unique, folded), $0.id) < (claim($1, unique, folded), $1.id)
      }
      let isReplace =
        model.entities[group[0].entity]?.property(unique.property)?.unique == .replace
      let hasClaim = latest.map { claim($0, unique, folded) > 0 } ?? false
      let winner = isReplace ? (hasClaim ? latest : owner) : owner ?? latest
      losers.formUnion(group.filter { $0 != winner })
    }
    return losers
  }

  private func claim(_ key: LocalKey, _ unique: UniqueKey, _ folded: Folded) -> Int {
    folded.claims[.init(key: key, property: unique.property)] ?? 0
  }

  /// Frees the unique values that an object no longer has, before others take them.
  private mutating func release(_ key: LocalKey, _ folded: Folded, isParked: Bool) {
    for unique in uniqueKeys(key, base.record(key).visible) where base.holder(unique) == key {
      base.setHolder(unique, nil)
    }
  }

  private mutating func store(_ key: LocalKey, _ folded: Folded, isParked: Bool) {
    var record = base.record(key)
    let serverState = record.base
    record.visible = folded.states[key] ?? serverState
    record.isParked = isParked
    let isNamed = namedObjects[key] != nil && !PlantedFault.omits(.shadowsOfPending)
    record.shadow = isParked || isNamed ? serverState : nil
    base.setRecord(key, record)
    if record.isInStore {
      for unique in uniqueKeys(key, record.visible) { base.setHolder(unique, key) }
    }
  }

  private mutating func store(_ pair: LocalPair, isLinked: Bool) {
    guard let relation = model.relations[pair.relation], let ends = ends(of: pair) else { return }
    var record = base.pairRecord(pair)
    record.isNamed = namedPairs[pair] != nil
    record.isVisible =
      isLinked && base.record(ends.source).isInStore && base.record(ends.target).isInStore
    base.setPairRecord(pair, record, relation)
  }

  // MARK: - Local transactions

  /// Adds operations to the transaction at the end of the outbox, and carries them out.
  mutating func perform(_ operations: [SyncOperation<UInt64>]) {
    guard let last = base.status.outbox.indices.last else { return }
    for operation in operations where operation.pair == nil {
      // The server's version of what is named is kept as a shadow.
      var record = base.record(operation.key)
      if record.shadow == nil { record.shadow = record.visible }
      base.setRecord(operation.key, record)
    }
    var transaction = base.status.outbox[last]
    count(transaction, -1)
    transaction.operations += operations
    base.status.outbox[last] = transaction
    count(transaction, 1)
    touchNamed(by: transaction)
    recompute()
  }
}

/// The objects and pairs after the outbox, and the last operation that claims a unique value.
///
/// Outside of the view, which is generic: its dictionaries are specialized.
private struct Folded {
  struct Claim: Hashable {
    var key: LocalKey
    var property: UID
  }

  var states: [LocalKey: ObjectState<UInt64>] = [:]
  var pairs: [LocalPair: Bool] = [:]
  var claims: [Claim: Int] = [:]
  var pairsOf: [LocalKey: [LocalPair]] = [:]
}
