import BoxModel

/// An element with a number in a counter of the result.
private struct Numbered {
  var key: ElementKey
  var id: UInt32
  /// The number that the base and each side gave it in this counter.
  var before: UInt32?
  var given: BySide<UInt32?>
  /// The sides that have the element under this number.
  var holders: BySide<Bool>
  /// Whether the base has it under this number, and no side gave it another.
  var isResident: Bool
  /// The reason why the element loses the number, if it does.
  var reason = ""

  /// The number that it has in the base and on one side, where the other side gave it another.
  var formerID: UInt32?

  /// Takes its former number.
  mutating func returnToFormerID() {
    guard let former = formerID else { return }
    id = former
    holders = BySide(ours: given.ours == former, theirs: given.theirs == former)
    formerID = nil
  }
}

/// A counter of the result: the elements that it numbers, and the last pairs of the versions.
private struct Numbering {
  let counter: Counter
  /// For properties, the entities that the counter comes from.
  let owners: [UID]
  let lasts: BySide<IDPair?>
  let baseLast: IDPair?
  /// The retired UIDs of the result that no element of the counter's kind has.
  let retired: Set<UID>
  var numbered: [Numbered] = []

  /// The element with the highest number; of several, the one with the lowest UID.
  var highest: Numbered? { numbered.max { ($0.id, $1.key.uid) < ($1.id, $0.key.uid) } }
}

/// The owners of contested ids, and the last ids.
extension MergePass {
  /// Gives every element of a counter its number, and the counter its last pair.
  ///
  /// For properties, `owners` are the entities of the sides that the counter comes from: two where two
  /// entities became one.
  ///
  /// - Throws: ``Obstacle`` if an element needs another number, and there is none.
  mutating func number(
    _ counter: Counter, _ keys: [ElementKey], _ retired: GoneUIDs, owners: [UID] = []
  ) throws(Obstacle) -> (ids: [ElementKey: UInt32], last: IDPair?) {
    var numbering = Numbering(
      counter: counter, owners: owners,
      lasts: BySide(
        ours: lastGiven(by: counter, owners, .ours),
        theirs: lastGiven(by: counter, owners, .theirs)),
      baseLast: base.flatMap { lastGiven(by: counter, owners, $0) },
      retired: retired[counter.kind] ?? [])
    numbering.numbered.reserveCapacity(keys.count)
    for key in keys { numbering.numbered.append(candidate(key, owners)) }
    var losers = losers(numbering)
    let returned = giveBack(losers, in: &numbering.numbered)
    if !returned.isEmpty { losers = self.losers(numbering) }
    var ids: [ElementKey: UInt32] = [:]
    ids.reserveCapacity(keys.count)
    for element in numbering.numbered { ids[element.key] = element.id }
    let lostKeys = Set(losers.map(\.key))
    for element in returned where !lostKeys.contains(element.key) {
      noteRenumbered(element, to: ids[element.key] ?? element.id)
    }
    for element in numbering.numbered where !lostKeys.contains(element.key) {
      noteOtherID(element)
    }
    // The last pair may give an element another number.
    let last =
      losers.isEmpty
      ? lastPair(numbering, &ids) : try renumber(losers, of: numbering, &ids)
    return (ids, last)
  }

  /// Gives elements that lost their numbers the next ones.
  ///
  /// - Returns: The last pair of the counter.
  private mutating func renumber(
    _ losers: [Numbered], of numbering: Numbering, _ ids: inout [ElementKey: UInt32]
  ) throws(Obstacle) -> IDPair? {
    let given = [numbering.baseLast, numbering.lasts.ours, numbering.lasts.theirs]
      .compactMap { $0?.id }
    var last = IDPair(
      id: max(given.max() ?? 0, numbering.highest?.id ?? 0), uid: 0)
    for loser in losers {
      guard let id = IDPair.nextID(after: last.id) else {
        throw Obstacle(
          reason: "\(label(loser.key)) of \(loser.holders.ours ? MergeSide.ours : .theirs) needs "
            + "another id than \(loser.id), and there is none above \(last.id)",
          elements: [loser.key])
      }
      last = IDPair(id: id, uid: loser.key.uid)
      ids[loser.key] = id
      noteRenumbered(loser, to: id)
    }
    return last
  }

