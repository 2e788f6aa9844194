internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStorage

extension MigrationProposal {
  /// The data that the migration frees or replaces for good, found without changing the store; nil if nothing is lost.
  ///
  /// The code is over the steps that free data, with every object, value and entry that they free, and over what the
  /// mappings drop, in the state that the migration was prepared for. ``carryOut(_:)`` refuses any other state.
  ///
  /// - Parameters:
  ///   - observer: Receives the progress.
  ///   - trial: The result of trying the migration out; nil to do that here where it can show a loss.
  /// - Returns: The loss.
  /// - Throws: ``CommandFailure`` of the kind `impossible` if a program wrote to the store since, or an object cannot
  ///   be carried over; as ``tryOut(_:)``.
  /// - Complexity: O(*n*) in the objects and entries of the entities that lose data; as ``tryOut(_:)`` where a mapping
  ///   can drop some of what it carries over.
  package func findLoss(
    _ observer: any WorkObserver, after trial: MigrationTrial? = nil
  ) throws -> Loss? {
    let dropped = try trial?.summary.dropped ?? droppedData(observer)
    let steps = freeingSteps.filter { $0.kind != nil }
    if steps.isEmpty && dropped.items.isEmpty { return nil }
    return try onMigration(store: request.store, mapping: request.mapping) {
      var options = request.access.options(isReadOnly: true, observer)
      options.acceptsRegeneratedModel = true
      // The pages were checked when the migration was prepared.
      options.storage.pageCheck = nil
      let store = try ObjectStore.open(.directory(request.store), options: options)
      defer { store.close() }
      let found = try store.read { try loss(of: steps, dropped, in: $0) }
      // A dry run may look at a store that a program has open.
      if try !request.isDryRun && store.status().lastTransaction != migration.state {
        throw MigrationError.storeChanged
      }
      return found
    }
  }

  /// The steps of the plan that free data.
  private var freeingSteps: [PlanStep] {
    (plan?.steps ?? []).filter { $0.engine.changeClass == .dataLoss }
  }

  /// Whether a migration that was carried out has lost data.
  ///
  /// - Parameter report: The report on it.
  /// - Returns: False if all data is still there.
  package func hasLost(_ report: MigrationReport) -> Bool {
    !report.summary.dropped.items.isEmpty || !freeingSteps.isEmpty
  }

  /// The data that the mappings drop, which only a trial shows.
  private func droppedData(_ observer: any WorkObserver) throws -> DroppedData {
    guard migration.canDrop, let trial = try tryOut(observer) else { return DroppedData() }
    if let step = trial.failedStep, let failure = trial.failures.first {
      try onMigration(store: request.store, mapping: request.mapping) {
        throw MigrationError.step(step, failure)
      }
    }
    return trial.summary.dropped
  }

  private func loss(
    of steps: [PlanStep], _ dropped: DroppedData, in transaction: Transaction
  ) throws -> Loss {
    let words = request.intermediate + [request.target, "\(request.freesHiddenData)"]
    var hash = LossHash([LossyOperation.migrate.rawValue] + words, onStore: request.store)
    var found = FreedData()
    for step in steps {
      let names = (step.oldEntity ?? step.entity ?? "the model", step.oldMember ?? step.member)
      let count = step.counts?.affected ?? 0
      for text in [step.rule.id, names.0, names.1 ?? ""] { hash.add(text) }
      hash.add(step.uid ?? 0, UInt64(count))
      let entities = transaction.store.entities
      switch step.kind {
      case .entity:
        found.add(objects: count, names.0)
        guard let entity = entities.first(where: { $0.uid == step.uid }) else { break }
        try transaction.visitChecksums(of: entity) { hash.add($0, UInt64($1)) }
        for relation in entity.relations {
          // One that has a step of its own is counted there.
          let isTold = steps.contains { $0.kind == .relation && $0.uid == relation.uid }
          let count = try transaction.count(relation)
          if !isTold && count > 0 { found.add(entries: count, names.0, relation.name) }
          try transaction.addEntries(of: relation, to: &hash)
        }
      case .relation:
        found.add(entries: count, names.0, names.1 ?? "")
        if let relation = entities.flatMap(\.relations).first(where: { $0.uid == step.uid }) {
          try transaction.addEntries(of: relation, to: &hash)
        }
      case .property, .index, nil:
        found.add(values: count, names.0, names.1 ?? "")
        try transaction.addValues(ofProperty: step.uid, to: &hash)
      }
    }
    if !steps.isEmpty {
      try transaction.visitHidden { element, first, second in
        hash.add("\(element.key.uid)")
        hash.add(first, second)
      }
    }
    for item in dropped.items {
      hash.add("\(item.kind) \(item.entity) \(item.member ?? "")")
      hash.add(UInt64(item.count), 0)
      switch item.kind {
      case .objects: found.add(objects: item.count, item.entity)
      case .values: found.add(values: item.count, item.entity, item.member ?? "")
      case .links: found.add(entries: item.count, item.entity, item.member ?? "")
      }
    }
    hash.add(dropped.checksum, 0)
    return try found.loss(hash.code, in: transaction)
  }
}

/// The numbers of what a migration frees, by element.
private struct FreedData {
  private var objects: [(entity: String, count: Int)] = []
  private var values: [Loss.Values] = []
  private var entries: [Loss.Entries] = []

  mutating func add(objects count: Int, _ entity: String) {
    if let place = objects.firstIndex(where: { $0.entity == entity }) {
      objects[place].count += count
    } else {
      objects.append((entity, count))
    }
  }

  mutating func add(values count: Int, _ entity: String, _ member: String) {
    let name = [entity, member]
    if let place = values.firstIndex(where: { $0.property == name }) {
      values[place].removed += count
    } else {
      values.append(Loss.Values(property: name, removed: count))
    }
  }

  mutating func add(entries count: Int, _ entity: String, _ member: String) {
    let name = [entity, member]
    if let place = entries.firstIndex(where: { $0.relation == name }) {
      entries[place].removed += count
    } else {
      entries.append(Loss.Entries(relation: name, removed: count))
    }
  }

  func loss(_ code: LossCode, in transaction: Transaction) throws -> Loss {
    let parts = try objects.map { part in
      // An entity of a model on the way, or a hidden one, has no objects to count.
      let known = transaction.store.entities.first { $0.name == part.entity }
      let total = try known.map { try transaction.count($0) } ?? part.count
      return Loss.Objects(
        entity: part.entity, removed: part.count, overwritten: 0, total: max(total, part.count))
    }
    var loss = Loss(objects: parts, entries: entries, code: code)
    loss.values = values
    return loss
  }
}

extension Transaction {
  /// Adds the entries of a relation to a hash.
  fileprivate func addEntries(of relation: RelationSchema, to hash: inout LossHash) throws {
    hash.add("\(relation.uid)")
    try visitEntries(relation) { source, target in
      hash.add(source, target)
      return .next
    }
  }

  /// Adds the objects that have a value of a property to a hash; none of a hidden property.
  fileprivate func addValues(ofProperty uid: UID?, to hash: inout LossHash) throws {
    for entity in store.entities {
      guard let property = entity.properties.first(where: { $0.uid == uid }) else { continue }
      var ids: [UInt64] = []
      try visit(entity) { id, record in
        if !record.isNull(property.slot) { ids.append(id) }
        return .next
      }
      try visitChecksums(of: entity, ids) { hash.add($0, UInt64($1 ?? 0)) }
    }
  }
}
