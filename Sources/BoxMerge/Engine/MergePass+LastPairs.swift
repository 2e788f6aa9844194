import BoxModel

/// The last pairs of the counters of the result.
extension MergePass {
  /// The last pair of a counter in which no element lost its number.
  ///
  /// It is never below the pair of ours. Theirs raises it by what theirs gave since the base, and by what is
  /// in the result; the history of published versions raises it for an entity that they no longer have. The UID
  /// belongs to the element with the number, or is retired.
  func lastPair(_ numbering: Numbering) -> IDPair? {
    let (lasts, baseLast) = (numbering.lasts, numbering.baseLast)
    if let baseLast, !isRestored(numbering.counter), isUntouched(numbering, baseLast) {
      return baseLast
    }
    let theirs = lasts.theirs.flatMap { pair in
      pair.id > baseLast?.id ?? 0 || lasts.ours == nil
        // Beside one number of both sides, the UID of either counts: which of them is ours decides nothing.
        || pair.id == lasts.ours?.id && pair != baseLast ? pair : nil
    }
    // If theirs assigned no id and ours has the pair of the base, theirs may have corrected the pair.
    let corrected =
      lasts.ours == baseLast && lasts.theirs?.id == baseLast?.id ? lasts.theirs : nil
    let stated = [corrected ?? lasts.ours, theirs, merger.keepsLastsOfBase ? baseLast : nil]
      .compactMap(\.self)
    let highestID =
      (stated.map(\.id) + [numbering.highest?.id ?? 0, formerLast(numbering.counter)]).max()
    guard let highest = highestID, highest > 0 else { return mergedPresence(lasts, baseLast) }
    let pairs = stated.filter { $0.id == highest }
    let holder = numbering.elements.first { $0.id == highest }
    // The only stated pair with that id is kept, right or wrong, unless the merge made it wrong.
    if let only = pairs.first, Set(pairs).count == 1, isAsBefore(only, holder, numbering) {
      return only
    }
    if let holder { return IDPair(id: highest, uid: holder.key.uid) }
    let retiredPairs = pairs.filter { numbering.retired.contains($0.uid) }
    let published = retiredPairs.filter { pair in
      let key = ElementKey(numbering.counter.kind, pair.uid)
      return self.published.ids(of: key, in: numbering.counter).contains { $0.id == pair.id }
    }
    if let pair = (published.isEmpty ? retiredPairs : published).min(by: { $0.uid < $1.uid }) {
      return pair
    }
    return settledLast(numbering, highest)
  }

  /// The last number that properties of an entity had in published versions that no longer have the entity.
  ///
  /// For an entity that a resolution brings back, in all of them. 0 if no version had it.
  private func formerLast(_ counter: Counter) -> UInt32 {
    guard case .property(let owner) = counter else { return 0 }
    let key = ElementKey(.entity, owner)
    let isBack = isRestored(counter)
    return published.models.lazy.filter { isBack || !$0.has(key) }
      .map { $0.lastEver(of: counter) }.max() ?? 0
  }

  /// Whether a counter belongs to an entity that a resolution brings back.
  ///
  /// The side that removed it took its last number with it.
  private func isRestored(_ counter: Counter) -> Bool {
    guard case .property(let owner) = counter else { return false }
    let key = ElementKey(.entity, owner)
    return MergeSide.allCases.contains { state.rulings.restored[$0].contains(key) }
  }

  /// Whether a last pair is what a side has, and as right or wrong as there.
  private func isAsBefore(
    _ pair: IDPair, _ holder: Numbered?, _ numbering: Numbering
  ) -> Bool {
    let named = numbering.elements.first { $0.key.uid == pair.uid }
    return MergeSide.allCases.contains { side in
      guard numbering.lasts[side] == pair else { return false }
      if let holder, holder.key.uid != pair.uid {
        return sides[side].id(holder.key) == pair.id
      }
      if let named { return named.id == pair.id || sides[side].id(named.key) == named.id }
      let key = ElementKey(numbering.counter.kind, pair.uid)
      if isLive(key) { return wasElsewhere(key, pair, numbering) }
      // It may name an element that stays out of the result, or whose UID belongs to another kind there,
      // unless the side does not know it either.
      return numbering.retired.contains(pair.uid) || sides[side].presence(key) == .absent
    }
  }

