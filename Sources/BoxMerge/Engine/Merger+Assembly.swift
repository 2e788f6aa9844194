import BoxModel

/// Puts the result together: numbers, targets, lists, order.
extension Merger {
  mutating func assemble() -> Model {
    var model = Model()
    var ownedProperties: [UID: [MergedProperty]] = [:]
    for property in properties.all { ownedProperties[property.owner, default: []].append(property) }
    var ownedRelations: [UID: [MergedRelation]] = [:]
    for relation in relations.all { ownedRelations[relation.owner, default: []].append(relation) }

    let entityNumbers = number(.entity, entities.all.map { ElementKey(.entity, $0.uid) })
    let indexNumbers = number(
      .index,
      properties.all.compactMap { $0.value.indexID.map { ElementKey(.index, $0.uid) } })
    let relationNumbers = number(.relation, relations.all.map { ElementKey(.relation, $0.uid) })
    model.lastEntityID = entityNumbers.last
    model.lastIndexID = indexNumbers.last
    model.lastRelationID = relationNumbers.last
    var former: [UID: [UID]] = [:]
    for uid in redirected.keys where joined(uid) != uid {
      former[joined(uid), default: []].append(uid)
    }

    var result: [UID: Entity] = [:]
    result.reserveCapacity(entities.all.count)
    for merged in entities.all {
      var entity = merged.value
      entity.pair.id = entityNumbers.ids[ElementKey(.entity, merged.uid)] ?? entity.pair.id
      let owners = [merged.uid] + (former[merged.uid] ?? [])
      let own = ownedProperties[merged.uid] ?? []
      let numbers = number(
        .property(entity: merged.uid), own.map { ElementKey(.property, $0.uid) }, owners: owners)
      entity.lastPropertyID = numbers.last
      entity.properties = order(
        own.map { property in
          assembled(
            property, numbers.ids[ElementKey(.property, property.uid)], indexNumbers.ids)
        }, owners
      ) { $0.properties }
      let ownRelations = (ownedRelations[merged.uid] ?? []).map { relation in
        assembled(relation, relationNumbers.ids, entityNumbers.ids)
      }
      entity.relations =
        ownRelations.isEmpty
        ? entity.relations.map { _ in [] }
        : order(ownRelations, owners) { $0.relations ?? [] }
      result[merged.uid] = entity
    }
    model.entities = orderEntities(result)
    mergeHeader(&model)
    mergeLists(&model)
    return model
  }

  private func assembled(
    _ merged: MergedProperty, _ id: UInt32?, _ indexIDs: [ElementKey: UInt32]
  ) -> Property {
    var property = merged.value
    property.pair.id = id ?? property.pair.id
    if let index = property.indexID {
      property.indexID?.id = indexIDs[ElementKey(.index, index.uid)] ?? index.id
    }
    switch merged.target {
    case .entity(let uid):
      if let name = entities[uid]?.name { property.relationTarget = spelling(of: name, in: merged) }
    case .text(let name): property.relationTarget = name
    default: property.relationTarget = nil
    }
    return property
  }

  /// How a to-one relation writes the name of its target: the case in which a side writes it is left
  /// alone.
  private func spelling(of name: String, in property: MergedProperty) -> String {
    let key = ElementKey(.property, property.uid)
    func spelled(_ view: SideView?) -> String? {
      view?.property(key.uid)?.element.relationTarget
    }
    let (ours, theirs) = (spelled(view(.ours, key)), spelled(view(.theirs, key)))
    let chosen: String?
    if ours == theirs || theirs == nil {
      chosen = ours
    } else if ours == nil {
      chosen = theirs
    } else if let before = spelled(base), ours == before || theirs == before {
      chosen = ours == before ? theirs : ours
    } else {
      chosen = [ours, theirs].compactMap(\.self).min()
    }
    guard let chosen, foldedName(chosen) == foldedName(name) else { return name }
    return chosen
  }

