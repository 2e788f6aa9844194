internal import BoxEngine
internal import BoxModel
internal import BoxReport

/// The declarations about relations.
extension Planner {
  /// Adds a step for each side of a relation that gets another rule, one for the first rule of all, and one for each
  /// rule with which the new model opens no store.
  ///
  /// A new version that declares nothing leaves the rules of a store as they are.
  mutating func planDeclarations() {
    refuseDeclarations()
    guard let declared = newSide.declarations else { return }
    let earlier = oldSide.declarations ?? Declarations()
    if earlier.isEmpty, let first = declared.relations.first {
      add(
        .deleteRulesBegun, Subject(), "the model has rules about removals, as of \(first.label)",
        covers: [])
    }
    for change in declared.changes(since: earlier) {
      let removesMore = change.after == .cascade || change.after == .deny
      // A relation has a rule for each side, and each is approved by itself.
      add(
        removesMore ? .deleteRuleAdded : .deleteRuleChanged, subject(change.declaration.relation),
        before: "\(change.key) \(change.before.rawValue)",
        after: "\(change.key) \(change.after.rawValue)", change.message, covers: [])
    }
  }

  private mutating func refuseDeclarations() {
    let declared = newSide.declarations ?? oldSide.declarations ?? Declarations()
    let refusals = declared.refusals(
      of: new, areGiven: newSide.declarations != nil, path: newSide.path)
    for (uid, finding) in refusals {
      add(
        .deleteRuleUnfit, subject(uid), after: declared.relation(uid)?.words, finding.message,
        covers: []
      ) { _, step in
        step.engine = EngineVerdict(
          .openFailure, "the store is refused: \(finding.message)", .untouched, rule: finding.rule)
        step.remedy = finding.advice
      }
    }
  }

  /// The reasons why the previous release does not open a store with the rules that the new one gives it.
  var refusalsOfWayBack: [String] {
    // A release that gives its own rules takes the new ones away; of a store it is not known whether its release does.
    let own = oldSide.declarations ?? Declarations()
    let isOwn = !own.isEmpty || oldSide.document != nil && oldSide.declarations != nil
    let declared = isOwn ? own : newSide.declarations ?? own
    return declared.refusals(of: old, areGiven: isOwn, path: oldSide.path).map(\.finding.message)
  }

  /// The relation of a UID; the model as a whole if neither version has it.
  private func subject(_ uid: UID) -> Subject {
    for kind in [ElementKind.property, .relation] {
      let (old, new) = (oldLookup[kind, uid], newLookup[kind, uid])
      if old != nil || new != nil {
        return Subject(kind: kind, uid: uid, oldPlace: old, newPlace: new)
      }
    }
    return Subject()
  }
}