  private func lastGiven(by counter: Counter, _ owners: [UID], _ view: SideView) -> IDPair? {
    guard case .property = counter else { return view.model[last: counter] }
    return owners.compactMap { view.entity($0)?.lastPropertyID }.max { $0.id < $1.id }
  }

  /// The last pair of a side; of an entity that a resolution brought back, as the base has it.
  private func lastGiven(by counter: Counter, _ owners: [UID], _ side: MergeSide) -> IDPair? {
    guard case .property = counter else { return sides[side].model[last: counter] }
    return owners.compactMap { view(side, ElementKey(.entity, $0)).entity($0)?.lastPropertyID }
      .max { $0.id < $1.id }
  }

  /// The number of an element before anybody contests it.
  ///
  /// A property has a number in its entity: `owners` are those that count for its counter, and what
  /// another entity gave it means nothing there.
  private mutating func candidate(_ key: ElementKey, _ owners: [UID]) -> Numbered {
    func id(_ view: SideView?) -> UInt32? {
      guard let view, let id = view.id(key) else { return nil }
      if key.kind == .property, let owner = view.owner(of: key), !owners.contains(owner) {
        return nil
      }
      return id
    }
    let before = id(base)
    let ours = id(view(.ours, key))
    let theirs = id(view(.theirs, key))
    let number: UInt32
    switch (ours, theirs) {
    case (let a?, let b?):
      if a == b || b == before {
        number = a
      } else if a == before {
        number = b
      } else {
        number = renumberedTwice(key, before, a, b)
      }
    case (let only?, nil), (nil, let only?): number = only
    case (nil, nil): number = before ?? 0
    }
    // A version that does not mention the UID never had the number, and may have given it away.
    let isKnown = BySide(
      ours: sides.ours.presence(key) != .absent, theirs: sides.theirs.presence(key) != .absent)
    let isResident =
      base == nil
      ? ours == theirs
      : before == number && (ours ?? number) == number && (theirs ?? number) == number
        && isKnown.ours && isKnown.theirs
    let given = BySide(ours: ours, theirs: theirs)
    // An element that a resolution brought back has no number on that side.
    let keeper = MergeSide.allCases.first {
      given[$0] == before && sides[$0].presence(key) == .live
    }
    return Numbered(
      key: key, id: number, before: before, given: given,
      holders: BySide(
        ours: ours == number && isKnown.ours, theirs: theirs == number && isKnown.theirs),
      isResident: isResident, formerID: before == number || keeper == nil ? nil : before)
  }

  /// The number of an element that both sides renumbered: the published one, else the higher one.
  ///
  /// A number that was given to settle a contest is above all others, so that merging its result again
  /// settles it in the same way; and a side has counted up to it, so that its last pair stays true.
  private mutating func renumberedTwice(
    _ key: ElementKey, _ before: UInt32?, _ a: UInt32, _ b: UInt32
  ) -> UInt32 {
    let publishedOurs = published.model(with: key, id: a)
    let publishedTheirs = published.model(with: key, id: b)
    let label = label(key)
    switch (publishedOurs, publishedTheirs) {
    case (.some, nil): return a
    case (nil, .some): return b
    case (nil, nil) where published.unresolved.isEmpty: return max(a, b)
    default:
      let conflict = Conflict(
        id: "contested-id/\(key.kind)/\(key.uid)", rule: MergeRule.contestedID, elements: [key],
        label: label, message: "\(label) has the id \(a) in ours and \(b) in theirs",
        ours: "\(label) has the id \(a): databases that know it as \(b) do not open",
        theirs: "\(label) has the id \(b): databases that know it as \(a) do not open",
        help: fetchHelp)
      switch resolve(conflict) {
      case .ours: return a
      case .theirs: return b
      case .base: return before ?? min(a, b)
      }
    }
  }

