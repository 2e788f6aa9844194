internal import BoxEngine
internal import BoxModel
internal import BoxReport

/// A step with everything that it takes to carry it out.
struct PreparedStep: Sendable {
  var hop: MigrationHop
  var pending: PendingMigration
  /// The mapping of the objects; nil for a light step.
  var mapping: ResolvedMapping?
  /// The plan of the step with the counts of the store, by which it was decided; nil for a step with a
  /// mapping, and for one after the first.
  var plan: MigrationPlan?
}

/// The names of the two sides of a plan.
struct PlanNames: Sendable {
  var old: String
  var new: String
}

/// Decides how each step is carried out, before anything is changed.
struct StepPlanner {
  let route: MigrationRoute
  let mappings: [ModelMapping]
  /// The names in the plan of a first step; nil for the names of its versions.
  let names: PlanNames?
  /// Whether a store with elements that no version had or has is refused.
  var refusesNewerStores = false

  /// Prepares the steps.
  ///
  /// - Parameters:
  ///   - hops: The steps.
  ///   - store: The store, as it is before the first.
  /// - Returns: The steps, prepared.
  /// - Throws: ``MigrationError`` or ``StoreError``.
  func prepare(_ hops: [MigrationHop], in store: ObjectStore) throws -> [PreparedStep] {
    let assigned = try assign(hops)
    try requireDeclarations(hops, store.declarations)
    var past = store.pastUIDs
    var keepsValues = true
    return try hops.indices.map { index in
      let step = try prepare(
        hops[index], assigned[index], store, past: past, isFirst: index == 0,
        keepsValues: keepsValues)
      // Light steps change no values.
      if step.mapping != nil { keepsValues = false }
      // A heavy step makes a store that had no other model.
      past = step.mapping == nil ? past.union(hops[index].old.elementUIDs) : []
      return step
    }
  }

  /// The mapping of each step; every given mapping must have its step.
  private func assign(_ hops: [MigrationHop]) throws -> [ModelMapping?] {
    var assigned: [ModelMapping?] = Array(repeating: nil, count: hops.count)
    for mapping in mappings {
      guard let index = try step(of: mapping, among: hops) else {
        try requireFit(mapping)
        continue
      }
      if assigned[index] != nil { throw MigrationError.ambiguousMapping(step: hops[index].name) }
      assigned[index] = mapping
    }
    return assigned
  }

  /// Checks a mapping that is not applied, as far as its models are known.
  private func requireFit(_ mapping: ModelMapping) throws {
    let to = try mapping.to.flatMap { route.version(named: $0) } ?? route.currentVersion()
    var step = "a step to \(to.name) that the store does not take"
    let problems: [MappingProblem]
    if let from = mapping.from.flatMap({ route.version(named: $0) }) {
      step = "the step from \(from.name) to \(to.name)"
      problems = MappingResolver(from: from.document.model, to: to.document.model, mapping).problems
    } else {
      // Without an end, it may be for any of several steps.
      if mapping.to == nil && route.knownNames.count > 2 { return }
      problems = MappingDestinations(of: mapping, in: to.document.model).problems
    }
    if !problems.isEmpty { throw MigrationError.invalidMapping(step: step, problems) }
  }

  /// The step that a mapping is for; nil for one that this store does not have to take.
  private func step(of mapping: ModelMapping, among hops: [MigrationHop]) throws -> Int? {
    let fitting = hops.indices.filter { index in
      (mapping.from ?? hops[index].from) == hops[index].from
        && (mapping.to ?? hops[index].to.name) == hops[index].to.name
    }
    if fitting.count > 1 {
      throw MigrationError.unclearMapping(steps: fitting.map { hops[$0].name })
    }
    if let index = fitting.first { return index }
    // Nothing tells a mapping what the model is called that is only in the store.
    if let first = hops.first, first.from == MigrationRoute.storedName,
      mapping.to == first.to.name, !route.isKnown(mapping.from)
    {
      return 0
    }
    if route.hasStep(from: mapping.from, to: mapping.to) { return nil }
    throw MigrationError.unusedMapping(mapping.name, versions: route.knownNames)
  }

