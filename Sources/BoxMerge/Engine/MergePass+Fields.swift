import BoxJSON
import BoxModel
import BoxReport

/// The merge of the fields of each element.
extension MergePass {
  mutating func mergeEntities() {
    for uid in union(.entity) {
      let key = ElementKey(.entity, uid)
      settleShared(key)
      guard settlePresence(key) else { continue }
      let versions = BySide(
        ours: view(.ours, key).entity(uid), theirs: view(.theirs, key).entity(uid))
      guard var value = versions.ours ?? versions.theirs else { continue }
      if let a = versions.ours, let b = versions.theirs {
        value = base?.entity(uid) ?? a
        value.apply(mergedChanges(key, a.changes(to: b), base?.entity(uid) == nil))
        value.relations = merger.layoutSide == .ours ? a.relations : b.relations
      }
      value.apply(adoptedChanges(key))
      if state.rulings.renamedBack.contains(key), let name = base?.entity(uid)?.name {
        value.name = name
      }
      if let resolution = state.rulings.flagsFrom[key], let source = source(resolution)?.entity(uid)
      {
        value.flags = source.flags
      }
      noteAdded(key)
      draft.entities.append(MergedEntity(value: value))
    }
  }

  mutating func mergeProperties() {
    for uid in union(.property) {
      let key = ElementKey(.property, uid)
      settleShared(key)
      guard let owner = mergedOwner(key), ownerStays(owner, key), settlePresence(key) else {
        continue
      }
      let versions = BySide(
        ours: view(.ours, key).property(uid), theirs: view(.theirs, key).property(uid))
      guard let first = versions.ours ?? versions.theirs else { continue }
      let source = versions.ours == nil ? view(.theirs, key) : view(.ours, key)
      var merged = MergedProperty(
        value: first.element, owner: owner,
        target: source.model.target(of: first.element, source.lookup))
      if let a = versions.ours, let b = versions.theirs {
        merged = mergedProperty(merged, a.element, b.element)
      }
      if let side = state.rulings.targetsFrom[key], let source = sides[side].property(uid)?.element
      {
        merged.target = sides[side].model.target(of: source, sides[side].lookup)
      }
      merged.apply(adoptedChanges(key))
      merged.target = redirect(merged.target)
      if state.rulings.renamedBack.contains(key), let name = base?.property(uid)?.element.name {
        merged.value.name = name
      }
      applyFlagsRuling(key, &merged.value)
      dropIndex(&merged.value)
      noteAdded(key, owner: owner)
      noteMoved(key, to: owner)
      noteTypeChange(key, merged.value)
      draft.properties.append(merged)
    }
  }

  mutating func mergeRelations() {
    for uid in union(.relation) {
      let key = ElementKey(.relation, uid)
      settleShared(key)
      guard let owner = mergedOwner(key), ownerStays(owner, key), settlePresence(key) else {
        continue
      }
      let versions = BySide(
        ours: view(.ours, key).relation(uid), theirs: view(.theirs, key).relation(uid))
      guard var value = (versions.ours ?? versions.theirs)?.element else { continue }
      if let a = versions.ours?.element, versions.theirs != nil {
        let before = base?.relation(uid)?.element
        value = before ?? a
        let isTaken = state.rulings.sideOverrides[key] != nil
        let direct = before == nil && !isTaken ? twoWayDifference(key) : []
        value.apply(mergedChanges(key, direct, before == nil))
      }
      if let side = state.rulings.targetsFrom[key], let source = sides[side].relation(uid)?.element
      {
        value.target.uid = source.target.uid
      }
      value.apply(adoptedChanges(key))
      value.target.uid = redirect(value.target.uid)
      if state.rulings.renamedBack.contains(key), let name = base?.relation(uid)?.element.name {
        value.name = name
      }
      noteAdded(key, owner: owner)
      noteMoved(key, to: owner)
      draft.relations.append(MergedRelation(value: value, owner: owner))
    }
  }

