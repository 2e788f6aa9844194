extension Model {
  /// The elements of another version that this one has no longer, each with its name; of an entity that is gone the
  /// entity alone, and no indexes.
  ///
  /// - Complexity: O(*n*) in the number of elements of both.
  package func elementsLost(from earlier: Model) -> [(key: ElementKey, name: String)] {
    let lookup = ModelLookup(self)
    var gone: [(key: ElementKey, name: String)] = []
    earlier.forEachElement { place, pair in
      guard place.kind != .index, lookup[place.kind, pair.uid] == nil else { return }
      let owner = earlier.entities[place.entity].pair.uid
      if place.kind == .entity || lookup.entity(owner) != nil {
        gone.append((ElementKey(place.kind, pair.uid), earlier.label(place)))
      }
    }
    return gone
  }
}
