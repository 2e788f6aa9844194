import BoxJSON
import BoxModel

/// Elements that one side removed and made again, while the other side changed them or retired the new UID.
///
/// That is one question: whether the element keeps its UID, or begins again under the new one. What both
/// sides did stays either way.
extension MergePass {
  /// The element of a side that is one of the base made again: the side retired the UID, and has a new element
  /// of the same name, type and target in the same place.
  ///
  /// Of an entity that was made again, any member of the same name is: only one of the two can stay. So it is with a
  /// new element that the other side retired, also if its own side only lacks the old one.
  func recreated(_ key: ElementKey, by side: MergeSide) -> ElementKey? {
    guard let base, base.presence(key) == .live, sides[side].presence(key) != .live,
      sides[side.other].owner(of: key) == base.owner(of: key),
      let uid = namesake(of: key, in: base, on: side)
    else { return nil }
    let next = ElementKey(key.kind, uid)
    // Otherwise a person has decided about it before.
    guard base.presence(next) == .absent else { return nil }
    if isRefused(next, by: side.other) { return next }
    let isNew = sides[side.other].presence(next) == .absent
    return isNew && sides[side].presence(key) == .retired ? next : nil
  }

  /// Whether a side retired an element that the other created again, and that stays by default.
  ///
  /// Each side has decided for one of the two.
  func isRefused(_ next: ElementKey, by side: MergeSide) -> Bool {
    sides[side].presence(next) == .retired && fate(next).remover == nil
  }

  private func namesake(of key: ElementKey, in base: SideView, on side: MergeSide) -> UID? {
    let view = sides[side]
    func hasRetired(_ uid: UID) -> Bool {
      sides[side.other].lookup.isRetired(key.kind, uid)
    }
    switch key.kind {
    case .entity:
      guard let name = base.entity(key.uid)?.name else { return nil }
      return view.lookup.entity(named: name).map { view.model.entities[$0].pair.uid }
    case .property:
      guard let (old, owner) = base.property(key.uid).map({ ($0.element, $0.owner) }) else {
        return nil
      }
      let target = base.model.target(of: old, base.lookup)
      return home(of: owner, on: side)?.properties.first { new in
        let hasPlace =
          old.flags.contains(.id)
          ? new.flags.contains(.id) : foldedName(new.name) == foldedName(old.name)
        let isOnlyPlace = view.entity(owner) == nil || hasRetired(new.pair.uid)
        if !hasPlace || isOnlyPlace { return hasPlace }
        return new.type == old.type
          && isSame(target, view.model.target(of: new, view.lookup), on: side)
      }?.pair.uid
    case .relation:
      guard let (old, owner) = base.relation(key.uid).map({ ($0.element, $0.owner) }) else {
        return nil
      }
      return (home(of: owner, on: side)?.relations ?? []).first { new in
        foldedName(new.name) == foldedName(old.name)
          && (view.entity(owner) == nil || hasRetired(new.pair.uid)
            || isSame(.entity(old.target.uid), .entity(new.target.uid), on: side))
      }?.pair.uid
    case .index: return nil
    }
  }

  /// The entity of a side with the members of one of the base: the same, or that which was made again.
  private func home(of entity: UID, on side: MergeSide) -> Entity? {
    let view = sides[side]
    return view.entity(entity)
      ?? recreated(ElementKey(.entity, entity), by: side).flatMap { view.entity($0.uid) }
  }

  private func isSame(_ before: FieldValue?, _ after: FieldValue?, on side: MergeSide) -> Bool {
    if before == after { return true }
    guard case .entity(let old) = before, case .entity(let new) = after else { return false }
    return recreated(ElementKey(.entity, old), by: side)?.uid == new
  }

  /// The members of an entity of the base that a side made again, each with the new one.
  private func recreatedMembers(
    of entity: UID, by side: MergeSide
  ) -> [(old: ElementKey, new: ElementKey)] {
    (base?.children(of: entity) ?? []).compactMap { child in
      recreated(child, by: side).map { (child, $0) }
    }
  }

  // MARK: - The question

  /// Resolves which of the two stays.
  ///
  /// - Returns: Whether the old one does.
  mutating func settleRecreated(
    _ key: ElementKey, _ next: ElementKey, _ remover: MergeSide
  ) -> Bool {
    let members = key.kind == .entity ? recreatedMembers(of: key.uid, by: remover) : []
    let resolution = resolve(recreatedConflict(key, next, remover, members))
    if resolution.side == remover {
      if key.kind == .entity { draft.redirected[key.uid] = next.uid }
      for (old, new) in [(key, next)] + members { draft.recreated[new] = old }
      draft.restarted.formUnion([key] + members.map(\.old))
      return false
    }
    restore(key, on: remover)
    if resolution == .base { restore(key, on: remover.other) }
    // Under another name it leaves room for the new one, which the sources may have too.
    if isRenamed(key, by: remover.other) { return true }
    state.rulings.superseded.insert(next)
    state.rulings.superseded.formUnion(members.map(\.new))
    if key.kind == .entity {
      // In this pass too: a relation to the new one must not be asked about as one without a target.
      draft.redirected[next.uid] = key.uid
      state.rulings.redirected[next.uid] = key.uid
    }
    return true
  }

