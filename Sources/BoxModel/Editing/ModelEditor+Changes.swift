internal import BoxJSON
internal import BoxReport

/// Changes of elements that exist.
extension ModelEditor {
  /// The element with a name: `Film`, or `Film.title` for a property or a relation.
  ///
  /// - Throws: ``ModelEditError/notFound(_:nearest:)``.
  /// - Complexity: O(*n*) in the number of entities, and of members of the entity.
  package func element(named name: String) throws(ModelEditError) -> ElementKey {
    let lookup = ModelLookup(model)
    if let key = quotedElement(name, lookup) { return key }
    if let position = lookup.entity(named: name) {
      return ElementKey(.entity, model.entities[position].pair.uid)
    }
    var members: [(name: String, shown: String)] = []
    // Names may have dots of their own.
    for dot in name.utf8.indices where name.utf8[dot] == .period {
      guard let position = lookup.entity(named: String(name[..<dot])) else { continue }
      let entity = model.entities[position]
      let member = String(name[name.utf8.index(after: dot)...])
      if let key = Self.member(member, of: entity) { return key }
      members += (entity.properties.map(\.name) + (entity.relations ?? []).map(\.name))
        .map { ("\(entity.name).\($0)", NamePath([entity.name, $0]).description) }
    }
    let known =
      members.isEmpty ? model.entities.map { ($0.name, NamePath.quoted($0.name)) } : members
    let nearest = nearestName(to: name, among: known.map(\.name))
    let shown = nearest.flatMap { nearest in
      known.first { $0.name.hasSameBytes(as: nearest) }?.shown
    }
    throw .notFound(name, nearest: shown)
  }

  /// The element with names of which some are between backquotes; nil if it does not exist.
  private func quotedElement(_ name: String, _ lookup: ModelLookup) -> ElementKey? {
    let names = NamePath(reading: name).names
    guard names.count <= 2, name != names.joined(separator: "."),
      let position = lookup.entity(named: names[0])
    else { return nil }
    let entity = model.entities[position]
    return names.count == 1
      ? ElementKey(.entity, entity.pair.uid) : Self.member(names[1], of: entity)
  }

  private static func member(_ name: String, of entity: Entity) -> ElementKey? {
    let name = foldedName(name)
    if let property = entity.properties.first(where: { foldedName($0.name) == name }) {
      return ElementKey(.property, property.pair.uid)
    }
    return entity.relations?.first { foldedName($0.name) == name }
      .map { ElementKey(.relation, $0.pair.uid) }
  }

  /// The entity and the member of a name such as `Film.title`, whose member need not exist.
  ///
  /// - Throws: ``ModelEditError/notFound(_:nearest:)`` if no entity has the first part of the name.
  /// - Complexity: O(*n*) in the number of entities.
  package func splitName(
    _ name: String
  ) throws(ModelEditError) -> (entity: String, member: String) {
    let lookup = ModelLookup(model)
    let names = NamePath(reading: name).names
    if names.count == 2, lookup.entity(named: names[0]) != nil { return (names[0], names[1]) }
    for dot in name.utf8.indices where name.utf8[dot] == .period {
      let entity = String(name[..<dot])
      if lookup.entity(named: entity) != nil {
        return (entity, String(name[name.utf8.index(after: dot)...]))
      }
    }
    let entity = name.splitAtPeriods().first ?? name
    throw .notFound(
      entity, nearest: NamePath.nearest(to: entity, among: model.entities.map(\.name)))
  }

  /// Gives an element another name; its id, its UID and its data stay the same.
  ///
  /// The to-one relations that name a renamed entity as their target follow.
  ///
  /// - Throws: ``ModelEditError``.
  /// - Complexity: O(*n*) in the number of elements.
  package mutating func rename(
    _ key: ElementKey, to name: String
  ) throws(ModelEditError) {
    switch try place(of: key) {
    case .entity(let e):
      try Self.requireValid(name, .entity)
      if let other = position(named: name), other != e {
        throw .nameTaken(.entity, NamePath.quoted(model.entities[other].name))
      }
      let old = foldedName(model.entities[e].name)
      model.entities[e].name = name
      for e in model.entities.indices {
        for p in model.entities[e].properties.indices
        where model.entities[e].properties[p].relationTarget.map(foldedName) == old {
          model.entities[e].properties[p].relationTarget = name
        }
      }
    case .property(let e, let p):
      try requireFreeName(name, .property, in: e, except: key)
      model.entities[e].properties[p].name = name
    case .relation(let e, let r):
      try requireFreeName(name, .relation, in: e, except: key)
      model.entities[e].relations?[r].name = name
    case .index: throw .notFound("index \(key.uid)", nearest: nil)
    }
  }

