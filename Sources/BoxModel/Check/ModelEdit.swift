import BoxJSON

/// A small change of a model that fixes one issue.
package enum ModelEdit: Hashable, Sendable {
  /// Sets the last pair of a counter.
  case setLast(Counter, IDPair)
  /// Gives an element, which people know by a name, an id, and its counter a last pair; it keeps its UID.
  case setID(ElementKey, UInt32, name: String, counter: Counter, last: IDPair?)
  /// Removes every occurrence of a UID from a retired list but the first `keeping`.
  case removeRetired(ElementKind, UID, keeping: Int)
  /// Appends each UID to the retired list of its kind.
  case retire([ElementKey])
  /// Gives an element the UID and the id that one of an earlier model had, and retires its own.
  indirect case restore(RenameFix, from: Model)
  /// Takes a UID off `newUidPool`.
  case removeOffered(UID)
  /// Sets the target of a relation to the id and UID of the entity.
  case setTarget(relation: UID, IDPair)
  /// Writes the last pair of a counter of the model that has given no number as an empty text.
  case emptyLast(ElementKind)
  /// Writes unescaped tabs as `\t`.
  case escapeTabs
  /// Removes the byte order mark at the beginning of the file.
  case removeMark

  /// Whether it gives an element an earlier UID.
  fileprivate var restores: Bool { if case .restore = self { true } else { false } }

  /// A description of the effect for people, such as `set lastEntityId to "3:5"`.
  package var summary: String {
    switch self {
    case .setLast(let counter, let pair): "set \(counter.kind.lastPairKey) to \"\(pair)\""
    case .setID(_, let id, let name, _, _): "give \(name) the id \(id)"
    case .removeRetired(let kind, let uid, let keeping):
      keeping == 0
        ? "remove \(uid) from \(kind.retiredListKey)"
        : "remove the second \(uid) from \(kind.retiredListKey)"
    case .retire(let keys):
      "add "
        + keys.prefix(3).map { "\($0.uid) to \($0.kind.retiredListKey)" }.joined(separator: ", ")
        + (keys.count > 3 ? " and \(keys.count - 3) more" : "")
    case .restore(let fix, _): fix.summary
    case .removeOffered(let uid): "remove \(uid) from newUidPool"
    case .setTarget(_, let pair): "set targetId to \"\(pair)\""
    case .emptyLast(let kind): "set \(kind.lastPairKey) to \"\""
    case .escapeTabs: "write the tab as \\t"
    case .removeMark: "remove the byte order mark"
    }
  }
}

extension Model {
  /// Carries out an edit.
  ///
  /// ``ModelEdit/escapeTabs``, ``ModelEdit/removeMark`` and ``ModelEdit/emptyLast(_:)`` change the file
  /// and not the model.
  ///
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package mutating func apply(_ edit: ModelEdit) { apply([edit]) }

  /// Carries out edits, one after the other.
  ///
  /// - Complexity: O(*n*) in the number of edits, elements and retired UIDs.
  package mutating func apply(_ edits: [ModelEdit]) {
    var batch = EditBatch()
    // Restored last, so that no other edit retires them.
    for edit in edits where !edit.restores { batch.add(edit, to: &self) }
    batch.finish(&self)
    var restored: [(fixes: [RenameFix], earlier: Model)] = []
    for case .restore(let fix, let earlier) in edits {
      if restored.last?.earlier == earlier {
        restored[restored.count - 1].fixes.append(fix)
      } else {
        restored.append(([fix], earlier))
      }
    }
    for (fixes, earlier) in restored { self = restoring(fixes, from: earlier) }
  }

  /// Carries out an edit of one place.
  fileprivate mutating func applyAlone(_ edit: ModelEdit) {
    switch edit {
    case .setLast(let counter, let pair): self[last: counter] = pair
    case .retire(let keys):
      for kind in ElementKind.allCases {
        let uids = keys.filter { $0.kind == kind }.map(\.uid)
        if uids.isEmpty { continue }
        var list = self[retired: kind] ?? []
        var known = Set(list)
        for uid in uids where known.insert(uid).inserted { list.append(uid) }
        self[retired: kind] = list
      }
    case .setID, .restore, .removeRetired, .removeOffered, .setTarget, .escapeTabs, .removeMark,
      .emptyLast:
      break
    }
  }
}

/// Edits that each look through a list or through all relations, collected so that all of them look
/// through it once.
private struct EditBatch {
  private var removed: [ElementKey: Int] = [:]
  private var offered: Set<UID> = []
  private var targets: [UID: IDPair] = [:]
  private var lasts: [UID: IDPair] = [:]
  private var ids: [ElementKey: UInt32] = [:]

  mutating func add(_ edit: ModelEdit, to model: inout Model) {
    switch edit {
    case .removeRetired(let kind, let uid, let keeping):
      let key = ElementKey(kind, uid)
      removed[key] = min(keeping, removed[key] ?? .max)
    case .removeOffered(let uid): offered.insert(uid)
    case .setID(let key, let id, _, let counter, let last):
      ids[key] = id
      if let last { add(.setLast(counter, last), to: &model) }
    case .setTarget(let uid, let pair): targets[uid] = pair
    case .setLast(.property(let owner), let pair): lasts[owner] = pair
    case .retire:
      // An earlier edit may remove the retired UID from the list.
      finish(&model)
      model.applyAlone(edit)
    default: model.applyAlone(edit)
    }
  }

