import BoxJSON
package import BoxModel

/// Whether a model was regenerated: it and its earlier version have entities, and share no UID of
/// an entity or a property.
///
/// Where one of them retired an entity of the other, and no name is the same, entities were replaced
/// with care: a file that was newly generated knows none of the UIDs, and nobody retired its own.
///
/// - Complexity: O(*n*) in the number of elements.
package func isRegenerated(_ side: Model, from base: Model) -> Bool {
  if side.entities.isEmpty || base.entities.isEmpty { return false }
  func uids(_ model: Model) -> Set<UID> {
    var uids: Set<UID> = []
    for entity in model.entities {
      uids.insert(entity.pair.uid)
      for property in entity.properties { uids.insert(property.pair.uid) }
    }
    return uids
  }
  func names(_ model: Model) -> Set<ExactText> { Set(model.entities.map { foldedName($0.name) }) }
  guard uids(side).isDisjoint(with: uids(base)) else { return false }
  func retired(_ entities: [Entity], by other: Model) -> Bool {
    let uids = Set(other.retiredEntityUIDs ?? [])
    return entities.contains { uids.contains($0.pair.uid) }
  }
  let isReplaced = retired(base.entities, by: side) || retired(side.entities, by: base)
  return !isReplaced || !names(side).isDisjoint(with: names(base))
}

/// A regenerated file with the ids and UIDs of its earlier version, for the elements that both
/// have.
package struct Rematch: Sendable {
  /// An element.
  package struct Match: Hashable, Sendable {
    /// The kind of the element.
    package var kind: ElementKind
    /// The name, qualified by the name of its entity: `Note.title`.
    package var name: String
    /// The UID: in the result, or in the base for a removed element.
    package var uid: UID

    /// Names an element.
    package init(kind: ElementKind, name: String, uid: UID) {
      self.kind = kind
      self.name = name
      self.uid = uid
    }
  }

  /// An element that has the same name in both files, but another type or target.
  package struct Change: Hashable, Sendable {
    /// The element of the result.
    package var element: Match
    /// The UID that it had, which is retired: data stored under the old UID is not carried over.
    package var oldUID: UID
    /// The type or target in the base.
    package var was: String
    /// The type or target now.
    package var now: String

    /// Describes a change.
    package init(element: Match, oldUID: UID, was: String, now: String) {
      self.element = element
      self.oldUID = oldUID
      self.was = was
      self.now = now
    }
  }

  /// The file, in the layout of the side.
  package var document: ModelDocument
  /// The elements that have their id and UID of the base again.
  package var kept: [Match]
  /// The elements that the base does not have.
  ///
  /// A new element keeps the UID that it was generated with, and has an id above all ids of the base.
  package var new: [Match]
  /// The elements that only the base has; they are retired now.
  package var removed: [Match]
  /// The elements that have another type or target than in the base: each is new, and the old one
  /// is retired.
  package var changed: [Change]
  /// The UIDs that the side was generated with and that are not in the result; they are retired.
  package var replaced: [ElementKey]
  /// The number of elements of each kind in the base.
  package var counts: [ElementKind: Int]

  /// The summary of the kept, changed, removed and new elements for people, one sentence each.
  package var summary: [String] {
    var lines: [String] = []
    let parts = ElementKind.allCases.compactMap { kind -> String? in
      guard let count = counts[kind], count > 0 else { return nil }
      return "\(kept.count { $0.kind == kind }) of \(count) \(plural(kind, count))"
    }
    if !parts.isEmpty { lines.append("kept " + parts.joined(separator: ", ")) }
    for change in changed {
      lines.append("cannot keep: \(change.element.name) (\(change.now), was \(change.was))")
    }
    for element in removed where !isPartOfRemoved(element) {
      lines.append("retired: \(described(element)), which is gone")
    }
    let additions = ElementKind.allCases.compactMap { kind -> String? in
      let count = new.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(plural(kind, count))"
    }
    if !additions.isEmpty { lines.append("new: " + additions.joined(separator: ", ")) }
    return lines
  }

  /// Whether an element was removed only because the element that it belongs to was.
  private func isPartOfRemoved(_ element: Match) -> Bool {
    let name = foldedName(element.name)
    switch element.kind {
    case .entity: return false
    case .index:
      if (changed.map(\.element) + removed).contains(where: {
        $0.kind == .property && foldedName($0.name) == name
      }) {
        return true
      }
    case .property, .relation: break
    }
    return removed.contains {
      $0.kind == .entity && name.text.withoutPrefix("\(foldedName($0.name).text).") != nil
    }
  }

  private func described(_ element: Match) -> String {
    element.kind == .index ? "the index of \(element.name)" : element.name
  }
}

/// The reason why a file cannot be matched with its earlier version.
package enum RematchRefusal: Error, Hashable, Sendable {
  /// Elements of the side could not be read: `check` says which.
  case incompleteSide
  /// Elements of the base could not be read.
  case incompleteBase
  /// The result is not a valid model file.
  case unwritable(ModelError)
}

/// Matches a regenerated file with its earlier version.
///
/// Elements with the same UID in both files match. Entities without such a match do so by name. In
/// a matched entity, properties match by name and type, and to-one relations by name and target.
/// Indexes match by their kind, and to-many relations by name and target.
///
/// Matched elements get the id and the UID of the base. The counters and the retired lists of the base
/// continue. Every UID of the side that is no longer used is retired, so that no UID of either file is lost.
///
/// - Parameters:
///   - side: The regenerated file; its layout is kept.
///   - base: The earlier version.
/// - Returns: The file, with the kept, new, removed and changed elements.
/// - Throws: ``RematchRefusal`` if elements of a file could not be read, or the result is not a
///   valid model file.
/// - Complexity: O(*n* log *n*) in the number of elements.
package func rematch(_ side: ModelDocument, onto base: ModelDocument) throws(RematchRefusal)
  -> Rematch
{
  if !side.isComplete { throw .incompleteSide }
  if !base.isComplete { throw .incompleteBase }
  var rematcher = Rematcher(
    side: side.model, base: base.model, sortsByID: side.dialect().sortsByID)
  rematcher.run()
  do {
    // First the pairs are overwritten in place, so that the elements keep their layout.
    let repaired = try ModelDocument(
      parsing: bytes(of: side, withPairsOf: rematcher.inPlace), fields: side.fields)
    let document = try ModelDocument(
      parsing: repaired.rendered(rematcher.result), fields: side.fields)
    return Rematch(
      document: document, kept: rematcher.kept, new: rematcher.new, removed: rematcher.removed,
      changed: rematcher.changed, replaced: rematcher.replaced, counts: rematcher.counts)
  } catch {
    throw .unwritable(error)
  }
}

private func plural(_ kind: ElementKind, _ count: Int) -> String {
  count == 1 ? kind.description : kind.plural
}
