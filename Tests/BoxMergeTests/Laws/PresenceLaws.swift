import BoxMerge
import BoxModel
import BoxReport

/// The laws of the presence of a UID in three versions, and in the result.
///
/// Git merges the sources: an element that was added to the sources of a side is there, and needs
/// its UID; one that only the base has is not there.
extension OutcomeLaws {
  private enum State { case live, retired, absent }

  private func state(_ key: ElementKey, _ version: Version?) -> State {
    guard let version else { return .absent }
    if version.pairs[key] != nil { return .live }
    return version.lookup.isRetired(key.kind, key.uid) ? .retired : .absent
  }

  mutating func checkPresence() {
    let keys = inputs.reduce(into: Set<ElementKey>()) { $0.formUnion($1.keys) }
    for key in keys.sorted() where !isExempt(key) {
      let (before, a, b) = (state(key, base), state(key, ours), state(key, theirs))
      let after = state(key, merged)
      switch (a, b) {
      case (.live, .live): expectLive(key, after, "what both sides have stays")
      case (.live, _), (_, .live):
        let isOurs = a == .live
        let other = isOurs ? b : a
        switch (before, other) {
        case (.live, _): expectGone(key, after, isOurs: isOurs, other)
        case (.absent, .retired) where hasNamesake(key, isOurs ? theirs : ours):
          expectRetired(key, after)
        default: expectLive(key, after, "nothing is lost that nobody removed")
        }
      default:
        if a == .retired || b == .retired { expectRetired(key, after) }
      }
    }
  }

  private mutating func expectLive(_ key: ElementKey, _ after: State, _ law: String) {
    if after == .live || isUnified(key) || isWithoutOwner(key) { return }
    fail(law, "\(key.kind) \(key.uid) is \(after)")
  }

  private mutating func expectGone(
    _ key: ElementKey, _ after: State, isOurs: Bool, _ other: State
  ) {
    // An index that stays with one of two of its property, or goes with one, has a rule of its own.
    if key.kind == .index { return }
    if after == .live { return fail("what a side removed is gone", "\(key.kind) \(key.uid)") }
    if isOurs || other == .retired { return expectRetired(key, after) }
    // That of a property is the pair of its entity.
    let owner = (base?.owners[key] ?? theirs.owners[key])?.uid
    let isNamed =
      ours.counters.contains { counter in
        counter.kind == key.kind && ours.model[last: counter]?.uid == key.uid
          && (key.kind != .property || owner.map { counter == .property(entity: $0) } ?? true)
      }
      || isOfLost(key)
    if (after == .retired) != isNamed, !isOfOtherKind(key) {
      fail("what ours lacks is retired only if its last pair names it", "\(key.kind) \(key.uid)")
    }
  }

  /// Whether an element of another kind has the UID, or had it: no UID is retired twice.
  private func isOfOtherKind(_ key: ElementKey) -> Bool {
    ElementKind.allCases.contains {
      $0 != key.kind
        && (merged.pairs[ElementKey($0, key.uid)] != nil || merged.lookup.isRetired($0, key.uid))
    }
  }

  /// Whether it belongs to an entity that ours had and lost.
  private func isOfLost(_ key: ElementKey) -> Bool {
    guard let owner = base?.owners[key] else { return false }
    return ours.model.lastEntityID?.uid == owner.uid && ours.pairs[owner] == nil
  }

  private mutating func expectRetired(_ key: ElementKey, _ after: State) {
    let isOtherKind = ElementKind.allCases.contains { kind in
      kind != key.kind
        && (merged.pairs[ElementKey(kind, key.uid)] != nil
          || merged.lookup.isRetired(kind, key.uid))
    }
    if after == .retired || isOtherKind { return }
    if after == .live { return fail("what is retired is gone", "\(key.kind) \(key.uid)") }
    fail("what is retired stays retired", "\(key.kind) \(key.uid)")
  }

  /// Conflicts are open about it, or about what it belongs to.
  private func isExempt(_ key: ElementKey) -> Bool {
    if isCovered(key) { return true }
    return inputs.contains { version in
      var owner = version.owners[key]
      while let next = owner {
        if isCovered(next) { return true }
        owner = version.owners[next]
      }
      return false
    }
  }

  /// Whether another element of the result has its name and its place: of two, one stays.
  private func isUnified(_ key: ElementKey) -> Bool {
    for version in [ours, theirs] {
      guard version.pairs[key] != nil else { continue }
      if key.kind == .index {
        guard let property = version.owners[key] else { continue }
        // The index is a field of its property: the other side may have replaced it.
        if merged.owners.contains(where: { $0.value == property && $0.key.kind == .index }) {
          return true
        }
        if isUnified(property) { return true }
        continue
      }
      guard let name = version.names[key] else { continue }
      let owner = version.owners[key]
      let home = owner.flatMap { version.names[$0] }
      let isThere = merged.names.contains { other, itsName in
        other.kind == key.kind && other != key && itsName == name
          && (merged.owners[other] == owner
            || merged.owners[other].flatMap { merged.names[$0] } == home)
      }
      if isThere { return true }
    }
    return false
  }

