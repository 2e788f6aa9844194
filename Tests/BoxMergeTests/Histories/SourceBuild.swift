import BoxModel

/// The match of sources with a model, as a generator finds it: by the UID in the sources, else by
/// name.
struct SourceMatch: Sendable {
  /// The UID of each declaration that the model has.
  private(set) var uids: [Int: UID] = [:]
  /// The UID of the index of each property that the model has an index for.
  private(set) var indexes: [Int: UID] = [:]
  /// The elements of the model that no declaration stands for, but for indexes.
  private(set) var surplus: Set<UID> = []
  /// The declarations that the model has under another name, or with another type.
  private var stale: Set<Int> = []
  /// The content of each element in the model except its number, and except what every build writes
  /// again.
  private var forms: [UID: ElementForm] = [:]

  private struct ElementForm: Hashable {
    var uid: UID
    var name: String
    var type: PropertyType?
    var indexKind: PropertyFlags = []
    var index: UID?
    var target: UID?
  }

  /// Whether a model has an element, with a declaration or without.
  func has(_ uid: UID) -> Bool { surplus.contains(uid) || uids.values.contains(uid) }

  /// Whether a build would change nothing about the index of a property.
  func isIndexInStep(_ number: Int, _ declared: IndexKind?) -> Bool {
    form(number).map { $0.indexKind == declared?.flags.intersection(.indexKind) ?? [] } ?? false
  }

  /// Whether a build would leave the name and the type of an element alone.
  func isInStep(_ number: Int) -> Bool { !stale.contains(number) }

  /// Whether the models say that an element is new or was edited: not if nobody built after the sources
  /// were, nor if only its lines are others.
  func isEdited(_ number: Int, since before: SourceMatch?) -> Bool {
    form(number).map { $0 != before?.forms[$0.uid] } ?? false
  }

  private func form(_ number: Int) -> ElementForm? { uids[number].flatMap { forms[$0] } }

  /// Matches sources with a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - sources: The sources.
  ///   - offersUIDs: Whether a UID that nobody has is one that a generator offered for a reset.
  init(_ model: Model, _ sources: Sources, offersUIDs: Bool = false) {
    let sources = sources.withoutRefusedUIDs(in: model, offersUIDs: offersUIDs)
    uids = Self.entities(of: model, sources)
    let byUID = Dictionary(
      model.entities.map { ($0.pair.uid, $0) }, uniquingKeysWith: { first, _ in first })
    for number in sources.numbers(of: .entity) {
      guard let uid = uids[number], let entity = byUID[uid] else { continue }
      let members = sources.members(of: number)
      let properties = members.filter { sources.groups[$0]?.kind == .property }
      let found = Self.pairs(
        properties, sources, entity.properties.map { ($0.pair.uid, $0.name) })
      uids.merge(found) { first, _ in first }
      for (property, uid) in found {
        indexes[property] = entity.properties.first { $0.pair.uid == uid }?.indexID?.uid
      }
      let relations = members.filter { sources.groups[$0]?.kind == .relation }
      uids.merge(
        Self.pairs(relations, sources, (entity.relations ?? []).map { ($0.pair.uid, $0.name) })
      ) { first, _ in first }
    }
    compare(model, sources)
  }

  private mutating func compare(_ model: Model, _ sources: Sources) {
    var found: [UID: ElementForm] = [:]
    func note(_ form: ElementForm) { found[form.uid] = form }
    for entity in model.entities {
      note(ElementForm(uid: entity.pair.uid, name: entity.name))
      for property in entity.properties {
        let target = model.entities.first { $0.name == property.relationTarget }
        note(
          ElementForm(
            uid: property.pair.uid, name: property.name, type: property.type,
            indexKind: property.flags.intersection(.indexKind), index: property.indexID?.uid,
            target: target?.pair.uid))
      }
      for relation in entity.relations ?? [] {
        note(
          ElementForm(uid: relation.pair.uid, name: relation.name, target: relation.target.uid))
      }
    }
    forms = found
    surplus = Set(found.keys).subtracting(uids.values)
    for (number, uid) in uids {
      let group = sources.groups[number]
      if found[uid]?.name != group?.head.name || found[uid]?.type != group?.type {
        stale.insert(number)
      }
    }
  }

