internal import BoxConvert
public import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStorage

extension MigrationPlan {
  /// Counts the data of a store that each step affects, apart from steps that have counts already.
  ///
  /// The counts decide the verdicts that depend on data: without objects a type change blocks
  /// nothing, and without duplicates a unique constraint blocks nothing.
  ///
  /// - Parameter store: A store that was opened with the old model.
  /// - Throws: The errors of reading the store.
  /// - Complexity: O(*n*) in the objects of entities whose values a step concerns, and O(*n* log *n*)
  ///   where values become unique; memory is bounded.
  public mutating func count(in store: ObjectStore) throws {
    let statistics = try store.statistics()
    let lookup = ModelLookup(old.model)
    let newLookup = ModelLookup(new.model)
    let sizes = Dictionary(
      statistics.entities.map { ($0.uid, $0) }, uniquingKeysWith: { first, _ in first })
    let forecast = OpeningForecast(opening: new.model, new.declarations, in: store) {
      (sizes[$0]?.objects.entries ?? 0) > 0
    }
    settle(by: forecast, newLookup)
    settleFormat(features: statistics.features) { (sizes[$0]?.objects.entries ?? 0) > 0 }
    var tasks: [UID: [ValueCount]] = [:]
    for position in steps.indices {
      guard steps[position].counts == nil, let kind = steps[position].kind,
        let uid = steps[position].uid, let place = lookup[kind, uid]
      else { continue }
      let entity = old.model.entities[place.entity].pair.uid
      let sizes = sizes[entity]
      let objects = sizes?.objects.entries ?? 0
      switch place {
      case .entity: steps[position].counts = DataCounts(affected: objects, unit: .objects)
      case .relation:
        let entries = sizes?.relations.first { $0.uid == uid }?.entries.entries ?? 0
        steps[position].counts = DataCounts(affected: entries, unit: .links)
      case .index: steps[position].counts = DataCounts(affected: objects, unit: .objects)
      case .property:
        tasks[entity, default: []].append(
          ValueCount(
            step: position, property: uid, steps[position],
            from: old.model.property(uid, lookup), to: new.model.property(uid, newLookup)))
      }
    }
    for (entity, counts) in tasks {
      guard let schema = store.entity(entity) else { continue }
      for count in try Self.counting(counts, schema, store) { add(count) }
    }
    for position in steps.indices { steps[position].settleClass(targets) }
    steps = Self.sorted(steps)
  }

  /// Drops refusals of elements without objects in the store, and adds refusals that no two models show:
  /// hidden data can have another type than the element that comes back under its UID.
  private mutating func settle(by forecast: OpeningForecast, _ newLookup: ModelLookup) {
    let own = Set(steps.compactMap(\.element))
    for position in steps.indices {
      guard let element = steps[position].element else { continue }
      let rule = steps[position].engine.openingRule
      // Duplicates are counted.
      if rule == OpeningRule.notUnique { continue }
      if let rule, rule.severity == .error {
        if forecast.refusal(of: element) != nil { continue }
        steps[position].engine = EngineVerdict(
          .safe, "it opens: the entity has no objects in this store")
      }
      // Parts of an added entity have no steps of their own.
      let parts = [element] + parts(of: element, newLookup).filter { !own.contains($0) }
      guard let refusal = parts.lazy.compactMap({ forecast.refusal(of: $0) }).first else {
        continue
      }
      steps[position].engine = EngineVerdict(
        .openFailure, "the store is refused: \(refusal.message)", .untouched, rule: refusal.rule)
    }
  }

  /// The properties and relations of an entity of the new model; none of any other element.
  private func parts(of element: ElementKey, _ lookup: ModelLookup) -> [ElementKey] {
    guard element.kind == .entity, let position = lookup.entity(element.uid) else { return [] }
    let entity = new.model.entities[position]
    return entity.properties.map { ElementKey(.property, $0.pair.uid) }
      + (entity.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }
  }

  private static func counting(
    _ counts: [ValueCount], _ schema: EntitySchema, _ store: ObjectStore
  ) throws -> [ValueCount] {
    var counts = counts
    let positions = counts.map { count in
      schema.properties.firstIndex { $0.uid == count.property }
    }
    try store.read { transaction in
      try transaction.visitObjects(schema) { object in
        for (index, position) in positions.enumerated() {
          if let position { counts[index].add(object.values[position]) }
        }
        return .next
      }
      for (index, position) in positions.enumerated() {
        guard let position, let skipsZero = counts[index].skipsZero else { continue }
        counts[index].duplicates = try transaction.countDuplicates(
          of: schema.properties[position], in: schema, skipsZero: skipsZero)
      }
    }
    return counts
  }

  private mutating func add(_ count: ValueCount) {
    steps[count.step].counts = count.result
    guard let duplicates = count.result.duplicates else { return }
    if count.skipsZero == nil {
      steps[count.step].engine = EngineVerdict(
        .safe, "it opens: no index is built of it, so two objects can have one value")
      return
    }
    steps[count.step].engine =
      duplicates > 0
      ? EngineVerdict(
        .openFailure,
        "the store is refused: \(counted(duplicates, "value has", "values have")) a duplicate",
        .untouched,
        rule: OpeningRule.notUnique)
      : EngineVerdict(.cost, "the index is rebuilt; no two objects have one value")
  }
}

/// Counts the values of a property for a step.
private struct ValueCount {
  let step: Int
  let property: UID
  private let conversion: TypeConversion?
  /// Whether the unique index skips zero; nil without a unique index.
  let skipsZero: Bool?
  /// The number of objects whose value an earlier object has.
  var duplicates = 0
  private let isUnique: Bool
  private let isSign: Bool
  private let countsNulls: Bool
  private var affected = 0
  private var unfit = 0

  init(step: Int, property: UID, _ planned: PlanStep, from old: Property?, to new: Property?) {
    self.step = step
    self.property = property
    isUnique = planned.engine.openingRule == OpeningRule.notUnique
    skipsZero = isUnique ? new.flatMap { OpeningForecast.indexSkipsZero($0) } : nil
    let isSign = planned.rule.id == ChangeRule.signChanged.rule.id
    self.isSign = isSign
    conversion = planned.conversion ?? (isSign ? Self.signConversion(old, new) : nil)
    countsNulls = planned.rule.id == ChangeRule.notNullChanged.rule.id
  }

  /// The conversion of integers that become signed or unsigned; nil for any other change.
  private static func signConversion(_ old: Property?, _ new: Property?) -> TypeConversion? {
    guard let old, let new, let from = old.type, let to = new.type else { return nil }
    let conversion = TypeConversion(from: from, old.flags, to: to, new.flags, of: new.name)
    return conversion.fidelity == .none ? nil : conversion
  }

  mutating func add(_ value: Value) {
    if countsNulls {
      if value == .null { affected += 1 }
      return
    }
    if value == .null { return }
    affected += 1
    if let conversion, !conversion.carries(value) { unfit += 1 }
  }

  var result: DataCounts {
    DataCounts(
      affected: affected, unit: countsNulls ? .objectsWithoutValue : .values,
      duplicates: isUnique ? duplicates : nil,
      unfit: conversion != nil || isSign ? unfit : nil)
  }
}
