internal import BoxEngine
internal import BoxModel

extension Resolver {
  /// Applies an operation.
  ///
  /// - Returns: The code with which the transaction is rejected; nil if the operation had an effect, or none.
  mutating func resolve(
    _ operation: SyncOperation<GlobalID>, _ writer: Writer, now: UInt64
  ) -> SyncCode? {
    if let pair = operation.pair {
      resolve(pair, isLinked: operation.kind == .link, writer)
      return nil
    }
    guard let entity = model.entities[operation.element],
      let known = writer.model.entities[operation.element], operation.kind != .replaced
    else {
      isExact = false
      return nil
    }
    return resolve(operation, entity, known, writer, now: now)
  }

  private mutating func resolve(
    _ operation: SyncOperation<GlobalID>, _ entity: SyncEntity, _ known: SyncEntity,
    _ writer: Writer, now: UInt64
  ) -> SyncCode? {
    let key = operation.key
    let before = object(key)
    if before.isAlive, !writer.rules.admits(key.entity, before.fields) {
      isExact = false
      return operation.kind == .insert ? .reqRejected : nil
    }
    let operation = accepted(operation, entity, known, now: now)
    var after = before
    let outcome = entity.merge(operation, into: &after)
    if outcome == .noEffect {
      isExact = false
      return nil
    }
    if before.isAlive, !writer.rules.mayWrite(key.entity, before.fields) { return .reqRejected }
    if outcome == .removed {
      remove(key, before)
      return nil
    }
    guard writer.rules.sees(key.entity, after), writer.rules.mayWrite(key.entity, after.fields)
    else { return .reqRejected }
    if let code = claim(operation.fields, key, before, entity, writer) { return code }
    set(key, after)
    if operation.kind == .insert && outcome == .changed { isExact = false }
    let fields = outcome == .created ? after.fields : operation.fields
    let put = Effect.put(key, life: after.life, fields, isWhole: outcome == .created)
    effects.append(logged(put, key, before, after))
    return nil
  }

  /// The operation without bits outside of the writer's model, and with a clock that is not ahead.
  private mutating func accepted(
    _ operation: SyncOperation<GlobalID>, _ entity: SyncEntity, _ known: SyncEntity, now: UInt64
  ) -> SyncOperation<GlobalID> {
    guard operation.kind == .insert || operation.kind == .update else { return operation }
    var result = operation
    result.fields = operation.fields.filter {
      known.property($0) != nil && entity.property($0) != nil
    }
    if result.fields.list.count != operation.fields.list.count { isExact = false }
    if let clock = entity.clock, let value = result.fields[clock]?.unsigned,
      value > SyncClock.value(milliseconds: now + SyncClock.tolerance)
    {
      let last = PlantedFault.omits(.increasingClocks) ? 0 : changes.space.hlc
      let hlc = max(last + 1, SyncClock.value(milliseconds: now))
      advanceClock(to: hlc)
      result.fields[clock] = .value(.integer(Int64(bitPattern: hlc)))
      isExact = false
    }
    return result
  }

  /// Takes the unique values of a put.
  ///
  /// - Returns: The code of a rejection.
  private mutating func claim(
    _ fields: Fields<GlobalID>, _ key: GlobalKey, _ before: ObjectState<GlobalID>,
    _ entity: SyncEntity, _ writer: Writer
  ) -> SyncCode? {
    for property in entity.properties where property.unique != .none {
      if PlantedFault.omits(.uniqueValues) { continue }
      guard let named = fields[property.uid] else { continue }
      if case .value(let old)? = before.fields[property.uid], old != .null {
        let oldKey = UniqueKey(property: property.uid, value: old)
        if holder(oldKey) == key { setHolder(oldKey, nil) }
      }
      guard case .value(let value) = named, value != .null else { continue }
      let unique = UniqueKey(property: property.uid, value: value)
      if let other = holder(unique), other != key {
        let state = object(other)
        guard property.unique == .replace, writer.rules.sees(key.entity, state) else {
          return .txViolatedUnique
        }
        remove(other, state)
        isExact = false
      }
      setHolder(unique, key)
    }
    return nil
  }

  private mutating func remove(_ key: GlobalKey, _ before: ObjectState<GlobalID>) {
    for pair in pairs(of: key) where !PlantedFault.omits(.pairsOfRemovals) {
      if let relation = model.relations[pair.relation] { change(pair, isLinked: false, relation) }
    }
    for property in model.entities[key.entity]?.properties ?? [] where property.unique != .none {
      if case .value(let value)? = before.fields[property.uid] {
        let unique = UniqueKey(property: property.uid, value: value)
        if holder(unique) == key { setHolder(unique, nil) }
      }
    }
    let after = ObjectState<GlobalID>(life: before.life + 1)
    set(key, after)
    effects.append(LoggedEffect(.remove(key, life: after.life)))
  }

  private mutating func resolve(_ pair: GlobalPair, isLinked: Bool, _ writer: Writer) {
    guard let relation = model.relations[pair.relation],
      writer.model.relations[pair.relation] != nil
    else { return isExact = false }
    let source = GlobalKey(entity: relation.source, id: pair.source)
    let before = object(source)
    let target = object(GlobalKey(entity: relation.target, id: pair.target))
    guard writer.rules.sees(relation.source, before), writer.rules.sees(relation.target, target)
    else { return isExact = false }
    change(pair, isLinked: isLinked, relation)
    effects.append(logged(isLinked ? .link(pair) : .unlink(pair), source, before, before))
  }

  /// An effect with the values that filters read, and with the whole object where one of them changed.
  private func logged(
    _ effect: Effect<GlobalID>, _ key: GlobalKey, _ before: ObjectState<GlobalID>,
    _ after: ObjectState<GlobalID>
  ) -> LoggedEffect {
    let read = access.propertiesRead(key.entity)
    if read.isEmpty { return LoggedEffect(effect, lifeBefore: before.life) }
    let old = before.fields.filter(read.contains)
    guard before.isAlive, old != after.fields.filter(read.contains) else {
      return LoggedEffect(effect, before: old, lifeBefore: before.life)
    }
    let pairs = pairs(of: key).filter {
      $0.source == key.id && model.relations[$0.relation]?.source == key.entity
    }
    return LoggedEffect(
      effect, before: old, lifeBefore: before.life, whole: after.fields, pairs: pairs.sorted())
  }
}

extension Pair: Comparable where ID: Comparable {
  /// Whether a pair comes before another one: by the relation, the source and the target.
  package static func < (a: Pair, b: Pair) -> Bool {
    (a.relation, a.source, a.target) < (b.relation, b.source, b.target)
  }
}
