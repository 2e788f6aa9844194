internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStorage

extension MigrationRun {
  /// The effects of prepared steps on the data of a store.
  func plan(
    _ preparation: Preparation, _ names: PlanNames, in store: ObjectStore
  ) throws -> MigrationPlan {
    let current = try route.currentVersion()
    let steps = preparation.steps
    // A single step without a mapping has a counted plan already.
    let counted = steps.count == 1 ? steps[0].plan : nil
    var target = PlanSide(current.document, path: names.new)
    target.declarations = current.declarations
    var plan =
      counted
      ?? MigrationPlan(
        from: PlanSide(store, path: names.old), to: target, for: [.boxjoint],
        checksNewModel: false)
    let hidden = store.hiddenElements()
    var flow = DataFlow(store.model.dataElements + hidden.map(\.key))
    for step in steps { flow.follow(step) }
    if freesHiddenData { flow.purge(current.document.model) }
    var losses = DataLosses(plan: plan, flow: flow)
    try losses.add(to: &plan, hidden, in: store)
    for (number, step) in steps.enumerated() {
      guard let mapping = step.mapping else { continue }
      let links = DanglingLinks(mapping, from: step.hop.old, to: step.hop.to.document.model)
      plan.steps += try links.steps(in: number == 0 ? store : nil)
    }
    try plan.count(in: store)
    losses.settle(&plan)
    return plan
  }
}

/// Adds the losses of a migration to a plan.
private struct DataLosses {
  private let filters: [DataFlow.Filter]
  private let places: [ElementKey: Set<ElementKey>]
  private let old: Model
  private let lookup: ModelLookup
  private let new: Model
  /// The elements whose stored data no element holds after the migration.
  private var freed: Set<ElementKey> = []

  init(plan: MigrationPlan, flow: DataFlow) {
    filters = flow.filters
    places = flow.places()
    old = plan.old.model
    lookup = ModelLookup(old)
    new = plan.new.model
  }

  /// Adds steps for what the models do not say: the counts of the others follow.
  mutating func add(
    to plan: inout MigrationPlan, _ hidden: [HiddenElement], in store: ObjectStore
  ) throws {
    freed = Set((old.dataElements + hidden.map(\.key)).filter { places[$0] == nil })
    let told = Set(plan.steps.compactMap { subject(of: $0) })
    for entity in old.entities {
      let key = ElementKey(.entity, entity.pair.uid)
      if freed.contains(key) {
        if !told.contains(key) { plan.steps.append(step(key, "all objects of \(entity.name)")) }
        // The properties of removed objects need no entries of their own.
        continue
      }
      for property in entity.properties {
        let member = ElementKey(.property, property.pair.uid)
        if !freed.contains(member) || told.contains(member) { continue }
        plan.steps.append(step(member, "the values of \(entity.name).\(property.name)"))
      }
      for relation in entity.relations ?? [] {
        let member = ElementKey(.relation, relation.pair.uid)
        if !freed.contains(member) || told.contains(member) { continue }
        plan.steps.append(step(member, "the links of \(entity.name).\(relation.name)"))
      }
    }
    try addFilters(to: &plan, store)
    let untold = hidden.filter { freed.contains($0.key) && !told.contains($0.key) }
    let counts = try untold.isEmpty ? [] : Self.count(untold, in: store)
    for (element, count) in zip(untold, counts) {
      var step = step(element.key, "what is stored of \(element.label), hidden until now,")
      (step.entity, step.member) = (element.entity, element.member)
      step.counts = count
      plan.steps.append(step)
    }
  }

  /// The amounts of data of hidden elements.
  private static func count(
    _ elements: [HiddenElement], in store: ObjectStore
  ) throws -> [DataCounts] {
    var counts = elements.map { element in
      let units: [ElementKind: DataCounts.Unit] = [.entity: .objects, .relation: .links]
      return DataCounts(affected: 0, unit: units[element.key.kind] ?? .values)
    }
    try store.read { transaction in
      try transaction.visitHidden { element, _, _ in
        guard let place = elements.firstIndex(where: { $0.key == element.key }) else { return }
        counts[place].affected += 1
      }
    }
    return counts
  }

