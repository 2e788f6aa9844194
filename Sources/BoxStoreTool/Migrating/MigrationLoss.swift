internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStorage

extension MigrationProposal {
  /// The data that the migration frees for good, found without changing the store; nil if it frees none.
  ///
  /// The code is over the steps that free data, with their counts, and over every object and entry of the entities that
  /// they are about, in the state that the migration was prepared for. ``carryOut(_:)`` refuses any other state.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if a program wrote to the store since.
  /// - Complexity: O(*n*) in the objects and entries of the entities that lose data.
  package func findLoss(_ observer: any WorkObserver) throws -> Loss? {
    let steps = (plan?.steps ?? []).filter { $0.engine.changeClass == .dataLoss }
    if steps.isEmpty { return nil }
    let words = request.intermediate + [request.target, "\(request.freesHiddenData)"]
    var hash = LossHash([LossyOperation.migrate.rawValue] + words, onStore: request.store)
    for step in steps {
      for text in [
        step.rule.id, step.oldEntity ?? step.entity ?? "", step.oldMember ?? step.member ?? "",
      ] {
        hash.add(text)
      }
      hash.add(step.uid ?? 0, UInt64(step.counts?.affected ?? 0))
    }
    try onMigration(store: request.store, mapping: request.mapping) {
      var options = request.access.options(isReadOnly: true, observer)
      options.acceptsRegeneratedModel = true
      // The pages were checked when the migration was prepared.
      options.storage.pageCheck = nil
      let store = try ObjectStore.open(.directory(request.store), options: options)
      defer { store.close() }
      try store.read { try Self.addContent(of: steps, in: $0, to: &hash) }
      // A dry run may look at a store that a program has open.
      if try !request.isDryRun && store.status().lastTransaction != migration.state {
        throw MigrationError.storeChanged
      }
    }
    return loss(of: steps, hash.code)
  }

  private static func addContent(
    of steps: [PlanStep], in transaction: Transaction, to hash: inout LossHash
  ) throws {
    let store = transaction.store
    let names = Set(steps.compactMap { $0.oldEntity ?? $0.entity })
    for entity in store.entities where names.contains(entity.name) {
      hash.add("\(entity.uid)")
      try transaction.visitChecksums(of: entity) { hash.add($0, UInt64($1)) }
      for relation in entity.relations {
        hash.add("\(relation.uid)")
        try transaction.visitEntries(relation) { source, target in
          hash.add(source, target)
          return .next
        }
      }
    }
    try transaction.visitHidden { element, first, second in
      hash.add("\(element.key.uid)")
      hash.add(first, second)
    }
  }

  private func loss(of steps: [PlanStep], _ code: LossCode) -> Loss {
    var objects: [Loss.Objects] = []
    var values: [Loss.Values] = []
    var entries: [Loss.Entries] = []
    for step in steps {
      let entity = step.oldEntity ?? step.entity ?? "the model"
      let count = step.counts?.affected ?? 0
      guard let member = step.oldMember ?? step.member else {
        objects.append(
          Loss.Objects(entity: entity, removed: count, overwritten: 0, total: count))
        continue
      }
      if step.kind == .relation {
        entries.append(Loss.Entries(relation: [entity, member], removed: count))
      } else {
        values.append(Loss.Values(property: [entity, member], removed: count))
      }
    }
    var loss = Loss(objects: objects, entries: entries, code: code)
    loss.values = values
    return loss
  }
}
