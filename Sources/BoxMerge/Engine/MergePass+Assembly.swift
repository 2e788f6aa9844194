import BoxJSON
import BoxModel

/// The assembly of the result: numbers, targets, lists, order.
extension MergePass {
  /// The merged model of a pass that added no ruling.
  mutating func assembled() throws(Obstacle) -> MergeOutcome {
    let model = try assemble()
    return MergeOutcome(model: model, decisions: log.decisions, answers: state.answers)
  }

  private mutating func assemble() throws(Obstacle) -> Model {
    var model = Model()
    var ownedProperties: [UID: [MergedProperty]] = [:]
    for property in draft.properties.all {
      ownedProperties[property.owner, default: []].append(property)
    }
    var ownedRelations: [UID: [MergedRelation]] = [:]
    for relation in draft.relations.all {
      ownedRelations[relation.owner, default: []].append(relation)
    }
    let gone = mergeLists(&model)

    let entityNumbers = try number(
      .entity, draft.entities.all.map { ElementKey(.entity, $0.uid) }, gone)
    let indexNumbers = try number(
      .index,
      draft.properties.all.compactMap { $0.value.indexID.map { ElementKey(.index, $0.uid) } }, gone)
    let relationNumbers = try number(
      .relation, draft.relations.all.map { ElementKey(.relation, $0.uid) }, gone)
    model.lastEntityID = entityNumbers.last
    model.lastIndexID = indexNumbers.last
    model.lastRelationID = relationNumbers.last
    var former: [UID: [UID]] = [:]
    for uid in draft.redirected.keys where joined(uid) != uid {
      former[joined(uid), default: []].append(uid)
    }

    var result: [UID: Entity] = [:]
    result.reserveCapacity(draft.entities.all.count)
    for merged in draft.entities.all {
      var entity = merged.value
      entity.pair.id = entityNumbers.ids[ElementKey(.entity, merged.uid)] ?? entity.pair.id
      let owners = [merged.uid] + (former[merged.uid] ?? [])
      let own = ownedProperties[merged.uid] ?? []
      let numbers = try number(
        .property(entity: merged.uid), own.map { ElementKey(.property, $0.uid) }, gone,
        owners: owners)
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
    keepTrueDecisions(model)
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
      if let name = draft.entities[uid]?.name {
        property.relationTarget = spelling(of: name, in: merged)
      }
    case .text(let name): property.relationTarget = name.text
    default: property.relationTarget = nil
    }
    return property
  }

  /// The name of the target in a to-one relation, in the case in which a side spells it.
  private func spelling(of name: String, in property: MergedProperty) -> String {
    let key = ElementKey(.property, property.uid)
    func spelled(_ view: SideView?) -> ExactText? {
      view?.property(key.uid)?.element.relationTarget.map { ExactText($0) }
    }
    let (ours, theirs) = (spelled(view(.ours, key)), spelled(view(.theirs, key)))
    let chosen: ExactText?
    if ours == theirs || theirs == nil {
      chosen = ours
    } else if ours == nil {
      chosen = theirs
    } else if let before = spelled(base), ours == before || theirs == before {
      chosen = ours == before ? theirs : ours
    } else {
      chosen = [ours, theirs].compactMap(\.self).min()
    }
    guard let chosen, foldedName(chosen.text) == foldedName(name) else { return name }
    return chosen.text
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
    model.lastSequenceID = sides[merger.layoutSide].model.lastSequenceID.map { sequence ?? $0 }
    model.otherMembers = mergedOtherMembers()
  }

  /// The merged unknown keys; notes come from the file that is written.
  private mutating func mergedOtherMembers() -> [OtherMember] {
    let ours = sides.ours.model.otherMembers
    let theirs = sides.theirs.model.otherMembers
    let before = base?.model.otherMembers ?? []
    func texts(_ members: [OtherMember]) -> [ExactText: ExactText] {
      Dictionary(members.map { (ExactText($0.key), ExactText($0.text)) }) { first, _ in first }
    }
    let (ourTexts, theirTexts, baseTexts) = (texts(ours), texts(theirs), texts(before))
    var result: [OtherMember] = []
    var seen: Set<ExactText> = []
    for key in (ours + theirs).map(\.key) where seen.insert(ExactText(key)).inserted {
      let exact = ExactText(key)
      let (a, b, o) = (ourTexts[exact], theirTexts[exact], baseTexts[exact])
      var value: ExactText?
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
      if let value { result.append(OtherMember(key: key, text: value.text)) }
    }
    return result
  }