  private mutating func mergedProperty(
    _ first: MergedProperty, _ a: Property, _ b: Property
  ) -> MergedProperty {
    let key = ElementKey(.property, first.uid)
    if state.rulings.sideOverrides[key] != nil { return first }
    guard let base, let before = base.property(first.uid)?.element else {
      var merged = first
      if a == b,
        sides.ours.model.target(of: a, sides.ours.lookup)
          == sides.theirs.model.target(of: b, sides.theirs.lookup)
      {
        return merged
      }
      merged.apply(mergedChanges(key, twoWayDifference(key), true))
      return merged
    }
    let changed = BySide(ours: changes(.ours, key), theirs: changes(.theirs, key))
    var merged = first
    merged.value = before
    merged.target = base.model.target(of: before, base.lookup)
    if changed.ours.isEmpty && changed.theirs.isEmpty { return merged }
    merged.apply(mergedChanges(key, [], false))
    return merged
  }

  /// The fields in which two versions differ that have no base.
  private func twoWayDifference(_ key: ElementKey) -> [FieldChange] {
    guard case .changed(let changes) = merger.oursToTheirs?.changes[key] else { return [] }
    return changes
  }

  /// The changes of both sides together, where they agree or only one of them has any.
  ///
  /// Without a base, `direct` is what differs between the sides.
  private mutating func mergedChanges(
    _ key: ElementKey, _ direct: [FieldChange], _ isTwoWay: Bool
  ) -> [FieldChange] {
    if isTwoWay { return mergedTwoWay(key, direct) }
    let ours = changes(.ours, key).filter { $0.field.isMergedByItself(in: key.kind) }
    let theirs = changes(.theirs, key).filter { $0.field.isMergedByItself(in: key.kind) }
    var result: [FieldChange] = []
    let byField = Dictionary(theirs.map { ($0.field, $0) }) { first, _ in first }
    let changed = Set(ours.map(\.field))
    for change in ours {
      if let other = byField[change.field] {
        if let merged = merged(key, change, other) { result.append(merged) }
      } else {
        noteChanged(key, change, .ours)
        result.append(change)
      }
    }
    for change in theirs where !changed.contains(change.field) {
      noteChanged(key, change, .theirs)
      result.append(change)
    }
    let flagSides = [ours, theirs].filter { side in
      side.contains { $0.field.row(in: key.kind).merging == .byBit }
    }
    if flagSides.count == 2 {
      decide(
        MergeRule.flagsMerged, key, label(key),
        "the flags of \(label(key)) are merged bit by bit: both sides changed some")
    }
    return result
  }

  /// The merged fields of an element that both sides have and the base does not have; `direct` is
  /// the difference between the sides.
  private mutating func mergedTwoWay(_ key: ElementKey, _ direct: [FieldChange]) -> [FieldChange] {
    // An index that only one side has is an element that this side added, with the flags that need it.
    var indexSide: MergeSide?
    if let index = direct.first(where: { $0.field == .index }) {
      if index.before == nil { indexSide = .theirs }
      if index.after == nil { indexSide = .ours }
    }
    return direct.compactMap { change in
      guard change.field.isMergedByItself(in: key.kind) else { return nil }
      let ours = FieldChange(change.field, before: nil, after: change.before)
      let theirs = FieldChange(change.field, before: nil, after: change.after)
      if let indexSide, change.field.isOfIndex { return indexSide == .ours ? ours : theirs }
      if change.field.isGenerated(key.kind) { return generated(key, ours, theirs) }
      return merged(key, ours, theirs)
    }
  }

  /// A flag that the next build writes anyway: as published, else set.
  private mutating func generated(
    _ key: ElementKey, _ ours: FieldChange, _ theirs: FieldChange
  ) -> FieldChange {
    guard case .flag(let bit) = ours.field else { return ours }
    let isSet = published.flags(of: key).map { $0 & bit != 0 } ?? true
    noteGenerated(key, ours.field, isSet)
    return ours.after == .isSet(isSet) ? ours : theirs
  }

  mutating func noteGenerated(_ key: ElementKey, _ field: Field, _ isSet: Bool) {
    decide(
      MergeRule.generatedFlags, key, label(key),
      "the \(field.name(in: key.kind)) of \(label(key)) differs and is \(text(.isSet(isSet))): the next build writes "
        + "it as the source has it")
  }