  private var fetchHelp: String? {
    published.unresolved.first.map { reference in
      "\(reference.name) is configured as published and is not here"
        + (reference.help.map { ": run `\($0)` and merge again" } ?? "")
    }
  }

  // MARK: - Contests

  /// The elements that lose their number, in the order of the numbers.
  private mutating func losers(_ numbering: Numbering) -> [Numbered] {
    var losers = contestedLosers(numbering.numbered)
    losers += losersToRemovedElements(numbering, Set(losers.map(\.key)))
    return losers.sorted { ($0.id, $0.key.uid) < ($1.id, $1.key.uid) }
  }

  /// Gives what loses a number that one side gave it the one that it had before, and still has on the
  /// other side: databases know it by that.
  ///
  /// - Returns: The elements that got it back, as they were.
  private func giveBack(_ losers: [Numbered], in numbered: inout [Numbered]) -> [Numbered] {
    let returned = losers.filter { $0.formerID != nil }
    if returned.isEmpty { return [] }
    let keys = Set(returned.map(\.key))
    for position in numbered.indices where keys.contains(numbered[position].key) {
      numbered[position].returnToFormerID()
    }
    return returned
  }

  private mutating func contestedLosers(_ numbered: [Numbered]) -> [Numbered] {
    var firsts: [UInt32: Int] = [:]
    firsts.reserveCapacity(numbered.count)
    var groups: [UInt32: [Numbered]] = [:]
    for (position, element) in numbered.enumerated() {
      guard let first = firsts[element.id] else {
        firsts[element.id] = position
        continue
      }
      groups[element.id, default: [numbered[first]]].append(element)
    }
    var losers: [Numbered] = []
    for id in groups.keys.sorted() { losers += self.losers(among: groups[id] ?? []) }
    return losers
  }

  private mutating func losers(among group: [Numbered]) -> [Numbered] {
    if let resident = group.first(where: \.isResident) {
      let reason = "\(label(resident.key)) has had it since before"
      return lost(group.filter { !$0.isResident }, reason)
    }
    let former = group.filter(isPublishedAsBefore)
    if !former.isEmpty, former.count < group.count {
      let others = group.filter { !isPublishedAsBefore($0) }
      return lost(former, "it is published under another one") + losers(among: others)
    }
    let ours = group.filter(\.holders.ours)
    let theirs = group.filter { !$0.holders.ours }
    // One number twice on one side is a fault of that side, and not of the merge.
    guard let a = ours.min(by: { $0.key < $1.key }), let b = theirs.min(by: { $0.key < $1.key })
    else { return [] }
    let winner = winner(a, b)
    let (kept, losers) = winner == .ours ? (a, theirs) : (b, ours)
    return lost(losers, reasonToKeep(kept, winner))
  }

  /// Whether databases know an element by the number that it had before, and has on one side.
  private func isPublishedAsBefore(_ element: Numbered) -> Bool {
    guard let before = element.formerID else { return false }
    return published.model(with: element.key, id: before) != nil
      && published.model(with: element.key, id: element.id) == nil
  }

  private func lost(_ elements: [Numbered], _ reason: String) -> [Numbered] {
    elements.map { element in
      var element = element
      element.reason = reason
      return element
    }
  }

  private func reasonToKeep(_ kept: Numbered, _ side: MergeSide) -> String {
    let label = label(kept.key)
    if let model = published.model(with: kept.key, id: kept.id) {
      return "\(label) of \(side) is published under it in \(describe(model))"
    }
    // If a ref is missing, the answer to a conflict decides, not a UID.
    if !published.unresolved.isEmpty { return "\(label) of \(side) is to keep it" }
    return "\(label) of \(side) has it too, and the lower UID"
  }