  /// Removes an element, and retires its UID and the UIDs of everything in it.
  ///
  /// - Parameters:
  ///   - key: The element.
  ///   - leavingRelations: Whether relations of other entities may refer to a removed entity; the
  ///     caller gives them another target.
  /// - Throws: ``ModelEditError/isTarget(_:of:)`` if relations of other entities refer to an entity,
  ///   ``ModelEditError/isID(_:)`` for the id of an entity, and
  ///   ``ModelEditError/notFound(_:nearest:)``.
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package mutating func remove(
    _ key: ElementKey, leavingRelations: Bool = false
  ) throws(ModelEditError) {
    switch try place(of: key) {
    case .entity(let e):
      let entity = model.entities[e]
      let owners = relations(to: e)
      if !owners.isEmpty, !leavingRelations {
        throw .isTarget(NamePath.quoted(entity.name), of: owners)
      }
      model.apply(
        .retire(
          [ElementKey(.entity, entity.pair.uid)] + entity.properties.flatMap(Self.keys)
            + (entity.relations ?? []).map { ElementKey(.relation, $0.pair.uid) }))
      model.entities.remove(at: e)
    case .property(let e, let p):
      let property = model.entities[e].properties[p]
      if property.flags.contains(.id) { throw .isID(label(property.name, in: e)) }
      model.apply(.retire(Self.keys(of: property)))
      model.entities[e].properties.remove(at: p)
    case .relation(let e, let r):
      model.apply(.retire([key]))
      model.entities[e].relations?.remove(at: r)
    case .index: throw .notFound("index \(key.uid)", nearest: nil)
    }
  }

  /// Sets the flags of a property; an index is added or retired with the flags that need one.
  ///
  /// - Throws: ``ModelEditError/isID(_:)`` if the flag for ids would change, or another error if the
  ///   flags do not fit the type or each other.
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package mutating func setFlags(
    _ flags: PropertyFlags, of key: ElementKey
  ) throws(ModelEditError) {
    guard case .property(let e, let p) = try place(of: key) else {
      throw .notFound("property \(key.uid)", nearest: nil)
    }
    let property = model.entities[e].properties[p]
    let label = label(property.name, in: e)
    if flags.contains(.id) != property.flags.contains(.id) { throw .isID(label) }
    var next = self
    let completed = try self.completed(flags, property.type ?? .unknown, label)
    next.model.entities[e].properties[p].flags = completed
    if completed.isIndexed {
      if property.indexID == nil {
        let index = try next.nextIndex()
        next.model.entities[e].properties[p].indexID = index
      }
    } else if let index = property.indexID {
      next.model.apply(.retire([ElementKey(.index, index.uid)]))
      next.model.entities[e].properties[p].indexID = nil
    }
    self = next
  }

  /// Sets the flags of an entity.
  ///
  /// - Throws: ``ModelEditError`` if the flags exclude each other.
  /// - Complexity: O(*n*) in the number of elements.
  package mutating func setFlags(
    _ flags: EntityFlags, of key: ElementKey
  ) throws(ModelEditError) {
    guard case .entity(let e) = try place(of: key) else {
      throw .notFound("entity \(key.uid)", nearest: nil)
    }
    if flags.contains(.sharedGlobalIDs), !flags.contains(.syncEnabled) {
      throw .conflictingFlags(
        NamePath.quoted(model.entities[e].name),
        reason: "SHARED_GLOBAL_IDS needs SYNC_ENABLED; set both")
    }
    model.entities[e].flags = flags
  }

  /// Sets and clears flags by their names, such as `INDEXED`, whatever their case.
  ///
  /// - Throws: ``ModelEditError/unknownFlag(_:nearest:)``, and as ``setFlags(_:of:)``.
  /// - Complexity: As ``setFlags(_:of:)``.
  package mutating func changeFlags(
    of key: ElementKey, set: [String], clear: [String]
  ) throws(ModelEditError) {
    switch try place(of: key) {
    case .entity(let e):
      var flags = model.entities[e].flags
      for name in set { flags.formUnion(try Self.entityFlag(name)) }
      for name in clear { flags.subtract(try Self.entityFlag(name)) }
      try setFlags(flags, of: key)
    case .property(let e, let p):
      var (added, cleared): (PropertyFlags, PropertyFlags) = ([], [])
      for name in set { added.formUnion(try Self.propertyFlag(name)) }
      for name in clear { cleared.formUnion(try Self.propertyFlag(name)) }
      let old = model.entities[e].properties[p].flags
      // The two bits of a hash index in files of Swift are one index, which goes as a whole.
      if model.isOfSwift, !old.isDisjoint(with: [.indexHash, .indexHash64]),
        !cleared.isDisjoint(with: .indexKind), added.isDisjoint(with: .indexKind)
      {
        cleared.formUnion(.indexKind)
      }
      try setFlags(old.union(added).subtracting(cleared), of: key)
    case .relation(let e, let r):
      throw .isRelationToMany(label(model.entities[e].relations?[r].name ?? "", in: e))
    case .index: throw .notFound("index \(key.uid)", nearest: nil)
    }
  }

