import BoxJSON
package import BoxModel

/// A pair that the user knows, such as from an error message: `Order.name=2:7654321`.
package struct StatedFact: Hashable, Sendable {
  /// The name of the entity.
  package var entity: String
  /// The name of a property or a relation; nil for the entity itself.
  package var member: String?
  /// Whether the pair belongs to the index of the property.
  package var isIndex = false
  /// The pair.
  package var pair: IDPair

  /// Parses `ENTITY=ID:UID`, `ENTITY.PROPERTY=ID:UID` or `ENTITY.PROPERTY.index=ID:UID`; nil for
  /// anything else.
  package init?(_ text: String) {
    guard let equals = text.lastIndex(of: "="),
      let pair = IDPair(text: String(text[text.index(after: equals)...])), pair.id > 0,
      pair.uid > 0
    else { return nil }
    var words = NamePath(reading: String(text[..<equals])).names
    if words.count == 3, words[2] == "index" {
      isIndex = true
      words.removeLast()
    }
    guard (1...2).contains(words.count), !words.contains(where: \.isEmpty) else { return nil }
    entity = words[0]
    member = words.count > 1 ? words[1] : nil
    self.pair = pair
  }

  /// The name of the element.
  package var label: String {
    let name = member.map { "\(entity).\($0)" } ?? entity
    return isIndex ? "index of \(name)" : name
  }

  /// The place of the element of this name in a model; nil if it does not exist.
  ///
  /// - Complexity: O(*n*) in the number of elements of the entity and of entities.
  func place(in model: Model) -> ElementPlace? {
    let name = foldedName(entity)
    guard let e = model.entities.firstIndex(where: { foldedName($0.name) == name }) else {
      return nil
    }
    guard let member = member.map(foldedName) else { return .entity(e) }
    let found = model.entities[e]
    if let p = found.properties.firstIndex(where: { foldedName($0.name) == member }) {
      guard isIndex else { return .property(entity: e, p) }
      return found.properties[p].indexID == nil ? nil : .index(entity: e, property: p)
    }
    let r = found.relations?.firstIndex { foldedName($0.name) == member }
    return isIndex ? nil : r.map { .relation(entity: e, $0) }
  }

  /// Whether a model has the element with the pair.
  func isSatisfied(by model: Model) -> Bool {
    place(in: model).flatMap { model.pair(at: $0) } == pair
  }
}