  /// The entities that a generator finds for those of the sources.
  static func entities(of model: Model, _ sources: Sources) -> [Int: UID] {
    pairs(sources.numbers(of: .entity), sources, model.entities.map { ($0.pair.uid, $0.name) })
  }

  private static func pairs(
    _ numbers: [Int], _ sources: Sources, _ elements: [(uid: UID, name: String)]
  ) -> [Int: UID] {
    var result: [Int: UID] = [:]
    var free = elements
    for number in numbers {
      guard let uid = sources.groups[number]?.head.uid,
        let position = free.firstIndex(where: { $0.uid == uid })
      else { continue }
      result[number] = uid
      free.remove(at: position)
    }
    for number in numbers where sources.groups[number]?.head.uid == nil {
      guard let name = sources.groups[number]?.head.name.lowercased(),
        let position = free.firstIndex(where: { $0.name.lowercased() == name })
      else { continue }
      result[number] = free.remove(at: position).uid
    }
    return result
  }
}

extension Sources {
  /// The sources after a generator refused UIDs that no element in that place has: the developer takes
  /// them out, and what is left is found by its name.
  func withoutRefusedUIDs(in model: Model, offersUIDs: Bool) -> Sources {
    if !groups.values.contains(where: { $0.head.uid != nil }) { return self }
    var result = self
    let lookup = ModelLookup(model)
    func isOffered(_ uid: UID) -> Bool {
      offersUIDs && !lookup.isLive(uid) && !lookup.isRetired(uid)
    }
    for (number, group) in groups where group.kind == .entity {
      if let uid = group.head.uid, lookup.entity(uid) == nil, !isOffered(uid) {
        result.groups[number]?.head.uid = nil
      }
    }
    let entities = SourceMatch.entities(of: model, result)
    for (number, group) in groups where group.kind != .entity {
      guard let uid = group.head.uid else { continue }
      let place = lookup[group.kind == .property ? .property : .relation, uid]
      let owner = place.map { model.entities[$0.entity].pair.uid }
      if owner == nil || owner != entities[group.owner], !isOffered(uid) {
        result.groups[number]?.head.uid = nil
      }
    }
    return result
  }
}

/// A code generator in small: it brings a model in step with the sources.
///
/// It works as those of ObjectBox do: elements are found by the UID that the sources name, else by
/// name; what is new gets the next id and a new UID, or the UID that the sources name if nobody has
/// it; what is gone is retired with all that it holds; last ids never go down.
struct SourceBuild {
  private(set) var model: Model
  /// The sources, without UIDs that could not be had.
  private(set) var sources: Sources
  private let newUID: () -> UID
  private let offersUIDs: Bool
  private var match: SourceMatch

  init(_ model: Model, _ sources: Sources, offersUIDs: Bool, newUID: @escaping () -> UID) {
    self.model = model
    self.sources = sources.withoutRefusedUIDs(in: model, offersUIDs: offersUIDs)
    self.newUID = newUID
    self.offersUIDs = offersUIDs
    match = SourceMatch(model, sources, offersUIDs: offersUIDs)
    run()
  }

  private mutating func run() {
    retireWhatIsGone()
    for number in sources.numbers(of: .entity) { buildEntity(number) }
    for number in sources.numbers(of: .entity) { buildMembers(number) }
  }

  private mutating func retireWhatIsGone() {
    let found = Set(match.uids.values)
    for e in model.entities.indices {
      let isGone = !found.contains(model.entities[e].pair.uid)
      for property in model.entities[e].properties
      where isGone || !found.contains(property.pair.uid) {
        if let index = property.indexID { retire(.index, index.uid) }
        retire(.property, property.pair.uid)
      }
      model.entities[e].properties.removeAll { isGone || !found.contains($0.pair.uid) }
      for relation in model.entities[e].relations ?? []
      where isGone || !found.contains(relation.pair.uid) {
        retire(.relation, relation.pair.uid)
      }
      model.entities[e].relations?.removeAll { isGone || !found.contains($0.pair.uid) }
      if isGone { retire(.entity, model.entities[e].pair.uid) }
    }
    model.entities.removeAll { !found.contains($0.pair.uid) }
  }

