import BoxModel

/// An element with its number in a counter of the result.
struct Numbered {
  let key: ElementKey
  var id: UInt32
  /// The number that the base and each side gave it in this counter.
  let before: UInt32?
  let given: BySide<UInt32?>
  /// The published version that decided on the number, if one did.
  var authority: Authority?
  /// The reason why it has another number than a side gave it.
  var reason: String?

  /// Whether there is a base; without a base only the sides show what existed before.
  let hasBase: Bool

  /// Whether the base has it under its number, and no side gave it another.
  var isResident: Bool {
    if !hasBase { return given.ours == id && given.theirs == id }
    return before == id && given.ours ?? id == id && given.theirs ?? id == id
  }

  /// The origin of a number that no side can change.
  enum Authority {
    /// It is live under it in a published model.
    case live(PublishedModel)
    /// It was live under it in an earlier version of a published model, and is in none now.
    case former(PublishedModel)
    /// It is live under it in the model of the branch that is checked out.
    case head(PublishedModel)
  }
}

/// A counter of the result: the elements that it numbers, and the last pairs of the versions.
struct Numbering {
  let counter: Counter
  /// For properties, the entities of the sides that the counter comes from.
  let owners: [UID]
  let lasts: BySide<IDPair?>
  let baseLast: IDPair?
  /// The retired UIDs of the result that no element of the counter's kind has.
  let retired: Set<UID>
  /// The retired UID to pair with a last number if the counter has no UID.
  let youngestRetired: UID?
  var elements: [Numbered] = []

  /// The element with the highest number; of several, the one with the lowest UID.
  var highest: Numbered? { elements.max { ($0.id, $1.key.uid) < ($1.id, $0.key.uid) } }
}

/// The ids of the elements of the result.
extension MergePass {
  /// Gives every element of a counter its number, and the counter its last pair.
  ///
  /// A published element has the number that it has there. Any other has one above all that published
  /// versions gave: its own, or the next one if that is too low, given to something else, or dead. No step
  /// depends on which side is called ours. For properties, `owners` are the entities of the sides that the
  /// counter comes from: two where two entities became one.
  ///
  /// - Throws: ``Obstacle`` if an element needs another number, and no number is free.
  /// - Complexity: O(*n* log *n*) in the number of elements.
  mutating func number(
    _ counter: Counter, _ keys: [ElementKey], _ retired: RemovedUIDs, owners: [UID] = []
  ) throws(Obstacle) -> (ids: [ElementKey: UInt32], last: IDPair?) {
    let counting = owners.filter { !isSuperseded($0) }
    var numbering = Numbering(
      counter: counter, owners: owners,
      lasts: BySide(
        ours: lastGiven(by: counter, counting, .ours),
        theirs: lastGiven(by: counter, counting, .theirs)),
      baseLast: base.flatMap { lastGiven(by: counter, counting, $0) },
      retired: retired[counter.kind] ?? [],
      youngestRetired: youngest(retired[counter.kind] ?? [], counter.kind))
    numbering.elements.reserveCapacity(keys.count)
    for key in keys { numbering.elements.append(numbered(key, numbering)) }
    if !numbering.elements.allSatisfy(\.isResident) || !hasSameLast(numbering) {
      state.answers.noteNewNumbers()
    }
    settleAuthorities(&numbering)
    var losers = losersToPublished(numbering)
    losers.merge(losersToRemoved(numbering, losers)) { first, _ in first }
    losers.merge(contestedLosers(numbering, losers)) { first, _ in first }
    let last = losers.isEmpty ? nil : try renumber(losers, &numbering)
    var ids: [ElementKey: UInt32] = [:]
    ids.reserveCapacity(keys.count)
    for element in numbering.elements {
      ids[element.key] = element.id
      noteNumber(element, numbering)
    }
    return (ids, last ?? lastPair(numbering))
  }

  private func hasSameLast(_ numbering: Numbering) -> Bool {
    numbering.lasts.ours == numbering.lasts.theirs && numbering.lasts.ours == numbering.baseLast
  }

