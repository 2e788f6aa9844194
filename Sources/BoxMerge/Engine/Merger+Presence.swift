import BoxModel

/// Which elements are in the result.
extension Merger {
  /// Decides whether an element stays, and what it means if it does not.
  ///
  /// `isTouched` says whether a side changed the element, or something that belongs to it.
  mutating func staysIn(_ key: ElementKey, isTouched: (MergeSide) -> Bool) -> Bool {
    if rulings.dropped.contains(key) {
      retirees.insert(key)
      return false
    }
    let ours = state(.ours, key)
    let theirs = state(.theirs, key)
    switch (ours, theirs) {
    case (.removed(let removal), .removed(let otherRemoval)):
      if removal != .neverHad || otherRemoval != .neverHad || base == nil { retirees.insert(key) }
      return false
    case (.removed(let removal), _):
      return staysIn(key, removedBy: .ours, removal, theirs, isTouched(.theirs))
    case (_, .removed(let removal)):
      return staysIn(key, removedBy: .theirs, removal, ours, isTouched(.ours))
    default: return true
    }
  }

  private mutating func staysIn(
    _ key: ElementKey, removedBy remover: MergeSide, _ removal: Removal, _ kept: SideState,
    _ isTouched: Bool
  ) -> Bool {
    // Without the element in the base nobody can say that the other side changed it.
    let isContested = isTouched && !kept.isAdded
    if isContested {
      switch resolve(removeEditConflict(key, remover, removal)) {
      case .base:
        restore(key, on: .ours)
        restore(key, on: .theirs)
        return true
      case let resolution where resolution.side == remover.other:
        restore(key, on: remover)
        return true
      default: break
      }
    }
    leave(key, by: remover, removal, isContested: isContested)
    return false
  }

  private mutating func leave(
    _ key: ElementKey, by remover: MergeSide, _ removal: Removal, isContested: Bool
  ) {
    let label = label(key)
    if remover == .ours, removal == .neverHad {
      if key.kind == .entity { stayedOut.insert(key.uid) }
      return decide(
        MergeRule.neverHad, key, label, side: .ours,
        "\(label) stays out: ours comes from before it was added, so it is not retired either")
    }
    retirees.insert(key)
    if key.kind == .index { return }
    switch removal {
    case .retired:
      decide(
        MergeRule.removed, key, label, side: remover,
        "\(label) is removed: \(remover) removed it"
          + (isContested ? "" : ", and \(remover.other) left it alone"))
    case .forgotten:
      decide(
        MergeRule.forgotten, key, label, side: remover,
        "\(label) is removed and its UID \(key.uid) retired: \(remover) lost it without retiring it",
        consequence: "if it was lost by mistake, restore it from the base before you go on")
    case .neverHad:
      decide(
        MergeRule.takenBack, key, label, side: remover,
        "\(label) is removed and its UID \(key.uid) retired: \(remover) takes its addition back")
    }
  }

  /// Takes the base's version of an element, and of what belongs to it, for a side's.
  ///
  /// What the base does not have is taken as the other side has it.
  mutating func restore(_ key: ElementKey, on side: MergeSide) {
    rulings.restored[side].insert(key)
    let source = view(side, key)
    switch key.kind {
    case .entity:
      for child in source.children(of: key.uid) { rulings.restored[side].insert(child) }
    case .property:
      if let index = source.property(key.uid)?.element.indexID {
        rulings.restored[side].insert(ElementKey(.index, index.uid))
      }
    case .index, .relation: break
    }
  }

  private func removeEditConflict(
    _ key: ElementKey, _ remover: MergeSide, _ removal: Removal
  ) -> Conflict {
    let label = label(key)
    let editor = remover.other
    let edits = editSummary(key, editor)
    let removed =
      "\(key.kind) \(label) is removed and its UID retired: databases keep its values "
      + "hidden, or lose them"
    let kept = "\(label) stays, as \(editor) has it"
    let how =
      switch removal {
      case .retired: "removed"
      case .forgotten: "lost"
      case .neverHad: remover == .ours ? "never had" : "takes back"
      }
    return Conflict(
      id: "remove-edit/\(key.kind)/\(key.uid)", rule: MergeRule.removeEdit, elements: [key],
      label: label, message: "\(remover) \(how) \(label), and \(editor) \(edits)",
      ours: remover == .ours ? removed : kept, theirs: remover == .theirs ? removed : kept)
  }

  /// What a side did to an element and what belongs to it, in a few words.
  private func editSummary(_ key: ElementKey, _ side: MergeSide) -> String {
    let view = sides[side]
    if case .changed(let changes) = view.difference.changes[key] {
      return changes.prefix(3).map { describe($0) }.joined(separator: ", ")
    }
    var parts: [String] = []
    for child in view.children(of: key.uid) {
      switch view.difference.changes[child] {
      case .added: parts.append("added \(view.label(child) ?? "something")")
      case .changed: parts.append("changed \(view.label(child) ?? "something")")
      default: continue
      }
      if parts.count == 3 { break }
    }
    return parts.isEmpty ? "changed it" : parts.joined(separator: ", ") + " in it"
  }

  func describe(_ change: FieldChange) -> String {
    switch change.field {
    case .name: "renamed it to \(text(change.after))"
    case .id: "gave it the id \(text(change.after))"
    case .index: "changed its index to \(text(change.after))"
    default: "changed its \(change.field) to \(text(change.after))"
    }
  }

  func text(_ value: FieldValue?) -> String {
    switch value {
    case .text(let text): text
    case .number(let number): String(number)
    case .isSet(let isSet): isSet ? "set" : "not set"
    case .type(let type): type.description
    case .entity(let uid): label(ElementKey(.entity, uid))
    case .index(let kind, _): kind.setNames.joined(separator: " + ")
    case .json(let text): ModelTable.oneLine(text)
    case nil: "none"
    }
  }

  /// The retired lists of a side with what it removed and did not retire.
  func repairedRetired(_ side: MergeSide) -> [ElementKind: [UID]] {
    let view = sides[side]
    var forgotten: [ElementKind: [UID]] = [:]
    for (key, change) in view.difference.changes {
      guard case .removed(let removal) = change else { continue }
      if removal == .forgotten || (removal == .neverHad && side == .theirs) {
        forgotten[key.kind, default: []].append(key.uid)
      }
    }
    var lists = Dictionary(
      uniqueKeysWithValues: ElementKind.allCases.map { ($0, view.model[retired: $0] ?? []) })
    for (kind, uids) in forgotten { lists[kind, default: []] += uids.sorted() }
    return lists
  }
}
