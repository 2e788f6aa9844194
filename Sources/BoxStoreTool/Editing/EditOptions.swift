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
  /// The consent to what the change loses.
  package var consent = Consent()
  /// Asks a person; nil where there is no terminal to ask on.
  package var ask: ((EditProposal) throws -> Void)?

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

  /// The question about a change of selected objects; nil for a trial that changed none.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func proposal(
    _ selection: ResolvedSelection, about report: EditReport, in open: OpenStore
  ) throws -> EditProposal? {
    if report.count == 0 { return nil }
    let columns = try RowColumn.all(of: selection.entity, open.values(values))
    let sample = try open.store.read { transaction in
      let ids = selection.isAll ? nil : try selection.ids(in: transaction)
      return try selection.sample(of: ids, columns, in: transaction)
    }
    return EditProposal(
      action: report.action, entity: selection.entity.name, count: report.count,
      others: report.effects?.others ?? [], examples: sample.text)
  }
}
