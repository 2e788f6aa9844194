internal import BoxEngine
internal import BoxModel
internal import BoxReport

/// Makes the steps of a plan out of the difference of two models.
///
/// Each extension of it looks at one kind of change. Every change of the difference is covered by
/// exactly one step; a part that was added or removed with its owner is covered by the owner's step.
struct Planner {
  let oldSide: PlanSide
  let newSide: PlanSide
  let old: Model
  let new: Model
  let oldLookup: ModelLookup
  let newLookup: ModelLookup
  let difference: ModelDifference
  /// The elements of the version that both models come from; nil if the new one comes from the old.
  let ancestor: ModelLookup?
  let targets: Set<PlanTarget>
  let words: PlanWords
  /// The refusals of the engine to what the new model changes.
  let forecast: OpeningForecast
  /// Whether there can be a store of the old model.
  let hasStores: Bool
  /// The owners of ids in the old model; filled only if something is new.
  let idOwners: IDOwners
  /// The first relation to each removed entity.
  let removedRelations: [UID: ElementPlace]
  private(set) var steps: [PlanStep] = []
  private var covered: Set<PlanCoverage> = []

  init(_ old: PlanSide, _ new: PlanSide, _ targets: Set<PlanTarget>) {
    oldSide = old
    newSide = new
    self.old = old.model
    self.new = new.model
    oldLookup = old.document?.lookup ?? ModelLookup(old.model)
    newLookup = new.document?.lookup ?? ModelLookup(new.model)
    ancestor = old.ancestor.map { ModelLookup($0) }
    difference = ModelDifference(
      from: old.model, oldLookup, to: new.model, newLookup, ancestor: ancestor)
    self.targets = targets
    let parts = Self.changedParts(old.model, oldLookup, new.model, newLookup, difference)
    forecast = OpeningForecast(opening: parts.new, after: [parts.old], acceptsRegenerated: true)
    hasStores = OpeningForecast.canHaveStores(old.model)
    words = PlanWords(old: old.model, new: new.model)
    idOwners = IDOwners(difference.changes.values.contains(.added) ? old.model : Model())
    removedRelations = Self.removedRelations(old.model, newLookup)
  }

  mutating func plan() {
    if difference.changes.isEmpty {
      planRoot()
      return
    }
    // If nothing is left of the old model, that is the only step.
    if noteRegenerated() { return }
    planKindChanges()
    pairEntities()
    planEntities()
    let keys = difference.sortedKeys
    for key in keys { planFields(key) }
    pairMembers()
    for key in keys { planPresence(key) }
    planRoot()
    for key in keys { planRest(key) }
  }

  /// Whether an element was added to the old model after the new one left its line.
  func isYetToBeMerged(_ key: ElementKey) -> Bool {
    guard let ancestor else { return false }
    return ancestor[key.kind, key.uid] == nil && newLookup[key.kind, key.uid] == nil
      && !newLookup.isRetired(key.kind, key.uid)
  }

  // MARK: - What is covered

  func isCovered(_ coverage: PlanCoverage) -> Bool { covered.contains(coverage) }

  /// The changes of the difference of an element.
  func coverage(_ key: ElementKey) -> [PlanCoverage] {
    switch difference[key.kind, key.uid] {
    case nil: []
    case .added, .removed: [.element(key)]
    case .changed(let fields): fields.map { .field(key, $0.field) }
    }
  }

  /// The changes of the difference of an element and of all that it holds, in one of the models.
  func coverage(with place: ElementPlace, of model: Model) -> [PlanCoverage] {
    let entity = model.entities[place.entity]
    func keys(_ property: Property) -> [ElementKey] {
      [ElementKey(.property, property.pair.uid)]
        + (property.indexID.map { [ElementKey(.index, $0.uid)] } ?? [])
    }
    let held: [ElementKey] =
      switch place {
      case .entity:
        [ElementKey(.entity, entity.pair.uid)] + entity.properties.flatMap { keys($0) }
          + (entity.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }
      case .property(_, let p): keys(entity.properties[p])
      case .index(_, let p):
        entity.properties[p].indexID.map { [ElementKey(.index, $0.uid)] } ?? []
      case .relation(_, let r):
        (entity.relations?[r]).map { [ElementKey(.relation, $0.pair.uid)] } ?? []
      }
    // A moved element has a step of its own.
    return held.filter { isPresence(difference[$0.kind, $0.uid]) }.map { .element($0) }
  }

  private func isPresence(_ change: ElementChange?) -> Bool {
    switch change {
    case .added, .removed: true
    case .changed, nil: false
    }
  }

  // MARK: - Steps

  /// The subject of a step.
  struct Subject {
    var kind: ElementKind?
    var uid: UID?
    var oldPlace: ElementPlace?
    var newPlace: ElementPlace?
    /// The key whose value changed.
    var key: String?
  }