  /// The merge of two changes of the same field.
  private mutating func merged(
    _ key: ElementKey, _ ours: FieldChange, _ theirs: FieldChange
  ) -> FieldChange? {
    if redirect(ours.after) == redirect(theirs.after) { return ours }
    // If an earlier merge dropped one of two equal entities, the reference to the other one is kept.
    let isNew = base?.lookup[key.kind, key.uid] == nil
    switch (isTargetMissing(ours), isTargetMissing(theirs)) {
    case (true, false) where isNew || haveTargetsOfOneName(ours, theirs): return theirs
    case (false, true) where isNew || haveTargetsOfOneName(ours, theirs): return ours
    default: break
    }
    if let index = newerIndex(ours, theirs) ?? unifiedIndex(key, ours, theirs) { return index }
    if let change = mergedMembers(key, ours, theirs) { return change }
    let label = label(key)
    let before = (ours.before ?? theirs.before).map { " from \(text($0))" } ?? ""
    let conflict = Conflict(
      id: "edit-edit/\(key.kind)/\(key.uid)/\(ours.field.conflictName)", rule: MergeRule.editEdit,
      elements: [key], label: label,
      message: "both sides changed the \(ours.field.name(in: key.kind)) of \(label)\(before): "
        + "ours \(text(ours.after)), theirs \(text(theirs.after))",
      ours: editMeaning(ours, key.kind, label), theirs: editMeaning(theirs, key.kind, label))
    let question = FieldQuestion(
      key: key, field: ours.field, ours: ours.after, theirs: theirs.after)
    switch resolve(conflict, question) {
    case .ours: return ours
    case .theirs: return theirs
    case .base: return FieldChange(ours.field, before: ours.before, after: ours.before)
    }
  }

  /// The merge of two changes of an object, if each member was changed by one side at most, and the
  /// parameters of a vector index still fit each other.
  private mutating func mergedMembers(
    _ key: ElementKey, _ ours: FieldChange, _ theirs: FieldChange
  ) -> FieldChange? {
    let row = ours.field.row(in: key.kind)
    guard row.merging == .byMember, case .json(let before)? = ours.before else { return nil }
    // A side that wrote the same members in another way changed nothing.
    if case .json(let text)? = ours.after, MemberMerge.areSame(before.text, text.text) {
      return theirs
    }
    if case .json(let text)? = theirs.after, MemberMerge.areSame(before.text, text.text) {
      return ours
    }
    guard case .json(let a)? = ours.after, case .json(let b)? = theirs.after,
      let text = MemberMerge(base: before.text, ours: a.text, theirs: b.text)?.merged()
    else { return nil }
    let fits = { VectorIndex(parsing: $0).failureReason == nil }
    if row == .hnswParams, !fits(text), fits(a.text), fits(b.text) { return nil }
    let change = FieldChange(ours.field, before: ours.before, after: .json(ExactText(text)))
    log.recordedChanges.append(
      RecordedChange(decision: log.decisions.count, key: key, change: change))
    decide(
      MergeRule.membersMerged, key, label(key),
      "the \(ours.field.name(in: key.kind)) of \(label(key)) are merged member by member: both sides changed "
        + "some")
    return change
  }

  private func isTargetMissing(_ change: FieldChange) -> Bool {
    guard change.field == .target, case .entity(let uid) = change.after else { return false }
    return draft.entities[redirect(uid)] == nil
  }

  /// Whether both targets are entities of one name that the base does not have.
  private func haveTargetsOfOneName(_ ours: FieldChange, _ theirs: FieldChange) -> Bool {
    guard case .entity(let a) = ours.after, case .entity(let b) = theirs.after,
      base?.entity(a) == nil, base?.entity(b) == nil,
      let name = sides.ours.entity(a)?.name, let other = sides.theirs.entity(b)?.name
    else { return false }
    return foldedName(name) == foldedName(other)
  }

  private func editMeaning(
    _ change: FieldChange, _ kind: ElementKind, _ label: String
  ) -> String {
    let result = "\(change.field.name(in: kind)) of \(label) is \(text(change.after))"
    switch change.field {
    case .name: return result + ": no data is touched; the sources have to use that name"
    case .type:
      return result + "; databases that hold another type: \(StoreOutcome.typeChanged.words)"
    case .index: return result + ": the index is built again where it differs, no data is touched"
    case .target:
      return result + "; databases with another target: \(StoreOutcome.targetChanged.words)"
    default: return result
    }
  }

  /// One side retired the index that the other has, and gave the property another one.
  private func newerIndex(_ ours: FieldChange, _ theirs: FieldChange) -> FieldChange? {
    guard case .index(_, let a?) = ours.after, case .index(_, let b?) = theirs.after else {
      return nil
    }
    let isOurs = fate(ElementKey(.index, b)) == .replaced(by: .ours)
    let isTheirs = fate(ElementKey(.index, a)) == .replaced(by: .theirs)
    return isOurs == isTheirs ? nil : isOurs ? ours : theirs
  }

