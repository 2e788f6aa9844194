internal import BoxStorage

/// Compares the two directions of a to-many relation, and both with the objects to which they refer.
///
/// Each direction is visited once, and so are the objects as far as they are needed; memory does not
/// depend on their number.
struct RelationTally {
  private let relation: RelationSchema
  private let storage: StorageAccess
  private let caller: Transaction?

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - relation: The relation.
  ///   - storage: The state that is read.
  ///   - caller: The transaction whose interruption ends the visits; nil for none.
  init(_ relation: RelationSchema, _ storage: StorageAccess, caller: Transaction? = nil) {
    self.relation = relation
    self.storage = storage
    self.caller = caller
  }

  /// Whether every entry has its twin in the other direction, and both of its objects exist.
  ///
  /// - Parameters:
  ///   - sources: The objects that the relation leads from; nil if they need not exist.
  ///   - targets: The target objects; nil if they need not exist.
  /// - Returns: False where at least one entry is wrong.
  /// - Throws: ``StorageError``, of kind `damaged` where entries are not in order, and
  ///   ``StoreError/interrupted``.
  /// - Complexity: O(*n*) in the number of entries and of objects.
  func isWhole(_ sources: Space?, _ targets: Space?) throws(StoreError) -> Bool {
    if try storage.statistics(relation.forward).entries
      != storage.statistics(relation.backward).entries
    {
      return false
    }
    var (forward, backward) = (PairSum(), PairSum())
    let hasSources = try visit(relation.forward, sources) { forward.add($0.key, $0.member) }
    let hasTargets = try visit(relation.backward, targets) { backward.add($0.member, $0.key) }
    return hasSources && hasTargets && forward == backward
  }

  /// Visits the entries of a direction; whether there is an object for each key.
  private func visit(
    _ space: Space, _ objects: Space?, _ body: (IntegerEntry) -> Void
  ) throws(StoreError) -> Bool {
    var finder = objects.map { IDFinder($0, storage) }
    var last: UInt64?
    var count = 0
    try storage.entries(space, from: nil as UInt64?, .forward) { (key, member) throws(StoreError) in
      count += 1
      if count % Transaction.visitsBetweenLooks == 0 { try caller?.checkInterruption() }
      body(IntegerEntry(key: key, member: member))
      if key != last { try finder?.add(key) }
      last = key
      return .next
    }
    return try finder?.findsAll() ?? true
  }
}

/// Looks for objects by ids that come in order, in one visit of the objects instead of a look for each.
private struct IDFinder {
  private let space: Space
  private let storage: StorageAccess
  private var wanted: [UInt64] = []
  private var isMissing = false

  private static let batch = 4096
  /// The number of objects to step over before seeking the next wanted one.
  private static let patience = 32

  init(_ space: Space, _ storage: StorageAccess) {
    self.space = space
    self.storage = storage
    wanted.reserveCapacity(Self.batch)
  }

  mutating func add(_ id: UInt64) throws(StoreError) {
    wanted.append(id)
    if wanted.count == Self.batch { try find() }
  }

  /// Whether there is an object for each of the ids.
  mutating func findsAll() throws(StoreError) -> Bool {
    try find()
    return !isMissing
  }

  private mutating func find() throws(StoreError) {
    defer { wanted.removeAll(keepingCapacity: true) }
    var position = 0
    while position < wanted.count && !isMissing {
      var passed = 0
      // The first object of the visit has the wanted id, or nothing has it.
      try storage.keys(space, from: wanted[position]) { id in
        if id > wanted[position] {
          isMissing = true
          return .stop
        }
        if id == wanted[position] {
          (position, passed) = (position + 1, 0)
          return position < wanted.count ? .next : .stop
        }
        passed += 1
        return passed < Self.patience ? .next : .stop
      }
      // The objects came to their end before the wanted ids.
      if position < wanted.count && passed < Self.patience { isMissing = true }
    }
  }
}
