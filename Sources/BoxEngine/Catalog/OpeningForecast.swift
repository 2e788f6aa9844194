package import BoxModel
package import BoxReport

/// A rule by which the engine refuses an opening, or warns, and the element that it is about.
package struct OpeningRefusal: Hashable, Sendable {
  /// The rule of ``OpeningRule``.
  package let rule: Rule
  /// The element of the new model; of the old one where the new one lacks it.
  ///
  /// An index has the key of its property.
  package let element: ElementKey
  /// The refusal in words, for a person.
  package let message: String
}

/// The effect of opening a store with a model, found without opening it.
///
/// ``CatalogUpdate``, which decides the opening itself, is asked for it. What follows from the values of
/// the objects, such as duplicates, is not in it.
package struct OpeningForecast: Sendable {
  /// Whether the engine opens a store with each of the earlier models.
  package let opensEarlier: Bool
  /// The findings for which the engine refuses the opening.
  package let refusals: [Finding]
  private let refusalsByElement: [ElementKey: [OpeningRefusal]]
  private let uniqueIndexesToBuild: Set<UID>

  /// Opens a store with a model, in thought, after other models have opened it.
  ///
  /// Every entity is assumed to have objects.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - earlier: The models that opened the store before, the oldest first.
  ///   - acceptsRegenerated: Whether a model that looks newly generated is accepted.
  /// - Complexity: O(*n* log *n*) in the number of elements of all models.
  package init(opening model: Model, after earlier: [Model], acceptsRegenerated: Bool) {
    var catalog = Catalog()
    var retired: Set<UID> = []
    var opensEarlier = true
    for earlier in earlier {
      let update = Self.update(catalog, earlier, retired, acceptsRegenerated)
      opensEarlier = opensEarlier && update.isAllowed
      catalog = update.catalog
      retired.formUnion(earlier.retiredElementUIDs)
    }
    self.init(
      Self.update(catalog, model, retired, acceptsRegenerated), opensEarlier: opensEarlier)
  }

  /// Opens an open store with another model, in thought.
  ///
  /// - Parameters:
  ///   - model: The model; one that looks newly generated is accepted.
  ///   - declarations: The declarations about its relations; nil if the store keeps its own.
  ///   - store: The store.
  ///   - hasObjects: Whether the entity of a UID has objects in the store.
  /// - Complexity: O(*n* log *n*) in the number of elements of both models.
  package init(
    opening model: Model, _ declarations: Declarations?, in store: ObjectStore,
    hasObjects: @escaping (UID) -> Bool
  ) {
    self.init(
      CatalogUpdate(
        stored: store.schema.catalog, model: model, path: "", acceptsRegenerated: true,
        declarations: declarations, hasObjects: hasObjects),
      opensEarlier: true)
  }

  private init(_ update: CatalogUpdate, opensEarlier: Bool) {
    self.opensEarlier = opensEarlier
    refusals = update.findings.filter { $0.severity == .error }
    refusalsByElement = Dictionary(grouping: update.refusals, by: \.element)
    uniqueIndexesToBuild = update.uniqueIndexesToBuild
  }

  private static func update(
    _ catalog: Catalog, _ model: Model, _ retired: Set<UID>, _ acceptsRegenerated: Bool
  ) -> CatalogUpdate {
    CatalogUpdate(
      stored: catalog, model: model, path: "", acceptsRegenerated: acceptsRegenerated,
      retired: { retired }, hasObjects: { _ in true })
  }

  /// Whether the engine objects to an element by a rule.
  ///
  /// By ``OpeningRule/notUnique`` it does if it builds the index that keeps the values of the property
  /// unique: the store is refused if two objects have the same value.
  package func objects(to element: ElementKey, by rule: Rule) -> Bool {
    if rule == OpeningRule.notUnique {
      return element.kind == .property && uniqueIndexesToBuild.contains(element.uid)
    }
    return refusalsByElement[element]?.contains { $0.rule == rule } ?? false
  }

  /// The first refusal of an element with which the engine does not open the store, if any.
  package func refusal(of element: ElementKey) -> OpeningRefusal? {
    refusalsByElement[element]?.first { $0.rule.severity == .error }
  }

  /// Whether there can be a store of a model: all of its values can be stored, and each relation has a
  /// target.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package static func canHaveStores(_ model: Model) -> Bool {
    model.entities.allSatisfy { entity in
      entity.properties.allSatisfy { $0.slotType != nil }
        && (entity.relations ?? []).allSatisfy { !$0.target.isUnset }
    }
  }

  /// Whether the index of a property leaves zero out; nil if the engine builds none.
  package static func indexSkipsZero(_ property: Property) -> Bool? {
    CatalogIndex(of: property)?.skipsZero
  }
}
