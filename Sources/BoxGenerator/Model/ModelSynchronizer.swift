internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// Changes a model so that it holds what the sources declare.
///
/// New elements are added, and those that the sources lack are retired. The id of an entity stays its id under any
/// name.
struct ModelSynchronizer {
  /// The model after the run.
  private(set) var model: Model
  private(set) var findings: [Finding] = []
  private var editor: ModelEditor
  /// The new names of entities that annotations rename, by the old ones, both without regard to case.
  private var renames: [ExactText: ExactText] = [:]
  private var resolution: UIDResolution
  private let allowsRemovals: Bool
  private let prefix: String
  private let modelPlace: SourcePlace

  init(
    _ model: Model, uids: any UIDSource, allowsRemovals: Bool, prefix: String, modelPath: String,
    sharedOffers: Set<UID> = []
  ) {
    self.model = model
    editor = ModelEditor(model, uids: uids)
    resolution = UIDResolution(model, uids: uids, prefix: prefix)
    resolution.exclude(sharedOffers)
    self.allowsRemovals = allowsRemovals
    self.prefix = prefix
    modelPlace = SourcePlace(path: modelPath, line: 1, column: 1)
  }

  /// The pool of UIDs with those that this run offers; nil if it offers none.
  var offers: [UID]? { resolution.hasOffers ? resolution.pool : nil }

  /// Makes the model follow the entities; after an error it must not be written.
  ///
  /// - Complexity: O(*n*) in the elements of sources and model, and O(*n* · *m*) in those that change and the model.
  mutating func follow(_ entities: [SourceEntity]) {
    resolution.exclude(Set(entities.flatMap(\.chosenUIDs)))
    let matched = match(entities)
    findings += resolution.findings
    if hasErrors || !checkRemovals(matched) { return }
    remove(matched)
    rename(matched)
    addEntities(matched)
    // A conversion moves no entity.
    let entities = ModelLookup(editor.model)
    for match in matched { convertTypes(match, entities) }
    for match in matched { addMembers(match) }
    let lookup = ModelLookup(editor.model)
    for match in matched { setFlags(match.source, lookup) }
    model = editor.model
    model.newUIDPool = nil
    for match in matched { setFields(match.source, lookup) }
  }

  private var hasErrors: Bool { findings.contains { $0.severity == .error } }

  // MARK: - Matching

  private mutating func match(_ entities: [SourceEntity]) -> [EntityMatch] {
    let lookup = ModelLookup(model)
    let candidates = UIDResolution.Candidates(model.entities.map { ($0.pair.uid, $0.name) })
    var result: [EntityMatch] = []
    for source in entities {
      guard case .chosen(let uid, _)? = source.uid, let old = lookup.entity(uid) else { continue }
      renames[foldedName(model.entities[old].name)] = foldedName(source.name)
    }
    for source in entities {
      let element = resolution.match(
        source.uid, "entity", source.name, name: source.name, among: candidates)
      var match = EntityMatch(source: source, element: element)
      // An entity that asks for a UID is still the one of its name: only its own request fails.
      let isAsking = if case .offer? = source.uid { true } else { false }
      let position =
        isAsking ? lookup.entity(named: source.name) : match.uid.flatMap { lookup.entity($0) }
      let entity = position.map { model.entities[$0] }
      let members = KnownMembers(of: entity)
      refuseEarlierNames(of: source, in: members)
      match.properties = source.properties.map { ($0, self.match($0, of: source, in: members)) }
      match.relations = source.collections.filter { $0.link == .standalone }.map { relation in
        let found = resolution.match(
          relation.uid, "relation", "\(relation.name) of entity \(source.name)",
          name: relation.name, among: members.relations)
        return (relation, retargeted(relation, found, in: entity, of: source.name))
      }
      result.append(match)
    }
    // Two properties found the same UID, one by its name and one by its earlier name.
    if !findings.contains(where: { $0.rule == GeneratorRule.earlierName }) {
      refuseSharedElements(result)
    }
    findings += EntityMatch.warningsOfResets(in: result, lookup, prefix: prefix)
    return result
  }

