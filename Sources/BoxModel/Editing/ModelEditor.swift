internal import BoxJSON
internal import BoxReport

/// Edits of a model by the rules of the generators.
///
/// A new element gets the id after the last one of its counter and a fresh UID. What is removed is
/// retired, with everything in it, so that neither its id nor its UID is ever assigned again. An edit
/// that throws changes nothing.
///
///     var editor = ModelEditor(document.model, uids: .random)
///     try editor.addProperty(PropertyDraft("year", .long), to: "Film")
///     let bytes = document.rendered(editor.model)
package struct ModelEditor: Sendable {
  /// The model with all edits so far.
  package internal(set) var model: Model
  private var uids: any UIDSource
  /// Every UID that no new element may have.
  private var used: Set<UID> = []
  /// The names and ids while entities are added, which would be looked for again for each of them.
  private var addition: Addition?

  /// The names and ids of a model that entities are added to.
  private struct Addition {
    /// The positions of the entities by their names.
    var positions: [ExactText: Int] = [:]
    /// The highest id of each counter.
    var highest: [Counter: UInt32] = [:]
    /// The members of the entity that is added, by their names.
    var members: [ExactText: (kind: ElementKind, name: String)] = [:]

    init(to model: Model) {
      // Of entities with one name the first counts.
      for (position, entity) in model.entities.enumerated().reversed() {
        positions[foldedName(entity.name)] = position
      }
      for counter in [Counter.entity, .index, .relation] {
        highest[counter] = model.highestID(counter)
      }
    }
  }

  /// Begins to edit a model.
  ///
  /// - Parameters:
  ///   - model: The model; one with errors is edited as far as the errors allow.
  ///   - uids: The source of fresh UIDs.
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package init(_ model: Model, uids: any UIDSource) {
    self.model = model
    self.uids = uids
    model.forEachElement { _, pair in used.insert(pair.uid) }
    for kind in ElementKind.allCases { used.formUnion(model[retired: kind] ?? []) }
    used.formUnion(model.newUIDPool ?? [])
  }

  // MARK: - Additions

  /// Adds an entity; see ``addEntities(_:)``.
  package mutating func addEntity(_ draft: EntityDraft) throws(ModelEditError) {
    try addEntities([draft])
  }

  /// Adds entities, whose relations may refer to each other.
  ///
  /// UIDs are drawn in the order of the generator for Swift. For each entity: its properties, each index
  /// before its property, then its relations, and the entity itself last.
  ///
  /// - Throws: ``ModelEditError``.
  /// - Complexity: O(*n*) in the added elements and the elements of the model.
  package mutating func addEntities(_ drafts: [EntityDraft]) throws(ModelEditError) {
    var next = self
    next.addition = Addition(to: model)
    for draft in drafts { try next.appendEntity(draft) }
    // Only now every target has its pair.
    for (position, draft) in zip(next.model.entities.indices.suffix(drafts.count), drafts) {
      try next.resolveTargets(of: draft, at: position)
    }
    next.addition = nil
    self = next
  }

  /// Adds a property to an entity, at the end.
  ///
  /// - Parameters:
  ///   - draft: The property; it is not an id.
  ///   - entity: The name of the entity.
  /// - Throws: ``ModelEditError``.
  /// - Complexity: O(*n*) in the number of entities, and of properties of the entity.
  package mutating func addProperty(
    _ draft: PropertyDraft, to entity: String
  ) throws(ModelEditError) {
    var next = self
    let position = try next.entity(named: entity)
    if draft.flags.contains(.id) {
      throw .isID(next.label(draft.name, in: position))
    }
    try next.append(draft, to: position)
    if let target = draft.target {
      let last = next.model.entities[position].properties.count - 1
      let found = try next.target(target, of: draft.name, in: position).name
      next.model.entities[position].properties[last].relationTarget = found
    }
    self = next
  }

  /// Adds a relation to many objects to an entity, at the end.
  ///
  /// - Parameters:
  ///   - draft: The relation.
  ///   - entity: The name of the entity.
  /// - Throws: ``ModelEditError``.
  /// - Complexity: O(*n*) in the number of entities, and of members of the entity.
  package mutating func addRelation(
    _ draft: RelationDraft, to entity: String
  ) throws(ModelEditError) {
    var next = self
    let position = try next.entity(named: entity)
    let target = try next.target(draft.target, of: draft.name, in: position).pair
    try next.append(draft, to: position)
    let last = (next.model.entities[position].relations?.count ?? 1) - 1
    next.model.entities[position].relations?[last].target = target
    self = next
  }

  private mutating func appendEntity(_ draft: EntityDraft) throws(ModelEditError) {
    try Self.requireValid(draft.name, .entity)
    if position(named: draft.name) != nil { throw .nameTaken(.entity, NamePath.quoted(draft.name)) }
    let ids = draft.properties.filter { $0.flags.contains(.id) }
    guard ids.count == 1, ids[0].type == .long else {
      throw .invalidID(entity: NamePath.quoted(draft.name))
    }
    if draft.flags.contains(.sharedGlobalIDs), !draft.flags.contains(.syncEnabled) {
      throw .conflictingFlags(
        NamePath.quoted(draft.name), reason: "SHARED_GLOBAL_IDS needs SYNC_ENABLED; set both")
    }
    var entity = Entity(pair: IDPair(id: try nextID(.entity), uid: 0), name: draft.name)
    entity.flags = draft.flags
    model.entities.append(entity)
    let position = model.entities.count - 1
    addition?.positions[foldedName(draft.name)] = position
    addition?.members = [:]
    for property in draft.properties { try append(property, to: position) }
    for relation in draft.relations { try append(relation, to: position) }
    let uid = try uid(draft.uid)
    model.entities[position].pair.uid = uid
    model.lastEntityID = model.entities[position].pair
  }

  private mutating func append(
    _ draft: PropertyDraft, to position: Int
  ) throws(ModelEditError) {
    try requireFreeName(draft.name, .property, in: position)
    let label = label(draft.name, in: position)
    if (draft.type == .relation) != (draft.target != nil) { throw .isRelation(label) }
    let flags = try completed(draft.flags, draft.type, label)
    var property = Property(
      pair: IDPair(id: try nextPropertyID(of: position), uid: 0), name: draft.name,
      type: draft.type, flags: flags)
    if flags.isIndexed { property.indexID = try nextIndex() }
    property.pair.uid = try uid(draft.uid)
    model.entities[position].properties.append(property)
    model.entities[position].lastPropertyID = property.pair
    addition?.members[foldedName(draft.name)] = (.property, draft.name)
  }

  private mutating func append(
    _ draft: RelationDraft, to position: Int
  ) throws(ModelEditError) {
    try requireFreeName(draft.name, .relation, in: position)
    let pair = IDPair(id: try nextID(.relation), uid: try uid(draft.uid))
    let relation = Relation(pair: pair, name: draft.name, target: .unset)
    model.entities[position].relations = model.entities[position].relations ?? []
    model.entities[position].relations?.append(relation)
    model.lastRelationID = pair
    addition?.members[foldedName(draft.name)] = (.relation, draft.name)
  }

  private mutating func resolveTargets(
    of draft: EntityDraft, at position: Int
  ) throws(ModelEditError) {
    for (p, property) in draft.properties.enumerated() {
      guard let name = property.target else { continue }
      let found = try target(name, of: property.name, in: position).name
      model.entities[position].properties[p].relationTarget = found
    }
    for (r, relation) in draft.relations.enumerated() {
      let found = try target(relation.target, of: relation.name, in: position).pair
      model.entities[position].relations?[r].target = found
    }
  }

  // MARK: - Ids and UIDs

  /// The next index, which becomes the last one of the model.
  mutating func nextIndex() throws(ModelEditError) -> IDPair {
    let pair = IDPair(id: try nextID(.index), uid: try uid(nil))
    model.lastIndexID = pair
    return pair
  }

  /// The id after the last one of a counter of the model, and after all that are in use.
  private mutating func nextID(_ counter: Counter) throws(ModelEditError) -> UInt32 {
    let last = addition?.highest[counter] ?? model.highestID(counter)
    guard let next = IDPair.nextID(after: last) else { throw .noMoreIDs(counter.kind) }
    addition?.highest[counter] = next
    return next
  }

  /// The id after the last one of the properties of an entity.
  func nextPropertyID(of position: Int) throws(ModelEditError) -> UInt32 {
    let entity = model.entities[position]
    // The ids of an entity that is added ascend.
    let highest = addition == nil ? entity.properties.map(\.pair.id).max() ?? 0 : 0
    guard let next = IDPair.nextID(after: max(highest, entity.lastPropertyID?.id ?? 0)) else {
      throw .noMoreIDs(.property)
    }
    return next
  }

  /// A UID for a new element: the one that the caller chose, or a fresh one.
  mutating func uid(_ chosen: UID?) throws(ModelEditError) -> UID {
    if let chosen {
      if chosen == 0 || chosen > maximumUID { throw .uidOutOfRange(chosen) }
      // A UID on offer waits for exactly this.
      if let offer = model.newUIDPool?.firstIndex(of: chosen) {
        model.newUIDPool?.remove(at: offer)
        return chosen
      }
      guard used.insert(chosen).inserted else { throw .uidUsed(chosen) }
      return chosen
    }
    for _ in 0..<1000 {
      let uid = uids.next()
      if uid != 0, uid <= maximumUID, used.insert(uid).inserted { return uid }
    }
    throw .noFreshUID
  }
}

