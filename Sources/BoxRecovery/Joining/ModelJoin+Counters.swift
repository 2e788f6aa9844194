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
    for kind in ElementKind.allCases {
      for uid in found[retired: kind] ?? [] where !isLive(kind, uid) { retire(kind, uid) }
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

  private mutating func remove(_ key: ElementKey) {
    switch key.kind {
    case .entity:
      guard let e = model.entities.firstIndex(where: { $0.pair.uid == key.uid }) else { return }
      let entity = model.entities.remove(at: e)
      retire(.entity, key.uid)
      for property in entity.properties {
        retire(.property, property.pair.uid)
        if let index = property.indexID { retire(.index, index.uid) }
      }
      for relation in entity.relations ?? [] { retire(.relation, relation.pair.uid) }
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
