internal import BoxDump
internal import BoxEngine

/// A removal of objects, as `boxjoint store remove` carries it out.
package struct RemoveRequest {
  /// The directory of the store.
  package var store: String
  /// The entity.
  package var entity: String
  /// The objects.
  package var selection: ObjectSelection
  /// The options.
  package var options = EditOptions()

  /// Creates a request.
  package init(_ store: String, _ entity: String, _ selection: ObjectSelection) {
    self.store = store
    self.entity = entity
    self.selection = selection
  }

  /// Removes the objects with their entries in to-many relations, in one transaction.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` for an unknown name and for a condition that cannot
  ///   be read, `impossible` for an object that does not exist and for a removal that a rule forbids; the error of ``EditOptions/confirm``; and
  ///   as ``onStore(_:_:)``.
  /// - Complexity: O(*n*) in the objects that the condition has to look at, and O(log *n*) for each object
  ///   and each of its entries.
  package func run(in place: Workspace) throws -> EditReport {
    try options.withStore(store, in: place) { try run(on: $0) }
  }

  private func run(on open: OpenStore) throws -> EditReport {
    let entity = try open.entity(entity)
    let selection = try ResolvedSelection(self.selection, of: entity, in: open)
    let edit = LossyEdit(
      .remove, ["\(entity.uid)"] + selection.words, isOpen: selection.named == nil,
      asks: selection.named == nil)
    return try options.carryOut(
      edit, on: open, propose: { try options.proposal(selection, about: $0, in: open) }
    ) { transaction in
      if let missing = try selection.missing(in: transaction) { throw missing }
      var report = EditReport(open.path, .remove, [entity.name], isDryRun: options.isDryRun)
      let ids = selection.isAll ? nil : try selection.ids(in: transaction)
      if options.isDryRun {
        let columns = try RowColumn.all(of: entity, open.values(options.values))
        report.sample = try selection.sample(of: ids, columns, in: transaction)
      }
      if let ids, entity.hasDeleteRules {
        let removal = try transaction.removal(of: [(entity, ids)])
        (report.effects, report.removed) = (removal.effects, removal.namedCount)
        try removal.write()
      } else if let ids {
        report.removed = try transaction.remove([(entity, ids)])
      } else {
        report.removed = try transaction.removeAll(entity, effects: &report.effects)
      }
      return report
    }
  }
}
