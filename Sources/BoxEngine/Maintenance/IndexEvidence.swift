internal import BoxStorage

/// A comparison of the objects of an entity with indexes of which everything is there.
///
/// A page with an earlier content, or with one of another entity, is undamaged in itself. The indexes have the
/// values of the objects on other pages.
struct IndexEvidence {
  /// An object that an index contradicts.
  struct Contradiction {
    let id: UInt64
    /// The number of indexes that do not have its value.
    fileprivate(set) var against = 0
    /// The number of indexes that have its value.
    fileprivate(set) var confirmations = 0
    /// Whether an index has the id under another value.
    fileprivate(set) var isKnown = false
    /// Whether a unique index has another object under its value, which that object has.
    fileprivate(set) var isDisplaced = false

    /// Whether it cannot be an earlier version, or cannot stay as one.
    var isWrong: Bool { isDisplaced || confirmations == 0 && against > 1 }
  }

  private let indexes: [IndexSchema]
  private let entity: EntitySchema
  private let transaction: StorageAccess
  private let reader: RecordReader
  /// Objects that an index has, and that are not there.
  private(set) var missing: Set<UInt64> = []
  /// Objects that an index has under another value.
  private var known: Set<UInt64> = []
  /// The positions of the indexes that contradict an object.
  private var against: [UInt64: [Int]] = [:]

  /// Compares the objects, none of which may be damaged, with indexes.
  ///
  /// - Throws: ``StoreError/damagedRecord(entity:id:_:)`` or ``StorageError``.
  /// - Complexity: O(*n*) in the number of entries if all fit, otherwise O(*n* log *n*). Memory for each id that does
  ///   not fit.
  init(
    _ indexes: [IndexSchema], of entity: EntitySchema, _ transaction: StorageAccess
  ) throws(StoreError) {
    self.indexes = indexes
    self.entity = entity
    self.transaction = transaction
    reader = RecordReader(entity.layout)
    if indexes.isEmpty { return }
    let differing = try differing()
    for (position, index) in indexes.enumerated() where differing.contains(index) {
      try compareEntries(index, position)
      try compareObjects(index, position)
    }
  }

  /// The objects that an index contradicts, in the order of their ids.
  ///
  /// - Throws: As the initializer.
  func contradictions() throws(StoreError) -> [Contradiction] {
    var found: [Contradiction] = []
    for (id, positions) in against.sorted(by: { $0.key < $1.key }) {
      guard let record = try unsafe transaction.value(entity.space, id) else { continue }
      let view = try unsafe reader.view(of: entity, id, record)
      var contradiction = Contradiction(id: id)
      contradiction.against = positions.count
      contradiction.isKnown = known.contains(id)
      for (position, index) in indexes.enumerated() {
        guard let key = index.key(view) else { continue }
        if !positions.contains(position) {
          contradiction.confirmations += 1
        } else if try isTaken(key, in: index, from: id) {
          contradiction.isDisplaced = true
        }
      }
      found.append(contradiction)
    }
    return found
  }

  /// The indexes that do not have exactly the entries of the objects.
  private func differing() throws(StoreError) -> [IndexSchema] {
    var tally = IndexTally(indexes)
    try unsafe transaction.records(entity.space, from: nil, .forward) {
      (id, record) throws(StoreError) in
      tally.add(id, try unsafe reader.view(of: entity, id, record))
      return .next
    }
    return try tally.mismatches(in: transaction)
  }

  /// Finds the entries of no object, and of objects with another value.
  private mutating func compareEntries(
    _ index: IndexSchema, _ position: Int
  ) throws(StoreError) {
    let (entity, transaction, reader) = (entity, transaction, reader)
    var (missing, known, withoutValue): (Set<UInt64>, Set<UInt64>, Set<UInt64>) = ([], [], [])
    try transaction.entries(of: index) { (key, id) throws(StoreError) in
      guard let record = try unsafe transaction.value(entity.space, id) else {
        // Another number is damage of the entry.
        if id > 0, id <= ObjectStore.maximumID { missing.insert(id) }
        return .next
      }
      let own = index.key(try unsafe reader.view(of: entity, id, record))
      if own != key { known.insert(id) }
      if own == nil { withoutValue.insert(id) }
      return .next
    }
    self.missing.formUnion(missing)
    self.known.formUnion(known)
    for id in withoutValue { against[id, default: []].append(position) }
  }

  /// Finds the objects whose value the index does not have.
  private mutating func compareObjects(
    _ index: IndexSchema, _ position: Int
  ) throws(StoreError) {
    let (entity, transaction, reader) = (entity, transaction, reader)
    var wrong: [UInt64] = []
    try unsafe transaction.records(entity.space, from: nil, .forward) {
      (id, record) throws(StoreError) in
      let view = try unsafe reader.view(of: entity, id, record)
      if let key = index.key(view), try !transaction.contains(index.space, key, id) {
        wrong.append(id)
      }
      return .next
    }
    for id in wrong { against[id, default: []].append(position) }
  }

  /// Whether another object exists that has a unique value.
  private func isTaken(
    _ key: IndexKey, in index: IndexSchema, from id: UInt64
  ) throws(StoreError) -> Bool {
    // Two values can have one hash.
    if !index.isUnique || index.isInexact { return false }
    var isTaken = false
    try transaction.members(index.space, key) { (other) throws(StoreError) in
      guard other != id, let record = try unsafe transaction.value(entity.space, other) else {
        return .next
      }
      isTaken = index.key(try unsafe reader.view(of: entity, other, record)) == key
      return isTaken ? .stop : .next
    }
    return isTaken
  }
}