  /// Both sides indexed a property in the same way: one index is enough, as none holds data.
  private mutating func unifiedIndex(
    _ key: ElementKey, _ ours: FieldChange, _ theirs: FieldChange
  ) -> FieldChange? {
    guard case .index(let kind, let a?) = ours.after, case .index(kind, let b?) = theirs.after,
      let winner = survivor(.index, a, b)
    else { return nil }
    let loser = winner == a ? b : a
    draft.retirees.insert(ElementKey(.index, loser))
    decide(
      MergeRule.indexUnified, key, label(key), side: winner == a ? .ours : .theirs,
      "both sides indexed \(label(key)): one index stays, \(winner); \(loser) is retired")
    return winner == a ? ours : theirs
  }

  /// The one of two equal elements that stays: the published one, else the one with the lower UID;
  /// nil if both are published, or a published model could not be looked up.
  func survivor(_ kind: ElementKind, _ a: UID, _ b: UID) -> UID? {
    let ranks = [a, b].map { published.rank(of: ElementKey(kind, $0)) }
    if ranks[0] != ranks[1] { return ranks[0] > ranks[1] ? a : b }
    return ranks[0] == 2 || !published.unresolved.isEmpty ? nil : min(a, b)
  }

  // MARK: - Owners and targets

  /// The entity that a property or relation belongs to in the result.
  private mutating func mergedOwner(_ key: ElementKey) -> UID? {
    let before = base?.owner(of: key)
    if state.rulings.movedBack.contains(key), let before { return joined(before) }
    let ours = view(.ours, key).owner(of: key)
    let theirs = view(.theirs, key).owner(of: key)
    guard let ours, let theirs else { return joined(ours ?? theirs ?? before ?? 0) }
    switch (draft.entities[joined(ours)] != nil, draft.entities[joined(theirs)] != nil) {
    case (true, false): return joined(ours)
    case (false, true): return joined(theirs)
    default: break
    }
    if ours == theirs || theirs == before { return joined(ours) }
    if ours == before { return joined(theirs) }
    let conflict = Conflict(
      id: "edit-edit/\(key.kind)/\(key.uid)/owner", rule: MergeRule.editEdit, elements: [key],
      label: label(key), message: "both sides moved \(label(key)) to another entity",
      ours: "it belongs to \(label(ElementKey(.entity, ours)))",
      theirs: "it belongs to \(label(ElementKey(.entity, theirs)))")
    let question = FieldQuestion(
      key: key, field: .owner, ours: .entity(ours), theirs: .entity(theirs))
    switch resolve(conflict, question) {
    case .ours: return joined(ours)
    case .theirs: return joined(theirs)
    case .base: return joined(before ?? ours)
    }
  }

  /// Whether the entity of an element is in the result; otherwise retires the element if
  /// ``isRetired(withOwner:_:)`` says so.
  private mutating func ownerStays(_ owner: UID, _ key: ElementKey) -> Bool {
    if draft.entities[owner] != nil { return true }
    if isRetired(withOwner: owner, key) { draft.retirees.insert(key) }
    return false
  }

  /// The entity that another was unified with; the entity itself if it was dropped or replaced.
  func joined(_ uid: UID) -> UID {
    var uid = uid
    var steps = 0
    while let next = draft.redirected[uid],
      !state.rulings.dropped.contains(ElementKey(.entity, uid)),
      !draft.replacedEntities.contains(uid), steps < draft.redirected.count
    {
      uid = next
      steps += 1
    }
    return uid
  }

  /// The entity that takes the place of another as a target; the entity itself if none does.
  func redirect(_ uid: UID) -> UID {
    var uid = uid
    var steps = 0
    while let next = draft.redirected[uid], steps < draft.redirected.count {
      uid = next
      steps += 1
    }
    return uid
  }

  func redirect(_ value: FieldValue?) -> FieldValue? {
    guard case .entity(let uid) = value else { return value }
    return .entity(redirect(uid))
  }

  func source(_ resolution: Resolution) -> SideView? {
    resolution.side.map { sides[$0] } ?? base
  }