  private func isWithoutOwner(_ key: ElementKey) -> Bool {
    [ours, theirs].contains { version in
      guard version.pairs[key] != nil, let owner = version.owners[key] else { return false }
      return merged.pairs[owner] == nil
    }
  }

  private func hasNamesake(_ key: ElementKey, _ version: Version) -> Bool {
    let holder = version.pairs[key] == nil ? (ours.pairs[key] != nil ? ours : theirs) : version
    guard let name = holder.names[key] else { return false }
    if key.kind == .index {
      guard let property = holder.owners[key], let entity = holder.owners[property] else {
        return false
      }
      return version.owners.contains { candidate, owner in
        guard candidate.kind == .index else { return false }
        if owner == property { return true }
        let home = version.owners[owner]
        return version.names[owner] == holder.names[property]
          && (home == entity || home.flatMap { version.names[$0] } == holder.names[entity])
      }
    }
    let home = holder.owners[key].flatMap { holder.names[$0] }
    return version.names.contains { other, itsName in
      // One that the holder itself retired gave its place to this one.
      other.kind == key.kind && other != key && itsName == name
        && !holder.lookup.isRetired(other.kind, other.uid)
        // Nor does one stay that the base has and the holder lacks.
        && (holder.pairs[other] != nil || base?.pairs[other] == nil)
        && (version.owners[other] == holder.owners[key]
          || version.owners[other].flatMap { version.names[$0] } == home)
    }
  }

  // MARK: - Questions

  /// Who asks about a removal has an edit to show that is more than an id.
  mutating func checkQuestions() {
    guard let base else { return }
    for conflict in result.conflicts where conflict.rule == MergeRule.removeEdit {
      guard let key = conflict.elements.first, base.pairs[key] != nil else { continue }
      let editor = ours.pairs[key] == nil ? theirs : ours
      let edits = ModelDifference(from: base.model, to: editor.model)
      let isEdited = edits.changes.contains { other, change in
        let owner = editor.owners[other]
        let isPart = other == key || owner == key || owner.flatMap { editor.owners[$0] } == key
        guard isPart else { return false }
        switch change {
        case .added: return true
        case .changed(let fields): return fields.contains { $0.field != .id }
        case .removed: return false
        }
      }
      // Or it has retired what the other side made again.
      let isRefused = conflict.elements.contains {
        $0.kind == key.kind && editor.lookup.isRetired($0.kind, $0.uid)
      }
      if !isEdited && !isRefused {
        fail("a question about a removal has an edit", conflict.message)
      }
    }
  }

  /// If each side retired the UID that the other has for one declaration, that is a question.
  ///
  /// On each side somebody decided for one of the two. A side that left it as the base has it has not.
  mutating func checkRefusals() {
    for (key, _) in ours.pairs where key.kind != .index {
      guard let declaration = ours.declaration(of: key), state(key, theirs) == .retired,
        state(key, base) != .retired
      else { continue }
      let other = theirs.pairs.keys.first {
        $0.kind == key.kind && $0 != key && theirs.declaration(of: $0) == declaration
      }
      guard let other, state(other, ours) == .retired, state(other, base) != .retired,
        // One that a side gave the name of the other is removed or renamed, each by itself.
        base?.pairs[key] == nil || base?.pairs[other] == nil
      else { continue }
      if !isCovered(key) || !isCovered(other) {
        let detail = "\(key.kind) \(key.uid), \(other.uid)"
        fail("two that each side decided against are a question", detail)
      }
    }
  }

  // MARK: - Last pairs

  /// A last id is not below that of ours, not above what is accounted for, and has a UID that is.
  mutating func checkLastPairs() {
    if result.conflicts.contains(where: { $0.rule == MergeRule.wholeModel }) { return }
    for counter in merged.counters {
      guard let last = merged.model[last: counter], !last.isUnset else { continue }
      let mine = ours.model[last: counter]
      let hasMoved = mine.map { merged.hasElsewhere($0.uid, counter) } ?? false
      if last.id < mine?.id ?? 0, !hasMoved, !isWithoutUID(counter, mine) {
        fail("a last id is not below that of ours", "\(counter): \(mine?.id ?? 0) to \(last)")
      }
      let key = ElementKey(counter.kind, last.uid)
      let isLive = merged.pairs[key].map { $0.pair == last && $0.counter == counter } ?? false
      // An entity that took up another may say it as that one did.
      let isSaid = [ours, theirs].contains { version in
        version.counters.contains {
          $0.kind == counter.kind && version.model[last: $0] == last && !isSound(version, $0)
        }
      }
      // An entity that a resolution brings back has the pair of the base; as that of another kind its UID cannot be
      // retired.
      let isOfBase = mine == nil && last == base?.model[last: counter] && isOfOtherKind(key)
      if !isLive && !isSaid && !isOfBase
        && !(merged.pairs[key] == nil && merged.lookup.isRetired(key.kind, key.uid))
        && last != mine
      {
        fail("the UID of a last pair is in use or retired", "\(counter): \(last)")
      }
    }
  }