  private mutating func match(
    _ property: SourceProperty, of source: SourceEntity, in members: KnownMembers
  ) -> UIDResolution.Match {
    let found = resolution.match(
      property.uid, "property", "\(property.name) of entity \(source.name)",
      // An entity has one id, so its name does not matter.
      name: property.isID ? members.idName ?? property.name : property.name,
      earlier: property.earlierNames.map(\.name),
      among: property.isID ? members.ids : members.others)
    guard case .existing(let uid) = found, let old = members.properties[uid] else { return found }
    if hasOtherTarget(old, property) {
      return reset(
        "target of \"\(source.name).\(property.name)\"", from: old.relationTarget ?? "",
        to: property.target ?? "", at: property.place)
    }
    let change = TypeChange(old, property)
    // Of a type that is not known no store has values.
    guard change.isOne, let type = old.type, type.isKnown,
      !property.convertsType || change.losesCases
    else { return found }
    if change.losesCases {
      return reset(
        "raw values of \"\(source.name).\(property.name)\"", from: change.before,
        to: change.after, at: property.place,
        "Write it; a mapping of \(TypeChange.opening) can carry the values over, case by case")
    }
    if type == .relation || property.storedType == .relation || property.isID {
      return reset(
        "type of \"\(source.name).\(property.name)\"", from: change.before, to: change.after,
        at: property.place)
    }
    return retyped(change, property, of: source)
  }

  /// A property with another type keeps its UID, so that values are converted, or gets a new one.
  private mutating func retyped(
    _ change: TypeChange, _ property: SourceProperty, of source: SourceEntity
  ) -> UIDResolution.Match {
    guard let offered = resolution.offer(at: property.place) else { return .none }
    var annotations = ["convert-type"]
    if case .chosen(let uid, _)? = property.uid { annotations.insert("uid = \(uid)", at: 0) }
    report(
      GeneratorRule.typeChanged, property.place,
      "The type of \"\(source.name).\(property.name)\" changed from \(change.before) to \(change.after)."
        + " You can do the following:"
        + " [Convert] Keep the values using // \(prefix): \(annotations.joined(separator: ", "))"
        + " [Reset] Begin without them using // \(prefix): uid = \(offered)",
      "Write one of them. \(change.advice)")
    return .none
  }

  /// The element of a declaration whose stored values would mean something else, such as objects of another entity.
  private mutating func reset(
    _ what: String, from before: String, to after: String, at place: SourcePlace,
    _ advice: String? = nil
  ) -> UIDResolution.Match {
    guard let offered = resolution.offer(at: place) else { return .none }
    report(
      GeneratorRule.typeChanged, place,
      "The \(what) changed from \(before) to \(after)."
        + " You can do the following: [Reset] Begin without values using // \(prefix): uid = \(offered)",
      advice ?? "Write it, or declare both: the old one as it was, and a new one of another name;"
        + " run \"\(planCommand)\" to see what is lost")
    return .none
  }

  /// The command line that shows the effects of the change on data.
  private var planCommand: String {
    "boxjoint plan --against HEAD \(shellOperand(modelPlace.path))"
  }

  private func hasOtherTarget(_ old: Property, _ property: SourceProperty) -> Bool {
    guard let target = property.target, let named = old.relationTarget else { return false }
    return foldedName(target) != foldedName(named) && !isRenamed(named, to: target)
  }

  /// Whether an annotation renames an entity of the model.
  private func isRenamed(_ old: String, to new: String) -> Bool {
    renames[foldedName(old)] == foldedName(new)
  }

