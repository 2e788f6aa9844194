internal import BoxEngine
internal import BoxModel
internal import BoxReport

/// Added and removed elements.
extension Planner {
  /// Adds steps for UIDs that now belong to another kind of element.
  mutating func planKindChanges() {
    let added = difference.sortedKeys.filter { difference[$0.kind, $0.uid] == .added }
    for key in added {
      guard let place = newLookup[key.kind, key.uid],
        let before = ElementKind.allCases.first(where: { kind in
          guard kind != key.kind, case .removed? = difference[kind, key.uid] else { return false }
          return true
        }), let oldPlace = oldLookup[before, key.uid]
      else { continue }
      let subject = Subject(
        kind: key.kind, uid: key.uid, oldPlace: oldPlace, newPlace: place, key: nil)
      add(
        ChangeRule.kindChanged, subject, before: "\(before) \(old.label(oldPlace))",
        after: "\(key.kind) \(new.label(place))",
        "the UID of the \(before) \(old.label(oldPlace)) stands for the \(key.kind) "
          + "\(new.label(place)) now",
        covers: coverage(with: oldPlace, of: old) + coverage(with: place, of: new)
      ) { planner, step in
        step.engine = planner.kindVerdict(step.engine, oldPlace, place)
      }
    }
  }

  /// The engine knows the UIDs of entities, properties and relations, and where they belong.
  private func kindVerdict(
    _ verdict: EngineVerdict, _ oldPlace: ElementPlace, _ newPlace: ElementPlace
  ) -> EngineVerdict {
    if oldPlace.kind == .index || newPlace.kind == .index || oldPlace.kind == .entity {
      let hidden =
        refusalWithoutTarget(newPlace)
        ?? EngineVerdict(.dataHidden, "what was stored under the UID is hidden, and it opens")
      guard oldPlace.kind != .index, let uid = old.uid(at: oldPlace) else { return hidden }
      return unretired(hidden, oldPlace.kind, uid)
    }
    if newPlace.kind == .entity { return verdict }
    let key = ElementKey(newPlace.kind, new.uid(at: newPlace) ?? 0)
    let rule = [OpeningRule.kindChanged, OpeningRule.moved].first {
      forecast.objects(to: key, by: $0)
    }
    return EngineVerdict(verdict.changeClass, verdict.outcome, .untouched, rule: rule)
  }

  /// Entities that were added or removed, with all their parts.
  mutating func planEntities() {
    for key in difference.sortedKeys where key.kind == .entity { planPresence(key) }
  }

  /// An element that was added or removed, unless a step covers it.
  mutating func planPresence(_ key: ElementKey) {
    if isCovered(.element(key)) { return }
    switch difference[key.kind, key.uid] {
    case .added: planAdded(key)
    case .removed(let removal): planRemoved(key, removal)
    case .changed, nil: break
    }
  }

  private mutating func planAdded(_ key: ElementKey) {
    guard let place = newLookup[key.kind, key.uid] else { return }
    let subject = subject(key)
    let covers = coverage(with: place, of: new)
    let after = PlanWords.summary(new, place)
    if oldLookup.isRetired(key.uid) {
      return add(
        ChangeRule.revived, subject, before: "retired", after: after,
        "the \(key.kind) \(label(subject)) has the UID \(key.uid), which was retired",
        covers: covers)
    }
    if let owner = removedOwner(of: place) {
      return add(
        ChangeRule.idReused, subject, before: owner, after: after,
        "the new \(key.kind) \(label(subject)) has the id of \(owner), which was removed",
        covers: covers
      ) { planner, step in
        step.engine = planner.limited(step.engine, place)
      }
    }
    let rule =
      switch key.kind {
      case .entity: ChangeRule.entityAdded
      case .property: ChangeRule.propertyAdded
      case .index: ChangeRule.indexAdded
      case .relation: ChangeRule.relationAdded
      }
    add(
      rule, subject, after: after, "the \(key.kind) \(named(key.kind, subject)) was added",
      covers: covers
    ) { planner, step in
      step.engine = planner.limited(step.engine, place)
    }
  }

