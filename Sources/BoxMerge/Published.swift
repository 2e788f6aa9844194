package import BoxModel

/// The published models.
///
/// An id that two branches gave to different elements stays with the published one.
package struct Published: Sendable {
  /// The published models, in the order in which they were configured.
  package var models: [PublishedModel]
  /// The configured references that could not be looked up.
  ///
  /// While there are any, a contested id is a conflict: nobody knows whether it was published.
  package var unresolved: [UnresolvedReference]

  /// An empty list: nothing is published.
  package static let nothing = Published(models: [], unresolved: [])

  /// Creates a list of published models.
  package init(models: [PublishedModel], unresolved: [UnresolvedReference]) {
    self.models = models
    self.unresolved = unresolved
  }

  /// The first published model that has the element with this id.
  func model(with key: ElementKey, id: UInt32) -> PublishedModel? {
    models.first { $0.ids[key]?.contains(id) ?? false }
  }

  /// The flags of an element as published first; nil where it is not published, or with several.
  func flags(of key: ElementKey) -> UInt32? {
    models.lazy.compactMap { $0.flags[key] }.first ?? nil
  }

  /// The first published model in which the id belongs to another element than `uid`.
  func model(givingAway id: UInt32, of counter: Counter, notTo uid: UID) -> PublishedModel? {
    models.first { model in
      guard let holder = model.holders[counter]?[id] else { return false }
      return holder != uid
    }
  }
}

extension Model {
  /// The flags of an entity or a property.
  fileprivate func flags(at place: ElementPlace) -> UInt32? {
    switch place {
    case .entity(let e): entities[e].flags.rawValue
    case .property(let e, let p): entities[e].properties[p].flags.rawValue
    case .index, .relation: nil
    }
  }
}

/// A model that others may have databases of.
package struct PublishedModel: Sendable {
  /// The ref or file, as it was configured.
  package var name: String
  /// Details for people: the commit, and when it was fetched.
  package var detail: String?

  let ids: [ElementKey: Set<UInt32>]
  /// The flags of entities and properties; of those that several models have differently, none.
  let flags: [ElementKey: UInt32?]
  let holders: [Counter: [UInt32: UID]]

  /// Creates a published model with the ids of every element of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package init(name: String, detail: String? = nil, model: Model) {
    self.init(name: name, detail: detail, models: [model])
  }

  /// Creates a published model with the ids of every element of several models: the tags that a
  /// pattern matches.
  package init(name: String, detail: String? = nil, models: [Model]) {
    self.name = name
    self.detail = detail
    var ids: [ElementKey: Set<UInt32>] = [:]
    var holders: [Counter: [UInt32: UID]] = [:]
    var flags: [ElementKey: UInt32?] = [:]
    for model in models {
      model.forEachElement { place, pair in
        ids[ElementKey(place.kind, pair.uid), default: []].insert(pair.id)
        holders[model.counter(of: place), default: [:]][pair.id] = pair.uid
        let key = ElementKey(place.kind, pair.uid)
        guard let found = model.flags(at: place) else { return }
        flags[key] = flags[key].map { $0 == found ? $0 : nil } ?? found
      }
    }
    self.ids = ids
    self.holders = holders
    self.flags = flags
  }
}

/// A ref that was configured as published and does not exist.
package struct UnresolvedReference: Hashable, Sendable {
  /// The ref as it was configured.
  package var name: String
  /// The command that helps.
  package var help: String?

  /// Creates a reference that could not be resolved.
  package init(name: String, help: String? = nil) {
    self.name = name
    self.help = help
  }
}