  /// Whether no UID could stand beside a last number: its element has a lower one, and none is retired.
  func isWithoutUID(_ counter: Counter, _ last: IDPair?) -> Bool {
    guard let last, let now = merged.pairs[ElementKey(counter.kind, last.uid)] else { return false }
    return now.counter == counter && now.pair.id < last.id
      && merged.model[retired: counter.kind]?.isEmpty ?? true
  }

  private func isSound(_ version: Version, _ counter: Counter) -> Bool {
    guard let last = version.model[last: counter], !last.isUnset else { return true }
    let key = ElementKey(counter.kind, last.uid)
    return version.pairs[key]?.pair == last || version.lookup.isRetired(key.kind, key.uid)
  }

  // MARK: - The report

  /// The report matches the file, and no element is missing without a decision.
  mutating func checkReport() {
    for decision in result.decisions {
      guard let key = decision.element else { continue }
      switch decision.rule {
      case MergeRule.changed: checkChange(decision, key)
      case MergeRule.removed, MergeRule.lost, MergeRule.withdrawn:
        if merged.pairs[key] != nil
          || !merged.lookup.isRetired(key.kind, key.uid) && !isOfOtherKind(key)
        {
          fail("the report and the file agree", decision.message)
        }
      case MergeRule.notInOurs:
        if merged.isKnown(key) { fail("the report and the file agree", decision.message) }
      case MergeRule.unretired, MergeRule.moved:
        if merged.pairs[key] == nil { fail("the report and the file agree", decision.message) }
      default: break
      }
    }
    let named = Set(result.decisions.compactMap(\.element))
    for version in [ours, theirs] {
      for (key, _) in version.pairs where merged.pairs[key] == nil {
        let isPublished = published.contains { $0.has(key) }
        // What is published is not replaced without a word that names it.
        let isNamed =
          isPublished
          && result.decisions.contains {
            $0.rule == MergeRule.unified && $0.message.hasSuffix("\(key.uid) is retired")
          }
        if isNamed || !isPublished && isUnified(key) { continue }
        let owner = version.owners[key]
        let top = owner.flatMap { version.owners[$0] }
        if key.kind == .index { continue }
        if ![key, owner, top].contains(where: { $0.map(named.contains) ?? false }) {
          fail("what is not in the result is in the report", "\(key.kind) \(key.uid)")
        }
      }
    }
  }

  /// Reads the sentence as a person does.
  private mutating func checkChange(_ decision: Decision, _ key: ElementKey) {
    guard let place = merged.lookup[key.kind, key.uid] else {
      return fail("the report and the file agree", decision.message)
    }
    let property: Property? =
      if case .property(let e, let p) = place { merged.model.entities[e].properties[p] } else {
        nil
      }
    func said(_ phrase: String) -> String? {
      decision.message.range(after: phrase).map(String.init)
    }
    if let name = said("renamed it to ") {
      if merged.names[key] != name.lowercased() {
        fail("the report and the file agree", decision.message)
      }
    } else if let type = said("changed its type to ") {
      if property?.type?.description != type {
        fail("the report and the file agree", decision.message)
      }
    } else if let index = said("changed its index to ") {
      let kind = property?.flags.intersection(.indexKind).setNames.joined(separator: " + ") ?? ""
      if index != (kind.isEmpty ? "none" : kind) {
        fail("the report and the file agree", decision.message)
      }
    } else if let flag = said("changed its flag ") {
      let words = flag.split(separator: " ", maxSplits: 2).map(String.init)
      let flags: [String] =
        if case .entity(let e) = place { merged.model.entities[e].flags.setNames } else {
          property?.flags.setNames ?? []
        }
      // Flags of entities are shown by the names that those of properties have.
      if key.kind == .property, flags.contains(words[0]) != (words[2] == "set") {
        fail("the report and the file agree", decision.message)
      }
    }
  }
}

extension String {
  /// The text after a phrase.
  fileprivate func range(after phrase: String) -> Substring? {
    let (text, pattern) = (Array(utf8), Array(phrase.utf8))
    guard text.count >= pattern.count else { return nil }
    for start in 0...(text.count - pattern.count)
    where Array(text[start..<start + pattern.count]) == pattern {
      return Substring(decoding: text[(start + pattern.count)...], as: UTF8.self)
    }
    return nil
  }
}
