import BoxMerge
import BoxModel
import BoxReport

/// No edit of a side is lost, and nothing else is in the result.
extension OutcomeLaws {
  mutating func checkEdits(
    _ side: Version, _ edits: ModelDifference, _ other: Version, _ otherEdits: ModelDifference
  ) {
    let toMerged = ModelDifference(from: side.model, to: merged.model)
    for key in edits.sortedKeys {
      guard let edit = edits[key.kind, key.uid] else { continue }
      switch edit {
      case .added: checkAdded(key, side, other, otherEdits, toMerged)
      case .removed: checkRemoved(key, other, otherEdits)
      case .changed(let fields):
        guard !isCovered(key) else { continue }
        if case .removed? = otherEdits[key.kind, key.uid] {
          if fields.contains(where: { isAnEdit($0.field) }) {
            fail("no change is lost", "\(key.kind) \(key.uid) is removed, \(fields) without a word")
          }
          continue
        }
        guard case .changed(let lost)? = toMerged[key.kind, key.uid] else { continue }
        let otherFields = Self.fields(otherEdits[key.kind, key.uid])
        for change in lost where fields.contains(where: { $0.field == change.field }) {
          if change.field == .id || change.field == .owner { continue }
          if change.field == .index, otherFields.contains(.index), isUnified(change) { continue }
          if change.field == .target, !isLiveTarget(change.before) { continue }
          fail("no change is lost", "\(key.kind) \(key.uid): \(change)")
        }
      }
    }
  }

  private static func fields(_ change: ElementChange?) -> Set<Field> {
    guard case .changed(let changes)? = change else { return [] }
    return Set(changes.map(\.field))
  }

  /// Two equal indexes of one property became one: the kind is as it was.
  private func isUnified(_ change: FieldChange) -> Bool {
    guard case .index(let before, _)? = change.before, case .index(let after, _)? = change.after
    else { return false }
    return before == after
  }

  private func isLiveTarget(_ value: FieldValue?) -> Bool {
    guard case .entity(let uid)? = value else { return false }
    return merged.lookup.entity(uid) != nil
  }

  private func isAnEdit(_ field: Field) -> Bool {
    switch field {
    case .id, .owner, .index: false
    // The next build writes them.
    case .flag(let bit): bit & (PropertyFlags.notNull.rawValue | 2 | 1024) == 0
    default: true
    }
  }

  private mutating func checkAdded(
    _ key: ElementKey, _ side: Version, _ other: Version, _ otherEdits: ModelDifference,
    _ toMerged: ModelDifference
  ) {
    if isCovered(key) || isPartOfCovered(key, side) { return }
    guard merged.pairs[key] != nil else {
      if !hasTwin(key, side, other) && !isRetired(key, in: other, with: side) {
        fail("what a side added is there", "\(key.kind) \(key.uid)")
      }
      return
    }
    // What both have, or what took up a twin, may have got something from the other.
    guard case .changed(let changes)? = toMerged[key.kind, key.uid], other.pairs[key] == nil,
      !hasTwin(key, side, other)
    else { return }
    for change in changes where change.field != .id && change.field != .owner {
      if change.field == .target, !isLiveTarget(change.before) { continue }
      fail("what a side added is as it was", "\(key.kind) \(key.uid): \(change)")
    }
  }

  /// Whether a version retired an element, or what that belongs to on the side that has it.
  private func isRetired(_ key: ElementKey, in version: Version, with side: Version) -> Bool {
    version.lookup.isRetired(key.kind, key.uid)
      || side.owners[key].map { isRetired($0, in: version, with: side) } ?? false
  }

  private func isPartOfCovered(_ key: ElementKey, _ version: Version) -> Bool {
    guard let owner = version.owners[key] else { return false }
    return isCovered(owner) || isPartOfCovered(owner, version)
  }

  /// Whether the other side has an element with the same name in the same place.
  private func hasTwin(_ key: ElementKey, _ side: Version, _ other: Version) -> Bool {
    guard let name = side.names[key] else { return false }
    let owner = side.owners[key]
    if let owner, base?.pairs[owner] == nil, hasTwin(owner, side, other) { return true }
    return other.names.contains { candidate, itsName in
      // An index has the name of its property, which the other side may have renamed.
      candidate.kind == key.kind && candidate != key && (itsName == name || key.kind == .index)
        && (other.owners[candidate] == owner || key.kind == .entity)
    }
  }

  private mutating func checkRemoved(
    _ key: ElementKey, _ other: Version, _ otherEdits: ModelDifference
  ) {
    if isCovered(key) || isPartOfCovered(key, other)
      || base.map({ isPartOfCovered(key, $0) }) == true
    {
      return
    }
    if merged.pairs[key] != nil {
      fail("what a side removed is gone", "\(key.kind) \(key.uid)")
    } else if !merged.lookup.isRetired(key.kind, key.uid) {
      fail("what a side removed is retired", "\(key.kind) \(key.uid)")
    }
    for (added, owner) in other.owners where owner == key && base?.pairs[added] == nil {
      if case .added? = otherEdits[added.kind, added.uid], !isCovered(added),
        merged.pairs[added] == nil
      {
        fail(
          "what is removed took nothing with it",
          "\(added.kind) \(added.uid) with \(key.kind) \(key.uid)")
      }
    }
  }

  mutating func checkNothingInvented(
    _ base: Version, _ toOurs: ModelDifference, _ toTheirs: ModelDifference
  ) {
    let toMerged = ModelDifference(from: base.model, to: merged.model)
    for key in toMerged.sortedKeys where !isCovered(key) {
      let sides = [toOurs[key.kind, key.uid], toTheirs[key.kind, key.uid]]
      switch toMerged[key.kind, key.uid] {
      case .changed(let changes)?:
        for change in changes where change.field != .id && change.field != .owner {
          let isKnown = sides.contains { side in
            guard case .changed(let known)? = side else { return false }
            return known.contains { $0.field == change.field && $0.after == change.after }
          }
          if isKnown { continue }
          if change.field == .index, sides.contains(where: { Self.fields($0).contains(.index) }) {
            continue
          }
          if change.field == .target,
            sides.contains(where: { Self.fields($0).contains(.target) })
          {
            continue
          }
          fail("nothing is invented", "\(key.kind) \(key.uid): \(change)")
        }
      case .removed?:
        let isKnown = sides.contains { side in
          if case .removed? = side { return true }
          return false
        }
        // The index of a property that both sides indexed anew went with the older one.
        if !isKnown && key.kind != .index {
          fail("nothing is removed that no side removed", "\(key.kind) \(key.uid)")
        }
      case .added?:
        if ours.pairs[key] == nil && theirs.pairs[key] == nil {
          fail("nothing is invented", "\(key.kind) \(key.uid)")
        }
      case nil: break
      }
    }
  }
}
