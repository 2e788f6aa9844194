internal import BoxConvert
package import BoxDump
internal import BoxEngine
internal import BoxModel

/// Objects that are put into a store, as `boxjoint store put` puts them.
package struct PutRequest {
  /// The directory of the store.
  package var store: String
  /// The entity.
  package var entity: String
  /// The objects as JSON, each text with one or an array of them; `-` is standard input, which can have
  /// one in each line.
  package var objects: [String]
  /// The treatment of objects that exist and of those that do not.
  package var mode = ImportMode.insert
  /// The options.
  package var options = EditOptions()

  /// Creates a request.
  package init(_ store: String, _ entity: String, _ objects: [String]) {
    self.store = store
    self.entity = entity
    self.objects = objects
  }

  /// Puts the objects, in one transaction.
  ///
  /// The targets of a to-many relation become exactly those that an object names.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` for JSON that is malformed or does not fit,
  ///   `impossible` for an object that the mode does not allow, a value that is not unique and a target
  ///   that does not exist, and as ``onStore(_:_:)``. All objects are looked at first.
  /// - Complexity: O(log *n*) for each object, each index entry and each entry of a relation.
  package func run(in place: Workspace) throws -> EditReport {
    try options.withStore(store, in: place) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws -> EditReport {
    let entity = try open.entity(entity)
    let reader = try ObjectReader(entity, open.catalogue ?? .empty)
    var problems = EditProblems()
    var input = PutInput()
    for (number, text) in objects.enumerated() {
      if text == "-" {
        input.add(try SourceFile.read(text).bytes, text, &problems)
      } else {
        let source = objects.count == 1 ? "JSON" : "JSON \(number + 1)"
        input.add(Array(text.utf8), source, &problems)
      }
    }
    var objects: [(element: PutInput.Element, values: ObjectValues)] = []
    for element in input.elements {
      var (values, found) = reader.read(element.node, in: element.document)
      for problem in found {
        problems.add(element.failure(.badInput, problem.message, at: problem.offset))
      }
      if found.isEmpty, mode == .insert || mode == .replace {
        for message in reader.complete(&values) {
          problems.add(element.failure(.badInput, message))
        }
      }
      objects.append((element, values))
    }
    try problems.end(open.observer)
    let isReplacing = mode == .replace
    var edit = LossyEdit(
      .put, ["\(entity.uid)", mode.rawValue] + self.objects, isOpen: isReplacing, asks: isReplacing)
    // A new object can take a unique value over from another one, which goes then.
    edit.canLose = mode != .insert || open.store.displaces
    let report = try options.carryOut(edit, on: open, propose: { proposal(about: $0) }) {
      try put(objects, entity, open, $0)
    }
    // The output has the ids alone.
    if let note = report.displacementNote {
      open.observer.receive(Notice(.note, "\(open.path): note: \(note)"))
    }
    return report
  }

  /// The question about objects that are overwritten; nil if all are new.
  private func proposal(about report: EditReport) -> EditProposal? {
    if report.count == 0 { return nil }
    return EditProposal(
      action: .put, entity: report.name, count: report.count,
      others: report.effects?.others ?? [], examples: "")
  }

  private func put(
    _ objects: [(element: PutInput.Element, values: ObjectValues)], _ entity: EntitySchema,
    _ open: OpenStore, _ transaction: Transaction
  ) throws -> EditReport {
    var report = EditReport(open.path, .put, [entity.name], isDryRun: options.isDryRun)
    transaction.displacement = RemovalEffects()
    var problems = EditProblems()
    var targets = RelationTargets(of: entity, in: open.store)
    // Objects of the input may take unique values over from each other, or refer to one that loses its own.
    try transaction.displacing {
      try putAll(objects, entity, transaction, &report, &problems, &targets)
      try targets.check(in: transaction, &problems)
    }
    for ((element, values), id) in zip(objects, report.ids) where id != 0 {
      for (relation, ids) in values.targets {
        if let failure = try link(relation, id, to: ids, open, transaction) {
          problems.add(element.failure(failure.kind, failure.message))
        }
      }
    }
    try problems.end(open.observer)
    report.showDisplacement(transaction)
    if options.isDryRun {
      let columns = try RowColumn.all(
        of: entity, in: open.store, open.values(options.values))
      report.sample = try ObjectSample(
        report.ids, of: report.ids.count, try open.query(entity, nil), columns, in: transaction)
    }
    return report
  }

  private func putAll(
    _ objects: [(element: PutInput.Element, values: ObjectValues)], _ entity: EntitySchema,
    _ transaction: Transaction, _ report: inout EditReport, _ problems: inout EditProblems,
    _ targets: inout RelationTargets
  ) throws(StoreError) {
    for (element, values) in objects {
      do throws(StoreError) {
        let exists = try transaction.contains(entity, values.id)
        report.ids.append(try put(values, entity, exists: exists, transaction))
        if exists { report.changed += 1 } else { report.added += 1 }
        targets.insert(values.values)
      } catch {
        if case .storage = error { throw error }
        var message = error.description
        if case .idNotGiven(let entity, let id, let last) = error {
          message =
            "\(entity) \(id) was never assigned as an id (the last is \(last)); leave out its id to give it "
            + "the next one"
        }
        var failure = element.failure(error.failureKind, message)
        if case .alreadyExists = error { failure.remedy = .chooseMode }
        problems.add(failure)
        // So that the ids and the objects still correspond.
        report.ids.append(0)
      }
    }
  }

  private func put(
    _ values: ObjectValues, _ entity: EntitySchema, exists: Bool, _ transaction: Transaction
  ) throws(StoreError) -> UInt64 {
    var object = DynamicObject(entity, id: values.id)
    if exists && (mode == .update || mode == .upsert) {
      object = try transaction.get(entity, values.id) ?? object
    }
    for (position, value) in values.values { object.values[position] = value }
    let mode: PutMode =
      switch mode {
      case .insert: .insert
      case .update: .update
      case .upsert, .replace: .put
      }
    return try transaction.put(object, mode: mode)
  }

  /// Makes some objects the targets of an object, and no others.
  ///
  /// - Returns: The failure for targets that do not exist; nil if all do.
  private func link(
    _ relation: RelationSchema, _ id: UInt64, to ids: [UInt64], _ open: OpenStore,
    _ transaction: Transaction
  ) throws(StoreError) -> CommandFailure? {
    guard let target = open.store.entity(relation.target) else { return nil }
    let new = Set(ids)
    if var failure = try transaction.missing(new, of: target) {
      let source = open.store.entity(relation.source)?.name ?? entity
      failure.message = "\(source).\(relation.name): " + failure.message
      return failure
    }
    for old in try transaction.targets(relation, of: id) where !new.contains(old) {
      try transaction.unlink(relation, id, old)
    }
    for target in new { try transaction.link(relation, id, target) }
    return nil
  }
}