  private func describe(_ model: PublishedModel) -> String {
    model.name + (model.detail.map { " (\($0))" } ?? "")
  }

  private mutating func winner(_ a: Numbered, _ b: Numbered) -> MergeSide {
    let publishedOurs = published.model(with: a.key, id: a.id)
    let publishedTheirs = published.model(with: b.key, id: b.id)
    switch (publishedOurs, publishedTheirs) {
    case (.some, nil) where published.unresolved.isEmpty: return .ours
    case (nil, .some) where published.unresolved.isEmpty: return .theirs
    case (nil, nil) where published.unresolved.isEmpty:
      return a.key.uid < b.key.uid ? .ours : .theirs
    default: break
    }
    let labels = BySide(ours: label(a.key), theirs: label(b.key))
    let why =
      if let publishedOurs, let publishedTheirs {
        "it is published as \(labels.ours) in \(publishedOurs.name) and as \(labels.theirs) in "
          + publishedTheirs.name
      } else {
        "whether either is published is not known"
      }
    let keys = [a.key, b.key].sorted()
    let conflict = Conflict(
      id: "contested-id/\(a.key.kind)/\(keys[0].uid)+\(keys[1].uid)",
      rule: MergeRule.contestedID, elements: keys, label: labels.ours,
      message: "both sides gave the \(a.key.kind) id \(a.id), ours to \(labels.ours) and theirs to "
        + "\(labels.theirs), and \(why)",
      ours: "\(labels.ours) keeps \(a.id); databases that have \(labels.theirs) under it: "
        + StoreOutcome.renumbered(b.key.kind).words,
      theirs: "\(labels.theirs) keeps \(b.id); databases that have \(labels.ours) under it: "
        + StoreOutcome.renumbered(a.key.kind).words,
      help: fetchHelp)
    return resolve(conflict).side ?? (a.key.uid < b.key.uid ? .ours : .theirs)
  }

  /// New elements whose number the other side has given too, to something that it removed again: they
  /// keep it, unless that is what was published.
  private func losersToRemovedElements(
    _ numbering: Numbering, _ losers: Set<ElementKey>
  ) -> [Numbered] {
    var result: [Numbered] = []
    if published.models.isEmpty { return result }
    for element in numbering.numbered {
      guard element.id > numbering.baseLast?.id ?? 0,
        element.holders.ours != element.holders.theirs,
        !element.isResident, !losers.contains(element.key),
        published.model(with: element.key, id: element.id) == nil
      else { continue }
      let other: MergeSide = element.holders.ours ? .theirs : .ours
      guard numbering.lasts[other]?.id ?? 0 >= element.id,
        let model = published.model(
          givingAway: element.id, of: numbering.counter, notTo: element.key.uid)
      else { continue }
      result += lost(
        [element], "\(other) gave it to something else, which is published in \(describe(model))")
    }
    return result
  }

  private mutating func noteRenumbered(_ loser: Numbered, to id: UInt32) {
    let label = label(loser.key)
    let side: MergeSide = loser.holders.ours ? .ours : .theirs
    decide(
      MergeRule.renumbered, loser.key, label, side: side,
      "\(label) of \(side) gets the id \(id) instead of \(loser.id), and keeps its UID "
        + "\(loser.key.uid): \(loser.reason)",
      consequence: consequence(loser.key, loser.id, side))
  }

  /// Reports an element that got another number than in the base, if the sides gave it different
  /// ones.
  private mutating func noteOtherID(_ element: Numbered) {
    if element.holders.ours && element.holders.theirs { return }
    guard let ours = element.given.ours, let theirs = element.given.theirs,
      element.before != element.id
    else { return }
    let other: MergeSide = ours == element.id ? .theirs : .ours
    let old = other == .ours ? ours : theirs
    let label = label(element.key)
    decide(
      MergeRule.renumbered, element.key, label, side: other,
      "\(label) of \(other) gets the id \(element.id) instead of \(old), and keeps its UID "
        + "\(element.key.uid): \(other.other) gave it that",
      consequence: consequence(element.key, old, other))
  }

