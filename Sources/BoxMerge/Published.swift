public import BoxModel

/// What has been published: it keeps its ids when two branches gave one id twice.
public struct Published: Sendable {
  /// The published models, in the order in which they were configured.
  public var models: [PublishedModel]
  /// What was configured and could not be looked up.
  ///
  /// While there is any, a contested id is a conflict: nobody knows whether it was published.
  public var unresolved: [UnresolvedReference]

  /// Nothing is published.
  public static let nothing = Published(models: [], unresolved: [])

  /// Creates a list of published models.
  public init(models: [PublishedModel], unresolved: [UnresolvedReference]) {
    self.models = models
    self.unresolved = unresolved
  }

  /// The first published model that has the element with this id.
  func model(with key: ElementKey, id: UInt32) -> PublishedModel? {
    models.first { $0.ids[key]?.contains(id) ?? false }
  }

  /// The first published model in which the id belongs to another element than `uid`.
  func model(givingAway id: UInt32, of counter: Counter, notTo uid: UID) -> PublishedModel? {
    models.first { model in
      guard let holder = model.holders[counter]?[id] else { return false }
      return holder != uid
    }
  }
}

/// A model that others may have databases of.
public struct PublishedModel: Sendable {
  /// The ref or file, as it was configured.
  public var name: String
  /// What else identifies it, for people: the commit, and when it was fetched.
  public var detail: String?

  let ids: [ElementKey: Set<UInt32>]
  let holders: [Counter: [UInt32: UID]]

  /// Takes the ids of every element of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  public init(name: String, detail: String? = nil, model: Model) {
    self.init(name: name, detail: detail, models: [model])
  }

  /// Takes the ids of every element of several models: the tags that a pattern names.
  public init(name: String, detail: String? = nil, models: [Model]) {
    self.name = name
    self.detail = detail
    var ids: [ElementKey: Set<UInt32>] = [:]
    var holders: [Counter: [UInt32: UID]] = [:]
    for model in models {
      model.forEachElement { place, pair in
        ids[ElementKey(place.kind, pair.uid), default: []].insert(pair.id)
        holders[model.counter(of: place), default: [:]][pair.id] = pair.uid
      }
    }
    self.ids = ids
    self.holders = holders
  }
}

/// A ref that was configured as published and is not there.
public struct UnresolvedReference: Hashable, Sendable {
  /// The ref as it was configured.
  public var name: String
  /// The command that helps.
  public var help: String?

  /// Creates a reference that could not be resolved.
  public init(name: String, help: String? = nil) {
    self.name = name
    self.help = help
  }
}
