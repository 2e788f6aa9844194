package import BoxDump
internal import BoxEngine

/// The options of all requests that change objects.
package struct EditOptions {
  /// Whether nothing is kept.
  package var isDryRun = false
  /// The form of integers and dates in examples, without converters.
  package var values = ValueForm()
  /// The catalogue of converters; nil to read and show values as they are stored.
  package var catalogue: CatalogueChoice? = CatalogueChoice()
  /// The way to open the store.
  package var access = StoreAccess()
  /// Called before objects are changed that the user did not name by their ids, except in a dry run; an error
  /// that it throws ends the request.
  package var confirm: ((EditProposal) throws -> Void)?

  /// The default options.
  package init() {}
}

extension EditOptions {
  /// Opens a store for a request.
  ///
  /// - Throws: As ``OpenStore/with(_:_:_:isReadOnly:in:_:)``.
  func withStore<R>(
    _ path: String, in place: Workspace, _ body: (OpenStore) throws -> R
  ) throws -> R {
    try OpenStore.with(path, access, catalogue, isReadOnly: false, in: place, body)
  }

  /// Asks about a selection, in a transaction of its own, and returns the objects that were agreed to; nil
  /// where nobody has to be asked.
  ///
  /// - Throws: The error of ``confirm``; `StoreError` if the store cannot be read.
  func confirmed(
    _ selection: ResolvedSelection, _ action: EditReport.Action, in open: OpenStore
  ) throws -> AgreedObjects? {
    guard selection.named == nil, !isDryRun, let confirm else { return nil }
    let columns = try RowColumn.all(of: selection.entity, open.values(values))
    let (agreed, sample) = try open.store.read { transaction in
      let agreed = try AgreedObjects(selection, action, in: transaction)
      return (agreed, try selection.sample(of: agreed.ids, columns, in: transaction))
    }
    if agreed.count > 0 {
      try confirm(
        EditProposal(
          action: action, entity: selection.entity.name, count: agreed.count,
          others: agreed.effects?.others ?? [], examples: sample.text))
    }
    return agreed
  }
}

/// The objects that the user agreed to change.
struct AgreedObjects: Hashable {
  let count: Int
  /// The ids; nil for all objects of the entity.
  let ids: [UInt64]?
  /// The numbers of other objects that a removal concerns; nil without delete rules.
  let effects: RemovalEffects?
  private let action: EditReport.Action

  init(
    _ selection: ResolvedSelection, _ action: EditReport.Action, in transaction: Transaction
  ) throws {
    self.action = action
    ids = selection.isAll ? nil : try selection.ids(in: transaction)
    count = try ids?.count ?? selection.count(in: transaction)
    let entity = selection.entity
    effects =
      action == .remove && entity.hasDeleteRules
      ? try transaction.effects(ofRemoving: entity, ids) : nil
  }

  /// Requires that the selection still has the same objects, and concerns as many others.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if another program has changed that.
  func require(_ selection: ResolvedSelection, in transaction: Transaction) throws {
    if try AgreedObjects(selection, action, in: transaction) == self { return }
    throw CommandFailure(
      .impossible, "another program changed which objects are selected; nothing was changed")
  }
}
