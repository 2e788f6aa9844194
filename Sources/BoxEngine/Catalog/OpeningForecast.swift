package import BoxModel
package import BoxReport

/// A rule by which the engine refuses an opening, or warns, and the element that it is about.
package struct OpeningObjection: Hashable, Sendable {
  /// The rule of ``OpeningRule``.
  package let rule: Rule
  /// The element of the new model; of the old one where the new one lacks it.
  ///
  /// An index has the key of its property.
  package let element: ElementKey
}

/// The objections of the engine to opening a store of one model with another one, before there is a
/// store.
///
/// It is what opening finds in a store that had no other model and has objects of each entity. What
/// follows from the values of the objects, such as duplicates, is not in it, and neither is whether the
/// new model looks newly generated.
package struct OpeningForecast: Sendable {
  /// Whether there can be a store of the old model: not of one with properties of no known type.
  package let hasStores: Bool
  private let rules: [ElementKey: [Rule]]

  /// Opens a store of the old model with the new one, in thought.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements of both.
  package init(from old: Model, to new: Model) {
    let empty = CatalogUpdate(
      stored: Catalog(), model: old, path: "", acceptsRegenerated: true, hasObjects: { _ in false })
    let update = CatalogUpdate(
      stored: empty.catalog, model: new, path: "", acceptsRegenerated: true,
      hasObjects: { _ in true })
    hasStores = !empty.objections.contains { $0.rule == OpeningRule.unknownType }
    rules = Dictionary(grouping: update.objections, by: \.element).mapValues { $0.map(\.rule) }
  }

  /// Whether the index of a property leaves zero out; nil if the engine builds none.
  package static func indexSkipsZero(_ property: Property) -> Bool? {
    CatalogIndex(of: property)?.skipsZero
  }

  /// Whether the engine objects to an element by a rule.
  package func objects(to element: ElementKey, by rule: Rule) -> Bool {
    rules[element]?.contains(rule) ?? false
  }
}

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