  private func prepare(
    _ hop: MigrationHop, _ mapping: ModelMapping?, _ store: ObjectStore, past: Set<UID>,
    isFirst: Bool, keepsValues: Bool
  ) throws -> PreparedStep {
    let document = hop.to.document
    var pending = PendingMigration(
      from: hop.from, to: hop.to.name, kind: .light, isMapped: mapping != nil)
    try requireSound(document, hop.to.name)
    if let mapping {
      pending.kind = .heavy
      return PreparedStep(hop: hop, pending: pending, mapping: try resolve(hop, mapping))
    }
    var side = PlanSide(hop.old, path: names?.old ?? hop.from)
    side.pastUIDs = { past }
    if isFirst { side.declarations = store.declarations }
    var target = PlanSide(document, path: names?.new ?? hop.to.name)
    target.declarations = isFirst ? hop.to.declarations : nil
    var plan = MigrationPlan(
      from: side, to: target, for: [.boxjoint], checksNewModel: false)
    // Elements that no version had would be hidden, or dropped by a heavy step.
    if refusesNewerStores, hop.from == MigrationRoute.storedName,
      let step = plan.steps.first(where: { ChangeRule.neverHad.contains($0.rule) })
    {
      throw MigrationError.newerStore(step.message)
    }
    if isFirst { try plan.count(in: store) }
    let counted = isFirst ? plan : nil
    let obstacles = plan.steps.filter { $0.engine.changeClass == .openFailure }
    if obstacles.isEmpty {
      return PreparedStep(hop: hop, pending: pending, mapping: nil, plan: counted)
    }
    // Another type or sign is carried over where no value can be lost; anything else is not guessed.
    let unclear = obstacles.filter { !$0.engine.refusesStoredForm }
    if !unclear.isEmpty {
      throw MigrationError.noMapping(step: hop.name, reasons: unclear.map { Self.reason($0) })
    }
    // Of a new sign, the values that are stored say whether one is in the way.
    let signs = obstacles.filter { $0.engine.openingRule == OpeningRule.signChanged }
    let fitting = try signs.filter { step in
      isFirst ? step.counts?.unfit == 0 : try keepsValues && fits(step, plan, store)
    }.compactMap(\.uid)
    let resolver = MappingResolver(
      from: hop.old, to: document.model, nil, fitting: Set(fitting))
    if !resolver.problems.isEmpty {
      throw MigrationError.noMapping(
        step: hop.name, reasons: resolver.problems.map(\.message))
    }
    pending.kind = .heavy
    return PreparedStep(hop: hop, pending: pending, mapping: resolver.result, plan: counted)
  }

  /// Whether the values that a store has before light steps fit the sign that a later one gives them.
  private func fits(
    _ step: PlanStep, _ plan: MigrationPlan, _ store: ObjectStore
  ) throws -> Bool {
    guard let uid = step.uid else { return false }
    // Without values of its own, objects get the constant of the version.
    if !store.entities.contains(where: { $0.properties.contains { $0.uid == uid } }) { return true }
    var counted = plan
    try counted.count(in: store)
    return counted.steps.first { $0.uid == uid && $0.kind == .property }?.counts?.unfit == 0
  }

  /// The reason why a step needs a mapping.
  ///
  /// Some changes are refused only because of duplicates, or because an element is new. Their
  /// message does not say so, and the outcome is added.
  private static func reason(_ step: PlanStep) -> String {
    let unsaid = [
      OpeningRule.notUnique, OpeningRule.tooManyProperties, OpeningRule.unknownType,
      OpeningRule.targetUnset,
    ]
    guard let rule = step.engine.openingRule, unsaid.contains(rule) else { return step.message }
    let text = "\(step.message), and \(step.engine.outcome)"
    if rule != OpeningRule.notUnique { return text }
    return text
      + "; remove the duplicates with `boxjoint store duplicates --remove DIR ENTITY.PROPERTY`"
  }

  private func resolve(
    _ hop: MigrationHop, _ mapping: ModelMapping
  ) throws -> ResolvedMapping {
    let resolver = MappingResolver(from: hop.old, to: hop.to.document.model, mapping)
    if resolver.problems.isEmpty { return resolver.result }
    throw MigrationError.invalidMapping(step: hop.name, resolver.problems)
  }

  /// Refuses a step after which a rule about removals does not fit the model, as the opening would.
  private func requireDeclarations(_ hops: [MigrationHop], _ stored: Declarations) throws {
    var declared = stored
    for hop in hops {
      let given = hop.to.declarations
      declared = given ?? declared
      let findings = declared.refusals(
        of: hop.to.document.model, areGiven: given != nil, path: hop.to.name
      ).map(\.finding)
      if !findings.isEmpty {
        throw MigrationError.step(hop.name, StoreError.incompatibleModel(findings))
      }
    }
  }

  private func requireSound(_ document: ModelDocument, _ path: String) throws {
    let errors = document.check().filter { $0.severity == .error }
    if errors.isEmpty { return }
    throw StoreError.invalidModel(errors.map { document.finding($0, path: path) })
  }
}

extension ModelMapping {
  /// The name of the mapping in messages.
  fileprivate var name: String {
    switch (from, to) {
    case (let from?, let to?): "the mapping from \(from) to \(to)"
    case (let from?, nil): "the mapping from \(from)"
    case (nil, let to?): "the mapping to \(to)"
    case (nil, nil): "a mapping without from and to"
    }
  }
}