  /// Applies the collected edits.
  mutating func finish(_ model: inout Model) {
    for kind in ElementKind.allCases where removed.keys.contains(where: { $0.kind == kind }) {
      model[retired: kind]?.removeAll { uid in
        guard let keeping = removed[ElementKey(kind, uid)] else { return false }
        removed[ElementKey(kind, uid)] = keeping - 1
        return keeping <= 0
      }
    }
    if !offered.isEmpty { model.newUIDPool?.removeAll { offered.contains($0) } }
    if !lasts.isEmpty {
      for e in model.entities.indices {
        // Of entities with one UID the first has the counter.
        guard let pair = lasts.removeValue(forKey: model.entities[e].pair.uid) else { continue }
        model.entities[e].lastPropertyID = pair
      }
    }
    if !ids.isEmpty { model.setIDs(ids) }
    if !targets.isEmpty {
      for e in model.entities.indices {
        for r in model.entities[e].relations?.indices ?? 0..<0 {
          guard let uid = model.entities[e].relations?[r].pair.uid, let pair = targets[uid] else {
            continue
          }
          model.entities[e].relations?[r].target = pair
        }
      }
    }
    self = EditBatch()
  }
}

extension Model {
  /// Gives elements other ids, wherever the pair is.
  fileprivate mutating func setIDs(_ ids: [ElementKey: UInt32]) {
    func set(_ pair: inout IDPair, _ kind: ElementKind) {
      if let id = ids[ElementKey(kind, pair.uid)] { pair.id = id }
    }
    for e in entities.indices {
      set(&entities[e].pair, .entity)
      for p in entities[e].properties.indices {
        set(&entities[e].properties[p].pair, .property)
        if var index = entities[e].properties[p].indexID {
          set(&index, .index)
          entities[e].properties[p].indexID = index
        }
      }
      for r in entities[e].relations?.indices ?? 0..<0 {
        guard var relation = entities[e].relations?[r] else { continue }
        set(&relation.pair, .relation)
        set(&relation.target, .entity)
        entities[e].relations?[r] = relation
      }
    }
  }
}

extension ModelDocument {
  /// The file after all issues with exactly one fix were fixed, and those fixes.
  ///
  /// Fixing one issue may reveal another, so this continues until there is nothing left to fix.
  package func fixed(
    issues: (ModelDocument) -> [ModelIssue] = { $0.check() }
  ) -> (document: ModelDocument, applied: [ModelIssue]) {
    var document = self
    var applied: [ModelIssue] = []
    // Every round fixes something; the bound only keeps a fault in a rule from looping.
    for _ in 0..<16 {
      guard document.isComplete else { break }
      let fixable = issues(document).filter { $0.fix != nil }
      guard let next = document.fixing(fixable) else { break }
      applied += fixable
      document = next
    }
    return (document, applied)
  }

  /// Whether the fixes of some issues change the file.
  ///
  /// - Complexity: O(*n*) in the size of the file and the number of issues.
  package func isChanged(byFixing issues: [ModelIssue]) -> Bool {
    isComplete && fixing(issues.filter { $0.fix != nil }) != nil
  }

  /// The file after the fixes of some issues; nil if they change nothing.
  private func fixing(_ fixable: [ModelIssue]) -> ModelDocument? {
    if fixable.isEmpty { return nil }
    var model = model
    model.apply(fixable.compactMap(\.fix))
    var bytes = rendered(model)
    if fixable.contains(where: { $0.fix == .escapeTabs }) {
      bytes = Self.escapingTabs(in: bytes)
    }
    if fixable.contains(where: { $0.fix == .removeMark }) {
      bytes.removeFirst(JSONDocument.byteOrderMark.count)
    }
    for case .emptyLast(let kind)? in fixable.map(\.fix) {
      bytes = Self.emptying(kind.lastPairKey, in: bytes)
    }
    return bytes == self.bytes ? nil : try? ModelDocument(parsing: bytes)
  }

  private static func emptying(_ key: String, in bytes: [UInt8]) -> [UInt8] {
    guard let json = try? ModelDocument(parsing: bytes).json,
      let node = json.value(forKey: key, in: json.root)
    else { return bytes }
    var result = bytes
    result.replaceSubrange(json.range(of: node), with: "\"\"".utf8)
    return result
  }

  private static func escapingTabs(in bytes: [UInt8]) -> [UInt8] {
    guard let document = try? ModelDocument(parsing: bytes) else { return bytes }
    var result: [UInt8] = []
    var start = 0
    for offset in document.json.rawTabs {
      result += bytes[start..<offset]
      result += "\\t".utf8
      start = offset + 1
    }
    return result + bytes[start...]
  }
}