  private mutating func retargeted(
    _ relation: SourceCollection, _ found: UIDResolution.Match, in entity: Entity?, of owner: String
  ) -> UIDResolution.Match {
    guard case .existing(let uid) = found,
      let old = entity?.relations?.first(where: { $0.pair.uid == uid }),
      let target = model.entities.first(where: { $0.pair.id == old.target.id }),
      foldedName(target.name) != foldedName(relation.targetName),
      !isRenamed(target.name, to: relation.targetName)
    else { return found }
    return reset(
      "target of \"\(owner).\(relation.name)\"", from: target.name, to: relation.targetName,
      at: relation.place)
  }

  private mutating func refuseSharedElements(_ matches: [EntityMatch]) {
    var known: Set<UID> = []
    let all =
      matches.map { ($0.element, $0.source.place) }
      + matches.flatMap { $0.properties.map { ($0.element, $0.source.place) } }
      + matches.flatMap { $0.relations.map { ($0.element, $0.source.place) } }
    for (element, place) in all {
      let uid: UID? =
        switch element {
        case .existing(let uid): uid
        case .new(let uid): uid
        case .none: nil
        }
      if let uid, !known.insert(uid).inserted {
        report(
          GeneratorRule.unknownUID, place, "Two declarations have the UID \(uid)",
          "Remove the annotation \"uid\" from one of them")
      }
    }
  }

  // MARK: - Removals

  private mutating func checkRemovals(_ matches: [EntityMatch]) -> Bool {
    let kept = Set(matches.compactMap(\.uid))
    // An element that is reset stays under another UID.
    let names = Set(matches.map { foldedName($0.source.name) })
    let all = editor.model.entities
    let removed = all.filter {
      !kept.contains($0.pair.uid) && !names.contains(foldedName($0.name))
    }
    if allowsRemovals || removed.count * 2 <= all.count { return true }
    let list = removed.prefix(3).map { "\"\($0.name)\"" }.joined(separator: ", ")
    report(
      GeneratorRule.manyRemovals, modelPlace,
      "The sources lack \(removed.count) of \(all.count) entities of the model file: \(list)"
        + (removed.count > 3 ? " and \(removed.count - 3) more" : ""),
      "Check that the sources of all entities are read; to remove them, pass --allow-removals")
    return false
  }

  private mutating func remove(_ matches: [EntityMatch]) {
    var kept: Set<UID> = []
    for match in matches {
      for element in [match.element] + match.properties.map(\.element)
        + match.relations.map(\.element)
      {
        if case .existing(let uid) = element { kept.insert(uid) }
      }
    }
    let owners = Set(matches.compactMap(\.uid))
    // Members first: an entity that is a target cannot be removed.
    for entity in editor.model.entities {
      for property in entity.properties where !kept.contains(property.pair.uid) {
        let isLink = property.type == .relation && property.relationTarget != nil
        if owners.contains(entity.pair.uid) || isLink {
          attempt(modelPlace) { editor throws(ModelEditError) in
            try editor.remove(ElementKey(.property, property.pair.uid))
          }
        }
      }
      for relation in entity.relations ?? [] where !kept.contains(relation.pair.uid) {
        attempt(modelPlace) { editor throws(ModelEditError) in
          try editor.remove(ElementKey(.relation, relation.pair.uid))
        }
      }
    }
    for entity in editor.model.entities where !owners.contains(entity.pair.uid) {
      attempt(modelPlace) { editor throws(ModelEditError) in
        // Relations that stay refer to an entity of the same name, which begins without objects.
        try editor.remove(ElementKey(.entity, entity.pair.uid), leavingRelations: true)
      }
    }
  }

  // MARK: - Changes

