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
    // If at least half of the elements are left, the model was not regenerated.
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

  /// Last pairs, retired lists, versions and other keys.
  mutating func planRoot() {
    for change in RootChange.all(from: old, to: new) {
      switch change {
      case .lastPair(let counter, let before, let after): planCounter(counter, before, after)
      case .retired(let kind, let gone, _): planRetired(kind, gone)
      case .key(let key, let before, let after): planKey(key, before, after)
      }
    }
  }

  private mutating func planCounter(_ counter: Counter, _ before: IDPair?, _ after: IDPair?) {
    let after = after ?? .unset
    // A higher pair is part of an addition.
    guard let before, after.id <= before.id else { return }
    let (kind, key) = (counter.kind, counter.kind.lastPairKey)
    var subject = Subject(key: key)
    var name = key
    if case .property(let owner) = counter, let position = newLookup.entity(owner) {
      subject = Subject(
        kind: .entity, uid: owner, oldPlace: oldLookup.entity(owner).map { .entity($0) },
        newPlace: .entity(position), key: kind.lastPairKey)
      name = "\(key) of \(new.entities[position].name)"
    }
    add(
      after.id < before.id ? ChangeRule.lastIDLowered : ChangeRule.lastIDReplaced, subject,
      before: "\(key) \(before)", after: "\(key) \(after)",
      "\(name) is \"\(after)\", and was \"\(before)\"", covers: [.root(name)])
  }

  private mutating func planRetired(_ kind: ElementKind, _ gone: [UID]) {
    let lost = gone.filter { !newLookup.isRetired($0) && !newLookup.isLive($0) }
    if lost.isEmpty { return }
    let shown = lost.prefix(3).map { "\($0)" }.joined(separator: ", ")
    let more = lost.count > 3 ? " and \(lost.count - 3) more" : ""
    add(
      ChangeRule.retirementLost, Subject(key: kind.retiredListKey),
      before: "\(shown)\(more) in \(kind.retiredListKey)", after: "not in it",
      "\(shown)\(more) \(lost.count == 1 ? "is" : "are") no longer in \(kind.retiredListKey)",
      covers: [.root(kind.retiredListKey)])
  }

  private mutating func planKey(_ key: String, _ before: String?, _ after: String?) {
    let isOfFormat = ["modelVersion", "modelVersionParserMinimum"].contains(key)
    add(
      isOfFormat ? ChangeRule.formatVersionChanged : ChangeRule.modelKeyChanged,
      Subject(key: key), before: before, after: after,
      "\(key) is \(after ?? "not in the file"), and was \(before ?? "not in the file")",
      covers: [.root(key)])
  }
}
