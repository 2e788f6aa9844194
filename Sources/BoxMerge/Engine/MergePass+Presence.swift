import BoxModel

/// The elements of the result.
extension MergePass {
  /// Decides whether an element stays, and records what its removal means.
  mutating func settlePresence(_ key: ElementKey) -> Bool {
    if state.rulings.leftOut.contains(key) { return false }
    if state.rulings.superseded.contains(key) {
      retireSuperseded(key)
      return false
    }
    if state.rulings.dropped.contains(key) {
      draft.retirees.insert(key)
      return false
    }
    let fate = fate(key)
    guard let remover = fate.remover else { return fate != .absent }
    if case .replaced = fate, key.kind == .entity, let next = successor(of: key, on: remover) {
      draft.replacedEntities.insert(key.uid)
      draft.redirected[key.uid] = next
    }
    let next = recreated(key, by: remover)
    let isContested =
      !draft.restarted.contains(key)
      && (isEdited(key, fate, by: remover.other)
        || next.map { isRefused($0, by: remover.other) } ?? false)
    if isContested, let next {
      if settleRecreated(key, next, remover) { return true }
    } else if isContested {
      switch resolve(removeEditConflict(key, remover, fate)) {
      case .base where base?.lookup[key.kind, key.uid] != nil:
        restore(key, on: .ours)
        restore(key, on: .theirs)
        return true
      case let resolution where resolution.side == remover.other:
        restore(key, on: remover)
        if key.kind == .entity, draft.replacedEntities.remove(key.uid) != nil {
          draft.redirected[key.uid] = nil
        }
        return true
      default: break
      }
    }
    omit(key, fate, isContested: isContested)
    return false
  }

  /// Whether a side edited an element that the other removed, or added something to it.
  private func isEdited(_ key: ElementKey, _ fate: Fate, by editor: MergeSide) -> Bool {
    let view = sides[editor]
    if case .replaced = fate {
      // Nobody can say what the side edited without a base; what it added would be lost.
      return key.kind == .entity
        && view.children(of: key.uid).contains {
          switch self.fate($0) {
          case .added, .revived: true
          default: false
          }
        }
    }
    if key.kind == .entity { return view.touched.contains(key.uid) }
    return changes(editor, key).contains { $0.field.isEdit(of: key.kind) }
  }

  private mutating func omit(_ key: ElementKey, _ fate: Fate, isContested: Bool) {
    let label = label(key)
    if fate == .notInOurs {
      if key.kind == .entity { draft.excludedEntities.insert(key.uid) }
      return decide(
        MergeRule.notInOurs, key, label, side: .ours,
        "\(label) stays out: it is not in ours; its UID is not retired")
    }
    draft.retirees.insert(key)
    switch fate {
    case .removed(let side):
      decide(
        MergeRule.removed, key, label, side: side,
        "\(label) is removed: \(side) removed it"
          + (isContested ? "" : ", and \(side.other) left it alone"),
        consequence: removalConsequence(key))
    case .replaced(let side):
      decide(
        MergeRule.removed, key, label, side: side,
        "\(label) of \(side.other) is removed: \(side) retired its UID \(key.uid), and has another "
          + "\(key.kind) of that name")
    case .lost:
      decide(
        MergeRule.lost, key, label, side: .ours,
        "\(label) is removed and its UID \(key.uid) retired: ours gave it the last id, and lost it "
          + "without retiring it",
        consequence: "if that was a mistake, restore it from the base before you continue")
    case .withdrawn:
      decide(
        MergeRule.withdrawn, key, label, side: .theirs,
        "\(label) is removed and its UID \(key.uid) retired: theirs no longer has it",
        consequence: removalConsequence(key))
    case .merged, .added, .revived, .notInOurs, .absent: break
    }
  }

  /// The consequence of the removal of an element that is published: git may keep its source, as where the line
  /// was moved; nil for any other.
  private func removalConsequence(_ key: ElementKey) -> String? {
    guard key.kind != .index, let model = published.model(with: key) else { return nil }
    return
      "it is live in \(model.name); if its source is still there after the merge, the next build "
      + "begins it without its data: build, and run `boxjoint check --fix` before you commit"
  }

  /// Whether an element is retired because its entity is not in the result.
  ///
  /// An element is not retired only because ours does not have it.
  func isRetired(withOwner owner: UID, _ key: ElementKey) -> Bool {
    if state.rulings.dropped.contains(ElementKey(.entity, owner)) { return true }
    if sides.ours.presence(key) == .live { return true }
    if draft.excludedEntities.contains(owner) { return isLastOfOurs(key) }
    if base?.presence(key) == .live {
      return isLastOfOurs(key) || isLastOfOurs(ElementKey(.entity, owner))
    }
    return sides.theirs.presence(key) == .live
  }

