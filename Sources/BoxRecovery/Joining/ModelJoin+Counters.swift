import BoxModel

extension ModelJoin {
  mutating func raiseCounters(_ evidence: Evidence) {
    var counters: [Counter] = [.entity, .index, .relation]
    counters += evidence.model.entities.map { .property(entity: $0.pair.uid) }
    for counter in counters {
      guard let theirs = evidence.model[last: counter] else { continue }
      if case .property(let owner) = counter,
        !model.entities.contains(where: { $0.pair.uid == owner })
      {
        continue
      }
      guard let mine = model[last: counter], !mine.isUnset else {
        if model[last: counter] == nil || !theirs.isUnset { model[last: counter] = theirs }
        continue
      }
      if theirs.id > mine.id {
        model[last: counter] = theirs
        if base != nil {
          changes.append(
            "raised \(counter.kind.lastPairKey) to \(theirs), as in \(evidence.source)")
        }
      } else if theirs.id == mine.id, theirs != mine {
        conflicts.append(
          RecoveryConflict(
            element: counter.kind.lastPairKey,
            statements: ["\(mine) in \(baseName)", "\(theirs) in \(evidence.source)"]))
      }
    }
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
    var live: [ElementKind: Set<UID>] = [:]
    model.forEachElement { place, pair in live[place.kind, default: []].insert(pair.uid) }
    for kind in ElementKind.allCases {
      // A list of a stranger may be long.
      var known = live[kind, default: []].union(model[retired: kind] ?? [])
      let added = (found[retired: kind] ?? []).filter { known.insert($0).inserted }
      if !added.isEmpty { model[retired: kind] = (model[retired: kind] ?? []) + added }
    }
  }

  func isLive(_ kind: ElementKind, _ uid: UID) -> Bool {
    var isLive = false
    model.forEachElement { place, pair in
      if place.kind == kind, pair.uid == uid { isLive = true }
    }
    return isLive
  }

  mutating func retire(_ kind: ElementKind, _ uid: UID) {
    var list = model[retired: kind] ?? []
    if list.contains(uid) { return }
    list.append(uid)
    model[retired: kind] = list
  }

  /// Retires the elements of the base that no code has, if all codes are provably newer.
  mutating func retireMissing(_ sources: [Evidence]) {
    guard let base, !sources.isEmpty else { return }
    var known: Set<ElementKey> = []
    for source in sources {
      source.model.forEachElement { place, pair in known.insert(ElementKey(place.kind, pair.uid)) }
    }
    var missing: [(key: ElementKey, label: String)] = []
    base.forEachElement { place, pair in
      let key = ElementKey(place.kind, pair.uid)
      if !known.contains(key), place.kind != .index { missing.append((key, base.label(place))) }
    }
    if missing.isEmpty { return }
    let areNewer = sources.allSatisfy { isNewer($0) }
    for element in missing {
      guard areNewer, conflicts.isEmpty else {
        notes.append("\(element.label) is in \(baseName) and not in the code; it stays")
        continue
      }
      changes.append("retired \(element.label), which the newer code lacks")
      remove(element.key)
    }
  }

  /// Retires the properties, indexes and relations of an entity that was removed.
  mutating func retireMembers(of entity: Entity) {
    for property in entity.properties {
      retire(.property, property.pair.uid)
      if let index = property.indexID { retire(.index, index.uid) }
    }
    for relation in entity.relations ?? [] { retire(.relation, relation.pair.uid) }
  }

  private mutating func remove(_ key: ElementKey) {
    switch key.kind {
    case .entity:
      guard let e = model.entities.firstIndex(where: { $0.pair.uid == key.uid }) else { return }
      let entity = model.entities.remove(at: e)
      retire(.entity, key.uid)
      retireMembers(of: entity)
    case .property:
      for e in model.entities.indices {
        guard let p = model.entities[e].properties.firstIndex(where: { $0.pair.uid == key.uid })
        else { continue }
        let property = model.entities[e].properties.remove(at: p)
        retire(.property, key.uid)
        if let index = property.indexID { retire(.index, index.uid) }
      }
    case .relation:
      for e in model.entities.indices {
        guard let r = model.entities[e].relations?.firstIndex(where: { $0.pair.uid == key.uid })
        else { continue }
        model.entities[e].relations?.remove(at: r)
        retire(.relation, key.uid)
      }
    case .index: return
    }
  }
}