  /// Whether the entity of an element is synchronized: client and server name it, and its
  /// properties, by their ids.
  private func isSynchronized(_ key: ElementKey, _ view: SideView) -> Bool {
    guard let place = view.lookup[key.kind, key.uid] else { return false }
    return view.model.entities[place.entity].flags.contains(.syncEnabled)
  }

  private func consequence(_ key: ElementKey, _ id: UInt32, _ side: MergeSide) -> String {
    // Client and server do not name an index.
    if key.kind != .index, isSynchronized(key, sides[side]) {
      return
        "it is synchronized, and client and server name it by its id: no client of \(side) may "
        + "have synchronized it under \(id)"
    }
    return "databases made by builds of \(side) have it under \(id); "
      + StoreOutcome.renumbered(key.kind).words
  }

  // MARK: - Last ids

  /// The last pair of a counter in which no element lost its number.
  ///
  /// It is not below that of ours. Theirs raises it by what theirs gave since the base, and by what is
  /// in the result. Its UID is that of the element with the number, or a retired one.
  private mutating func lastPair(
    _ numbering: Numbering, _ ids: inout [ElementKey: UInt32]
  ) -> IDPair? {
    let (lasts, baseLast) = (numbering.lasts, numbering.baseLast)
    if let baseLast, isUntouched(numbering, baseLast) { return baseLast }
    let theirs = lasts.theirs.flatMap { pair in
      pair.id > baseLast?.id ?? 0 || (lasts.ours == nil && baseLast == nil) ? pair : nil
    }
    // If theirs assigned no id and ours has the pair of the base, theirs may have corrected the pair.
    let mended =
      lasts.ours == baseLast && lasts.theirs?.id == baseLast?.id ? lasts.theirs : nil
    let stated = [mended ?? lasts.ours, theirs].compactMap(\.self)
    let highestID = (stated.map(\.id) + [numbering.highest?.id ?? 0]).max()
    guard let highest = highestID, highest > 0 else { return mergedPresence(lasts, baseLast) }
    let pairs = stated.filter { $0.id == highest }
    let holder = numbering.numbered.first { $0.id == highest }
    // The only stated pair with that id is kept, right or wrong, unless the merge made it wrong.
    if let only = pairs.first, Set(pairs).count == 1, isAsBefore(only, holder, numbering) {
      return only
    }
    if let holder { return IDPair(id: highest, uid: holder.key.uid) }
    let retiredPairs = pairs.filter { numbering.retired.contains($0.uid) }
    let published = retiredPairs.filter { pair in
      self.published.model(with: ElementKey(numbering.counter.kind, pair.uid), id: pair.id) != nil
    }
    if let pair = (published.isEmpty ? retiredPairs : published).min(by: { $0.uid < $1.uid }) {
      return pair
    }
    return settledLast(numbering, pairs, &ids)
  }

  /// Whether a last pair is what a side has, and as right or wrong as there.
  private func isAsBefore(
    _ pair: IDPair, _ holder: Numbered?, _ numbering: Numbering
  ) -> Bool {
    let named = numbering.numbered.first { $0.key.uid == pair.uid }
    return MergeSide.allCases.contains { side in
      guard numbering.lasts[side] == pair else { return false }
      if let holder, holder.key.uid != pair.uid {
        return sides[side].id(holder.key) == pair.id
      }
      if let named { return named.id == pair.id || sides[side].id(named.key) == named.id }
      let key = ElementKey(numbering.counter.kind, pair.uid)
      if isLive(key) { return wasElsewhere(key, pair, numbering) }
      // Theirs may name what stays out of the result, unless theirs does not know it either.
      return side == .ours || numbering.retired.contains(pair.uid)
        || sides[side].presence(key) == .absent
    }
  }