  /// The verdict of the engine on a new element, by its refusals of the element and its parts.
  func limited(_ verdict: EngineVerdict, _ place: ElementPlace) -> EngineVerdict {
    let entity = new.entities[place.entity]
    let properties: [Property] =
      switch place {
      case .entity: entity.properties
      case .property(_, let p), .index(_, let p): [entity.properties[p]]
      case .relation: []
      }
    if let odd = first(of: properties, OpeningRule.unknownType) {
      if !hasStores, odd.type == nil {
        return EngineVerdict(.safe, "no store can be of the old model")
      }
      let reason = odd.type.map { "is of \($0), which cannot be stored" } ?? "has no type"
      return EngineVerdict(
        .openFailure, "the store is refused: \(odd.name) \(reason)", .untouched,
        rule: OpeningRule.unknownType)
    }
    if let refusal = refusalWithoutTarget(place) { return refusal }
    if first(of: properties, OpeningRule.tooManyProperties) != nil {
      return EngineVerdict(
        .openFailure, "the store is refused: the entity has had more than 8,000 properties",
        .untouched, rule: OpeningRule.tooManyProperties)
    }
    if let odd = first(of: properties, OpeningRule.vectorIndex) {
      return EngineVerdict(
        verdict.changeClass == .cost ? .safe : verdict.changeClass,
        "it opens and warns: the index of \(odd.name) is not built, as its type has none",
        verdict.rollback, rule: OpeningRule.vectorIndex)
    }
    return verdict
  }

  /// The first property that the engine refuses by a rule, if any.
  private func first(of properties: [Property], _ rule: Rule) -> Property? {
    properties.first { forecast.objects(to: ElementKey(.property, $0.pair.uid), by: rule) }
  }

  /// The refusal of new to-many relations without a target; nil if all relations have one.
  private func refusalWithoutTarget(_ place: ElementPlace) -> EngineVerdict? {
    let all = new.entities[place.entity].relations ?? []
    let relations: [Relation] =
      switch place {
      case .entity: all
      case .relation(_, let r): [all[r]]
      case .property, .index: []
      }
    let open = relations.first { relation in
      forecast.objects(
        to: ElementKey(.relation, relation.pair.uid), by: OpeningRule.targetUnset)
    }
    guard hasStores, let open else { return nil }
    return EngineVerdict(
      .openFailure, "the store is refused: \(open.name) does not say which entity it refers to",
      .untouched, rule: OpeningRule.targetUnset)
  }

  /// The name of the removed element that had the number of a new one, if any.
  private func removedOwner(of place: ElementPlace) -> String? {
    let entity = new.entities[place.entity]
    switch place {
    case .entity:
      guard let before = idOwners.entities[entity.pair.id],
        newLookup.entity(old.entities[before].pair.uid) == nil
      else { return nil }
      return old.label(.entity(before))
    case .property(_, let p):
      guard let position = oldLookup.entity(entity.pair.uid),
        let before = idOwners.property(entity.properties[p].pair.id, of: position),
        newLookup[.property, old.entities[position].properties[before].pair.uid] == nil
      else { return nil }
      return old.label(.property(entity: position, before))
    case .relation(_, let r):
      guard let pair = entity.relations?[r].pair, let before = idOwners.relations[pair.id],
        case .relation(let e, let i) = before, let gone = old.entities[e].relations?[i].pair,
        newLookup[.relation, gone.uid] == nil
      else { return nil }
      return old.label(before)
    case .index: return nil
    }
  }

  /// The name of the removed index that had the number of a new index, if any.
  func removedIndex(withID id: UInt32) -> String? {
    guard let place = idOwners.indexes[id], case .index(let e, let p) = place,
      let uid = old.entities[e].properties[p].indexID?.uid, newLookup[.index, uid] == nil
    else { return nil }
    return old.label(place)
  }

  private mutating func planRemoved(_ key: ElementKey, _ removal: Removal) {
    guard let place = oldLookup[key.kind, key.uid] else { return }
    let subject = subject(key)
    let how =
      switch removal {
      case .retired: "was removed"
      case .forgotten: "was removed, and its UID is not retired"
      case .neverHad: "is not in the new model, which does not come from one that had it"
      }
    add(
      Self.rule(removed: key.kind, removal), subject, before: PlanWords.summary(old, place),
      "the \(key.kind) \(named(key.kind, subject)) \(how)", covers: coverage(with: place, of: old)
    ) { planner, step in
      step.engine = planner.withoutID(step.engine, place)
      if planner.isYetToBeMerged(key) {
        step.remedy = "merge first: it was added after the new version left this line"
      }
      if key.kind == .entity, let relation = planner.removedRelation(to: key.uid) {
        step.objectBox.outcome +=
          "; versions 2.3 to 2.5 crashed where a relation to the entity, here \(relation), was "
          + "removed with it (objectbox-java #490, #682, #811, #859)"
      }
    }
  }