  // MARK: - Lists

  /// The elements that are in the result.
  private var liveKeys: Set<ElementKey> {
    var live = Set(draft.entities.all.map { ElementKey(.entity, $0.uid) })
    live.reserveCapacity(live.count + draft.properties.all.count + draft.relations.all.count)
    for property in draft.properties.all {
      live.insert(ElementKey(.property, property.uid))
      if let index = property.value.indexID { live.insert(ElementKey(.index, index.uid)) }
    }
    for relation in draft.relations.all { live.insert(ElementKey(.relation, relation.uid)) }
    return live
  }

  /// Merges the lists of retired and offered UIDs.
  ///
  /// - Returns: The retired UIDs of the result that no element has.
  private mutating func mergeLists(_ model: inout Model) -> RemovedUIDs {
    let liveKeys = liveKeys
    let live = Set(liveKeys.map(\.uid))
    retireLostIndexes(liveKeys)
    retireLastOfOurs(liveKeys)
    let sides = self.sides
    var gone: RemovedUIDs = [:]
    var added: [ElementKind: Set<UID>] = [:]
    for key in draft.retirees where !liveKeys.contains(key) {
      added[key.kind, default: []].insert(key.uid)
    }
    for kind in ElementKind.allCases {
      let merge = ListMerge(
        base: base?.model[retired: kind], ours: sides.ours.model[retired: kind],
        theirs: sides.theirs.model[retired: kind], hasBase: base != nil,
        mayVanish: { uid in
          live.contains(uid)
            || ElementKind.allCases.contains { other in
              other != kind
                && MergeSide.allCases.contains { sides[$0].lookup.isRetired(other, uid) }
            }
        })
      // No UID is retired twice, where the sides use it for different kinds.
      let earlier = ElementKind.allCases.prefix { $0 != kind }
      let isElsewhere = earlier.reduce(into: Set<UID>()) { $0.formUnion(gone[$1] ?? []) }
        .filter { uid in
          !MergeSide.allCases.contains { side in
            sides[side].lookup.isRetired(kind, uid)
              && earlier.contains { sides[side].lookup.isRetired($0, uid) }
          }
        }
      model[retired: kind] = merge.merged(
        adding: added[kind] ?? [], without: { live.contains($0) || isElsewhere.contains($0) })
      gone[kind] = Set(model[retired: kind] ?? []).subtracting(live)
      noteRevived(kind, liveKeys)
    }
    let pool = ListMerge(
      base: base?.model.newUIDPool, ours: sides.ours.model.newUIDPool,
      theirs: sides.theirs.model.newUIDPool, hasBase: base != nil, mayVanish: { _ in true })
    model.newUIDPool = pool.merged(
      adding: [],
      without: { uid in live.contains(uid) || gone.values.contains { $0.contains(uid) } })
    return gone
  }

  /// Indexes go without a word when their property goes, or takes another.
  private mutating func retireLostIndexes(_ live: Set<ElementKey>) {
    for uid in union(.index) {
      let key = ElementKey(.index, uid)
      if live.contains(key) { continue }
      let (ours, theirs) = (sides.ours.presence(key), sides.theirs.presence(key))
      if ours == .live {
        draft.retirees.insert(key)
      } else if ours == .absent, theirs == .live, base?.presence(key) != .live,
        let property = sides.theirs.property(of: key), !isLeftOut(property)
      {
        // Theirs added it to something that is in the result without it, or is retired.
        draft.retirees.insert(key)
      }
    }
  }