  /// Renames in two steps, as two elements may exchange their names.
  private mutating func rename(_ matches: [EntityMatch]) {
    var names: [(key: ElementKey, name: String, place: SourcePlace)] = []
    for match in matches {
      if case .existing(let uid) = match.element {
        names.append((ElementKey(.entity, uid), match.source.name, match.source.place))
      }
      for (source, element) in match.properties {
        if case .existing(let uid) = element {
          names.append((ElementKey(.property, uid), source.name, source.place))
        }
      }
      for (source, element) in match.relations {
        if case .existing(let uid) = element {
          names.append((ElementKey(.relation, uid), source.name, source.place))
        }
      }
    }
    var current: [ElementKey: String] = [:]
    for entity in editor.model.entities {
      current[ElementKey(.entity, entity.pair.uid)] = entity.name
      for property in entity.properties {
        current[ElementKey(.property, property.pair.uid)] = property.name
      }
      for relation in entity.relations ?? [] {
        current[ElementKey(.relation, relation.pair.uid)] = relation.name
      }
    }
    let changed = names.filter { current[$0.key] != $0.name }
    for entry in changed {
      attempt(entry.place) { editor throws(ModelEditError) in
        try editor.rename(entry.key, to: "\u{0} \(entry.key.uid)")
      }
    }
    for entry in changed {
      attempt(entry.place) { editor throws(ModelEditError) in
        try editor.rename(entry.key, to: entry.name)
      }
    }
  }

  /// Reports that objects of today get zero, and not the initial value.
  private mutating func reportComputed(_ property: SourceProperty, _ entity: SourceEntity) {
    findings.append(
      Finding(
        GeneratorRule.computedConstant, at: property.place,
        "The initial value of \"\(entity.swiftPath(of: property))\" is computed, so that objects of"
          + " \"\(entity.name)\" that are stored already get zero or what is empty",
        advice: "If they should have another value, write \"// \(prefix): default = …\" above it"))
  }

  private mutating func addEntities(_ matches: [EntityMatch]) {
    let drafts = matches.compactMap { match -> EntityDraft? in
      guard case .new(let uid) = match.element else { return nil }
      var draft = EntityDraft(
        match.source.name, properties: match.properties.map { $0.source.draft($0.element.newUID) },
        relations: match.relations.map { $0.source.draft($0.element.newUID) }, uid: uid)
      draft.flags = match.source.flags
      return draft
    }
    attempt(matches.first?.source.place) { editor throws(ModelEditError) in
      try editor.addEntities(drafts)
    }
  }

  private mutating func addMembers(_ match: EntityMatch) {
    guard match.uid != nil else { return }
    let owner = match.source.name
    for (source, element) in match.properties {
      guard case .new(let uid) = element else { continue }
      if source.isConstantUnknown { reportComputed(source, match.source) }
      attempt(source.place) { editor throws(ModelEditError) in
        try editor.addProperty(source.draft(uid), to: owner)
      }
    }
    for (source, element) in match.relations {
      guard case .new(let uid) = element else { continue }
      attempt(source.place) { editor throws(ModelEditError) in
        try editor.addRelation(source.draft(uid), to: owner)
      }
    }
  }

  /// Gives properties that keep their UIDs the types of the sources.
  private mutating func convertTypes(_ match: EntityMatch, _ lookup: ModelLookup) {
    guard let uid = match.uid, let e = lookup.entity(uid) else { return }
    let properties = KnownMembers(of: editor.model.entities[e]).properties
    for (source, element) in match.properties {
      guard case .existing(let uid) = element, let old = properties[uid],
        old.type != source.storedType
      else { continue }
      attempt(source.place) { editor throws(ModelEditError) in
        try editor.convertType(
          source.storedType, flags: source.flags, of: ElementKey(.property, uid))
      }
    }
  }

  /// Sets the flags of an entity and its properties where they differ.
  private mutating func setFlags(_ source: SourceEntity, _ lookup: ModelLookup) {
    guard let entity = lookup.entity(named: source.name).map({ editor.model.entities[$0] }) else {
      return
    }
    if entity.flags.subtracting(.useNoArgConstructor) != source.flags {
      attempt(source.place) { editor throws(ModelEditError) in
        try editor.setFlags(source.flags, of: ElementKey(.entity, entity.pair.uid))
      }
    }
    let positions = entity.propertyPositions
    for property in source.properties {
      guard let old = positions[ExactText(property.name)].map({ entity.properties[$0] })
      else { continue }
      attempt(property.place) { editor throws(ModelEditError) in
        let flags = try editor.completed(property.flags, property.storedType, property.name)
        // Other generators write the kind of a hash index without the bit of an index, or with it.
        if flags.hasSameMeaning(as: old.flags) { return }
        try editor.setFlags(property.flags, of: ElementKey(.property, old.pair.uid))
      }
    }
  }

