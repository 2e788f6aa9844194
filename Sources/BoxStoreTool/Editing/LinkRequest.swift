internal import BoxDump
internal import BoxEngine

/// New entries of a to-many relation, or their removal, as `boxjoint store link` and `unlink` make them.
package struct LinkRequest {
  /// The directory of the store.
  package var store: String
  /// The relation, as `Entity.relation`.
  package var relation: String
  /// The object that has the relation.
  package var source: UInt64
  /// The targets; duplicates count once.
  package var targets: [UInt64]
  /// Whether entries are removed.
  package var isRemoval: Bool
  /// The options.
  package var options = EditOptions()

  /// Creates a request.
  package init(
    _ store: String, _ relation: String, from source: UInt64, to targets: [UInt64],
    isRemoval: Bool = false
  ) {
    self.store = store
    self.relation = relation
    self.source = source
    self.targets = targets
    self.isRemoval = isRemoval
  }

  /// Adds or removes the entries, in one transaction.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name that is not a to-many relation,
  ///   `impossible` for a new entry of an object that does not exist, and as ``onStore(_:_:)``.
  /// - Complexity: O(log *n*) for each entry.
  package func run(in place: Workspace) throws -> EditReport {
    try options.withStore(store, in: place) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws -> EditReport {
    let (entity, relation) = try resolved(open)
    let words = ["\(relation.uid)", "\(source)"] + Set(targets).sorted().map { "\($0)" }
    var edit = LossyEdit(.unlink, words, isOpen: false, asks: isRemoval)
    edit.canLose = isRemoval
    return try options.carryOut(edit, on: open, propose: { proposal(about: $0) }) { transaction in
      if !isRemoval { try requireObjects(relation, open, transaction) }
      var report = EditReport(
        open.path, isRemoval ? .unlink : .link, [entity.name, relation.name],
        isDryRun: options.isDryRun)
      for target in Set(targets).sorted() {
        let isChanged =
          isRemoval
          ? try transaction.unlink(relation, source, target)
          : try transaction.link(relation, source, target)
        if !isChanged {
          report.unchanged += 1
        } else if isRemoval {
          report.removed += 1
        } else {
          report.added += 1
        }
      }
      return report
    }
  }

  /// The question about entries that are removed; nil for none.
  private func proposal(about report: EditReport) -> EditProposal? {
    if report.count == 0 { return nil }
    return EditProposal(
      action: report.action, entity: report.name, count: report.count, others: [], examples: "")
  }

  private func resolved(
    _ open: OpenStore
  ) throws -> (entity: EntitySchema, relation: RelationSchema) {
    let (entity, name) = try open.member(relation, "relation", "Person.friends")
    if let relation = entity.relation(named: name) { return (entity, relation) }
    if let property = entity.property(named: name) {
      throw CommandFailure(
        .usage,
        property.target == nil
          ? "\(relation) is a property and not a relation to many"
          : "\(relation) is a relation to one; `boxjoint store set` changes it")
    }
    throw entity.unknown("relation", name, among: entity.relations.map(\.name))
  }

  private func requireObjects(
    _ relation: RelationSchema, _ open: OpenStore, _ transaction: Transaction
  ) throws {
    var problems = EditProblems()
    for (uid, ids) in [(relation.source, [source]), (relation.target, targets)] {
      guard let entity = open.store.entity(uid) else { continue }
      if let failure = try transaction.missing(ids, of: entity) { problems.add(failure) }
    }
    try problems.end(open.observer)
  }
}
