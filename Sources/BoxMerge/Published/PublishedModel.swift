package import BoxModel

/// A model that others may have databases of.
package struct PublishedModel: Sendable {
  /// The ref or file, as it was configured.
  package var name: String
  /// Details for people: the commit, and when it was fetched.
  package var detail: String?
  /// The earlier versions of the model; nil where nobody read them.
  package var history: PublishedHistory?
  /// Whether it stands for several versions.
  let isSeveral: Bool

  private let entries: [ElementKey: Entry]
  private let lasts: [Counter: UInt32]
  private let retired: Set<ElementKey>

  /// An element of one or several versions.
  private struct Entry: Sendable {
    var counter: Counter
    var id: UInt32
    /// Nil if the versions have different ones.
    var flags: UInt32?
    /// The other ids, of versions that have it under another one.
    var others: [(counter: Counter, id: UInt32)] = []
  }

  /// Creates a published model with the ids of every element of a model.
  ///
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package init(name: String, detail: String? = nil, model: Model) {
    self.init(name: name, detail: detail, models: [model])
  }

  /// Creates a published model with the ids of every element of several models: the tags that a
  /// pattern matches.
  package init(name: String, detail: String? = nil, models: [Model]) {
    self.name = name
    self.detail = detail
    isSeveral = models.count > 1
    var entries: [ElementKey: Entry] = [:]
    var lasts: [Counter: UInt32] = [:]
    var retired: Set<ElementKey> = []
    for model in models {
      model.forEachLast { counter, id in lasts[counter] = max(lasts[counter] ?? 0, id) }
      model.forEachElement { place, pair in
        let counter = model.counter(of: place)
        let key = ElementKey(place.kind, pair.uid)
        let flags = model.flags(at: place)
        // Of a file that is wrong, too.
        if pair.id > lasts[counter] ?? 0 { lasts[counter] = pair.id }
        guard var entry = entries[key] else {
          entries[key] = Entry(counter: counter, id: pair.id, flags: flags)
          return
        }
        if entry.flags != flags { entry.flags = nil }
        let ids = [(counter: entry.counter, id: entry.id)] + entry.others
        if !ids.contains(where: { $0 == (counter, pair.id) }) {
          entry.others.append((counter, pair.id))
        }
        entries[key] = entry
      }
      for kind in ElementKind.allCases {
        for uid in model[retired: kind] ?? [] { retired.insert(ElementKey(kind, uid)) }
      }
    }
    self.entries = entries
    self.lasts = lasts
    self.retired = retired
  }

  /// Whether an element is live in it.
  package func has(_ key: ElementKey) -> Bool { entries[key] != nil }

  /// Whether it has retired a UID.
  func hasRetired(_ key: ElementKey) -> Bool { entries[key] == nil && retired.contains(key) }

  /// The ids under which an element is live in a counter.
  func ids(of key: ElementKey, in counter: Counter) -> [UInt32] {
    guard let entry = entries[key] else { return [] }
    let own = entry.counter == counter ? [entry.id] : []
    return own + entry.others.filter { $0.counter == counter }.map(\.id)
  }

  /// The flags of an entity or a property; nil if it has none, or several versions have different ones.
  func flags(of key: ElementKey) -> UInt32?? { entries[key].map(\.flags) }

  /// The last id of a counter; 0 if it gave none.
  func last(of counter: Counter) -> UInt32 { lasts[counter] ?? 0 }

  /// The highest id that a counter gave now or in the history; 0 if it gave none.
  func lastEver(of counter: Counter) -> UInt32 {
    max(last(of: counter), history?.last(of: counter) ?? 0)
  }

  /// The elements that its versions have under several ids of one counter.
  var placesWithSeveralIDs: [PublishedPlace] {
    if !isSeveral { return [] }
    return entries.compactMap { key, entry in
      entry.others.contains { $0.counter == entry.counter && $0.id != entry.id }
        ? PublishedPlace(key, in: entry.counter) : nil
    }
  }

  /// The elements that another model has in the same counter under another id.
  func placesThatDiffer(from other: PublishedModel) -> [PublishedPlace] {
    entries.compactMap { key, entry in
      guard let known = other.entries[key], known.id != entry.id, known.counter == entry.counter
      else { return nil }
      return PublishedPlace(key, in: entry.counter)
    }
  }

  /// The UIDs of the elements that have an id of a counter now, or had it in the history.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  func holders(of id: UInt32, in counter: Counter) -> Set<UID> {
    var result = history?.holders(of: id, in: counter) ?? []
    for (key, entry) in entries where entry.counter == counter && entry.id == id {
      result.insert(key.uid)
    }
    return result
  }
}

/// The earlier versions of a published model: the ids of what it no longer has.
package struct PublishedHistory: Sendable {
  /// The command that fetches the rest, where the history is cut off.
  package var cutOff: String?

  private var ids: [PublishedPlace: UInt32] = [:]
  private var lasts: [Counter: UInt32] = [:]
  private var given: [Counter: [UInt32: Set<UID>]] = [:]

  /// Creates a history without versions.
  ///
  /// - Parameter cutOff: The command that fetches the rest, where the history is cut off.
  package init(cutOff: String? = nil) { self.cutOff = cutOff }

  /// Adds a version that is older than those added before: first the line of first parents, then the others.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package mutating func add(_ model: Model) {
    model.forEachLast { counter, id in lasts[counter] = max(lasts[counter] ?? 0, id) }
    model.forEachElement { place, pair in
      let counter = model.counter(of: place)
      let key = PublishedPlace(ElementKey(place.kind, pair.uid), in: counter)
      if ids[key] == nil { ids[key] = pair.id }
      given[counter, default: [:]][pair.id, default: []].insert(pair.uid)
      if pair.id > lasts[counter] ?? 0 { lasts[counter] = pair.id }
    }
  }

  /// The id of an element in the newest version that has it.
  func id(of key: ElementKey, in counter: Counter) -> UInt32? {
    ids[PublishedPlace(key, in: counter)]
  }

  func last(of counter: Counter) -> UInt32 { lasts[counter] ?? 0 }

  func holders(of id: UInt32, in counter: Counter) -> Set<UID> { given[counter]?[id] ?? [] }
}

extension Model {
  /// Calls a function with the last id of each counter.
  fileprivate func forEachLast(_ body: (Counter, UInt32) -> Void) {
    let roots: [(Counter, IDPair?)] = [
      (.entity, lastEntityID), (.index, lastIndexID), (.relation, lastRelationID),
    ]
    for (counter, pair) in roots { if let pair { body(counter, pair.id) } }
    for entity in entities {
      if let pair = entity.lastPropertyID { body(.property(entity: entity.pair.uid), pair.id) }
    }
  }

  /// The flags of an entity or a property.
  fileprivate func flags(at place: ElementPlace) -> UInt32? {
    switch place {
    case .entity(let e): entities[e].flags.rawValue
    case .property(let e, let p): entities[e].properties[p].flags.rawValue
    case .index, .relation: nil
    }
  }
}
