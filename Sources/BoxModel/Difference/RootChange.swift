import BoxJSON

/// A difference between two models that is in no element: in a last pair, a retired list, or a key of the
/// model as a whole.
package enum RootChange: Hashable, Sendable {
  /// The pair that a counter gave last; nil where none was given yet.
  case lastPair(Counter, before: IDPair?, after: IDPair?)
  /// The UIDs that only the old list of a kind has, and those that only the new one has.
  case retired(ElementKind, gone: [UID], added: [UID])
  /// A key of the model, and its values as text; nil where the file does not have it.
  case key(String, before: String?, after: String?)

  /// The differences of two models: last pairs, retired lists, then keys.
  ///
  /// The order of a list is not a difference, and neither are the notes that generators rewrite with
  /// each version. The last property of an entity is compared where both models have the entity.
  ///
  /// - Complexity: O(*n*) in the size of both models.
  package static func all(from old: Model, to new: Model) -> [RootChange] {
    var counters: [Counter] = [.entity, .index, .relation]
    let known = Set(old.entities.map(\.pair.uid))
    counters += new.entities.map(\.pair.uid).filter { known.contains($0) }.map {
      Counter.property(entity: $0)
    }
    return lastPairs(of: counters, old, new)
      + ElementKind.allCases.compactMap { list(of: $0, old, new) } + keys(old, new)
  }

  private static func lastPairs(
    of counters: [Counter], _ old: Model, _ new: Model
  ) -> [RootChange] {
    // A lookup for each counter would take the square of the number of entities.
    func properties(_ model: Model) -> [UID: IDPair?] {
      Dictionary(model.entities.map { ($0.pair.uid, $0.lastPropertyID) }) { first, _ in first }
    }
    let (before, after) = (properties(old), properties(new))
    func pair(_ counter: Counter, _ model: Model, _ properties: [UID: IDPair?]) -> IDPair? {
      let pair: IDPair? =
        if case .property(let owner) = counter { properties[owner] ?? nil } else {
          model[last: counter]
        }
      return pair.flatMap { $0.isUnset ? nil : $0 }
    }
    return counters.compactMap { counter in
      let (a, b) = (pair(counter, old, before), pair(counter, new, after))
      return a == b ? nil : .lastPair(counter, before: a, after: b)
    }
  }

  private static func list(of kind: ElementKind, _ old: Model, _ new: Model) -> RootChange? {
    let (before, after) = (old[retired: kind] ?? [], new[retired: kind] ?? [])
    if before == after { return nil }
    let (known, kept) = (Set(before), Set(after))
    let gone = before.filter { !kept.contains($0) }
    let added = after.filter { !known.contains($0) }
    return gone.isEmpty && added.isEmpty ? nil : .retired(kind, gone: gone, added: added)
  }

  private static func keys(_ old: Model, _ new: Model) -> [RootChange] {
    var found: [RootChange] = []
    func compare(_ key: String, _ before: String?, _ after: String?) {
      if before.map({ ExactText($0) }) != after.map({ ExactText($0) }) {
        found.append(.key(key, before: before, after: after))
      }
    }
    compare("modelVersion", old.modelVersion?.description, new.modelVersion?.description)
    compare(
      "modelVersionParserMinimum", old.modelVersionParserMinimum?.description,
      new.modelVersionParserMinimum?.description)
    compare("version", old.version?.description, new.version?.description)
    compare("lastSequenceId", old.lastSequenceID?.description, new.lastSequenceID?.description)
    compare("newUidPool", old.newUIDPool?.description, new.newUIDPool?.description)
    if old.otherMembers == new.otherMembers { return found }
    func values(_ members: [OtherMember]) -> [ExactText: String] {
      Dictionary(
        members.filter { !$0.key.hasPrefix("_note") }.map { (ExactText($0.key), $0.text) }
      ) { first, _ in first }
    }
    let (before, after) = (values(old.otherMembers), values(new.otherMembers))
    for key in Set(before.keys).union(after.keys).sorted() {
      compare(key.text, before[key], after[key])
    }
    return found
  }
}
