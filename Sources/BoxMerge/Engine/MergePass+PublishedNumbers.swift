import BoxModel

/// The numbers that published versions gave.
extension MergePass {
  /// The number of an element that a published version decides on; nil if none does.
  ///
  /// The history is asked for only if a published version may have had the element and has it no longer.
  mutating func authority(
    _ element: Numbered, _ numbering: Numbering
  ) -> (id: UInt32, Numbered.Authority)? {
    if published.isEmpty { return nil }
    let (key, counter) = (element.key, numbering.counter)
    let live = published.ids(of: key, in: counter)
    // Its last ids go with an entity that one of the versions has no longer.
    if key.kind == .entity, !live.isEmpty, published.models.contains(where: { $0.hasRetired(key) })
    {
      askForPublishedHistory()
    }
    if live.count == 1 { return (live[0].id, .live(live[0].model)) }
    if live.count > 1 {
      let later = published.laterIDs[PublishedPlace(key, in: counter)]
      let found = live.first { $0.id == later } ?? settled(element, live)
      return (found.id, .live(found.model))
    }
    if let former = published.formerID(of: key, in: counter) {
      return (former.id, .former(former.model))
    }
    let retiring = published.models.first { $0.hasRetired(key) }
    if retiring != nil || element.before != nil { askForPublishedHistory() }
    if let retiring, let fetch = retiring.history?.cutOff,
      let id = settledWithoutHistory(element, counter, retiring, fetch)
    {
      return (id, .former(retiring))
    }
    if let head = published.head, let id = head.ids(of: key, in: counter).first,
      id > published.lastOfModels(counter)
    {
      return (id, .head(head))
    }
    return nil
  }

  private mutating func askForPublishedHistory() {
    if published.models.contains(where: { $0.history == nil }) {
      state.answers.askForPublishedHistory()
    }
  }

  /// The id of an element that is published under several: the one that a side has, so that nothing is
  /// asked twice; if each side has another of them, the answer to a conflict.
  private mutating func settled(
    _ element: Numbered, _ live: [(id: UInt32, model: PublishedModel)]
  ) -> (id: UInt32, model: PublishedModel) {
    func known(_ side: MergeSide) -> (id: UInt32, model: PublishedModel)? {
      live.first { $0.id == element.given[side] }
    }
    guard let ours = known(.ours), let theirs = known(.theirs), ours.id != theirs.id else {
      return known(.ours) ?? known(.theirs) ?? live[0]
    }
    let label = label(element.key)
    let conflict = Conflict(
      id: "contested-id/\(element.key.kind)/\(element.key.uid)", rule: MergeRule.contestedID,
      elements: [element.key], label: label,
      message: "\(label) is published under the id \(ours.id) in \(ours.model.name) and under "
        + "\(theirs.id) in \(theirs.model.name)",
      ours: "\(label) has the id \(ours.id): databases of \(theirs.model.name) do not open",
      theirs: "\(label) has the id \(theirs.id): databases of \(ours.model.name) do not open",
      help: orderHelp(live.map(\.model)))
    switch resolve(conflict) {
    case .ours: return ours
    case .theirs: return theirs
    case .base: return live[0]
    }
  }

  /// The advice on a conflict between refs.
  private func orderHelp(_ models: [PublishedModel]) -> String? {
    models.first.map { "\($0.name) comes first of what is published" }
  }

  /// The id that an element keeps if the version that had it cannot be read; nil if it gets another.
  private mutating func settledWithoutHistory(
    _ element: Numbered, _ counter: Counter, _ model: PublishedModel, _ fetch: String
  ) -> UInt32? {
    guard let id = [element.given.ours, element.given.theirs].compactMap(\.self).max(),
      // An element that exists under the id has the better claim.
      published.models.allSatisfy({
        $0.holders(of: id, in: counter).isSubset(of: [element.key.uid])
      })
    else { return nil }
    let label = label(element.key)
    let keeper: MergeSide = element.given.ours == id ? .ours : .theirs
    let keeps =
      "\(label) keeps the id \(id); if \(model.name) had it under another, its databases "
      + "do not open"
    let moves =
      "\(label) gets a new id; databases of \(model.name) that have it: "
      + StoreOutcome.renumbered(element.key.kind).words
    let conflict = Conflict(
      id: "contested-id/\(element.key.kind)/\(element.key.uid)", rule: MergeRule.contestedID,
      elements: [element.key], label: label,
      message: "\(label) was removed in \(model.name), and the history that has its id is cut off",
      ours: keeper == .ours ? keeps : moves, theirs: keeper == .ours ? moves : keeps,
      help: "run `\(fetch)` and merge again")
    return resolve(conflict).side == keeper.other ? nil : id
  }

  // MARK: - One id for two published elements

  /// Decides between published elements that have one id.
  ///
  /// An element that exists has a better claim than one that the same line removed. Otherwise one of the
  /// sides has decided, or a person has to. The one that loses counts as not published, and has what a side
  /// gave it.
  mutating func settleAuthorities(_ numbering: inout Numbering) {
    if published.isEmpty { return }
    var losers: [ElementKey: String] = [:]
    var holders: [UInt32: Int] = [:]
    for position in numbering.elements.indices where numbering.elements[position].authority != nil {
      let element = numbering.elements[position]
      guard let earlier = holders[element.id] else {
        holders[element.id] = position
        continue
      }
      let (kept, lost) =
        isFirst(numbering.elements[earlier], element, numbering.counter)
        ? (earlier, position) : (position, earlier)
      holders[element.id] = kept
      losers[numbering.elements[lost].key] = "\(label(numbering.elements[kept].key)) keeps it"
    }
    if published.models.count > 1 {
      losers.merge(losersToRemoved(numbering, Set(losers.keys))) { first, _ in first }
    }
    if losers.isEmpty { return }
    for position in numbering.elements.indices {
      guard let reason = losers[numbering.elements[position].key] else { continue }
      let given = numbering.elements[position].given
      numbering.elements[position].authority = nil
      numbering.elements[position].reason = reason
      numbering.elements[position].id =
        [given.ours, given.theirs].compactMap(\.self).max() ?? numbering.elements[position].id
    }
  }