  /// Adds a step, unless all that it covers is covered already.
  mutating func add(
    _ rule: ChangeRule, _ subject: Subject, before: String? = nil, after: String? = nil,
    _ message: String, covers: [PlanCoverage], edit: (Planner, inout PlanStep) -> Void = { _, _ in }
  ) {
    let open = covers.filter { !covered.contains($0) }
    if open.isEmpty, !covers.isEmpty { return }
    covered.formUnion(open)
    var step = PlanStep(
      rule: rule.rule, changeClass: .safe, kind: subject.kind, uid: subject.uid,
      entity: entityName(subject), member: memberName(subject), oldEntity: oldEntityName(subject),
      oldMember: subject.oldPlace.flatMap { old.memberName($0) }, before: before, after: after,
      message: message, data: rule.data, engine: verdict(of: rule, on: subject),
      objectBox: rule.objectBox,
      remedy: rule.remedy, oldPlace: place(oldSide, subject.oldPlace, subject),
      newPlace: place(newSide, subject.newPlace, subject), covers: open)
    edit(self, &step)
    step.settleClass(targets)
    steps.append(step)
  }

  /// The verdict of a rule on a change.
  ///
  /// The rule has the words; whether the store is refused is for the engine to say. Of several reasons
  /// against one element it gives the first.
  private func verdict(of rule: ChangeRule, on subject: Subject) -> EngineVerdict {
    guard let openingRule = rule.engine.openingRule, openingRule.severity == .error,
      let kind = subject.kind, let uid = subject.uid
    else { return rule.engine }
    let element = ElementKey(kind, uid)
    if forecast.objects(to: element, by: openingRule) || forecast.refusal(of: element) != nil {
      return rule.engine
    }
    return EngineVerdict(.safe, Self.outcome(without: openingRule))
  }

  /// The outcome of a change that looks as if the engine refused it by a rule, and that it does not.
  private static func outcome(without rule: Rule) -> String {
    switch rule {
    case OpeningRule.idChanged: "it opens: the ids are where they were"
    case OpeningRule.notUnique:
      "it opens: no index is built of it, so two objects can have one value"
    default: "it opens"
    }
  }

  /// Notes in every step that the previous release is refused.
  mutating func refuseRollback(_ reason: String) {
    for position in steps.indices where steps[position].engine.rollback == .opens {
      let engine = steps[position].engine
      steps[position].engine = EngineVerdict(
        max(engine.changeClass, .noRollback),
        "\(engine.outcome); the previous release is refused: \(reason)", .refused,
        rule: engine.openingRule)
      steps[position].settleClass(targets)
    }
  }

  private func entityName(_ subject: Subject) -> String? {
    subject.newPlace.map { new.entities[$0.entity].name }
      ?? subject.oldPlace.map { old.entities[$0.entity].name }
  }

  /// The name that the entity had, also of a member that is new.
  private func oldEntityName(_ subject: Subject) -> String? {
    let place =
      subject.oldPlace
      ?? subject.newPlace.flatMap { oldLookup[.entity, new.entities[$0.entity].pair.uid] }
    return place.map { old.entities[$0.entity].name }
  }

  private func memberName(_ subject: Subject) -> String? {
    subject.newPlace.flatMap { new.memberName($0) }
      ?? subject.oldPlace.flatMap { old.memberName($0) }
  }

  private func place(
    _ side: PlanSide, _ place: ElementPlace?, _ subject: Subject
  ) -> PlanPlace? {
    guard let document = side.document else { return nil }
    if place == nil, subject.kind != nil || subject.key == nil { return nil }
    return PlanPlace(
      path: side.path, region: document.region(of: subject.key, at: place),
      sourceLine: document.sourceLine(of: subject.key, at: place))
  }

  /// The element with a UID in both models.
  func subject(_ key: ElementKey, field: String? = nil) -> Subject {
    Subject(
      kind: key.kind, uid: key.uid, oldPlace: oldLookup[key.kind, key.uid],
      newPlace: newLookup[key.kind, key.uid], key: field)
  }

  func label(_ subject: Subject) -> String {
    subject.newPlace.map { new.label($0) } ?? subject.oldPlace.map { old.label($0) } ?? "the model"
  }

  /// Covers what no rule named, so that nothing is without a class.
  private mutating func planRest(_ key: ElementKey) {
    let rest = coverage(key).filter { !isCovered($0) }
    if rest.isEmpty { return }
    let subject = subject(key)
    add(ChangeRule.otherChange, subject, "\(label(subject)) changed", covers: rest)
  }
}

extension PlanStep {
  mutating func settleClass(_ targets: Set<PlanTarget>) {
    let classes = [
      targets.contains(.boxjoint) ? engine.changeClass : nil,
      targets.contains(.objectbox) ? objectBox.changeClass : nil,
    ].compactMap { $0 }
    changeClass = classes.max() ?? .safe
  }
}

extension Model {
  /// The name of a property or relation without its entity; nil for an entity.
  fileprivate func memberName(_ place: ElementPlace) -> String? {
    switch place {
    case .entity: nil
    case .property(let e, let p), .index(let e, let p): entities[e].properties[p].name
    case .relation(let e, let r): entities[e].relations?[r].name
    }
  }
}