  private func addFilters(to plan: inout MigrationPlan, _ store: ObjectStore) throws {
    for filter in filters {
      guard let position = lookup.entity(filter.entity.uid) else { continue }
      let name = old.entities[position].name
      var step = step(filter.entity, "objects of \(name) that meet no rule of the mapping")
      if let source = filter.source, let entity = store.entity(filter.entity.uid) {
        let count = try source.countLeftBehind(of: entity, in: store)
        if count == 0 { continue }
        step.counts = DataCounts(affected: count, unit: .objects)
      }
      // It is about some objects of the element, and not to be counted with all of them.
      step.kind = nil
      step.before = "\(name): some objects"
      plan.steps.append(step)
    }
  }

  private func step(_ key: ElementKey, _ what: String) -> PlanStep {
    let rule = ChangeRule.leftBehind
    let place = lookup[key.kind, key.uid]
    var member: String?
    switch place {
    case .property(let e, let p): member = old.entities[e].properties[p].name
    case .relation(let e, let r): member = old.entities[e].relations?[r].name
    case .entity, .index, nil: break
    }
    return PlanStep(
      rule: rule.rule, changeClass: rule.engine.changeClass, kind: key.kind, uid: key.uid,
      entity: place.map { old.entities[$0.entity].name }, member: member,
      before: place.map { PlanWords.summary(old, $0) }, after: nil,
      message: "\(what) \(what.hasPrefix("what") ? "is" : "are") dropped", data: rule.data,
      engine: rule.engine, objectBox: rule.objectBox, remedy: rule.remedy, covers: [])
  }

  /// The element with data that a step of the models is about; nil where it is about none, or about
  /// an element whose data stays in its place.
  private func subject(of step: PlanStep) -> ElementKey? {
    guard let kind = step.kind, kind != .index else { return nil }
    var keys = step.covers.compactMap { coverage -> ElementKey? in
      if case .element(let key) = coverage, key.kind == kind { return key }
      return nil
    }
    // Values of another type or sign are lost if the mapping does not take them.
    if let uid = step.uid, step.engine.refusesStoredForm {
      keys.append(ElementKey(kind, uid))
    }
    return keys.first { freed.contains($0) } ?? keys.first { lookup[$0.kind, $0.uid] != nil }
  }

  /// Sets the effect of the migration in each step.
  func settle(_ plan: inout MigrationPlan) {
    // Of nothing, nothing is lost.
    plan.steps.removeAll {
      $0.rule.id == ChangeRule.leftBehind.rule.id && $0.counts?.affected == 0
    }
    let newLookup = ModelLookup(new)
    for position in plan.steps.indices {
      let step = plan.steps[position]
      guard step.rule.id != ChangeRule.leftBehind.rule.id, let key = subject(of: step) else {
        continue
      }
      if freed.contains(key) {
        plan.steps[position].engine =
          step.counts?.affected == 0
          ? EngineVerdict(.safe, "nothing is stored of it", step.engine.rollback)
          : EngineVerdict(.dataLoss, "the migration frees it for good", step.engine.rollback)
      } else if step.engine.changeClass == .dataHidden {
        let names = (places[key] ?? []).subtracting([key]).compactMap { place in
          newLookup[place.kind, place.uid].map { new.label($0) }
        }
        if names.isEmpty { continue }
        plan.steps[position].engine = EngineVerdict(
          .cost, "it is carried over to \(names.sorted().joined(separator: ", "))",
          step.engine.rollback)
      }
      plan.steps[position].settleClass(plan.targets)
    }
    plan.steps = MigrationPlan.sorted(plan.steps)
  }
}

extension ResolvedMapping.Source {
  /// The number of objects that meet the conditions of no route.
  ///
  /// - Complexity: O(*n*) in the objects of the entity.
  fileprivate func countLeftBehind(of entity: EntitySchema, in store: ObjectStore) throws -> Int {
    var count = 0
    var related = RelatedValues()
    let conditions = routes.map { RouteConditions($0.conditions, of: entity, in: store, &related) }
    try store.read { transaction in
      try related.visit(entity, in: transaction) { id, record, values in
        if !conditions.contains(where: { $0.areFulfilled(for: record, id, values) }) { count += 1 }
        return .next
      }
    }
    return count
  }
}