  /// Whether the first of two published elements keeps the number that both have.
  private mutating func isFirst(_ a: Numbered, _ b: Numbered, _ counter: Counter) -> Bool {
    let id = a.id
    func isReplaced(_ former: Numbered, by live: Numbered) -> Bool {
      published.models.contains { model in
        model.ids(of: live.key, in: counter).contains(id)
          && model.ids(of: former.key, in: counter).isEmpty
          && model.history?.holders(of: id, in: counter).contains(former.key.uid) ?? false
      }
    }
    switch (isReplaced(b, by: a), isReplaced(a, by: b)) {
    case (true, false): return true
    case (false, true): return false
    default: break
    }
    // A side that has both under two numbers has decided.
    func decides(for kept: Numbered, _ lost: Numbered) -> Bool {
      MergeSide.allCases.contains { side in
        guard kept.given[side] == id, let other = lost.given[side] else { return false }
        return other != id
      }
    }
    switch (decides(for: a, b), decides(for: b, a)) {
    case (true, false): return true
    case (false, true): return false
    default: break
    }
    let models = [a, b].map { element in
      published.models.firstIndex { $0.holders(of: id, in: counter).contains(element.key.uid) }
        ?? .max
    }
    let isFirstOfRefs = models[0] == models[1] ? a.key < b.key : models[0] < models[1]
    let isOurs: Bool
    if (a.given.ours == id) != (b.given.ours == id) {
      isOurs = a.given.ours == id
    } else if (a.given.theirs == id) != (b.given.theirs == id) {
      isOurs = b.given.theirs == id
    } else {
      return isFirstOfRefs
    }
    let names = models.map { $0 < published.models.count ? published.models[$0].name : "" }
    let answer = resolveContest(
      isOurs ? a : b, isOurs ? b : a,
      why:
        "it is published as \(label(a.key)) in \(names[0]) and as \(label(b.key)) in \(names[1])",
      help: orderHelp(published.models))
    return answer.map { ($0 == .ours) == isOurs } ?? isFirstOfRefs
  }

  /// Published elements of one side whose number an earlier ref gave to something that the other side
  /// has removed.
  private mutating func losersToRemoved(
    _ numbering: Numbering, _ losers: Set<ElementKey>
  ) -> [ElementKey: String] {
    var result: [ElementKey: String] = [:]
    let (counter, kind) = (numbering.counter, numbering.counter.kind)
    let present = Set(numbering.elements.map(\.key))
    for element in numbering.elements where !losers.contains(element.key) {
      let (key, id) = (element.key, element.id)
      guard case .live = element.authority,
        let side = MergeSide.allCases.first(where: {
          element.given[$0] == id && sides[$0.other].presence(key) == .absent
        }),
        let own = published.models.firstIndex(where: { $0.ids(of: key, in: counter).contains(id) })
      else { continue }
      for model in published.models[..<own] where model.last(of: counter) >= id {
        let gone = model.holders(of: id, in: counter).first {
          let former = ElementKey(kind, $0)
          return former != key && !present.contains(former)
            && sides[side.other].presence(former) != .absent
            && successor(of: key, on: side.other) != $0
        }
        guard gone != nil else { continue }
        let (label, name) = (label(key), published.models[own].name)
        let keeps =
          "\(label) keeps \(id); databases of \(model.name) may have something else under it"
        let moves =
          "\(label) gets another id; databases of \(name): "
          + StoreOutcome.renumbered(kind).words
        let conflict = Conflict(
          id: "contested-id/\(kind)/\(key.uid)", rule: MergeRule.contestedID, elements: [key],
          label: label,
          message:
            "\(label) is published under the \(kind) id \(id) in \(name), and \(model.name) gave "
            + "that to something that was removed",
          ours: side == .ours ? keeps : moves, theirs: side == .ours ? moves : keeps,
          help: orderHelp(published.models))
        if resolve(conflict).side != side {
          result[key] = "\(model.name) gave it to something that was removed"
        }
        break
      }
    }
    return result
  }

  // MARK: - What is not published

  /// Elements that no published version decides on, under a number that one gave already: databases may
  /// know it as something else, also if that was removed since.
  mutating func losersToPublished(_ numbering: Numbering) -> [ElementKey: String] {
    if published.isEmpty { return [:] }
    guard let last = published.last(of: numbering.counter) else { return [:] }
    let lost = numbering.elements.filter { $0.id <= last.id && $0.authority == nil }
    if lost.isEmpty { return [:] }
    var holders: [UInt32: Numbered] = [:]
    for element in numbering.elements where element.authority != nil {
      holders[element.id] = element
    }
    var result: [ElementKey: String] = [:]
    for element in lost {
      if let reason = element.reason {
        result[element.key] = reason
      } else if let holder = holders[element.id], case .live(let model) = holder.authority {
        let owner = side(of: holder).map { " of \($0)" } ?? ""
        result[element.key] =
          "\(label(holder.key))\(owner) is published under it in \(model.described)"
      } else {
        result[element.key] = "\(last.model.described) has given the ids up to \(last.id)"
      }
    }
    return result
  }
}

extension PublishedModel {
  /// The name with the details.
  var described: String { name + (detail.map { " (\($0))" } ?? "") }
}
