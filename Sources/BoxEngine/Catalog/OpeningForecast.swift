package import BoxModel
package import BoxReport

extension ObjectStore {
  /// The reasons why a store that others had opened would refuse a model, as far as opening
  /// decides.
  ///
  /// No store is read. Every entity is assumed to have objects. Reasons that depend on values, such
  /// as a unique index, are not included.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - models: The models that opened the store before, the oldest first.
  /// - Returns: The reasons; none if the store opens, or if it refuses one of `models`.
  /// - Complexity: O(*n*) in the elements of all models.
  package static func refusals(of model: Model, after models: [Model]) -> [Finding] {
    var catalog = Catalog()
    var retired: Set<UID> = []
    for earlier in models {
      let update = forecast(catalog, earlier, retired)
      if !update.isAllowed { return [] }
      catalog = update.catalog
      retired.formUnion(earlier.retiredElementUIDs)
    }
    return forecast(catalog, model, retired).findings.filter { $0.severity == .error }
  }

  private static func forecast(
    _ catalog: Catalog, _ model: Model, _ retired: Set<UID>
  ) -> CatalogUpdate {
    CatalogUpdate(
      stored: catalog, model: model, path: "", acceptsRegenerated: false, retired: { retired },
      hasObjects: { _ in true })
  }
}
