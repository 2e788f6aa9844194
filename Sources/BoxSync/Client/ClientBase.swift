/// An object in a store: what the app sees, and what the server has where that may differ.
package struct ObjectRecord: Hashable, Sendable {
  /// The object with the unanswered transactions on top.
  package var visible = ObjectState<UInt64>()
  /// The server's version, while a transaction of the outbox names the object or it is parked.
  package var shadow: ObjectState<UInt64>?
  /// Whether another object has a unique value of it, so that it is out of the store.
  package var isParked = false

  /// Creates the record of an object that never was.
  package init() {}

  /// The server's version.
  var base: ObjectState<UInt64> { shadow ?? visible }
  /// Whether the app finds the object.
  package var isInStore: Bool { visible.isAlive && !isParked }
}

/// A pair in a store.
package struct PairRecord: Hashable, Sendable {
  /// Whether the server has the pair, even if one of its ends is missing here.
  package var isInBase = false
  /// Whether the app finds the pair.
  package var isVisible = false
  /// Whether a transaction of the outbox names the pair.
  package var isNamed = false
}

/// A transaction of the outbox, or an acknowledged one that is kept.
package struct PendingTransaction: Hashable, Sendable {
  /// The number.
  package var number: UInt64
  /// The place among the transactions of the number.
  package var n: UInt64
  /// The mark.
  package var mark: UInt64
  /// The code, if the server rejected the transaction: it is sent again without operations.
  package var void: SyncCode?
  /// The operations with the ids of the store.
  package var operations: [SyncOperation<UInt64>]
}

/// A transaction that the server rejected, or that nobody can place.
package struct Rejection: Hashable, Sendable {
  /// The transaction with all its operations.
  package var transaction: PendingTransaction
  /// Why: 40, 71, or 61 where nobody can say what the server has.
  package var code: SyncCode
  /// The operation that caused it.
  package var place: Int
}

/// The state of a client besides objects, pairs and ids.
package struct ClientStatus: Sendable {
  /// The number of new transactions; nil until there is one.
  package var number: UInt64?
  /// The number from which the next one is made; 0 for the first.
  package var previousNumber: UInt64 = 0
  /// The number that each number was forked from.
  package var origins: [UInt64: UInt64] = [:]
  /// The highest *n* of each number of this store.
  package var lastN: [UInt64: UInt64] = [:]
  /// The position of the base.
  package var position: UInt64 = 0
  /// The chain at the position.
  package var chain: UInt64 = 0
  /// The last clock of a put.
  package var clock: UInt64 = 0
  /// The server's time less the time of this machine, in milliseconds.
  package var timeOffset: Int64 = 0
  /// The digests of the filters for which the base is valid.
  package var views: [UID: UInt64] = [:]
  /// The digest of the model for which the base is valid; 0 before the first base.
  package var baseModel: UInt64 = 0
  /// The unanswered transactions, in order.
  package var outbox: [PendingTransaction] = []
  /// Acknowledged transactions, which a server that lost its tail gets again.
  package var kept: [PendingTransaction] = []
  /// Rejected transactions, until the app retries or discards them.
  package var rejections: [Rejection] = []

  /// Creates the state of a new store.
  package init() {}
}

/// The store of a client, as its state machine uses it.
package protocol ClientBase {
  /// The state besides objects, pairs and ids.
  var status: ClientStatus { get set }
  /// The objects that are parked.
  var parked: Set<LocalKey> { get }
  /// The record of an object; an empty one if it does not exist.
  func record(_ key: LocalKey) -> ObjectRecord
  /// Stores the record of an object.
  mutating func setRecord(_ key: LocalKey, _ record: ObjectRecord)
  /// The objects of an entity that have a record.
  func objects(of entity: UID) -> [LocalKey]
  /// The record of a pair; an empty one if it does not exist.
  func pairRecord(_ pair: LocalPair) -> PairRecord
  /// Stores the record of a pair, and removes an empty one.
  mutating func setPairRecord(_ pair: LocalPair, _ record: PairRecord, _ relation: SyncRelation)
  /// The pairs with a record that have an object as their source or target.
  func pairs(of key: LocalKey) -> Set<LocalPair>
  /// The object of the store that has a unique value.
  func holder(_ key: UniqueKey) -> LocalKey?
  /// Notes the object that has a unique value.
  mutating func setHolder(_ key: UniqueKey, _ holder: LocalKey?)
  /// The local id of an object of the space.
  func localID(_ key: GlobalKey) -> UInt64?
  /// The identity of an object among all stores.
  func globalID(_ key: LocalKey) -> GlobalID?
  /// Maps a local id to an identity, in place of the one that it had.
  mutating func bind(_ key: LocalKey, to id: GlobalID)
  /// Removes the identity of an object whose insert was undone.
  mutating func unbind(_ key: LocalKey)
  /// Reserves an id that was never used.
  mutating func reserveID(_ entity: UID) -> UInt64
  /// Marks an id as used.
  ///
  /// - Returns: Whether it was never used before.
  mutating func useID(_ key: LocalKey) -> Bool
}

