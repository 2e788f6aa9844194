import BoxModel

/// Something that has a number in a counter of the result.
private struct Numbered {
  var key: ElementKey
  var id: UInt32
  /// The sides that have the element under this number.
  var holders: BySide<Bool>
  /// Whether the base has it under this number, and no side gave it another.
  var isResident: Bool
  /// Why it loses the number, if it does.
  var reason = ""
}

/// Who keeps a contested id, and what the last ids are.
extension Merger {
  /// Gives every element of a counter its number, and the counter its last pair.
  ///
  /// For properties, `owners` are the entities of the sides that the counter comes from: two where two
  /// entities became one.
  mutating func number(
    _ counter: Counter, _ keys: [ElementKey], owners: [UID] = []
  ) -> (ids: [ElementKey: UInt32], last: IDPair?) {
    let lasts = BySide(
      ours: lastGiven(by: counter, owners, sides.ours),
      theirs: lastGiven(by: counter, owners, sides.theirs))
    let baseLast = base.flatMap { lastGiven(by: counter, owners, $0) }
    var ids: [ElementKey: UInt32] = [:]
    ids.reserveCapacity(keys.count)
    var numbered: [Numbered] = []
    numbered.reserveCapacity(keys.count)
    for key in keys {
      let element = candidate(key)
      ids[key] = element.id
      numbered.append(element)
    }
    var losers = contestedLosers(counter, numbered)
    losers += losersToGhosts(counter, numbered, lasts, baseLast, Set(losers.map(\.key)))
    losers.sort { ($0.id, $0.key.uid) < ($1.id, $1.key.uid) }
    let givenIDs = [baseLast?.id, lasts.ours?.id, lasts.theirs?.id].compactMap(\.self)
    let given = givenIDs.max() ?? 0
    let lostKeys = Set(losers.map(\.key))
    var last = lastPair(counter, lasts, baseLast, numbered, lostKeys)
    for element in numbered where !lostKeys.contains(element.key) { noteOtherID(element) }
    if losers.isEmpty {
      if let pair = last,
        let element = numbered.first(where: { $0.key.uid == pair.uid && $0.id != pair.id }),
        // What a side has wrong already is not mended by a merge: `check` speaks of it. One that
        // removed the element has nothing wrong, even where it is told to keep it.
        !(lasts.ours == pair && sides.ours.id(element.key) == element.id),
        !(lasts.theirs == pair && sides.theirs.id(element.key) == element.id)
      {
        last = settleLast(pair, counter, element, &ids)
      }
      return (ids, last)
    }
    var next = max(given, numbered.map(\.id).max() ?? 0)
    for loser in losers {
      guard let id = IDPair.nextID(after: next) else {
        isUnsolvable = true
        hindrance =
          "\(label(loser.key)) of \(loser.holders.ours ? MergeSide.ours : .theirs) needs another id "
          + "than \(loser.id), and there is none above \(next)"
        return (ids, last)
      }
      next = id
      ids[loser.key] = next
      last = IDPair(id: next, uid: loser.key.uid)
      noteRenumbered(loser, to: next, counter)
    }
    return (ids, last)
  }

  private func lastGiven(by counter: Counter, _ owners: [UID], _ view: SideView) -> IDPair? {
    guard case .property = counter else { return view.model[last: counter] }
    return owners.compactMap { view.entity($0)?.lastPropertyID }.max { $0.id < $1.id }
  }

  /// The number of an element before anybody contests it.
  private mutating func candidate(_ key: ElementKey) -> Numbered {
    let before = base?.id(key)
    let ours = view(.ours, key).id(key)
    let theirs = view(.theirs, key).id(key)
    let id: UInt32
    switch (ours, theirs) {
    case (let a?, let b?):
      if a == b || b == before {
        id = a
      } else if a == before {
        id = b
      } else {
        id = renumberedTwice(key, before, a, b)
      }
    case (let only?, nil), (nil, let only?): id = only
    case (nil, nil): id = before ?? 0
    }
    let isResident =
      base == nil
      ? ours == theirs
      : before == id && (ours ?? id) == id && (theirs ?? id) == id
    return Numbered(
      key: key, id: id, holders: BySide(ours: ours == id, theirs: theirs == id),
      isResident: isResident)
  }