  /// Restores an element and its members on a side, as the base has them.
  ///
  /// Elements that the base does not have are restored as the other side has them.
  mutating func restore(_ key: ElementKey, on side: MergeSide) {
    state.rulings.restored[side].insert(key)
    let source = view(side, key)
    switch key.kind {
    case .entity:
      for child in source.children(of: key.uid) where sides[side].presence(child) != .live {
        state.rulings.restored[side].insert(child)
      }
    case .property:
      if let index = source.property(key.uid)?.element.indexID {
        state.rulings.restored[side].insert(ElementKey(.index, index.uid))
      }
    case .index, .relation: break
    }
  }

  private func removeEditConflict(
    _ key: ElementKey, _ remover: MergeSide, _ fate: Fate
  ) -> Conflict {
    let label = label(key)
    let editor = remover.other
    let edits = editSummary(key, editor)
    let kept: String
    let removed: String
    let how: String
    switch fate {
    case .notInOurs:
      how = "\(label) is not in ours"
      removed =
        "leave it out: \(key.kind) \(label) stays out with what theirs added to it, and "
        + "no UID is retired"
      kept = "take it in: \(label) is added as theirs has it"
    default:
      how =
        switch fate {
        case .lost: "ours lost \(label)"
        case .withdrawn: "theirs no longer has \(label)"
        case .replaced: "\(remover) retired \(label), and has another \(key.kind) of that name"
        default: "\(remover) removed \(label)"
        }
      removed =
        "\(key.kind) \(label) is removed and its UID retired: databases keep its values "
        + "hidden, or lose them"
      kept = "\(label) stays, as \(editor) has it"
    }
    return Conflict(
      id: "remove-edit/\(key.kind)/\(key.uid)", rule: MergeRule.removeEdit, elements: [key],
      label: label, message: "\(how), and \(editor) \(edits)",
      ours: remover == .ours ? removed : kept, theirs: remover == .theirs ? removed : kept)
  }

  /// The edits of a side to an element and its members, in a few words.
  func editSummary(_ key: ElementKey, _ side: MergeSide) -> String {
    let view = sides[side]
    if case .changed(let changes) = view.difference.changes[key] {
      return changes.prefix(3).map { describe($0, key.kind) }.joined(separator: ", ")
    }
    var parts: [String] = []
    for child in view.children(of: key.uid) where child.kind != .index || key.kind != .entity {
      switch view.difference.changes[child] {
      case .added: parts.append("added \(view.label(child) ?? "something")")
      case .changed: parts.append("changed \(view.label(child) ?? "something")")
      default: continue
      }
      if parts.count == 3 { break }
    }
    return parts.isEmpty ? "changed it" : parts.joined(separator: ", ") + " in it"
  }

  func describe(_ change: FieldChange, _ kind: ElementKind) -> String {
    switch change.field {
    case .name: "renamed it to \(text(change.after))"
    case .id: "gave it the id \(text(change.after))"
    case .index: "changed its index to \(text(change.after))"
    default: "changed its \(change.field.name(in: kind)) to \(text(change.after))"
    }
  }

  func text(_ value: FieldValue?) -> String {
    guard let value else { return "none" }
    return value.words(entity: { label(ElementKey(.entity, $0)) }) { kind, _ in
      kind.isEmpty ? "one without flags" : kind.setNames.joined(separator: " + ")
    }
  }
}

extension Field {
  /// The flags of properties and entities that every build writes from the sources, or removes.
  ///
  /// Nullability follows the type in the sources. The generator for Java keeps the rest out of the
  /// file; only files of old generators have them.
  static let generatedPropertyFlags: PropertyFlags = [.nonPrimitiveType, .notNull, .virtual]
  static let generatedEntityFlags: EntityFlags = .useNoArgConstructor

  /// Whether every build writes the field from the sources, whatever its value is.
  func isGenerated(_ kind: ElementKind) -> Bool {
    guard case .flag(let bit) = self else { return false }
    return kind == .entity
      ? Self.generatedEntityFlags.rawValue & bit != 0
      : Self.generatedPropertyFlags.rawValue & bit != 0
  }

  /// Whether a change of the field conflicts with a removal of the element.
  ///
  /// Changes of ids do not, because merges assign ids, nor do fields that the next build writes.
  func isEdit(of kind: ElementKind) -> Bool { self != .id && !isGenerated(kind) }
}
