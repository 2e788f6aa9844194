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
  private var touched: [LocalKey] = []
  private var touchedPairs: [LocalPair] = []

  /// Creates the view of a store.
  package init(_ base: Base, model: SyncModel) {
    (self.base, self.model) = (base, model)
    for transaction in base.status.outbox { count(transaction.operations, 1) }
  }

  // MARK: - The outbox

  private mutating func count(_ operations: [SyncOperation<UInt64>], _ change: Int) {
    for operation in operations {
      if let pair = operation.pair {
        namedPairs[pair, default: 0] += change
        if namedPairs[pair] == 0 { namedPairs[pair] = nil }
      } else {
        namedObjects[operation.key, default: 0] += change
        if namedObjects[operation.key] == 0 { namedObjects[operation.key] = nil }
      }
    }
  }

  /// Puts a transaction into the outbox, and what it names before the next recomputation, unless the store has what
  /// the transaction did.
  mutating func enqueue(
    _ transaction: PendingTransaction, at index: Int? = nil, isDone: Bool = false
  ) {
    let end = base.status.outbox.count
    base.status.outbox.insert(transaction, at: index ?? end)
    count(transaction.operations, 1)
    if !isDone { touchNamed(by: transaction) }
  }

  /// Takes a transaction out of the outbox.
  mutating func dequeue(at index: Int) -> PendingTransaction {
    let transaction = base.status.outbox.remove(at: index)
    count(transaction.operations, -1)
    touchNamed(by: transaction)
    return transaction
  }

  private mutating func touchNamed(by transaction: PendingTransaction) {
    for operation in transaction.operations {
      if let pair = operation.pair {
        touchedPairs.append(pair)
      } else {
        touched.append(operation.key)
      }
    }
  }

  // MARK: - The base

  /// Changes the server's version of an object.
  mutating func setBase(_ key: LocalKey, _ state: ObjectState<UInt64>) {
    var record = base.record(key)
    record.shadow = state
    base.setRecord(key, record)
    touched.append(key)
  }

  mutating func setBase(_ pair: LocalPair, isLinked: Bool) {
    guard let relation = model.relations[pair.relation] else { return }
    var record = base.pairRecord(pair)
    record.isInBase = isLinked
    base.setPairRecord(pair, record, relation)
    touchedPairs.append(pair)
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
    var folded = Folded(capacity: touched.count)
    for key in touched { add(key, to: &folded) }
    for key in base.parked { add(key, to: &folded) }
    for pair in touchedPairs { add(pair, to: &folded) }
    (touched, touchedPairs) = ([], [])
    // Objects of the store that have a value which a touched one wants are looked at as well.
    repeat { fold(&folded) } while addHolders(to: &folded)
    parkLosers(of: &folded)
    for item in folded.items where item.isListed { release(item) }
    for item in folded.items where item.isListed { store(item) }
    for unique in folded.uniques { take(unique.key, folded.items[unique.place]) }
    for (pair, isLinked) in folded.pairs { store(pair, isLinked: isLinked) }
  }

  /// Lists an object with its pairs.
  ///
  /// - Returns: Whether it was not listed before.
  @discardableResult private func add(_ key: LocalKey, to folded: inout Folded) -> Bool {
    let place = place(of: key, in: &folded)
    if folded.items[place].isListed { return false }
    folded.items[place].isListed = true
    for pair in base.pairs(of: key) { add(pair, to: &folded) }
    return true
  }

  private func place(of key: LocalKey, in folded: inout Folded) -> Int {
    let next = folded.items.count
    if let place = folded.places.updateValue(next, forKey: key) {
      folded.places[key] = place
      return place
    }
    folded.items.append(Folded.Item(key: key, record: base.record(key)))
    return next
  }

  /// Adds a pair and its ends, which are not listed by that.
  private func add(_ pair: LocalPair, to folded: inout Folded) {
    let isInBase = base.pairRecord(pair).isInBase
    guard folded.basePairs.updateValue(isInBase, forKey: pair) == nil, let ends = ends(of: pair)
    else { return }
    for end in [ends.source, ends.target] {
      let place = place(of: end, in: &folded)
      folded.items[place].pairs.append(pair)
    }
  }

  /// Applies the outbox to the bases.
  private func fold(_ folded: inout Folded) {
    for place in folded.items.indices {
      folded.items[place].state = folded.items[place].record.base
    }
    folded.pairs = folded.basePairs
    folded.claims.removeAll()
    var index = 0
    for transaction in base.status.outbox where !PlantedFault.omits(.outboxOnTop) {
      for operation in transaction.operations {
        index += 1
        apply(operation, index, &folded)
      }
    }
    folded.uniques.removeAll(keepingCapacity: true)
    for place in folded.items.indices where folded.items[place].isListed {
      let (key, state) = (folded.items[place].key, folded.items[place].state)
      forEachUnique(of: key, state) { folded.uniques.append(.init(key: $0, place: place)) }
    }
  }

  private func apply(_ operation: SyncOperation<UInt64>, _ index: Int, _ folded: inout Folded) {
    if let pair = operation.pair {
      guard folded.pairs[pair] != nil, let ends = ends(of: pair),
        let source = folded.places[ends.source], folded.items[source].state.isAlive,
        let target = folded.places[ends.target], folded.items[target].state.isAlive
      else { return }
      folded.pairs[pair] = operation.kind == .link
      return
    }
    guard let place = folded.places[operation.key], let entity = model.entities[operation.element]
    else { return }
    switch entity.merge(operation, into: &folded.items[place].state) {
    case .noEffect: return
    case .removed:
      for pair in folded.items[place].pairs { folded.pairs[pair] = false }
    case .created, .changed:
      for property in entity.properties where property.unique != .none {
        if let value = operation.fields[property.uid], !value.isNull {
          folded.claims[.init(place: place, property: property.uid)] = index
        }
      }
    }
  }

  /// Calls a closure for each unique value of an object.
  private func forEachUnique(
    of key: LocalKey, _ state: ObjectState<UInt64>, _ body: (UniqueKey) -> Void
  ) {
    guard state.isAlive, let entity = model.entities[key.entity] else { return }
    for property in entity.properties where property.unique != .none {
      if case .value(let value)? = state.fields[property.uid], value != .null {
        body(UniqueKey(property: property.uid, value: value))
      }
    }
  }

  /// Whether an object has a unique value.
  private func has(_ unique: UniqueKey, _ state: ObjectState<UInt64>) -> Bool {
    state.isAlive && state.fields[unique.property] == .value(unique.value)
  }

  /// Lists the objects of the store that have a unique value of a listed one.
  ///
  /// - Returns: Whether there are any that were not listed before.
  private func addHolders(to folded: inout Folded) -> Bool {
    var hasAdded = false
    for unique in folded.uniques {
      guard let holder = base.holder(unique.key), holder != folded.items[unique.place].key else {
        continue
      }
      if add(holder, to: &folded) { hasAdded = true }
    }
    return hasAdded
  }

  /// Parks the objects that have to leave the store, since another one has a unique value of theirs.
  private func parkLosers(of folded: inout Folded) {
    for (unique, group) in folded.collisions() {
      let owner = group.first { has(unique, folded.items[$0].record.base) }
      let latest = group.max {
        (folded.claim($0, unique), folded.items[$0].key.id)
          < (folded.claim($1, unique), folded.items[$1].key.id)
      }
      let isReplace =
        model.entities[folded.items[group[0]].key.entity]?.property(unique.property)?.unique
        == .replace
      let hasClaim = latest.map { folded.claim($0, unique) > 0 } ?? false
      let winner = isReplace ? (hasClaim ? latest : owner) : owner ?? latest
      for place in group where place != winner { folded.items[place].isParked = true }
    }
  }

  /// Frees the unique values that an object no longer has, before others take them.
  private mutating func release(_ item: Folded.Item) {
    var freed: [UniqueKey] = []
    forEachUnique(of: item.key, item.record.visible) { unique in
      if !keeps(unique, item), base.holder(unique) == item.key { freed.append(unique) }
    }
    for unique in freed { base.setHolder(unique, nil) }
  }

  private mutating func take(_ unique: UniqueKey, _ item: Folded.Item) {
    if !item.isParked, !keeps(unique, item) { base.setHolder(unique, item.key) }
  }

  /// Whether an object has a unique value in the store before and afterwards.
  private func keeps(_ unique: UniqueKey, _ item: Folded.Item) -> Bool {
    item.record.isInStore && !item.isParked && has(unique, item.record.visible)
      && has(unique, item.state)
  }

  private mutating func store(_ item: Folded.Item) {
    var record = item.record
    let isNamed = namedObjects[item.key] != nil && !PlantedFault.omits(.shadowsOfPending)
    record.shadow = item.isParked || isNamed ? record.base : nil
    (record.visible, record.isParked) = (item.state, item.isParked)
    base.setRecord(item.key, record)
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
    count(operations, 1)
    base.status.outbox[last].operations += operations
    touchNamed(by: base.status.outbox[last])
    recompute()
  }
}