  private func assembled(
    _ merged: MergedRelation, _ ids: [ElementKey: UInt32], _ entityIDs: [ElementKey: UInt32]
  ) -> Relation {
    var relation = merged.value
    relation.pair.id = ids[ElementKey(.relation, merged.uid)] ?? relation.pair.id
    let target = ElementKey(.entity, relation.target.uid)
    guard let id = entityIDs[target] else { return relation }
    // A number that was wrong on both sides is a fault of the sides, and stays.
    let wasWrong = MergeSide.allCases.allSatisfy { side in
      let view = view(side, ElementKey(.relation, merged.uid))
      guard let other = view.relation(merged.uid)?.element else { return true }
      return view.entity(other.target.uid)?.pair.id != other.target.id
    }
    relation.target.id = wasWrong ? relation.target.id : id
    return relation
  }

  // MARK: - Order

  private func order<Element>(
    _ elements: [Element], _ owners: [UID], _ list: (Entity) -> [Element]
  ) -> [Element] where Element: Paired {
    func sequence(_ view: SideView?) -> [Element]? {
      guard let view else { return nil }
      let found = owners.compactMap { view.entity($0) }.flatMap(list)
      return found
    }
    return order(
      elements, base: sequence(base), ours: sequence(sides.ours) ?? [],
      theirs: sequence(sides.theirs) ?? [])
  }

  private func orderEntities(_ entities: [UID: Entity]) -> [Entity] {
    order(
      Array(entities.values), base: base?.model.entities, ours: sides.ours.model.entities,
      theirs: sides.theirs.model.entities)
  }

  private func order<Element: Paired>(
    _ elements: [Element], base: [Element]?, ours: [Element], theirs: [Element]
  ) -> [Element] {
    var byUID: [UID: Element] = [:]
    byUID.reserveCapacity(elements.count)
    for element in elements { byUID[element.pair.uid] = element }
    let merge = SequenceMerge(
      base: base?.map(\.pair.uid), ours: ours.map(\.pair.uid), theirs: theirs.map(\.pair.uid),
      members: Set(byUID.keys),
      isSorted: BySide(ours: isAscending(ours), theirs: isAscending(theirs)),
      id: { byUID[$0]?.pair.id ?? 0 })
    return merge.merged().compactMap { byUID[$0] }
  }

  private func isAscending(_ elements: [some Paired]) -> Bool {
    zip(elements, elements.dropFirst()).allSatisfy { $0.pair.id < $1.pair.id }
  }

  // MARK: - The rest of the model

  private mutating func mergeHeader(_ model: inout Model) {
    func threeWay<Value: Equatable>(
      _ path: KeyPath<Model, Value?>, _ both: (Value?, Value?) -> Value?
    ) -> Value? {
      let ours = sides.ours.model[keyPath: path]
      let theirs = sides.theirs.model[keyPath: path]
      guard let base else { return ours == theirs ? ours : both(ours, theirs) }
      let before = base.model[keyPath: path]
      if ours == theirs || theirs == before { return ours }
      if ours == before { return theirs }
      return both(ours, theirs)
    }
    func highest(_ a: Int?, _ b: Int?) -> Int? { [a, b].compactMap(\.self).max() }
    model.modelVersion = threeWay(\.modelVersion, highest)
    model.modelVersionParserMinimum = threeWay(\.modelVersionParserMinimum, highest)
    model.version = threeWay(\.version, highest)
    let sequence = threeWay(\.lastSequenceID) { a, b in
      [a, b].compactMap(\.self).max { ($0.id, $0.uid) < ($1.id, $1.uid) }
    }
    model.lastSequenceID = sides[layoutSide].model.lastSequenceID.map { sequence ?? $0 }
    model.otherMembers = mergedOtherMembers()
  }