/// Names and flags.
extension ModelEditor {
  /// The position of the entity with a name, whatever its case; without an index of all elements, which takes longer
  /// than one look-up.
  func position(named name: String) -> Int? {
    let name = foldedName(name)
    if let addition { return addition.positions[name] }
    return model.entities.firstIndex { foldedName($0.name) == name }
  }

  /// The position of an entity.
  ///
  /// - Throws: ``ModelEditError/notFound(_:nearest:)``.
  func entity(named name: String) throws(ModelEditError) -> Int {
    if let position = position(named: name) { return position }
    throw .notFound(name, nearest: NamePath.nearest(to: name, among: model.entities.map(\.name)))
  }

  private func target(
    _ name: String, of member: String, in position: Int
  ) throws(ModelEditError) -> Entity {
    if let found = self.position(named: name) { return model.entities[found] }
    throw .noTarget(
      name, of: label(member, in: position),
      nearest: NamePath.nearest(to: name, among: model.entities.map(\.name)))
  }

  func label(_ member: String, in position: Int) -> String {
    NamePath([model.entities[position].name, member]).description
  }

  static func requireValid(_ name: String, _ kind: ElementKind) throws(ModelEditError) {
    if name.isEmpty || name.utf8.count > ModelParser.maximumNameLength {
      throw .invalidName(kind, name)
    }
  }