  /// Sets the fields that no other element depends on.
  private mutating func setFields(_ source: SourceEntity, _ lookup: ModelLookup) {
    guard let e = lookup.entity(named: source.name) else { return }
    var entity = model.entities[e]
    entity.externalName = source.externalName
    let positions = entity.propertyPositions
    for property in source.properties {
      guard let p = positions[ExactText(property.name)] else { continue }
      var next = entity.properties[p]
      next.externalName = property.externalName
      next.externalType = property.externalType
      if let target = property.target { next.relationTarget = target }
      // Generators and merges lay the text out in their own ways.
      let (old, new) = (next.hnswParams, property.hnswParams)
      if old?.filter({ !$0.isWhitespace }) != new?.filter({ !$0.isWhitespace }) {
        next.hnswParams = new
      }
      // A model without a change shares its storage, and is compared at once.
      if next != entity.properties[p] { entity.properties[p] = next }
    }
    for collection in source.collections where collection.link == .standalone {
      guard
        let r = entity.relations?.firstIndex(where: { $0.name.hasSameBytes(as: collection.name) }),
        let target = lookup.entity(named: collection.targetName)
      else { continue }
      entity.relations?[r].externalName = collection.externalName
      entity.relations?[r].externalType = collection.externalType
      entity.relations?[r].target = model.entities[target].pair
    }
    if entity != model.entities[e] { model.entities[e] = entity }
  }

  /// Adds a finding.
  mutating func add(_ finding: Finding) { findings.append(finding) }

  private mutating func attempt(
    _ place: SourcePlace?, _ edit: (inout ModelEditor) throws(ModelEditError) -> Void
  ) {
    do throws(ModelEditError) {
      try edit(&editor)
    } catch {
      let text = error.description
      report(
        GeneratorRule.model, place ?? modelPlace, text.prefix(1).uppercased() + text.dropFirst(),
        "Correct the declaration, or fix the model file")
    }
  }

  private mutating func report(
    _ rule: Rule, _ place: SourcePlace, _ message: String, _ advice: String
  ) {
    findings.append(Finding(rule, at: place, message, advice: advice))
  }
}

extension Entity {
  /// The positions of the properties by their names.
  fileprivate var propertyPositions: [ExactText: Int] {
    Dictionary(properties.enumerated().map { (ExactText($0.element.name), $0.offset) }) {
      first, _ in first
    }
  }
}

extension UIDResolution.Match {
  fileprivate var newUID: UID? { if case .new(let uid) = self { uid } else { nil } }
}

extension SourceProperty {
  fileprivate func draft(_ uid: UID?) -> PropertyDraft {
    PropertyDraft(name, storedType, flags, target: target, uid: uid)
  }
}

extension SourceCollection {
  fileprivate func draft(_ uid: UID?) -> RelationDraft {
    RelationDraft(name, to: targetName, uid: uid)
  }
}

extension PropertyFlags {
  /// Whether they differ in nothing but the bit that the kind of a hash index implies.
  fileprivate func hasSameMeaning(as other: PropertyFlags) -> Bool {
    let hashes: PropertyFlags = [.indexHash, .indexHash64]
    if isDisjoint(with: hashes) || other.isDisjoint(with: hashes) { return self == other }
    return union(.indexed) == other.union(.indexed)
  }
}

extension SourceEntity {
  /// The UIDs in the annotations of the entity and its members.
  fileprivate var chosenUIDs: [UID] {
    ([uid] + properties.map(\.uid) + collections.map(\.uid)).compactMap { request in
      if case .chosen(let uid, _)? = request { uid } else { nil }
    }
  }
}
