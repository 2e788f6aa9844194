package import BoxModel

/// The published models.
///
/// An element that is live in one of them has the id that it has there. Everything else has an id above
/// all that they have given.
package struct Published: Sendable {
  /// The published models, the first of which counts first.
  package var models: [PublishedModel]
  /// The model of the checked-out branch, if a published ref names that branch.
  ///
  /// Elements of ``models`` have precedence over its elements, and these over all others.
  package var head: PublishedModel?
  /// The configured references that could not be looked up.
  ///
  /// While there are any, a contested id is a conflict: nobody knows whether it was published.
  package var unresolved: [UnresolvedReference]
  /// The id that was decided later, for elements that two models have under different ids.
  package var laterIDs: [PublishedPlace: UInt32] = [:]

  /// An empty list: nothing is published.
  package static let nothing = Published(models: [], unresolved: [])

  /// Creates a list of published models.
  package init(
    models: [PublishedModel], head: PublishedModel? = nil, unresolved: [UnresolvedReference] = []
  ) {
    self.models = models
    self.head = head
    self.unresolved = unresolved
  }

  /// Whether no model counts.
  var isEmpty: Bool { models.isEmpty && head == nil }

  /// The different ids under which an element is live in a counter, each with the first model that has it.
  func ids(of key: ElementKey, in counter: Counter) -> [(id: UInt32, model: PublishedModel)] {
    var found: [(id: UInt32, model: PublishedModel)] = []
    for model in models {
      for id in model.ids(of: key, in: counter) where !found.contains(where: { $0.id == id }) {
        found.append((id, model))
      }
    }
    return found
  }

  /// The elements that models have under different ids.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package var contradictions: [PublishedPlace] {
    var result: Set<PublishedPlace> = []
    for (position, model) in models.enumerated() {
      result.formUnion(model.placesWithSeveralIDs)
      for earlier in models[..<position] { result.formUnion(model.placesThatDiffer(from: earlier)) }
    }
    return result.sorted { $0.key < $1.key }
  }

  /// The id that an element had in the history of the first model that knows one.
  func formerID(of key: ElementKey, in counter: Counter) -> (id: UInt32, model: PublishedModel)? {
    for model in models {
      if let id = model.history?.id(of: key, in: counter) { return (id, model) }
    }
    return nil
  }

  /// The highest id that a counter of the models, or of their history, gave, with the model.
  func last(of counter: Counter) -> (id: UInt32, model: PublishedModel)? {
    var found: (id: UInt32, model: PublishedModel)?
    for model in models + [head].compactMap(\.self) {
      let last = model.lastEver(of: counter)
      if last > found?.id ?? 0 { found = (last, model) }
    }
    return found
  }

  /// The highest id that a counter of ``models`` or of their history gave.
  func lastOfModels(_ counter: Counter) -> UInt32 {
    models.map { $0.lastEver(of: counter) }.max() ?? 0
  }

  /// The first model in which an element is live.
  func model(with key: ElementKey) -> PublishedModel? { models.first { $0.has(key) } }

  /// The rank of an element: 2 if it is live in a model, 1 if in ``head`` alone, else 0.
  func rank(of key: ElementKey) -> Int {
    model(with: key) != nil ? 2 : head?.has(key) ?? false ? 1 : 0
  }

  /// The flags of an element as published first; nil where it is not published, or with several.
  func flags(of key: ElementKey) -> UInt32? {
    models.lazy.compactMap { $0.flags(of: key) }.first ?? nil
  }
}

/// An element in a counter.
package struct PublishedPlace: Hashable, Sendable {
  package var key: ElementKey
  package var counter: Counter

  /// Creates the place of an element.
  package init(_ key: ElementKey, in counter: Counter) {
    self.key = key
    self.counter = counter
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
