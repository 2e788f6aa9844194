internal import BoxDump
internal import BoxEngine
internal import BoxModel

/// The objects and entries that a transaction loses, found before it is committed.
struct LostObjects {
  /// The objects of one entity, in ascending order of their ids.
  struct Part {
    let entity: EntitySchema
    var removed: [UInt64] = []
    var overwritten: [UInt64] = []
    /// The objects that stay and lost no value, but got others where they had none.
    var supplemented: [UInt64] = []
    /// All objects that stay and were written, also with changed entries alone.
    var written: [UInt64] = []
    var total = 0
  }

  /// The entries of one relation.
  struct Entries {
    let owner: EntitySchema
    let relation: RelationSchema
    /// The targets that a source loses, by source.
    var targets: [(source: UInt64, targets: [UInt64])] = []
  }

  private(set) var parts: [Part] = []
  private(set) var entries: [Entries] = []
  private var hidden = HiddenLoss()
  private var hash: LossHash

  /// The loss.
  var loss: Loss {
    var loss = Loss(
      objects: parts.filter { !$0.removed.isEmpty || !$0.overwritten.isEmpty }.map {
        Loss.Objects(
          entity: $0.entity.name, removed: $0.removed.count, overwritten: $0.overwritten.count,
          total: $0.total)
      },
      entries: entries.map {
        Loss.Entries(
          relation: [$0.owner.name, $0.relation.name],
          removed: $0.targets.reduce(0) { $0 + $1.targets.count })
      },
      code: hash.code)
    loss.hidden = Loss.Hidden(values: hidden.values, entries: hidden.entries)
    return loss
  }

  /// Finds what a transaction has lost since a mark.
  ///
  /// - Parameters:
  ///   - old: The committed state, which the transaction began with.
  ///   - new: The transaction.
  ///   - mark: The mark of `Transaction.noteAllChanges()`.
  ///   - hash: The hash of the command.
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: O(*n* log *n*) in the objects that the transaction changed, and O(log *n*) for each of their entries.
  init(from old: Transaction, to new: Transaction, since mark: Int, _ hash: LossHash) throws {
    self.hash = hash
    for entity in new.store.entities { try find(entity, old, new, mark) }
    for entity in new.store.entities {
      for relation in entity.relations where try old.count(relation) > 0 {
        try find(relation, of: entity, old, new)
      }
    }
    if !new.store.hiddenElements().isEmpty { try findHidden(old, new) }
  }

  /// Finds the hidden data that goes with objects: removed ones, and those that were removed and put again.
  private mutating func findHidden(_ old: Transaction, _ new: Transaction) throws {
    let changed = parts.map { ($0.removed + $0.written).sorted() }
    var (hidden, hash) = (HiddenLoss(), hash)
    try old.visitHidden(of: changed, missingIn: new) { hidden.add($0, $1, $2, to: &hash) }
    (self.hidden, self.hash) = (hidden, hash)
  }

  /// The changed objects of an entity in the order of their ids: the removed ones, and the others.
  private static func changed(
    _ entity: EntitySchema, _ new: Transaction, _ mark: Int
  ) -> (removed: [UInt64], others: [UInt64]) {
    if !new.hasChanged(entity) { return ([], []) }
    let runs = new.recordedRuns(of: entity, since: mark)
    func ids(_ kind: ObjectChange.Kind) -> [UInt64] {
      runs.filter { $0.kind == kind }.reduce(into: []) { $0 += $1.ids }
    }
    if areAscending(runs.map(\.ids)) { return (ids(.removed), ids(.updated)) }
    let changes = new.changes(of: entity, since: mark).sorted { $0.id < $1.id }
    return (
      changes.filter { $0.kind == .removed }.map(\.id),
      changes.filter { $0.kind == .updated }.map(\.id)
    )
  }

  /// Whether ids that follow each other are in order, and each is there once.
  private static func areAscending(_ runs: [ArraySlice<UInt64>]) -> Bool {
    var last: UInt64 = 0
    for run in runs {
      for id in run {
        if id <= last { return false }
        last = id
      }
    }
    return true
  }

  private mutating func find(
    _ entity: EntitySchema, _ old: Transaction, _ new: Transaction, _ mark: Int
  ) throws {
    let (removed, others) = Self.changed(entity, new, mark)
    var part = Part(entity: entity)
    part.total = try old.count(entity)
    part.written = others
    if removed.isEmpty && others.isEmpty { return parts.append(part) }
    hash.add("\(entity.uid)")
    // An object that another one displaced and that was put in the same transaction has no old record.
    var missing: Set<UInt64> = []
    try old.visitChecksums(of: entity, removed) { id, checksum in
      if let checksum { hash.add(id, UInt64(checksum)) } else { missing.insert(id) }
    }
    part.removed = missing.isEmpty ? removed : removed.filter { !missing.contains($0) }
    // Nearly always all of them lost a value.
    part.overwritten.reserveCapacity(others.count)
    try new.visitReplaced(of: entity, others, since: old) { id, before, after, losesValue in
      if !losesValue { return part.supplemented.append(id) }
      part.overwritten.append(id)
      // With the new record the code is about what replaces the old one, too.
      hash.add(id, UInt64(before) << 32 | UInt64(after))
    }
    parts.append(part)
  }

  private mutating func find(
    _ relation: RelationSchema, of owner: EntitySchema, _ old: Transaction, _ new: Transaction
  ) throws(StoreError) {
    let source = parts[owner.position]
    guard let target = parts.first(where: { $0.entity.uid == relation.target }) else { return }
    var sources = Set(source.removed)
    // The entries of others that led to removed objects are not noted with them.
    for id in target.removed { sources.formUnion(try old.sources(relation, of: id)) }
    sources.formUnion(source.written)
    var lost = Entries(owner: owner, relation: relation)
    for id in sources.sorted() {
      let before = try old.targets(relation, of: id)
      if before.isEmpty { continue }
      let kept = Set(try new.targets(relation, of: id))
      let gone = before.filter { !kept.contains($0) }
      if !gone.isEmpty { lost.targets.append((id, gone)) }
    }
    if lost.targets.isEmpty { return }
    hash.add("\(relation.uid)")
    for (source, targets) in lost.targets {
      for target in targets { hash.add(source, target) }
    }
    entries.append(lost)
  }
}
