import BoxJSON
package import BoxModel

/// Two sources that disagree about an id or a UID.
package struct RecoveryConflict: Hashable, Sendable {
  /// The element, as `Note.title`.
  package var element: String
  /// The statement of each source, as `2:765 in lib/model.json`.
  package var statements: [String]

  /// The conflict in one sentence.
  package var sentence: String { "\(element) is \(statements.joined(separator: ", and "))" }
}

/// Joins a model file with the evidence of other sources, and collects their conflicts.
///
/// Nothing is invented: an element comes with its pair from a source, or is reported as missing.
package struct ModelJoin {
  /// The joined model.
  package internal(set) var model: Model
  /// The sources that disagree.
  package internal(set) var conflicts: [RecoveryConflict] = []
  /// Changes to the base, one sentence each.
  package internal(set) var changes: [String] = []
  /// Statements about what is not known, or was left as it is.
  package internal(set) var notes: [String] = []
  /// Relations that have no name yet: their label and pair.
  package var unnamedRelations: [(owner: String, pair: IDPair)] {
    model.entities.flatMap { entity in
      (entity.relations ?? []).filter { $0.name.isEmpty }.map { (entity.name, $0.pair) }
    }
  }

  /// The source of the base.
  let baseName: String
  /// The source of each element that is not from the base.
  private var origins: [ElementKey: String] = [:]
  /// The file to which the sources add; nil if the model is made of the sources alone.
  let base: Model?
  /// The last pairs of the file.
  let baseLastPairs: [Counter: IDPair]
  /// The newest whole code: what older copies have beyond it was removed.
  private var newestCode: Model?
  private var newestLastPairs: [Counter: IDPair] = [:]
  /// Whether the evidence that is added is provably not newer than ``newestCode``.
  private var addsOlderCode = false
  /// The ids of removed elements whose UIDs are known.
  private(set) var removedIDs: [Counter: Set<UInt32>] = [:]
  /// The places of the elements of ``model`` until all sources are added.
  var lookup: ElementLookup

  /// Begins with a file, or with nothing.
  ///
  /// - Parameters:
  ///   - base: The file; nil to make the model of the evidence alone.
  ///   - name: The place of the file.
  package init(base: Model?, name: String) {
    self.base = base
    baseName = name
    var model = base ?? EvidenceBuilder.unknownModel
    if base == nil {
      for kind in ElementKind.allCases { model[retired: kind] = [] }
    }
    self.model = model
    baseLastPairs = base?.lastPairs ?? [:]
    lookup = ElementLookup(model)
  }

  // MARK: Code

  /// Adds the evidence of several sources, the newest first.
  ///
  /// - Complexity: O(*n* · *m*) for *n* elements and *m* sources.
  mutating func add(_ sources: [Evidence]) {
    for source in sources {
      addsOlderCode = newestCode.map { Self.isNewer($0, than: source.model) } ?? false
      add(source, isNewer: !addsOlderCode && isNewer(source))
      if newestCode == nil, source.isComplete {
        newestCode = source.model
        newestLastPairs = source.model.lastPairs
        retireMissing(sources)
      }
    }
    if newestCode == nil { retireMissing(sources) }
    retireLastPairs(of: sources)
  }

  /// The sources that are not provably older than the newest whole code, which knows what was removed.
  func current(_ sources: [Evidence]) -> [Evidence] {
    guard let newestCode else { return sources }
    return sources.filter { source in
      source.model == newestCode || !Self.isNewer(newestCode, than: source.model)
    }
  }

  /// Whether code is provably newer than the base, or as new: none of its last ids is lower, and the base
  /// has retired none of its elements.
  func isNewer(_ evidence: Evidence) -> Bool {
    guard let base, evidence.isComplete else { return false }
    guard Self.isNewer(evidence.model, than: base) else { return false }
    let lists = ElementLookup(retiredOf: base)
    return !evidence.model.elementKeys.contains(where: lists.isRetired)
  }

  /// Whether no last id of a model is lower than the same one of another model.
  private static func isNewer(_ newer: Model, than older: Model) -> Bool {
    let (code, file) = (newer.highestIDs, older.highestIDs)
    for counter in [Counter.entity, .index, .relation]
    where code[counter] ?? 0 < file[counter] ?? 0 { return false }
    // An entity that the code lacks says nothing about its own properties.
    return newer.entities.allSatisfy { entity in
      let counter = Counter.property(entity: entity.pair.uid)
      return code[counter] ?? 0 >= file[counter] ?? 0
    }
  }

  private mutating func add(_ evidence: Evidence, isNewer: Bool) {
    for entity in evidence.model.entities {
      let key = ElementKey(.entity, entity.pair.uid)
      if let e = lookup.entities.position(ofUID: entity.pair.uid) {
        guard model.entities[e].pair == entity.pair else {
          addConflict(key, entity.name, model.entities[e].pair, entity.pair, evidence)
          continue
        }
        if isNewer {
          update(e, from: entity, evidence)
        } else {
          noteDifferences(e, entity, evidence)
        }
        addMembers(of: entity, to: e, evidence, isNewer: isNewer)
      } else if isRetired(key, entity.name, evidence) {
        continue
      } else if let e = lookup.entities.position(ofID: entity.pair.id) {
        let other = model.entities[e]
        conflicts.append(
          RecoveryConflict(
            element: "entity id \(entity.pair.id)",
            statements: [
              "\(other.name) \(other.pair) in \(origin(.entity, other.pair.uid))",
              "\(entity.name) \(entity.pair) in \(evidence.place(of: key))",
            ]))
      } else if let e = lookup.entities.position(ofName: entity.name) {
        addConflict(key, entity.name, model.entities[e].pair, entity.pair, evidence)
      } else if isRemoved(.entity, entity.pair, entity.name, evidence) {
        retireMembers(of: entity)
      } else if isGiven(.entity, entity.pair, entity.name, evidence) {
        continue
      } else {
        var added = Entity(pair: entity.pair, name: entity.name)
        added.flags = entity.flags
        added.externalName = entity.externalName
        added.lastPropertyID = entity.lastPropertyID
        model.entities.append(added)
        lookup.add(added)
        origins[key] = evidence.place(of: key)
        if base != nil {
          changes.append("added \(entity.name) \(entity.pair) from \(evidence.place(of: key))")
        }
        addMembers(of: entity, to: model.entities.count - 1, evidence, isNewer: true)
      }
    }
    raiseCounters(evidence)
    joinHeader(evidence)
  }

  private mutating func addMembers(
    of source: Entity, to e: Int, _ evidence: Evidence, isNewer: Bool
  ) {
    let isNew = origins[ElementKey(.entity, source.pair.uid)] != nil
    for property in source.properties {
      let key = ElementKey(.property, property.pair.uid)
      let name = "\(source.name).\(property.name)"
      if let p = lookup.properties[e].position(ofUID: property.pair.uid) {
        let known = model.entities[e].properties[p]
        if known.pair != property.pair {
          addConflict(key, name, known.pair, property.pair, evidence)
        } else {
          join(property, into: (e, p), evidence, isNewer: isNewer)
        }
      } else if isRetired(key, name, evidence) {
        continue
      } else if isRemoved(.property(entity: source.pair.uid), property.pair, name, evidence) {
        if let index = property.indexID { retire(.index, index.uid) }
      } else if let p = lookup.properties[e].position(ofID: property.pair.id)
        ?? lookup.properties[e].position(ofName: property.name)
      {
        let other = model.entities[e].properties[p]
        addConflict(key, "\(source.name).\(other.name)", other.pair, property.pair, evidence)
      } else if isGiven(.property(entity: source.pair.uid), property.pair, name, evidence) {
        continue
      } else {
        if let index = property.indexID, !isFree(index, name, evidence) { continue }
        lookup.add(property, to: e, at: model.entities[e].properties.count)
        model.entities[e].properties.append(property)
        origins[key] = evidence.place(of: key)
        if base != nil, !isNew {
          changes.append("added \(name) \(property.pair) from \(evidence.place(of: key))")
        }
      }
    }
    for relation in source.relations ?? [] {
      addRelation(relation, of: source, to: e, evidence, isNew: isNew)
    }
  }

  private mutating func addRelation(
    _ relation: Relation, of source: Entity, to e: Int, _ evidence: Evidence, isNew: Bool
  ) {
    let key = ElementKey(.relation, relation.pair.uid)
    let name = "\(source.name).\(relation.name)"
    if let place = lookup.relations.place(ofUID: relation.pair.uid),
      let known = self.relation(place)
    {
      if known.pair != relation.pair { addConflict(key, name, known.pair, relation.pair, evidence) }
      nameRelation(relation, at: place)
    } else if isRetired(key, name, evidence) {
      return
    } else if isRemoved(.relation, relation.pair, name, evidence) {
      return
    } else if let other = lookup.relations.place(ofID: relation.pair.id).flatMap(self.relation) {
      addConflict(key, "relation \(other.name)", other.pair, relation.pair, evidence)
    } else if isGiven(.relation, relation.pair, name, evidence) {
      return
    } else {
      if model.entities[e].relations == nil { model.entities[e].relations = [] }
      lookup.add(relation, to: e, at: model.entities[e].relations?.count ?? 0)
      model.entities[e].relations?.append(relation)
      origins[key] = evidence.place(of: key)
      if base != nil, !isNew {
        changes.append("added \(name) \(relation.pair) from \(evidence.place(of: key))")
      }
    }
  }

  private func relation(_ place: ElementPlace) -> Relation? {
    guard case .relation(let e, let r) = place else { return nil }
    return model.entities[e].relations?[r]
  }

  /// Gives a relation the name that another source has.
  private mutating func nameRelation(_ relation: Relation, at place: ElementPlace) {
    guard !relation.name.isEmpty, case .relation(let e, let r) = place,
      let known = model.entities[e].relations?[r], known.pair == relation.pair, known.name.isEmpty
    else { return }
    model.entities[e].relations?[r].name = relation.name
  }

  // MARK: Fields

  private mutating func update(_ e: Int, from entity: Entity, _ evidence: Evidence) {
    if !model.entities[e].name.hasSameBytes(as: entity.name) {
      changes.append(
        "renamed \(model.entities[e].name) to \(entity.name), as \(evidence.source) does")
      let old = foldedName(model.entities[e].name)
      for other in model.entities.indices {
        for p in model.entities[other].properties.indices
        where model.entities[other].properties[p].relationTarget.map(foldedName) == old {
          model.entities[other].properties[p].relationTarget = entity.name
        }
      }
      lookup.renameEntity(at: e, from: model.entities[e].name, to: entity.name)
      model.entities[e].name = entity.name
    }
    if model.entities[e].flags != entity.flags {
      changes.append("changed the flags of \(entity.name), as \(evidence.source) does")
      model.entities[e].flags = entity.flags
    }
  }

  private mutating func noteDifferences(_ e: Int, _ entity: Entity, _ evidence: Evidence) {
    let known = model.entities[e]
    if !known.name.hasSameBytes(as: entity.name) {
      notes.append(
        "\(known.name) is called \(entity.name) in \(evidence.source); the name of the file stays")
    }
  }

  private mutating func join(
    _ property: Property, into place: (e: Int, p: Int), _ evidence: Evidence, isNewer: Bool
  ) {
    let known = model.entities[place.e].properties[place.p]
    let name = "\(model.entities[place.e].name).\(known.name)"
    if let mine = known.indexID, let theirs = property.indexID, mine != theirs,
      mine.id == theirs.id || mine.uid == theirs.uid
    {
      return addConflict(
        ElementKey(.index, theirs.uid), "index of \(name)", mine, theirs, evidence)
    }
    var joined = known
    joined.name = property.name
    joined.type = property.type ?? known.type
    joined.flags = property.flags
    joined.indexID = property.indexID
    joined.relationTarget = property.relationTarget
    guard joined != known, !addsOlderCode else { return }
    if let index = property.indexID,
      isRetired(ElementKey(.index, index.uid), "the index of \(name)", evidence)
    {
      return
    }
    guard isNewer else {
      return notes.append("\(name) differs in \(evidence.source); the file's version stays")
    }
    if let index = property.indexID, index != known.indexID, !isFree(index, name, evidence) {
      return
    }
    if let old = known.indexID, old != joined.indexID { retire(.index, old.uid) }
    lookup.change(known, to: joined, of: place.e, at: place.p)
    model.entities[place.e].properties[place.p] = joined
    changes.append("changed \(name), as \(evidence.source) does")
  }

  // MARK: Conflicts

  private mutating func addConflict(
    _ key: ElementKey, _ name: String, _ mine: IDPair, _ theirs: IDPair, _ evidence: Evidence
  ) {
    conflicts.append(
      RecoveryConflict(
        element: name,
        statements: [
          "\(mine) in \(origin(key.kind, mine.uid))", "\(theirs) in \(evidence.place(of: key))",
        ]))
  }

  private func origin(_ kind: ElementKind, _ uid: UID) -> String {
    origins[ElementKey(kind, uid)] ?? baseName
  }

  /// Whether an element of the code is retired in the file: the code is older, and the file is right.
  private mutating func isRetired(
    _ key: ElementKey, _ name: String, _ evidence: Evidence
  ) -> Bool {
    guard lookup.isRetired(key) else { return false }
    // It says nothing about the file that the newest code does not have it.
    if addsOlderCode { return true }
    notes.append("\(name) is in \(evidence.place(of: key)), and retired in \(baseName)")
    return true
  }

  /// Whether an element of an older copy of the code was removed later, so that its UID is retired.
  private mutating func isRemoved(
    _ counter: Counter, _ pair: IDPair, _ name: String, _ evidence: Evidence
  ) -> Bool {
    guard addsOlderCode, let last = newestLastPairs[counter], pair.id <= last.id,
      !lookup.isInUse(pair.id, by: counter)
    else { return false }
    let key = ElementKey(counter.kind, pair.uid)
    retire(counter.kind, pair.uid)
    removedIDs[counter, default: []].insert(pair.id)
    notes.append(
      "\(name) is in the older \(evidence.place(of: key)) and not in \(baseName); its UID is retired"
    )
    return true
  }

  /// Whether the base has given an id of the code to an element that it has no more: the lines have
  /// parted.
  private mutating func isGiven(
    _ counter: Counter, _ pair: IDPair, _ name: String, _ evidence: Evidence
  ) -> Bool {
    guard let last = baseLastPairs[counter], pair.id <= last.id, pair != last else {
      return false
    }
    let key = ElementKey(counter.kind, pair.uid)
    conflicts.append(
      RecoveryConflict(
        element: name,
        statements: [
          "\(pair) in \(evidence.place(of: key))",
          "unknown to \(baseName), which has given ids up to \(last.id)",
        ]))
    return true
  }

  /// Whether no other index has the id or the UID of an index.
  private mutating func isFree(_ index: IDPair, _ name: String, _ evidence: Evidence) -> Bool {
    if case .index(let e, let p) = lookup.indexes.place(ofUID: index.uid)
      ?? lookup.indexes.place(ofID: index.id),
      let other = model.entities[e].properties[p].indexID
    {
      let owner = model.entities[e]
      addConflict(
        ElementKey(.index, index.uid), "index of \(owner.name).\(owner.properties[p].name)", other,
        index, evidence)
      return false
    }
    return !isGiven(.index, index, "index of \(name)", evidence)
  }
}