  /// Removes an index whose UID belongs to another element.
  private func dropIndex(_ property: inout Property) {
    guard let index = property.indexID,
      state.rulings.dropped.contains(ElementKey(.index, index.uid))
        || state.rulings.unindexed.contains(property.pair.uid)
    else {
      return
    }
    property.indexID = nil
    property.flags.subtract([.indexKind, .needsIndex, .uniqueOnConflictReplace])
  }

  private func applyFlagsRuling(_ key: ElementKey, _ property: inout Property) {
    guard let resolution = state.rulings.flagsFrom[key] else { return }
    if let source = source(resolution)?.property(key.uid)?.element {
      property.type = source.type
      property.flags = source.flags
      property.indexID = source.indexID
    } else {
      property.flags.subtract([.syncClock, .syncPrecedence])
    }
  }

  // MARK: - Decisions

  /// Reports an added element, unless its entity is new too.
  private mutating func noteAdded(_ key: ElementKey, owner: UID? = nil) {
    guard base != nil, case .added(let side) = fate(key) else { return }
    if let owner, MergeSide.allCases.contains(where: { isNew(ElementKey(.entity, owner), on: $0) })
    {
      return
    }
    let label = label(key)
    decide(MergeRule.added, key, label, side: side, "\(side) added \(label)")
  }

  /// The UID is in another entity than in the base.
  private mutating func noteMoved(_ key: ElementKey, to owner: UID) {
    guard let before = base?.owner(of: key), joined(before) != owner else { return }
    let isOurs = sides.ours.owner(of: key).map { joined($0) } == owner
    let label = label(key)
    let names = [before, owner].map { self.label(ElementKey(.entity, $0)) }
    decide(
      MergeRule.moved, key, label, side: isOurs ? .ours : .theirs,
      "\(isOurs ? MergeSide.ours : .theirs) moved \(label) from \(names[0]) to \(names[1]), and "
        + "it keeps its UID \(key.uid)",
      consequence: "databases that have it in \(names[0]): \(StoreOutcome.moved.words); the move "
        + "needs a new UID")
  }

  mutating func noteChanged(_ key: ElementKey, _ change: FieldChange, _ side: MergeSide) {
    let before = base?.label(key) ?? label(key)
    log.recordedChanges.append(
      RecordedChange(decision: log.decisions.count, key: key, change: change))
    decide(
      MergeRule.changed, key, label(key), side: side,
      "\(before): \(side) \(describe(change, key.kind))")
    guard change.field == .name, key.kind == .entity else { return }
    let other = sides[side.other]
    let edited = other.children(of: key.uid).filter {
      if case .added = other.difference.changes[$0] { true } else { false }
    }
    if edited.isEmpty { return }
    let names = edited.filter { $0.kind != .index }.compactMap { other.label($0) }
      .map { $0.split(separator: ".").last.map(String.init) ?? $0 }
    if names.isEmpty { return }
    log.recordedChanges.append(
      RecordedChange(decision: log.decisions.count, key: key, change: change))
    decide(
      MergeRule.sourcesFollow, key, label(key), side: side,
      "\(side) renamed \(before) to \(text(change.after)), and \(side.other) added to it: check "
        + "that the source of \(text(change.after)) has \(names.joined(separator: ", "))")
  }

  private mutating func noteTypeChange(_ key: ElementKey, _ property: Property) {
    guard let before = base?.property(key.uid)?.element.type, let after = property.type,
      before != after
    else { return }
    decide(
      MergeRule.typeChanged, key, label(key),
      "the type of \(label(key)) is \(after) and was \(before), under the same UID",
      consequence:
        "databases that hold the old type: \(StoreOutcome.typeChanged.words); a new type "
        + "needs a new UID")
  }
}

extension Field {
  /// Whether the field means nothing without an index.
  var isOfIndex: Bool {
    switch self {
    case .index: true
    case .flag(let bit):
      bit & PropertyFlags.needsIndex.union(.uniqueOnConflictReplace).rawValue != 0
    default: false
    }
  }

  /// Whether a side's change of the field is merged independently; ids and owners have their own rules.
  func isMergedByItself(in kind: ElementKind) -> Bool {
    row(in: kind).merging != .byOwnRules
  }

  /// The name of the field in the id of a conflict.
  var conflictName: String {
    switch self {
    case .flag(let bit): "flag-\(bit)"
    case .other(let key): "other-\(key.text)"
    default: description
    }
  }
}