  /// Gives elements that lost their numbers the next ones, in the order of their UIDs.
  ///
  /// - Returns: The last pair of the counter.
  private func renumber(
    _ losers: [ElementKey: String], _ numbering: inout Numbering
  ) throws(Obstacle) -> IDPair? {
    let given = [numbering.baseLast, numbering.lasts.ours, numbering.lasts.theirs]
      .compactMap { $0?.id }
    let publishedLast = published.last(of: numbering.counter)?.id ?? 0
    var last = IDPair(
      id: max(given.max() ?? 0, numbering.highest?.id ?? 0, publishedLast), uid: 0)
    let positions = numbering.elements.indices.filter { losers[numbering.elements[$0].key] != nil }
    for position in positions.sorted(by: {
      numbering.elements[$0].key.uid < numbering.elements[$1].key.uid
    }) {
      let loser = numbering.elements[position]
      guard let id = IDPair.nextID(after: last.id) else {
        let side = side(of: loser).map { " of \($0)" } ?? ""
        throw Obstacle(
          reason: "\(label(loser.key))\(side) needs another id than \(loser.id), but no id is free "
            + "above \(last.id)",
          elements: [loser.key])
      }
      last = IDPair(id: id, uid: loser.key.uid)
      numbering.elements[position].id = id
      numbering.elements[position].authority = nil
      numbering.elements[position].reason = losers[loser.key]
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

  /// An element with its number, unless another element has it.
  ///
  /// A property has a number in its entity: what another entity gave it means nothing in this counter.
  private mutating func numbered(_ key: ElementKey, _ numbering: Numbering) -> Numbered {
    func id(_ view: SideView?) -> UInt32? {
      guard let view, let id = view.id(key) else { return nil }
      if key.kind == .property, let owner = view.owner(of: key), !numbering.owners.contains(owner) {
        return nil
      }
      return id
    }
    let before = id(base)
    let given = BySide(ours: id(sides.ours), theirs: id(sides.theirs))
    var element = Numbered(key: key, id: 0, before: before, given: given, hasBase: base != nil)
    if let (id, authority) = authority(element, numbering) {
      element.id = id
      element.authority = authority
      return element
    }
    switch (given.ours, given.theirs) {
    case (let a?, let b?): element.id = a == b ? a : renumberedTwice(key, before, a, b)
    case (let only?, nil), (nil, let only?): element.id = only
    case (nil, nil): element.id = before ?? 0
    }
    return element
  }

  /// The number of an element to which the sides gave different ones: the higher one.
  ///
  /// A number that was given to settle a contest is above all others, so that merging its result again
  /// settles it in the same way; and a side has counted up to it, so that its last pair stays true.
  private mutating func renumberedTwice(
    _ key: ElementKey, _ before: UInt32?, _ a: UInt32, _ b: UInt32
  ) -> UInt32 {
    if published.unresolved.isEmpty || a == before || b == before { return max(a, b) }
    let label = label(key)
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

  private var fetchHelp: String? {
    published.unresolved.first.map { reference in
      "\(reference.name) is configured as published and is not here"
        + (reference.help.map { ": run `\($0)` and merge again" } ?? "")
    }
  }

  // MARK: - Contests

  /// Elements under a number that the other side gave to something that it has no longer, or that is not in
  /// the result: databases of that side know it as that.
  ///
  /// So is one of an entity that gave way, under a number that the other entity gave before. An element that the other
  /// side has retired itself keeps its number. Without a base nobody knows which side gave a number.
  private func losersToRemoved(
    _ numbering: Numbering, _ losers: [ElementKey: String]
  ) -> [ElementKey: String] {
    var result: [ElementKey: String] = [:]
    // Of an entity whose UID the other side gave to another one, nothing of that counts.
    let isShared = numbering.owners.contains {
      state.rulings.sideOverrides[ElementKey(.entity, $0)] != nil
    }
    if base == nil || isShared { return result }
    let baseLast = numbering.baseLast?.id ?? 0
    for element in numbering.elements where element.id <= baseLast && isOfGivenUp(element) {
      result[element.key] = "it had that in another entity"
    }
    for side in MergeSide.allCases {
      guard let last = numbering.lasts[side]?.id, last > baseLast else { continue }
      let candidates = numbering.elements.filter { element in
        element.id > baseLast && element.id <= last && element.authority == nil
          && element.given[side] == nil && element.given[side.other] == element.id
          && losers[element.key] == nil && sides[side].presence(element.key) != .retired
      }
      if candidates.isEmpty { continue }
      let held = Set(numbering.elements.lazy.compactMap { $0.given[side] })
      for element in candidates
      where !held.contains(element.id) && !isTwin(element, on: side) {
        result[element.key] = "\(side) gave it to something that is no longer there"
      }
    }
    return result
  }

  /// Whether an element has its number from an entity that gave way to the one that it is in.
  private func isOfGivenUp(_ element: Numbered) -> Bool {
    guard element.key.kind == .property, element.authority == nil, element.before == nil else {
      return false
    }
    return MergeSide.allCases.contains { side in
      element.given[side] == element.id
        && sides[side].owner(of: element.key).map(isSuperseded) ?? false
    }
  }

  /// Whether a side has something else of an element's name and number, which became one with it.
  private func isTwin(_ element: Numbered, on side: MergeSide) -> Bool {
    guard let twin = successor(of: element.key, on: side) else { return false }
    return sides[side].id(ElementKey(element.key.kind, twin)) == element.id
  }

  private mutating func contestedLosers(
    _ numbering: Numbering, _ losers: [ElementKey: String]
  ) -> [ElementKey: String] {
    let elements = numbering.elements
    var firsts: [UInt32: Int] = [:]
    firsts.reserveCapacity(elements.count)
    var groups: [UInt32: [Numbered]] = [:]
    for (position, element) in elements.enumerated() where losers[element.key] == nil {
      guard let first = firsts[element.id] else {
        firsts[element.id] = position
        continue
      }
      groups[element.id, default: [elements[first]]].append(element)
    }
    var result: [ElementKey: String] = [:]
    for id in groups.keys.sorted() {
      result.merge(self.losers(among: groups[id] ?? [])) { first, _ in first }
    }
    return result
  }

  /// The elements that lose a number to another one that is not published either.
  private mutating func losers(among group: [Numbered]) -> [ElementKey: String] {
    func lost(_ elements: [Numbered], _ reason: String) -> [ElementKey: String] {
      Dictionary(elements.map { ($0.key, reason) }) { first, _ in first }
    }
    let residents = group.filter(\.isResident)
    if let resident = residents.first {
      return lost(
        group.filter { !$0.isResident }, "\(label(resident.key)) has had it since before")
    }
    let ours = group.filter { $0.given.ours == $0.id }
    let theirs = group.filter { $0.given.ours != $0.id }
    // One number twice on one side is a fault of that side, and not of the merge.
    guard let a = ours.min(by: { $0.key < $1.key }), let b = theirs.min(by: { $0.key < $1.key })
    else { return [:] }
    let winner = winner(a, b)
    let kept = winner == .ours ? a : b
    let reason =
      published.unresolved.isEmpty
      ? "both sides use it, and \(label(kept.key)) of \(winner) has the lower UID"
      // If a ref is missing, the answer to a conflict decides, not a UID.
      : "\(label(kept.key)) of \(winner) is to keep it"
    return lost(winner == .ours ? theirs : ours, reason)
  }

  private mutating func winner(_ a: Numbered, _ b: Numbered) -> MergeSide {
    if published.unresolved.isEmpty { return a.key.uid < b.key.uid ? .ours : .theirs }
    return resolveContest(
      a, b, why: "whether either is published is not known", help: fetchHelp)
      ?? (a.key.uid < b.key.uid ? .ours : .theirs)
  }

  /// Asks which of two elements keeps a number; the first is called ours.
  ///
  /// - Returns: The side whose element keeps it; nil for the base.
  mutating func resolveContest(
    _ a: Numbered, _ b: Numbered, why: String, help: String?
  ) -> MergeSide? {
    let labels = BySide(ours: label(a.key), theirs: label(b.key))
    let keys = [a.key, b.key].sorted()
    let conflict = Conflict(
      id: "contested-id/\(a.key.kind)/\(keys[0].uid)+\(keys[1].uid)",
      rule: MergeRule.contestedID, elements: keys, label: labels.ours,
      message: "\(labels.ours) of ours and \(labels.theirs) of theirs have the \(a.key.kind) id "
        + "\(a.id), and \(why)",
      ours: "\(labels.ours) keeps \(a.id); databases that have \(labels.theirs) under it: "
        + StoreOutcome.renumbered(b.key.kind).words,
      theirs: "\(labels.theirs) keeps \(b.id); databases that have \(labels.ours) under it: "
        + StoreOutcome.renumbered(a.key.kind).words,
      help: help)
    return resolve(conflict).side
  }

  // MARK: - The report

  /// The side that alone gave an element a number that it does not have; nil if both did.
  func side(of element: Numbered) -> MergeSide? {
    let sides = MergeSide.allCases.filter { element.given[$0] != nil }
    return sides.count == 1 ? sides[0] : nil
  }

  /// Reports an element that got another number than a side, or a published version, has.
  private mutating func noteNumber(_ element: Numbered, _ numbering: Numbering) {
    let label = label(element.key)
    let id = element.id
    for (known, model) in published.ids(of: element.key, in: numbering.counter) where known != id {
      decide(
        MergeRule.publishedRenumbered, element.key, label,
        "\(label) gets the id \(id), and is published under \(known) in \(model.described)",
        consequence: "databases of \(model.name) have it under \(known); "
          + StoreOutcome.renumbered(element.key.kind).words)
    }
    func report(_ old: UInt32, _ side: MergeSide?, _ reason: String) {
      let owner = side.map { " of \($0)" } ?? ""
      decide(
        MergeRule.renumbered, element.key, label, side: side,
        "\(label)\(owner) gets the id \(id) instead of \(old), and keeps its UID "
          + "\(element.key.uid): \(reason)",
        consequence: consequence(element.key, old, side))
    }
    let reason: String? =
      switch element.authority {
      case .live(let model), .head(let model):
        "it is published under it in \(model.described)"
      case .former(let model): "it was published under it in \(model.described)"
      case nil: element.reason
      }
    switch (element.given.ours, element.given.theirs) {
    case (let a?, let b?) where a == b:
      if a != id { report(a, nil, reason ?? "it is another's") }
    case (nil, nil):
      if let before = element.before, before != id {
        report(before, nil, reason ?? "it is another's")
      }
    default:
      for side in MergeSide.allCases {
        guard let old = element.given[side], old != id else { continue }
        report(old, side, reason ?? "\(side.other) gave it that")
      }
    }
  }

  /// Whether the entity of an element is synchronized: client and server name it, and its
  /// properties, by their ids.
  private func isSynchronized(_ key: ElementKey, _ view: SideView) -> Bool {
    guard let place = view.lookup[key.kind, key.uid] else { return false }
    return view.model.entities[place.entity].flags.contains(.syncEnabled)
  }

  private func consequence(_ key: ElementKey, _ id: UInt32, _ side: MergeSide?) -> String {
    let owner = side.map(\.rawValue) ?? "both sides"
    // Client and server do not name an index.
    if key.kind != .index, isSynchronized(key, sides[side ?? .ours]) {
      return
        "it is synchronized, and client and server name it by its id: no client of \(owner) may "
        + "have synchronized it under \(id)"
    }
    return "databases made by builds of \(owner) have it under \(id); "
      + StoreOutcome.renumbered(key.kind).words
  }
}
