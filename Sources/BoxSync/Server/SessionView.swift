/// A session's part of the log: the elements of its model, and the objects that its filters admit.
struct SessionView: Sendable {
  let model: SyncModel
  let rules: SessionRules

  /// The effects of an entry for the session, in order.
  ///
  /// - Complexity: O(*n*) in the size of the effects.
  func effects(of entry: LogEntry) -> [Effect<GlobalID>] {
    // Most entries have one.
    if entry.effects.count == 1 { return effects(of: entry.effects[0]) }
    return entry.effects.flatMap { effects(of: $0) }
  }

  /// Whether the session saw every object of an entry before and after it.
  func seesAll(of entry: LogEntry) -> Bool {
    entry.effects.allSatisfy { logged in
      switch logged.effect {
      case .put(let key, _, let fields, _):
        guard rules.views[key.entity] != nil else { return true }
        return (logged.lifeBefore % 2 == 0 || rules.admits(key.entity, logged.before))
          && rules.admits(key.entity, after(logged, fields))
      case .link(let pair), .unlink(let pair):
        guard let relation = model.relations[pair.relation] else { return false }
        return rules.admits(relation.source, logged.before)
      default: return true
      }
    }
  }

  private func after(_ logged: LoggedEffect, _ fields: Fields<GlobalID>) -> Fields<GlobalID> {
    if let whole = logged.whole { return whole }
    var after = logged.before
    after.merge(fields)
    return after
  }

  private func effects(of logged: LoggedEffect) -> [Effect<GlobalID>] {
    switch logged.effect {
    case .put(let key, let life, let fields, let isWhole):
      return put(logged, key, life, fields, isWhole)
    case .remove(let key, _):
      return model.entities[key.entity] == nil ? [] : [logged.effect]
    case .link(let pair), .unlink(let pair):
      guard let relation = model.relations[pair.relation],
        rules.admits(relation.source, logged.before)
      else { return [] }
      return [logged.effect]
    case .pairs, .forget: return []
    }
  }

  private func put(
    _ logged: LoggedEffect, _ key: GlobalKey, _ life: UInt32, _ fields: Fields<GlobalID>,
    _ isWhole: Bool
  ) -> [Effect<GlobalID>] {
    guard let entity = model.entities[key.entity] else { return [] }
    let wasAlive = logged.lifeBefore % 2 == 1
    let isIn = rules.admits(key.entity, after(logged, fields))
    let wasIn =
      wasAlive && (PlantedFault.omits(.viewBefore) || rules.admits(key.entity, logged.before))
    let known = { (fields: Fields<GlobalID>) in fields.filter { entity.property($0) != nil } }
    switch (wasIn, isIn) {
    case (true, true):
      let bits = known(fields)
      if bits.isEmpty, life == logged.lifeBefore { return [] }
      return [.put(key, life: life, bits, isWhole: false)]
    case (false, true):
      guard wasAlive else { return [.put(key, life: life, known(fields), isWhole: isWhole)] }
      let pairs = logged.pairs.filter { model.relations[$0.relation] != nil }
      return [
        .put(key, life: life, known(logged.whole ?? Fields()), isWhole: true), .pairs(key, pairs),
      ]
    case (true, false): return [.forget(key, life: life - 1)]
    case (false, false):
      // Each client knows the same life of an object that it does not see.
      return life - 1 > (wasAlive ? logged.lifeBefore - 1 : logged.lifeBefore)
        ? [.remove(key, life: life - 1)] : []
    }
  }

  /// An object in a page of a snapshot; empty if the session knows nothing of it.
  func page(
    _ key: GlobalKey, _ state: ObjectState<GlobalID>, _ pairs: Set<GlobalPair>
  ) -> [Effect<GlobalID>] {
    guard let entity = model.entities[key.entity] else { return [] }
    guard state.isAlive else {
      if state.life == 0 || PlantedFault.omits(.tombstonesInPages) { return [] }
      return [.remove(key, life: state.life)]
    }
    guard rules.admits(key.entity, state.fields) else {
      return state.life == 1 ? [] : [.remove(key, life: state.life - 1)]
    }
    let own = pairs.filter {
      $0.source == key.id && model.relations[$0.relation]?.source == key.entity
    }
    return [
      .put(
        key, life: state.life, state.fields.filter { entity.property($0) != nil }, isWhole: true),
      .pairs(key, own.sorted()),
    ]
  }
}
