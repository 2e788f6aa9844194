internal import BoxModel

/// The row of a space: its place in its log, and its clock.
package struct SpaceRow: Hashable, Sendable {
  /// The random chain before the first entry.
  package var start: UInt64
  /// The position of the last entry; 0 in an empty log.
  package var head: UInt64 = 0
  /// The chain after the last entry.
  package var chain: UInt64
  /// The last clock that replaced one of a client.
  package var hlc: UInt64 = 0
  /// The position up to which the log was trimmed.
  package var floor: UInt64 = 0
  /// The chain at the floor.
  package var floorChain: UInt64

  /// Creates the row of an empty space.
  package init(start: UInt64) { (self.start, chain, floorChain) = (start, start, start) }
}

/// The transactions of a number that a server has.
package struct NumberRow: Hashable, Sendable {
  /// The fate of a transaction.
  package struct Fate: Hashable, Sendable {
    var n: UInt64
    var mark: UInt64
    var code: SyncCode
    var position: UInt64
  }

  /// The *n* of the last transaction; 0 before the first.
  package var last: UInt64 = 0
  /// The fates of the last transactions, in ascending order of *n*.
  package var ring: [Fate] = []
  /// Whether a fork made the number.
  package var isFork = false
  /// The mark of the first transaction, by which a fork of another copy is recognized.
  package var firstMark: UInt64 = 0

  /// The fate of a transaction; nil if it is too old, or has not arrived.
  func fate(_ n: UInt64) -> Fate? { ring.first { $0.n == n } }

  /// Adds the fate of the transaction that follows the last one; the first says whether the number is a fork's.
  mutating func append(_ fate: Fate, isFork: Bool, limit: Int) {
    if fate.n == 1 { (self.isFork, firstMark) = (isFork, fate.mark) }
    last = fate.n
    ring.append(fate)
    if ring.count > limit { ring.removeFirst(ring.count - limit) }
  }
}

/// A unique value of a property.
package struct UniqueKey: Hashable, Sendable {
  var property: UID
  var value: Value

  /// Whether two keys are the same; texts are compared by their bytes.
  package static func == (a: UniqueKey, b: UniqueKey) -> Bool {
    a.property == b.property && a.value.isIdentical(to: b.value)
  }
}

/// The state of a space before a batch, as a backend reads it.
package protocol SpaceReader {
  /// The row of the space.
  var space: SpaceRow { get }
  /// The object of a key; the state that never was if it does not exist.
  func object(_ key: GlobalKey) -> ObjectState<GlobalID>
  /// The pairs that have the object as their source or target.
  func pairs(of key: GlobalKey) -> Set<GlobalPair>
  /// The object that has a unique value.
  func holder(_ key: UniqueKey) -> GlobalKey?
  /// The row of a number; nil if the server has nothing of it.
  func row(_ number: UInt64) -> NumberRow?
}

/// The state after a batch, as far as the batch changed it.
package struct SpaceChanges: Sendable {
  /// The row of the space.
  package var space: SpaceRow
  /// The objects.
  package var objects: [GlobalKey: ObjectState<GlobalID>] = [:]
  /// All pairs of the objects whose pairs changed.
  package var pairs: [GlobalKey: Set<GlobalPair>] = [:]
  /// The holders of unique values; nil for values that are free.
  package var holders: [UniqueKey: GlobalKey?] = [:]
  /// The rows of numbers.
  package var rows: [UInt64: NumberRow] = [:]
  /// The new entries, in order.
  package var entries: [LogEntry] = []
}