  /// Throws if a member of an entity cannot have a name: classes of generated code have properties and
  /// relations side by side.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - kind: The kind of the member.
  ///   - position: The position of the entity.
  ///   - member: The member that has the name if it is renamed to another spelling; nil for a new one.
  /// - Throws: ``ModelEditError``.
  func requireFreeName(
    _ name: String, _ kind: ElementKind, in position: Int, except member: ElementKey? = nil
  ) throws(ModelEditError) {
    try Self.requireValid(name, kind)
    let entity = model.entities[position]
    let folded = foldedName(name)
    if let addition {
      guard let taken = addition.members[folded] else { return }
      throw .nameTaken(taken.kind, label(taken.name, in: position))
    }
    let members =
      entity.properties.map { (ElementKey(.property, $0.pair.uid), $0.name) }
      + (entity.relations ?? []).map { (ElementKey(.relation, $0.pair.uid), $0.name) }
    for (key, other) in members where key != member && foldedName(other) == folded {
      throw .nameTaken(key.kind, label(other, in: position))
    }
  }

  /// The flags of a property with those that follow from them: a to-one relation is indexed without
  /// zeroes, what has no meaning without an index gets the usual one of its type, and hashes of a text have the bit of
  /// an index beside them where the generator of the file writes it.
  ///
  /// - Throws: ``ModelEditError`` if the flags have no meaning for the type, or exclude each other.
  package func completed(
    _ flags: PropertyFlags, _ type: PropertyType, _ label: String
  ) throws(ModelEditError) -> PropertyFlags {
    guard type.isKnown else { throw .unknownType(label, type) }
    var flags = flags
    if type == .relation { flags.formUnion([.indexed, .indexPartialSkipZero]) }
    if !flags.isIndexed, !flags.isDisjoint(with: .needsIndex) {
      flags.formUnion(type == .string ? .indexHash : .indexed)
    }
    if model.isOfSwift, type == .string, !flags.isDisjoint(with: [.indexHash, .indexHash64]) {
      flags.insert(.indexed)
    }
    let unsupported = type.unsupportedFlags(in: flags)
    if !unsupported.isEmpty { throw .unsupportedFlags(label, unsupported, type) }
    if flags.isSuperset(of: [.indexHash, .indexHash64]) {
      throw .conflictingFlags(label, reason: "INDEX_HASH and INDEX_HASH64 exclude each other")
    }
    if flags.contains(.uniqueOnConflictReplace), !flags.contains(.unique) {
      throw .conflictingFlags(
        label, reason: "UNIQUE_ON_CONFLICT_REPLACE needs UNIQUE; set both")
    }
    if flags.contains(.idSelfAssignable), !flags.contains(.id) {
      throw .conflictingFlags(
        label, reason: "ID_SELF_ASSIGNABLE needs ID: only the id of an object can be assigned")
    }
    return flags
  }
}

extension Model {
  /// The last id of a counter of the model, or a higher one that is in use.
  fileprivate func highestID(_ counter: Counter) -> UInt32 {
    var last = self[last: counter]?.id ?? 0
    forEachElement { place, pair in
      if place.kind == counter.kind { last = max(last, pair.id) }
    }
    return last
  }
}
