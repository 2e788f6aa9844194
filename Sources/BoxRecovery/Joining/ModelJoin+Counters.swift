import BoxModel

extension ModelJoin {
  /// Raises the counters to the counters of a source.
  mutating func raiseCounters(_ evidence: Evidence) {
    for counter in [Counter.entity, .index, .relation] {
      model[last: counter] = raised(
        counter, from: model[last: counter], to: evidence.model[last: counter], evidence)
    }
    for entity in evidence.model.entities {
      guard let e = lookup.entities.position(ofUID: entity.pair.uid) else { continue }
      model.entities[e].lastPropertyID = raised(
        .property(entity: entity.pair.uid), from: model.entities[e].lastPropertyID,
        to: entity.lastPropertyID, evidence)
    }
  }

  private mutating func raised(
    _ counter: Counter, from mine: IDPair?, to theirs: IDPair?, _ evidence: Evidence
  ) -> IDPair? {
    guard let theirs else { return mine }
    guard let mine, !mine.isUnset else { return mine == nil || !theirs.isUnset ? theirs : mine }
    if theirs.id > mine.id {
      if base != nil {
        changes.append("raised \(counter.kind.lastPairKey) to \(theirs), as in \(evidence.source)")
      }
      return theirs
    }
    if theirs.id == mine.id, theirs != mine {
      conflicts.append(
        RecoveryConflict(
          element: counter.kind.lastPairKey,
          statements: ["\(mine) in \(baseName)", "\(theirs) in \(evidence.source)"]))
    }
    return mine
  }

  /// Takes what only the head of a model has, where nothing is known yet.
  mutating func joinHeader(_ evidence: Evidence) {
    let found = evidence.model
    guard base == nil else { return }
    model.lastSequenceID = model.lastSequenceID ?? found.lastSequenceID
    model.modelVersion = model.modelVersion ?? found.modelVersion
    model.modelVersionParserMinimum =
      model.modelVersionParserMinimum ?? found.modelVersionParserMinimum
    model.version = model.version ?? found.version
    let live = model.elementKeys
    for kind in ElementKind.allCases {
      // A list of a stranger may be long.
      for uid in found[retired: kind] ?? [] where !live.contains(ElementKey(kind, uid)) {
        retire(kind, uid)
      }
    }
  }

  /// Adds a UID to the retired ones, unless they have it.
  mutating func retire(_ kind: ElementKind, _ uid: UID) {
    guard lookup.retire(ElementKey(kind, uid)) else { return }
    var list = model[retired: kind] ?? []
    // The model must not share the list, or each UID would copy it.
    model[retired: kind] = nil
    list.append(uid)
    model[retired: kind] = list
  }

  /// Retires the elements of the base that no code has, if all codes are provably newer than the base.
  ///
  /// An older copy of the newest code has no say.
  mutating func retireMissing(_ all: [Evidence]) {
    let sources = current(all)
    guard let base, !sources.isEmpty else { return }
    let known = sources.reduce(into: Set<ElementKey>()) { $0.formUnion($1.model.elementKeys) }
    var missing: [(key: ElementKey, label: String)] = []
    base.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      if !known.contains(key), place.kind != .index { missing.append((key, base.label(place))) }
    }
    if missing.isEmpty { return }
    let areNewer = sources.allSatisfy { isNewer($0) }
    guard areNewer, conflicts.isEmpty else {
      notes += missing.map { "\($0.label) is in \(baseName) and not in the code; it stays" }
      return
    }
    changes += missing.map { "retired \($0.label), which the newer code lacks" }
    remove(Set(missing.map(\.key)))
    lookup = ElementLookup(model)
  }

  /// Retires the properties, indexes and relations of an entity that was removed.
  mutating func retireMembers(of entity: Entity) {
    for property in entity.properties {
      retire(.property, property.pair.uid)
      if let index = property.indexID { retire(.index, index.uid) }
    }
    for relation in entity.relations ?? [] { retire(.relation, relation.pair.uid) }
  }

  /// Removes entities, properties and relations, and retires them with what belongs to them.
  private mutating func remove(_ keys: Set<ElementKey>) {
    for entity in model.entities where keys.contains(ElementKey(.entity, entity.pair.uid)) {
      retire(.entity, entity.pair.uid)
      retireMembers(of: entity)
    }
    model.entities.removeAll { keys.contains(ElementKey(.entity, $0.pair.uid)) }
    for e in model.entities.indices {
      for property in model.entities[e].properties
      where keys.contains(ElementKey(.property, property.pair.uid)) {
        retire(.property, property.pair.uid)
        if let index = property.indexID { retire(.index, index.uid) }
      }
      model.entities[e].properties.removeAll { keys.contains(ElementKey(.property, $0.pair.uid)) }
      for relation in model.entities[e].relations ?? []
      where keys.contains(ElementKey(.relation, relation.pair.uid)) {
        retire(.relation, relation.pair.uid)
      }
      model.entities[e].relations?.removeAll {
        keys.contains(ElementKey(.relation, $0.pair.uid))
      }
    }
  }
}