  private static func entityFlag(_ name: String) throws(ModelEditError) -> EntityFlags {
    if let flag = EntityFlags(named: name) { return flag }
    throw .unknownFlag(
      name, nearest: nearestName(to: name, among: EntityFlags.names.map(\.name)))
  }

  private static func propertyFlag(_ name: String) throws(ModelEditError) -> PropertyFlags {
    if let flag = PropertyFlags(named: name) { return flag }
    throw .unknownFlag(
      name, nearest: nearestName(to: name, among: PropertyFlags.names.map(\.name)))
  }

  /// Gives a property another type.
  ///
  /// A property with another type is another property: it gets a new id and a new UID at the end of its
  /// entity, and so does its index. The old UIDs are retired. Values stored under the old UID are not
  /// visible under the new one; a migration can carry them over. A property whose type is not known
  /// keeps its id and its UID.
  ///
  /// - Throws: ``ModelEditError/isID(_:)``, ``ModelEditError/isRelation(_:)``, or another error if the
  ///   flags do not fit the new type.
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package mutating func setType(
    _ type: PropertyType, of key: ElementKey
  ) throws(ModelEditError) {
    let (e, p) = try position(of: key, as: type)
    let old = model.entities[e].properties[p]
    if old.type == type { return }
    guard old.type?.isKnown ?? false else { return try convertType(type, of: key) }
    let flags = try completed(old.flags, type, label(old.name, in: e))
    var next = self
    next.model.apply(.retire(Self.keys(of: old)))
    var property = old
    property.type = type
    property.flags = flags
    property.indexID = flags.isIndexed ? try next.nextIndex() : nil
    property.pair = IDPair(id: try next.nextPropertyID(of: e), uid: try next.uid(nil))
    next.model.entities[e].properties.remove(at: p)
    next.model.entities[e].properties.append(property)
    next.model.entities[e].lastPropertyID = property.pair
    self = next
  }

  /// Gives a property another type under its UID.
  ///
  /// Stores that have values of the old type are refused until a migration has converted them.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - flags: The flags; nil to keep them.
  ///   - key: The property.
  /// - Throws: As ``setType(_:of:)``.
  /// - Complexity: O(*n*) in the number of elements and retired UIDs.
  package mutating func convertType(
    _ type: PropertyType, flags: PropertyFlags? = nil, of key: ElementKey
  ) throws(ModelEditError) {
    let (e, p) = try position(of: key, as: type)
    let old = model.entities[e].properties[p]
    if old.type == type, flags == nil { return }
    var next = self
    next.model.entities[e].properties[p].type = type
    try next.setFlags(flags ?? old.flags, of: key)
    self = next
  }

  /// The place of a property that may get a type.
  private func position(
    of key: ElementKey, as type: PropertyType
  ) throws(ModelEditError) -> (entity: Int, property: Int) {
    let place = try place(of: key)
    if case .relation(let e, let r) = place {
      throw .isRelationToMany(label(model.entities[e].relations?[r].name ?? "", in: e))
    }
    if case .entity(let e) = place { throw .noType(NamePath.quoted(model.entities[e].name)) }
    guard case .property(let e, let p) = place else { throw .noType(model.label(place)) }
    let property = model.entities[e].properties[p]
    let label = label(property.name, in: e)
    if property.flags.contains(.id) { throw .isID(label) }
    if property.type == .relation || type == .relation { throw .isRelation(label) }
    if type == .floatVector, property.type != .floatVector, property.flags.isIndexed {
      throw .conflictingFlags(
        label, reason: "an index of vectors has parameters of its own; clear the index first")
    }
    return (e, p)
  }

  private func place(of key: ElementKey) throws(ModelEditError) -> ElementPlace {
    if let place = ModelLookup(model)[key.kind, key.uid] { return place }
    throw .notFound("\(key.kind) \(key.uid)", nearest: nil)
  }

  /// The relations of other entities that refer to an entity, as `Film.director`.
  private func relations(to position: Int) -> [String] {
    let target = model.entities[position]
    let name = foldedName(target.name)
    var owners: [String] = []
    for (e, entity) in model.entities.enumerated() where e != position {
      owners += entity.properties.filter { $0.relationTarget.map(foldedName) == name }
        .map { label($0.name, in: e) }
      owners += (entity.relations ?? []).filter { $0.target.uid == target.pair.uid }
        .map { label($0.name, in: e) }
    }
    return owners
  }

  private static func keys(of property: Property) -> [ElementKey] {
    [ElementKey(.property, property.pair.uid)]
      + (property.indexID.map { [ElementKey(.index, $0.uid)] } ?? [])
  }
}