  private static func rule(removed kind: ElementKind, _ removal: Removal) -> ChangeRule {
    switch (kind, removal) {
    case (.entity, .retired): ChangeRule.entityRemoved
    case (.entity, .forgotten): ChangeRule.entityForgotten
    case (.entity, .neverHad): ChangeRule.entityNeverHad
    case (.property, .retired): ChangeRule.propertyRemoved
    case (.property, .forgotten): ChangeRule.propertyForgotten
    case (.property, .neverHad): ChangeRule.propertyNeverHad
    case (.index, .retired): ChangeRule.indexRemoved
    case (.index, _): ChangeRule.indexForgotten
    case (.relation, .retired): ChangeRule.relationRemoved
    case (.relation, .forgotten): ChangeRule.relationForgotten
    case (.relation, .neverHad): ChangeRule.relationNeverHad
    }
  }

  /// The verdict of the engine on the removal of the property that holds the ids.
  func withoutID(_ verdict: EngineVerdict, _ place: ElementPlace) -> EngineVerdict {
    guard case .property(let e, let p) = place,
      forecast.objects(
        to: ElementKey(.property, old.entities[e].properties[p].pair.uid), by: OpeningRule.idChanged
      )
    else { return verdict }
    return EngineVerdict(
      .openFailure, "a store with objects of the entity is refused: its id is another property",
      .untouched, rule: OpeningRule.idChanged)
  }

  /// The verdict of the engine on a hidden element whose UID is not retired.
  func unretired(_ verdict: EngineVerdict, _ kind: ElementKind, _ uid: UID) -> EngineVerdict {
    let isWarned = forecast.objects(to: ElementKey(kind, uid), by: OpeningRule.hiddenNotRetired)
    if verdict.openingRule != nil || !isWarned { return verdict }
    var verdict = verdict
    verdict.outcome += "; opening warns that the old UID is not retired"
    verdict.openingRule = OpeningRule.hiddenNotRetired
    return verdict
  }

  /// The name of the relation that was removed together with its target entity, if any.
  private func removedRelation(to entity: UID) -> String? {
    removedRelations[entity].map { old.label($0) }
  }

  /// The first removed relation to each entity.
  ///
  /// - Complexity: O(*n*) in the number of relations.
  static func removedRelations(_ old: Model, _ newLookup: ModelLookup) -> [UID: ElementPlace] {
    var result: [UID: ElementPlace] = [:]
    for (e, owner) in old.entities.enumerated() {
      for (r, relation) in (owner.relations ?? []).enumerated()
      where result[relation.target.uid] == nil && newLookup[.relation, relation.pair.uid] == nil {
        result[relation.target.uid] = .relation(entity: e, r)
      }
    }
    return result
  }

  /// The label without the words that the kind of the element has in front of it already.
  func named(_ kind: ElementKind, _ subject: Subject) -> String {
    let label = label(subject)
    return kind == .index && label.hasPrefix("index of ") ? String(label.dropFirst(6)) : label
  }
}

/// The numbers of a model and what has them.
struct IDOwners {
  private(set) var entities: [UInt32: Int] = [:]
  private(set) var indexes: [UInt32: ElementPlace] = [:]
  private(set) var relations: [UInt32: ElementPlace] = [:]
  private var properties: [PropertyNumber: Int] = [:]

  private struct PropertyNumber: Hashable {
    var entity: Int
    var id: UInt32
  }

  /// The position of the property of an entity that has a number.
  func property(_ id: UInt32, of entity: Int) -> Int? {
    properties[PropertyNumber(entity: entity, id: id)]
  }

  init(_ model: Model) {
    model.forEachElement { place, pair in
      switch place {
      case .entity(let e): entities[pair.id] = entities[pair.id] ?? e
      case .index: indexes[pair.id] = indexes[pair.id] ?? place
      case .relation: relations[pair.id] = relations[pair.id] ?? place
      case .property(let e, let p):
        let number = PropertyNumber(entity: e, id: pair.id)
        properties[number] = properties[number] ?? p
      }
    }
  }
}

extension Model {
  /// The UID of an entity, property or relation.
  fileprivate func uid(at place: ElementPlace) -> UID? {
    switch place {
    case .entity(let e): entities[e].pair.uid
    case .property(let e, let p), .index(let e, let p): entities[e].properties[p].pair.uid
    case .relation(let e, let r): entities[e].relations?[r].pair.uid
    }
  }
}