  /// Whether no side has changed a counter or given a number of it, so that its last pair stays, right or
  /// wrong.
  private func isUntouched(_ numbering: Numbering, _ pair: IDPair) -> Bool {
    guard numbering.lasts.ours == pair, numbering.lasts.theirs == pair,
      numbering.elements.allSatisfy(\.isResident)
    else { return false }
    let key = ElementKey(numbering.counter.kind, pair.uid)
    return numbering.elements.contains { $0.key == key } || !isLive(key)
      || wasElsewhere(key, pair, numbering)
  }

  /// Whether the base has a last pair too that names a property of another entity: no side has moved
  /// it, so databases of both know the number as given.
  private func wasElsewhere(_ key: ElementKey, _ pair: IDPair, _ numbering: Numbering) -> Bool {
    guard key.kind == .property, numbering.baseLast == pair, let owner = base?.owner(of: key) else {
      return false
    }
    return !numbering.owners.contains(owner)
  }

  private func isLive(_ key: ElementKey) -> Bool {
    switch key.kind {
    case .entity: draft.entities[key.uid] != nil
    case .property: draft.properties[key.uid] != nil
    case .relation: draft.relations[key.uid] != nil
    case .index: draft.properties.all.contains { $0.value.indexID?.uid == key.uid }
    }
  }

  /// The pair of a last number whose UID neither belongs to an element with the number nor is retired.
  ///
  /// The element has another number by now, or is in another entity, or stays out. Any retired UID can be
  /// paired with the number. Without retired UIDs the highest element has the pair: generators accept gaps,
  /// and refuse a pair that contradicts itself.
  private func settledLast(_ numbering: Numbering, _ highest: UInt32) -> IDPair? {
    if let uid = retiredUID(numbering) { return IDPair(id: highest, uid: uid) }
    let ours = numbering.lasts.ours
    guard let element = numbering.highest else { return ours }
    // Nobody can say what ours gave a higher number to.
    if let ours, ours.id > element.id, !isLive(ElementKey(element.key.kind, ours.uid)) {
      return ours
    }
    return IDPair(id: element.id, uid: element.key.uid)
  }

  /// A retired UID of the result: preferably one that had a number of the counter, then one that the base
  /// does not have, then the lowest.
  private func retiredUID(_ numbering: Numbering) -> UID? {
    // Of each entity its own properties are looked through, not all that are retired.
    let views = [base, sides.ours, sides.theirs].compactMap(\.self)
    let own = numbering.owners.flatMap { owner in
      views.flatMap { $0.entity(owner)?.properties ?? [] }.map(\.pair.uid)
    }
    return own.filter(numbering.retired.contains).min() ?? numbering.youngestRetired
  }

  /// The lowest retired UID of a kind, preferably of those that the base does not have.
  mutating func youngest(_ retired: Set<UID>, _ kind: ElementKind) -> UID? {
    if let known = youngestRetired[kind] { return known }
    let newlyRetired = retired.filter { base?.presence(ElementKey(kind, $0)) ?? .absent == .absent }
    let found = newlyRetired.min() ?? retired.min()
    youngestRetired[kind] = .some(found)
    return found
  }

  private func mergedPresence(_ lasts: BySide<IDPair?>, _ baseLast: IDPair?) -> IDPair? {
    if base == nil { return lasts.ours ?? lasts.theirs }
    let isThere = (lasts.ours == nil) == (baseLast == nil) ? lasts.theirs != nil : lasts.ours != nil
    return isThere ? lasts.ours ?? .unset : nil
  }
}