  /// Whether a side gave an element of the base another name.
  private func isRenamed(_ key: ElementKey, by side: MergeSide) -> Bool {
    guard case .changed(let changes) = sides[side].difference.changes[key] else { return false }
    return changes.contains { $0.field == .name }
  }

  private func recreatedConflict(
    _ key: ElementKey, _ next: ElementKey, _ remover: MergeSide,
    _ members: [(old: ElementKey, new: ElementKey)]
  ) -> Conflict {
    let label = base?.label(key) ?? label(key)
    let editor = remover.other
    let kept =
      "\(label) keeps its UID \(key.uid) and its data, as \(editor) has it; \(next.uid) "
      + (isRenamed(key, by: editor) ? "stays beside it" : "is retired")
    let isIndexed = ([key] + members.map(\.old)).contains { key in
      changes(editor, key).contains { $0.field.isOfIndex }
    }
    let begun =
      "\(label) begins again under \(next.uid), with what \(editor) did"
      + (isIndexed ? " (the next build adds the index)" : "") + "; \(key.uid) "
      + (fate(key) == .notInOurs ? "stays out" : "is retired")
      + ": databases keep its values hidden, or lose them"
    let summary = isRefused(next, by: editor) ? "retired that UID" : editSummary(key, editor)
    return Conflict(
      id: "made-again/\(key.kind)/\(key.uid)", rule: MergeRule.removeEdit,
      elements: [key, next] + members.flatMap { [$0.old, $0.new] }, label: label,
      message: "\(remover) removed \(label) and added it again under the UID \(next.uid), and "
        + "\(editor) \(summary)",
      ours: remover == .ours ? begun : kept, theirs: remover == .theirs ? begun : kept)
  }

  /// Reports that a new element gives way to the one that it was made from.
  mutating func retireSuperseded(_ key: ElementKey) {
    draft.retirees.insert(key)
    let side: MergeSide = sides.ours.presence(key) == .live ? .ours : .theirs
    let label = label(key)
    decide(
      MergeRule.removed, key, label, side: side,
      "\(label) of \(side) is removed, and its UID \(key.uid) retired: \(label) keeps its earlier UID"
    )
  }

  /// Whether an entity gives way to the one that was made again from it, or to the one that it was made from:
  /// the ids that its members had mean nothing in the other.
  func isSuperseded(_ entity: UID) -> Bool {
    let key = ElementKey(.entity, entity)
    return draft.restarted.contains(key) || state.rulings.superseded.contains(key)
  }

  // MARK: - The changes of the other side

  /// The changes of the old element that the new one takes over: changes of fields that its own side did not
  /// touch.
  ///
  /// The index of the old one is not taken over: the next build adds it, since the sources ask for it.
  mutating func adoptedChanges(_ key: ElementKey) -> [FieldChange] {
    guard let old = draft.recreated[key] else { return [] }
    let side: MergeSide = sides.ours.presence(key) == .live ? .ours : .theirs
    let values = FieldValues(sides[side].model)
    let taken = changes(side.other, old).filter { change in
      change.field.isMergedByItself(in: key.kind) && change.field.isEdit(of: key.kind)
        && !change.field.isOfIndex && change.field.row(in: key.kind).merging != .byMember
        && values.value(of: change.field, of: key) == change.before
        && (change.field != .type || !hasIndex(key, on: side))
        && (change.field != .name || isFree(change.after, for: key, on: side))
    }
    for change in taken { noteChanged(key, change, side.other) }
    return taken
  }

  /// Whether a property has an index, which may not fit another type.
  private func hasIndex(_ key: ElementKey, on side: MergeSide) -> Bool {
    sides[side].property(key.uid).map { $0.element.indexID != nil } ?? false
  }

  /// Whether no element beside a new one has a name.
  private func isFree(_ name: FieldValue?, for key: ElementKey, on side: MergeSide) -> Bool {
    guard case .text(let text) = name else { return false }
    let view = sides[side]
    guard let owner = view.owner(of: key).flatMap({ view.entity($0) }) else { return false }
    let name = foldedName(text.text)
    switch key.kind {
    case .entity: return view.lookup.entity(named: text.text) == nil
    case .property, .index: return !owner.properties.contains { foldedName($0.name) == name }
    case .relation: return !(owner.relations ?? []).contains { foldedName($0.name) == name }
    }
  }
}