  /// Notes belong to the file that is written; other unknown keys are merged.
  private mutating func mergedOtherMembers() -> [OtherMember] {
    let ours = sides.ours.model.otherMembers
    let theirs = sides.theirs.model.otherMembers
    let before = base?.model.otherMembers ?? []
    func texts(_ members: [OtherMember]) -> [String: String] {
      Dictionary(members.map { ($0.key, $0.text) }) { first, _ in first }
    }
    let (ourTexts, theirTexts, baseTexts) = (texts(ours), texts(theirs), texts(before))
    var result: [OtherMember] = []
    var seen: Set<String> = []
    for key in (ours + theirs).map(\.key) where seen.insert(key).inserted {
      let (a, b, o) = (ourTexts[key], theirTexts[key], baseTexts[key])
      var value: String?
      if a == b || (base != nil && b == o) {
        value = a
      } else if base != nil && a == o {
        value = b
      } else if key.hasPrefix("_note") || key == "comment" {
        value = a
      } else if base == nil, a == nil || b == nil {
        value = a ?? b
      } else {
        let conflict = Conflict(
          id: "edit-edit/model/\(key)", rule: MergeRule.editEdit, elements: [], label: key,
          message: "both sides changed \"\(key)\" of the model",
          ours: "\"\(key)\" is \(a.map { self.text(.json($0)) } ?? "not there")",
          theirs: "\"\(key)\" is \(b.map { self.text(.json($0)) } ?? "not there")")
        switch resolve(conflict) {
        case .ours: value = a
        case .theirs: value = b
        case .base: value = o
        }
      }
      if let value { result.append(OtherMember(key: key, text: value)) }
    }
    return result
  }

  private mutating func mergeLists(_ model: inout Model) {
    var live: Set<UID> = []
    var liveKeys: Set<ElementKey> = []
    model.forEachElement { place, pair in
      live.insert(pair.uid)
      liveKeys.insert(ElementKey(place.kind, pair.uid))
    }
    retireLostIndexes(liveKeys)
    let sides = self.sides
    var added: [ElementKind: Set<UID>] = [:]
    for key in retirees where !liveKeys.contains(key) {
      added[key.kind, default: []].insert(key.uid)
    }
    for kind in ElementKind.allCases {
      let lists = BySide(
        ours: list(.ours, kind), theirs: list(.theirs, kind))
      let merge = ListMerge(
        base: base?.model[retired: kind], ours: lists.ours, theirs: lists.theirs,
        hasBase: base != nil,
        mayVanish: { uid in
          live.contains(uid)
            || ElementKind.allCases.contains { other in
              other != kind
                && MergeSide.allCases.contains { sides[$0].lookup.isRetired(other, uid) }
            }
        })
      model[retired: kind] = merge.merged(adding: added[kind] ?? [], without: live.contains)
      noteUnretired(kind, lists, live)
    }
    let pool = ListMerge(
      base: base?.model.newUIDPool, ours: sides.ours.model.newUIDPool,
      theirs: sides.theirs.model.newUIDPool, hasBase: base != nil, mayVanish: { _ in true })
    model.newUIDPool = pool.merged(adding: [], without: live.contains)
  }

  /// The list of a side; nil where the side has none and has nothing to put in one.
  private func list(_ side: MergeSide, _ kind: ElementKind) -> [UID]? {
    let repaired = retired[side][kind] ?? []
    return repaired.isEmpty && sides[side].model[retired: kind] == nil ? nil : repaired
  }

  /// Indexes go without a word when their property goes, or takes another.
  private mutating func retireLostIndexes(_ live: Set<ElementKey>) {
    for uid in union(.index) {
      let key = ElementKey(.index, uid)
      if live.contains(key) { continue }
      if case .removed(.neverHad) = state(.ours, key), !state(.theirs, key).isRemoved { continue }
      retirees.insert(key)
    }
  }

  private mutating func noteUnretired(
    _ kind: ElementKind, _ lists: BySide<[UID]?>, _ live: Set<UID>
  ) {
    let before = base?.lookup
    for uid in Set(lists.ours ?? []).union(lists.theirs ?? []).sorted()
    where live.contains(uid) && !(before?.isRetired(kind, uid) ?? false) {
      let key = ElementKey(kind, uid)
      decide(
        MergeRule.unretired, key, label(key),
        "\(label(key)) stays, so its UID \(uid) is not retired")
    }
  }
}

/// An element with an id and a UID.
private protocol Paired {
  var pair: IDPair { get }
}
extension Entity: Paired {}
extension Property: Paired {}
extension Relation: Paired {}
