internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Changes of the model as a whole.
extension Planner {
  /// Adds a step for the errors that `boxjoint check` finds in the new model.
  mutating func noteUnsound() {
    guard let document = newSide.document else { return }
    var counts: [String: Int] = [:]
    var first: [ModelIssue] = []
    // One of each rule is shown, and the numbers of all.
    let found = document.check(limit: 1)
    for kind in found.omitted where kind.severity == .error {
      counts[kind.rule.id, default: 0] += kind.count
    }
    for issue in found.listed where issue.severity == .error {
      first.append(issue)
      counts[issue.rule.id, default: 0] += 1
    }
    let path = newSide.path
    for issue in first {
      let more = (counts[issue.rule.id] ?? 1) - 1
      let finding = document.finding(issue, path: path)
      add(
        ChangeRule.unsound, Subject(), after: "\(issue.rule.id) \(issue.rule.name)",
        issue.message + (more > 0 ? ", and \(more) more of \(issue.rule.id)" : ""), covers: []
      ) { planner, step in
        step.newPlace = finding.region.map {
          PlanPlace(path: path, region: $0, sourceLine: finding.sourceLine ?? SourceLine(""))
        }
      }
    }
  }

  /// A model that knows too little of the old one: where no entity is left, that says it all.
  ///
  /// - Returns: Whether no entity is left.
  mutating func noteRegenerated() -> Bool {
    let gone = difference.changes.count { key, change in
      guard case .removed = change else { return false }
      return key.kind != .index
    }
    let total = old.entities.reduce(0) { $0 + 1 + $1.properties.count + ($1.relations?.count ?? 0) }
    // Where more than half is still there, nothing has to be looked up.
    if gone * 2 <= total { return false }
    let recognition = ModelRecognition(of: new, shown: old.elementUIDs) {
      oldSide.pastUIDs().union(old.retiredElementUIDs)
    }
    if !recognition.looksRegenerated { return false }
    let isAll =
      !new.entities.isEmpty
      && !old.entities.contains { newLookup.entity($0.pair.uid) != nil }
    add(
      ChangeRule.regenerated, Subject(key: "entities"),
      before: "\(counted(old.entities.count, "entity", "entities")), \(recognition.shown) UIDs",
      after:
        "\(counted(new.entities.count, "entity", "entities")), \(recognition.recognized) of those "
        + "UIDs",
      "the new model knows \(recognition.recognized) of the \(recognition.shown) UIDs of the old one: it "
        + "looks newly generated",
      covers: isAll ? difference.sortedKeys.flatMap { coverage($0) } : [])
    return isAll
  }

  /// Counters, retired lists, versions and notes.
  mutating func planRoot() {
    planCounter(.entity, nil, old.lastEntityID, new.lastEntityID)
    planCounter(.index, nil, old.lastIndexID, new.lastIndexID)
    planCounter(.relation, nil, old.lastRelationID, new.lastRelationID)
    for (e, entity) in new.entities.enumerated() {
      guard let position = oldLookup.entity(entity.pair.uid) else { continue }
      planCounter(.property, e, old.entities[position].lastPropertyID, entity.lastPropertyID)
    }
    for kind in ElementKind.allCases { planRetired(kind) }
    planKey("modelVersion", old.modelVersion, new.modelVersion, ChangeRule.formatVersionChanged)
    planKey(
      "modelVersionParserMinimum", old.modelVersionParserMinimum, new.modelVersionParserMinimum,
      ChangeRule.formatVersionChanged)
    planKey("version", old.version, new.version, ChangeRule.modelKeyChanged)
    planKey("lastSequenceId", old.lastSequenceID, new.lastSequenceID, ChangeRule.modelKeyChanged)
    planKey("newUidPool", old.newUIDPool, new.newUIDPool, ChangeRule.modelKeyChanged)
    planOthers()
  }

  private mutating func planCounter(
    _ kind: ElementKind, _ entity: Int?, _ before: IDPair?, _ after: IDPair?
  ) {
    guard let before, !before.isUnset else { return }
    let after = after ?? .unset
    if after.id > before.id || after == before { return }
    let isLower = after.id < before.id
    let subject = Subject(
      kind: entity == nil ? nil : .entity, uid: entity.map { new.entities[$0].pair.uid },
      oldPlace: entity.flatMap { oldLookup.entity(new.entities[$0].pair.uid) }.map { .entity($0) },
      newPlace: entity.map { .entity($0) }, key: kind.lastPairKey)
    let name = entity.map { "\(kind.lastPairKey) of \(new.entities[$0].name)" } ?? kind.lastPairKey
    add(
      isLower ? ChangeRule.lastIDLowered : ChangeRule.lastIDReplaced, subject,
      before: "\(kind.lastPairKey) \(before)", after: "\(kind.lastPairKey) \(after)",
      "\(name) is \"\(after)\", and was \"\(before)\"", covers: [.root(name)])
  }

  private mutating func planRetired(_ kind: ElementKind) {
    guard let before = old[retired: kind], !before.isEmpty, before != new[retired: kind] else {
      return
    }
    let lost = before.filter { !newLookup.isRetired($0) && !newLookup.isLive($0) }
    if lost.isEmpty { return }
    let shown = lost.prefix(3).map { "\($0)" }.joined(separator: ", ")
    let more = lost.count > 3 ? " and \(lost.count - 3) more" : ""
    add(
      ChangeRule.retirementLost, Subject(key: kind.retiredListKey),
      before: "\(shown)\(more) in \(kind.retiredListKey)", after: "not in it",
      "\(shown)\(more) \(lost.count == 1 ? "is" : "are") no longer in \(kind.retiredListKey)",
      covers: [.root(kind.retiredListKey)])
  }

  private mutating func planKey<Value: Equatable>(
    _ key: String, _ before: Value?, _ after: Value?, _ rule: ChangeRule
  ) {
    if before == after { return }
    let texts = (before.map { "\($0)" }, after.map { "\($0)" })
    add(
      rule, Subject(key: key), before: texts.0, after: texts.1,
      "\(key) is \(texts.1 ?? "not in the file"), and was \(texts.0 ?? "not in the file")",
      covers: [.root(key)])
  }

  /// Generators write their notes anew with each version: they are no change.
  private mutating func planOthers() {
    if old.otherMembers == new.otherMembers { return }
    func values(_ members: [OtherMember]) -> [String: String] {
      Dictionary(members.filter { !$0.key.hasPrefix("_note") }.map { ($0.key, $0.text) }) { a, _ in
        a
      }
    }
    let (before, after) = (values(old.otherMembers), values(new.otherMembers))
    for key in Set(before.keys).union(after.keys).sorted() where before[key] != after[key] {
      planKey(key, before[key], after[key], ChangeRule.modelKeyChanged)
    }
  }
}