  /// Whether no side has changed a counter or given a number of it, so that its last pair stays, right or
  /// wrong.
  private func isUntouched(_ numbering: Numbering, _ pair: IDPair) -> Bool {
    guard numbering.lasts.ours == pair, numbering.lasts.theirs == pair,
      numbering.numbered.allSatisfy(\.isResident)
    else { return false }
    let key = ElementKey(numbering.counter.kind, pair.uid)
    return numbering.numbered.contains { $0.key == key } || !isLive(key)
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

  /// The pair of a last number whose UID is neither that of an element with the number nor retired.
  private mutating func settledLast(
    _ numbering: Numbering, _ pairs: [IDPair], _ ids: inout [ElementKey: UInt32]
  ) -> IDPair? {
    let (kind, numbered, lasts) = (numbering.counter.kind, numbering.numbered, numbering.lasts)
    let highest = pairs[0].id
    // The element has a lower number by now, a published one, or is in another entity.
    let isLowered = pairs.contains { isLive(ElementKey(kind, $0.uid)) }
    if isLowered, let uid = youngestGone(numbering) { return IDPair(id: highest, uid: uid) }
    if var element = numbered.first(where: { element in
      pairs.contains { $0.uid == element.key.uid } && element.id != highest
    }) {
      ids[element.key] = highest
      element.reason = "it got that one last, and nothing else can have it"
      noteRenumbered(element, to: highest)
      return IDPair(id: highest, uid: element.key.uid)
    }
    // The number came from theirs, with something that stays out: the highest that is accounted for.
    let known =
      numbered.map { IDPair(id: $0.id, uid: $0.key.uid) }
      + [lasts.theirs, numbering.baseLast].compactMap(\.self).filter {
        numbering.retired.contains($0.uid)
      }
    // Of one number the element that has it comes first.
    let best = known.enumerated().max { ($0.element.id, $1.offset) < ($1.element.id, $0.offset) }?
      .element
    guard let ours = lasts.ours, ours.id > best?.id ?? 0 else { return best ?? lasts.ours }
    guard isLive(ElementKey(kind, ours.uid)) else { return ours }
    if let uid = youngestGone(numbering) { return IDPair(id: ours.id, uid: uid) }
    guard let own = numbering.numbered.first(where: { $0.key.uid == ours.uid }) else {
      // The property is in another entity. No UID can stand beside its number here; a lower pair
      // leaves every database as it is, where another number for a property would close them all.
      return best ?? ours
    }
    return takeBack(ours, own, &ids)
  }

  /// Gives the element of a last pair the number back that it had there.
  private mutating func takeBack(
    _ pair: IDPair, _ element: Numbered, _ ids: inout [ElementKey: UInt32]
  ) -> IDPair {
    ids[element.key] = pair.id
    // If the element had lost a number before, only the final one is reported.
    log.decisions.removeAll { $0.rule == MergeRule.renumbered && $0.element == element.key }
    var element = element
    element.reason = "\(pair.id) was given last, and nothing else can have it"
    noteRenumbered(element, to: pair.id)
    return pair
  }

  /// The lowest retired UID of the result, preferably one that the base does not mention; nil if
  /// there is none.
  private func youngestGone(_ numbering: Numbering) -> UID? {
    let kind = numbering.counter.kind
    let young = numbering.retired.filter {
      base?.presence(ElementKey(kind, $0)) ?? .absent == .absent
    }
    return young.min() ?? numbering.retired.min()
  }

  private func mergedPresence(_ lasts: BySide<IDPair?>, _ baseLast: IDPair?) -> IDPair? {
    if base == nil { return lasts.ours ?? lasts.theirs }
    let isThere = (lasts.ours == nil) == (baseLast == nil) ? lasts.theirs != nil : lasts.ours != nil
    return isThere ? lasts.ours ?? .unset : nil
  }
}