/// A store in memory.
package struct MemoryClientBase: ClientBase, Sendable {
  package var status = ClientStatus()
  package private(set) var parked: Set<LocalKey> = []
  private var records: [UID: [UInt64: ObjectRecord]] = [:]
  private var pairRecords: [LocalPair: PairRecord] = [:]
  private var pairsOf: [LocalKey: Set<LocalPair>] = [:]
  private var holders: [UniqueKey: LocalKey] = [:]
  private var locals: [GlobalKey: UInt64] = [:]
  private var globals: [LocalKey: GlobalID] = [:]
  private var lastIDs: [UID: UInt64] = [:]

  /// Creates an empty store.
  package init() {}

  package func record(_ key: LocalKey) -> ObjectRecord {
    records[key.entity]?[key.id] ?? ObjectRecord()
  }

  package mutating func setRecord(_ key: LocalKey, _ record: ObjectRecord) {
    records[key.entity, default: [:]][key.id] = record
    if record.isParked { parked.insert(key) } else if !parked.isEmpty { parked.remove(key) }
  }

  package func objects(of entity: UID) -> [LocalKey] {
    (records[entity] ?? [:]).keys.sorted().map { LocalKey(entity: entity, id: $0) }
  }

  package func pairRecord(_ pair: LocalPair) -> PairRecord { pairRecords[pair] ?? PairRecord() }

  package mutating func setPairRecord(
    _ pair: LocalPair, _ record: PairRecord, _ relation: SyncRelation
  ) {
    let isEmpty = record == PairRecord()
    pairRecords[pair] = isEmpty ? nil : record
    for end in [
      LocalKey(entity: relation.source, id: pair.source),
      LocalKey(entity: relation.target, id: pair.target),
    ] {
      if isEmpty {
        pairsOf[end]?.remove(pair)
      } else {
        pairsOf[end, default: []].insert(pair)
      }
    }
  }

  package func pairs(of key: LocalKey) -> Set<LocalPair> { pairsOf[key] ?? [] }

  /// All pairs with a record.
  package var allPairs: [LocalPair: PairRecord] { pairRecords }

  package func holder(_ key: UniqueKey) -> LocalKey? { holders[key] }

  package mutating func setHolder(_ key: UniqueKey, _ holder: LocalKey?) { holders[key] = holder }

  package func localID(_ key: GlobalKey) -> UInt64? { locals[key] }

  package func globalID(_ key: LocalKey) -> GlobalID? { globals[key] }

  package mutating func bind(_ key: LocalKey, to id: GlobalID) {
    if let old = globals.updateValue(id, forKey: key) {
      locals[GlobalKey(entity: key.entity, id: old)] = nil
    }
    locals[GlobalKey(entity: key.entity, id: id)] = key.id
  }

  package mutating func unbind(_ key: LocalKey) {
    if let old = globals.removeValue(forKey: key) {
      locals[GlobalKey(entity: key.entity, id: old)] = nil
    }
  }

  package mutating func reserveID(_ entity: UID) -> UInt64 {
    lastIDs[entity, default: 0] += 1
    return lastIDs[entity, default: 1]
  }

  package mutating func useID(_ key: LocalKey) -> Bool {
    guard key.id > lastIDs[key.entity, default: 0] else { return false }
    lastIDs[key.entity] = key.id
    return true
  }
}