  private mutating func retire(_ kind: ElementKind, _ uid: UID) {
    model[retired: kind] = (model[retired: kind] ?? []) + [uid]
  }

  /// The UID for something new: the one that the sources name, unless it is or was another's.
  private mutating func uid(for number: Int) -> UID {
    guard let named = sources.groups[number]?.head.uid else { return newUID() }
    let lookup = ModelLookup(model)
    if !lookup.isLive(named), !lookup.isRetired(named) { return named }
    // A generator refuses, and the developer takes the UID out.
    sources.groups[number]?.head.uid = nil
    return newUID()
  }

  private mutating func next(_ counter: Counter, _ uid: UID) -> IDPair {
    let pair = IDPair(id: (model[last: counter]?.id ?? 0) + 1, uid: uid)
    model[last: counter] = pair
    return pair
  }

  private func position(_ number: Int) -> Int? {
    guard let uid = match.uids[number] else { return nil }
    return model.entities.firstIndex { $0.pair.uid == uid }
  }

  private mutating func buildEntity(_ number: Int) {
    guard let group = sources.groups[number] else { return }
    if let e = position(number) {
      model.entities[e].name = group.head.name
      return
    }
    let uid = uid(for: number)
    var entity = Entity(pair: next(.entity, uid), name: group.head.name)
    entity.relations = []
    model.entities.append(entity)
    match = SourceMatch(model, sources, offersUIDs: offersUIDs)
  }

  private mutating func buildMembers(_ number: Int) {
    guard let e = position(number) else { return }
    for member in sources.members(of: number) {
      guard let group = sources.groups[member] else { continue }
      switch group.kind {
      case .property: buildProperty(member, group, e)
      case .relation: buildRelation(member, group, e)
      case .entity: break
      }
    }
  }

  private mutating func buildProperty(_ number: Int, _ group: Declaration, _ e: Int) {
    var p: Int
    if let uid = match.uids[number],
      let found = model.entities[e].properties.firstIndex(where: { $0.pair.uid == uid })
    {
      p = found
    } else {
      let uid = uid(for: number)
      let pair = next(.property(entity: model.entities[e].pair.uid), uid)
      model.entities[e].properties.append(
        Property(pair: pair, name: group.head.name, type: group.type))
      p = model.entities[e].properties.count - 1
    }
    var property = model.entities[e].properties[p]
    property.name = group.head.name
    property.type = group.type
    if group.index == nil, let index = property.indexID {
      retire(.index, index.uid)
      property.indexID = nil
    } else if group.index != nil, property.indexID == nil {
      property.indexID = next(.index, newUID())
    }
    property.flags = group.isID ? .id : group.index?.flags ?? []
    if group.isNotNull { property.flags.insert(.notNull) }
    if let target = group.target {
      property.flags.insert(.indexPartialSkipZero)
      property.relationTarget = sources.groups[target]?.head.name
    }
    model.entities[e].properties[p] = property
  }

  private mutating func buildRelation(_ number: Int, _ group: Declaration, _ e: Int) {
    guard let target = group.target.flatMap({ position($0) }) else { return }
    let pair = model.entities[target].pair
    if let uid = match.uids[number],
      let r = model.entities[e].relations?.firstIndex(where: { $0.pair.uid == uid })
    {
      model.entities[e].relations?[r].name = group.head.name
      model.entities[e].relations?[r].target = pair
      return
    }
    let uid = uid(for: number)
    let relation = Relation(pair: next(.relation, uid), name: group.head.name, target: pair)
    model.entities[e].relations = (model.entities[e].relations ?? []) + [relation]
  }
}