  /// Whether an element of theirs is not in the result, as ours does not have it, and is not retired.
  private func isLeftOut(_ property: UID) -> Bool {
    let key = ElementKey(.property, property)
    return draft.properties[property] == nil && !draft.retirees.contains(key)
      && sides.ours.presence(key) == .absent
  }

  /// Retires the elements of the base that ours mentions only in a last pair.
  private mutating func retireLastOfOurs(_ live: Set<ElementKey>) {
    guard let base else { return }
    let model = sides.ours.model
    var keys: [ElementKey] = []
    if let uid = model.lastEntityID?.uid { keys.append(ElementKey(.entity, uid)) }
    if let uid = model.lastIndexID?.uid { keys.append(ElementKey(.index, uid)) }
    if let uid = model.lastRelationID?.uid { keys.append(ElementKey(.relation, uid)) }
    for entity in model.entities {
      if let uid = entity.lastPropertyID?.uid { keys.append(ElementKey(.property, uid)) }
    }
    for key in keys
    where !live.contains(key) && base.presence(key) == .live
      && sides.ours.presence(key) == .absent && isLastOfOurs(key)
    {
      draft.retirees.insert(key)
    }
  }

  /// Reports elements that stay although the other side or the base retired them.
  private mutating func noteRevived(_ kind: ElementKind, _ live: Set<ElementKey>) {
    var uids: Set<UID> = []
    for side in MergeSide.allCases { uids.formUnion(sides[side].model[retired: kind] ?? []) }
    for uid in uids.sorted() {
      let key = ElementKey(kind, uid)
      guard live.contains(key), let holder = reviver(of: key), !isPartOfNew(key, holder) else {
        continue
      }
      let other = holder.other
      let label = label(key)
      let isRetired = sides[other].presence(key) == .retired
      decide(
        MergeRule.unretired, key, label, side: holder,
        isRetired
          ? "\(label) stays: \(other) retired it, and the sources of \(holder) bring it; remove it "
            + "there if it should go"
          : "\(label) stays: it was retired before, and the sources of \(holder) bring it")
    }
  }

  /// The side that brings an element which the other side or the base retired.
  private func reviver(of key: ElementKey) -> MergeSide? {
    let before = base?.presence(key) ?? .absent
    guard before != .live else { return nil }
    return MergeSide.allCases.first { side in
      sides[side].presence(key) == .live && sides[side.other].presence(key) != .live
        && !sides[side].lookup.isRetired(key.kind, key.uid)
    }
  }

  /// Whether the element was added together with its owner.
  private func isPartOfNew(_ key: ElementKey, _ side: MergeSide) -> Bool {
    let view = sides[side]
    func isBrought(_ key: ElementKey) -> Bool {
      sides[side.other].presence(key) != .live && base?.presence(key) != .live
    }
    guard key.kind != .entity, let owner = view.owner(of: key) else { return false }
    if isBrought(ElementKey(.entity, owner)) { return true }
    guard key.kind == .index, let property = view.property(of: key) else { return false }
    return isBrought(ElementKey(.property, property))
  }

  /// Removes the decisions about fields that the result does not have, because a resolution
  /// overruled them.
  private mutating func keepTrueDecisions(_ model: Model) {
    guard !log.recordedChanges.isEmpty || !state.rulings.flagsFrom.isEmpty else { return }
    let values = FieldValues(model)
    let overruled = Set(
      log.recordedChanges.filter { noted in
        !values.has(noted.key)
          || values.value(of: noted.change.field, of: noted.key) != redirect(noted.change.after)
      }.map(\.decision))
    let ruled = state.rulings.flagsFrom
    log.decisions = log.decisions.enumerated().filter { position, decision in
      let isOfFlags = decision.rule == MergeRule.flagsMerged
      return !overruled.contains(position)
        && !(isOfFlags && decision.element.map { ruled[$0] != nil } ?? false)
    }.map(\.element)
  }
}

/// The retired UIDs of a merged model that no element has, by kind.
typealias RemovedUIDs = [ElementKind: Set<UID>]

/// An element with an id and a UID.
private protocol Paired {
  var pair: IDPair { get }
}
extension Entity: Paired {}
extension Property: Paired {}
extension Relation: Paired {}