/// The objects and pairs after the outbox, and the last operations that claim unique values.
///
/// Outside of the view, which is generic: what does not depend on the store is compiled once.
private struct Folded {
  /// An object that is recomputed, or only the end of a pair that is.
  struct Item {
    var key: LocalKey
    /// The record before the recomputation.
    var record: ObjectRecord
    /// The object after the outbox.
    var state = ObjectState<UInt64>()
    /// Whether the object is recomputed.
    var isListed = false
    /// Whether another object has a unique value of it.
    var isParked = false
    /// The pairs that it is an end of.
    var pairs: [LocalPair] = []
  }

  /// A unique value of a recomputed object, after the outbox.
  struct Unique {
    var key: UniqueKey
    var place: Int
  }

  struct Claim: Hashable {
    var place: Int
    var property: UID
  }

  var items: [Item] = []
  /// The places of the objects among the items.
  var places: [LocalKey: Int]
  var uniques: [Unique] = []
  var claims: [Claim: Int] = [:]
  /// The pairs of the base, and those after the outbox.
  var basePairs: [LocalPair: Bool] = [:]
  var pairs: [LocalPair: Bool] = [:]

  init(capacity: Int) {
    places = Dictionary(minimumCapacity: capacity)
    items.reserveCapacity(capacity)
  }

  /// The recomputed objects with one unique value, where there are several.
  func collisions() -> [UniqueKey: [Int]] {
    var groups: [UniqueKey: [Int]] = [:]
    if uniques.count < 2 { return groups }
    var first = [UniqueKey: Int](minimumCapacity: uniques.count)
    for unique in uniques {
      if let other = first.updateValue(unique.place, forKey: unique.key) {
        groups[unique.key, default: [other]].append(unique.place)
      }
    }
    return groups
  }

  /// The order of the last operation with which an object claims a unique value; 0 without one.
  func claim(_ place: Int, _ unique: UniqueKey) -> Int {
    claims[Claim(place: place, property: unique.property)] ?? 0
  }
}
