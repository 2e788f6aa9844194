public import BoxModel

/// The overlap of a model and a store in the UIDs of entities, properties and relations.
///
/// It alone decides whether a model looks newly generated. An older model of a store has few of the
/// UIDs that the store shows, but every UID of its own was in a model of the store.
public struct ModelRecognition: Hashable, Sendable {
  /// The number of UIDs that the store shows.
  public private(set) var shown = 0
  /// The number of those that the model has, or has retired.
  public private(set) var recognized = 0
  /// The number of UIDs that the model has.
  public private(set) var total = 0
  /// The number of those that were in no model of the store; 0 if ``recognized`` alone decides.
  public private(set) var unknown = 0

  /// Compares a model with a store.
  ///
  /// - Parameters:
  ///   - model: The model with which the store is opened.
  ///   - shown: The UIDs that the store shows.
  ///   - past: The other UIDs that were in a model of the store; only called if needed.
  /// - Complexity: O(*n*) in the number of UIDs.
  public init(of model: Model, shown: [UID], past: () -> Set<UID>) {
    let known = Set(model.elementUIDs).union(model.retiredElementUIDs)
    self.shown = shown.count
    recognized = shown.count { known.contains($0) }
    total = model.elementUIDs.count
    if !isStrange { return }
    let seen = past().union(shown)
    unknown = model.elementUIDs.count { !seen.contains($0) }
  }

  /// Whether the model knows fewer than half of the UIDs that the store shows.
  private var isStrange: Bool { recognized * 2 < shown }

  /// Whether the model looks newly generated: it knows fewer than half of the UIDs that the store shows,
  /// and more than half of its own were in no model of the store.
  public var looksRegenerated: Bool { isStrange && unknown * 2 > total }
}

extension Model {
  /// The UIDs of the entities, properties and relations.
  ///
  /// - Complexity: O(*n*) in their number.
  public var elementUIDs: [UID] {
    var uids: [UID] = []
    forEachElement { place, pair in if place.kind != .index { uids.append(pair.uid) } }
    return uids
  }

  /// The retired UIDs of entities, properties and relations.
  ///
  /// - Complexity: O(*n*) in their number.
  public var retiredElementUIDs: [UID] {
    [ElementKind.entity, .property, .relation].flatMap { self[retired: $0] ?? [] }
  }
}

extension Catalog {
  /// The UIDs of the entities, properties and relations that the last model had.
  var shownUIDs: [UID] {
    var uids: [UID] = []
    for entity in entities where !entity.isHidden {
      uids.append(entity.uid)
      uids += entity.properties.lazy.filter { !$0.isHidden }.map(\.uid)
      uids += entity.relations.lazy.filter { !$0.isHidden }.map(\.uid)
    }
    return uids
  }

  /// The UIDs of everything that a model ever put in the store, and that was not purged.
  var allUIDs: Set<UID> {
    var uids: Set<UID> = []
    for entity in entities {
      uids.insert(entity.uid)
      uids.formUnion(entity.properties.lazy.map(\.uid))
      uids.formUnion(entity.relations.lazy.map(\.uid))
    }
    return uids
  }
}

extension ObjectStore {
  /// The UIDs of entities, properties and relations that were in a model of the store, as far as it
  /// knows: those that are stored, and those that its model has retired.
  ///
  /// - Complexity: O(*n*) in their number.
  package var pastUIDs: Set<UID> { schema.catalog.allUIDs.union(model.retiredElementUIDs) }
}