  /// Both sides gave one element another number: the published one stands, then the higher one.
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

  private mutating func contestedLosers(
    _ counter: Counter, _ numbered: [Numbered]
  ) -> [Numbered] {
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
    for id in groups.keys.sorted() { losers += self.losers(counter, groups[id] ?? []) }
    return losers
  }

  private mutating func losers(_ counter: Counter, _ group: [Numbered]) -> [Numbered] {
    if let resident = group.first(where: \.isResident) {
      let reason = "\(label(resident.key)) has had it since before"
      return lost(group.filter { !$0.isResident }, reason)
    }
    let ours = group.filter(\.holders.ours)
    let theirs = group.filter { !$0.holders.ours }
    // One number twice on one side is a fault of that side, and not of the merge.
    guard let a = ours.min(by: { $0.key < $1.key }), let b = theirs.min(by: { $0.key < $1.key })
    else { return [] }
    let winner = winner(counter, a, b)
    let (kept, losers) = winner == .ours ? (a, theirs) : (b, ours)
    return lost(losers, reasonToKeep(kept, winner))
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
    // Where a ref is missing, the answer to a conflict has decided, and no UID.
    if !published.unresolved.isEmpty { return "\(label) of \(side) is to keep it" }
    return "\(label) of \(side) has it too, and the lower UID"
  }

  private func describe(_ model: PublishedModel) -> String {
    model.name + (model.detail.map { " (\($0))" } ?? "")
  }

