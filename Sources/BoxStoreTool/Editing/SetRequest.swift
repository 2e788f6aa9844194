internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxStorage

/// New values for properties of objects, as `boxjoint store set` sets them.
package struct SetRequest {
  /// The directory of the store.
  package var store: String
  /// The entity.
  package var entity: String
  /// The objects.
  package var selection: ObjectSelection
  /// The new values, such as `pages=300`, `genre=crime`, `rating=null` and `tags:=["sea"]`.
  package var assignments: [String]
  /// The options.
  package var options = EditOptions()

  /// Creates a request.
  package init(
    _ store: String, _ entity: String, _ selection: ObjectSelection, _ assignments: [String]
  ) {
    self.store = store
    self.entity = entity
    self.selection = selection
    self.assignments = assignments
  }

  /// Sets the values, in one transaction.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name or a value that does not fit and for a
  ///   condition that cannot be read, `impossible` for an object or a target that does not exist and a
  ///   value that is not unique; the error of ``EditOptions/confirm``; and as ``onStore(_:_:)``.
  /// - Complexity: O(*n*) in the objects that the condition has to look at, and O(log *n*) for each object
  ///   and each index entry that changes.
  package func run(in place: Workspace) throws -> EditReport {
    try options.withStore(store, in: place) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws -> EditReport {
    let entity = try open.entity(entity)
    var problems = EditProblems()
    let new = try AssignedValues(assignments, of: entity, in: open, &problems).values
    var selection: ResolvedSelection?
    problems.collect { () throws(CommandFailure) in
      selection = try ResolvedSelection(self.selection, of: entity, in: open)
    }
    try open.store.read { transaction in
      if let missing = try selection?.missing(in: transaction) { problems.add(missing) }
      var targets = RelationTargets(of: entity, in: open.store)
      targets.insert(new)
      try targets.check(in: transaction, &problems)
    }
    try problems.end(open.observer)
    guard let selection else { return EditReport(open.path, .set, [entity.name], isDryRun: true) }
    let edit = LossyEdit(
      .set, ["\(entity.uid)"] + selection.words + assignments, isOpen: selection.named == nil,
      asks: selection.named == nil)
    return try options.carryOut(
      edit, on: open, propose: { try options.proposal(selection, about: $0, in: open) }
    ) { try change(selection, to: new, open, $0) }
  }

  private func change(
    _ selection: ResolvedSelection, to new: [Int: Value], _ open: OpenStore,
    _ transaction: Transaction
  ) throws -> EditReport {
    let entity = selection.entity
    if let missing = try selection.missing(in: transaction) { throw missing }
    let ids = selection.isAll ? nil : try selection.ids(in: transaction)
    transaction.displacement = RemovalEffects()
    var report = EditReport(open.path, .set, [entity.name], isDryRun: options.isDryRun)
    report.changed = try transaction.displacing {
      try ObjectEdit(entity, new).apply(to: ids, transaction)
    }
    report.showDisplacement(transaction)
    if options.isDryRun {
      let shown = Set(new.keys.map { ExactText(entity.properties[$0].name) })
      let columns = try RowColumn.all(of: entity, open.values(options.values)).filter {
        $0.name == entity.idName || shown.contains(ExactText($0.name))
      }
      report.sample = try selection.sample(of: ids, columns, in: transaction)
    }
    return report
  }
}

extension EntitySchema {
  /// The name of the id, of the model or of the tool.
  var idName: String? { idPosition.map { properties[$0].name } ?? addedIDName }
}