  private mutating func winner(
    _ counter: Counter, _ a: Numbered, _ b: Numbered
  ) -> MergeSide {
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
      ours:
        "\(labels.ours) keeps \(a.id); databases that have \(labels.theirs) under it do not open",
      theirs:
        "\(labels.theirs) keeps \(b.id); databases that have \(labels.ours) under it do not open",
      help: fetchHelp)
    return resolve(conflict).side ?? (a.key.uid < b.key.uid ? .ours : .theirs)
  }

  /// New elements whose number the other side has given too, to something that it removed again: they
  /// keep it, unless that is what was published.
  private mutating func losersToGhosts(
    _ counter: Counter, _ numbered: [Numbered], _ lasts: BySide<IDPair?>, _ baseLast: IDPair?,
    _ losers: Set<ElementKey>
  ) -> [Numbered] {
    var result: [Numbered] = []
    if published.models.isEmpty { return result }
    for element in numbered {
      guard element.id > baseLast?.id ?? 0, element.holders.ours != element.holders.theirs,
        !element.isResident, !losers.contains(element.key),
        published.model(with: element.key, id: element.id) == nil
      else { continue }
      let other: MergeSide = element.holders.ours ? .theirs : .ours
      guard lasts[other]?.id ?? 0 >= element.id,
        let model = published.model(
          givingAway: element.id, of: counter, notTo: element.key.uid)
      else { continue }
      result += lost(
        [element], "\(other) gave it to something else, which is published in \(describe(model))")
    }
    return result
  }

  private mutating func noteRenumbered(_ loser: Numbered, to id: UInt32, _ counter: Counter) {
    let label = label(loser.key)
    let side: MergeSide = loser.holders.ours ? .ours : .theirs
    decide(
      MergeRule.renumbered, loser.key, label, side: side,
      "\(label) of \(side) gets the id \(id) instead of \(loser.id), and keeps its UID "
        + "\(loser.key.uid): \(loser.reason)",
      consequence: consequence(loser.key, loser.id, side))
  }

  /// One side gave an element another number than it had, or the sides gave it two.
  private mutating func noteOtherID(_ element: Numbered) {
    if element.holders.ours && element.holders.theirs { return }
    let before = base?.id(element.key)
    let (ours, theirs) = (
      view(.ours, element.key).id(element.key), view(.theirs, element.key).id(element.key)
    )
    guard let ours, let theirs, before != element.id else { return }
    let other: MergeSide = ours == element.id ? .theirs : .ours
    let old = other == .ours ? ours : theirs
    let label = label(element.key)
    decide(
      MergeRule.renumbered, element.key, label, side: other,
      "\(label) of \(other) gets the id \(element.id) instead of \(old), and keeps its UID "
        + "\(element.key.uid): \(other.other) gave it that",
      consequence: consequence(element.key, old, other))
  }

  /// Client and server of a synchronized entity name it, and its properties, by their ids.
  private func isSynchronized(_ key: ElementKey, _ view: SideView) -> Bool {
    guard let place = view.lookup[key.kind, key.uid] else { return false }
    return view.model.entities[place.entity].flags.contains(.syncEnabled)
  }

  private func consequence(_ key: ElementKey, _ id: UInt32, _ side: MergeSide) -> String {
    if isSynchronized(key, sides[side]) {
      return
        "it is synchronized, and client and server name it by its id: no client of \(side) may "
        + "have synchronized it under \(id)"
    }
    if key.kind == .index {
      return "databases made by builds of \(side) have the index under \(id): it holds no data, "
        + "but an ObjectBox database of such a build may not open"
    }
    return "databases made by builds of \(side) have it under \(id): BoxJoint opens them, an "
      + "ObjectBox database may have to be deleted or made anew"
  }

  // MARK: - Last ids

  private func lastPair(
    _ counter: Counter, _ lasts: BySide<IDPair?>, _ baseLast: IDPair?, _ numbered: [Numbered],
    _ losers: Set<ElementKey>
  ) -> IDPair? {
    let candidates = [lasts.ours, lasts.theirs, baseLast].compactMap(\.self)
    guard let highest = candidates.map(\.id).max() else { return nil }
    let pairs = candidates.filter { $0.id == highest }
    if highest == 0 { return mergedPresence(lasts, baseLast) }
    // What is said of the number without a contradiction stands.
    if Set(pairs).count == 1 { return pairs[0] }
    if let holder = numbered.first(where: { $0.id == highest && !losers.contains($0.key) }) {
      return IDPair(id: highest, uid: holder.key.uid)
    }
    // An element that has another number by now says nothing of this one.
    let gone = pairs.filter { pair in !numbered.contains { $0.key.uid == pair.uid } }
    let possible = gone.isEmpty ? pairs : gone
    let published = possible.filter { pair in
      self.published.model(with: ElementKey(counter.kind, pair.uid), id: pair.id) != nil
    }
    return (published.isEmpty ? possible : published).min { $0.uid < $1.uid }
  }

  /// The pair of a last number that was given to an element which has a lower one, published.
  ///
  /// It names something that is gone. Where nothing is, the element has the last number after all.
  private mutating func settleLast(
    _ pair: IDPair, _ counter: Counter, _ element: Numbered, _ ids: inout [ElementKey: UInt32]
  ) -> IDPair {
    // What a side lost counts as retired: it will be.
    let retired = [self.retired.ours, self.retired.theirs].flatMap { $0[counter.kind] ?? [] }
    let indexes = Set(properties.all.compactMap(\.value.indexID?.uid))
    let gone = Set(retired).filter { uid in
      entities[uid] == nil && properties[uid] == nil && relations[uid] == nil
        && !indexes.contains(uid)
    }
    // The number is younger than what the base knows.
    let young = gone.filter { uid in
      base.map { $0.lookup[counter.kind, uid] == nil && !$0.lookup.isRetired(counter.kind, uid) }
        ?? true
    }
    if let uid = young.min() ?? gone.min() {
      return IDPair(id: pair.id, uid: uid)
    }
    ids[element.key] = pair.id
    var element = element
    element.reason = "it got that one last, and nothing else can have it"
    noteRenumbered(element, to: pair.id, counter)
    return pair
  }

  private func mergedPresence(_ lasts: BySide<IDPair?>, _ baseLast: IDPair?) -> IDPair? {
    if base == nil { return lasts.ours ?? lasts.theirs }
    return (lasts.ours == nil) == (baseLast == nil) ? lasts.theirs : lasts.ours
  }
}
