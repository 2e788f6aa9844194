internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Objects whose place depends on what is in the store.
extension ImportWriter {
  func put(_ object: ImportObject, _ transaction: Transaction) throws {
    do {
      try write(object, transaction)
    } catch let error as StoreError {
      try reject(
        issue(
          error, object.plan, at: object.place, places: object.places[...],
          element: object.element))
    } catch let error as Unsuitable {
      var issue = ImportIssue(
        error.message, file: fileName(object.place),
        position: JSONPosition(line: object.place.line, column: 1),
        entity: object.plan.name, property: error.property)
      issue.element = object.element
      try reject(issue)
    }
  }

  /// The reason why an object cannot be put.
  private struct Unsuitable: Error {
    var message: String
    var property: String?
  }

  private func write(_ object: ImportObject, _ transaction: Transaction) throws {
    let entity = object.plan.entity
    let existing = try find(object, transaction)
    if existing == nil && options.mode == .update {
      throw Unsuitable(message: "there is no object to update\(matched(object))")
    }
    if existing != nil && options.mode == .insert {
      throw Unsuitable(message: "the object exists already\(matched(object))")
    }
    let base: Base
    if let existing {
      base = try knownObject(entity, existing, transaction)
    } else {
      base = try newObject(object, transaction)
    }
    do {
      try write(object, onto: base, transaction)
    } catch let error as UniqueValueTaken {
      guard try mayBeReleased(error.error, entity, transaction) else { throw error.error }
      try wait(object, as: base.object.id, isNew: existing == nil, transaction)
    }
  }

  /// The violation of a unique property by an object of which nothing is written yet.
  private struct UniqueValueTaken: Error {
    var error: StoreError
  }

  /// Writes an element that waited, whose values are in the store already.
  func write(_ waiting: WaitingElement, _ transaction: Transaction) throws {
    let base = Base(object: DynamicObject(waiting.object.plan.entity, id: waiting.id))
    try write(waiting.object, onto: base, isNew: waiting.isNew, transaction)
  }

  private func write(
    _ object: ImportObject, onto base: Base, isNew known: Bool? = nil, _ transaction: Transaction
  ) throws {
    let entity = object.plan.entity
    var target = base.object
    var references: [Reference] = []
    for (position, value) in object.values {
      target.values[position] = value
      guard let uid = entity.properties[position].target, case .unsigned(let id) = value, id != 0
      else { continue }
      // An object may be its own target.
      if uid == entity.uid && id == object.id {
        target.values[position] = .unsigned(target.id)
        continue
      }
      let reference = Reference(
        entity: entity, id: target.id, position: position, target: id, place: object.place)
      if let resolved = try resolve(reference, transaction) {
        target.values[position] = .unsigned(resolved)
      } else {
        target.values[position] = mapsIDs && options.ids == .new ? .null : value
        references.append(reference)
      }
    }
    let made = try setReferences(object.links, of: &target, transaction)
    var parts = NestedObjects()
    try add(object.nested, to: &target, &parts, transaction)
    // Of an object that cannot be put nothing stays: nothing of it is written before.
    var isNew: Bool
    do {
      isNew = try put(target, transaction)
    } catch let error as StoreError {
      if case .uniqueViolation = error { throw UniqueValueTaken(error: error) }
      throw error
    }
    isNew = known ?? isNew
    try noteWritten(entity, target.id, transaction)
    if !isNew { try unlinkReplaced(entity, target.id, transaction) }
    try recordObject(base, as: object, transaction)
    // Relations that wait since earlier elements no longer count.
    if !isNew && checkpoint.pending > 0 && object.plan.hasRelations {
      try transaction.setCheckpoint(
        CheckpointKey.firstPending(entity, target.id),
        CheckpointKey.bytes(UInt64(checkpoint.pending)))
    }
    try putMade(made, transaction)
    try put(parts, transaction)
    try putEntries(object.links, of: target, transaction)
    for reference in references { try notePending(reference, transaction) }
    checkpoint.summary.count(entity.name, isNew: isNew)
  }

  /// Sets the to-one relations whose targets are found by a key.
  ///
  /// - Returns: The new targets to put after the object.
  func setReferences(
    _ links: [ImportKeyLinks], of object: inout DynamicObject, _ transaction: Transaction
  ) throws -> KeyTargets {
    var made = KeyTargets()
    for links in links where links.relation == nil {
      let ids = try targets(links, of: object, making: &made, transaction)
      object.values[links.position] = ids.first.map { .unsigned($0) } ?? .null
    }
    return made
  }

  /// Puts the entries of to-many relations whose targets are found by a key, with new targets.
  func putEntries(
    _ links: [ImportKeyLinks], of object: DynamicObject, _ transaction: Transaction
  ) throws {
    for links in links {
      guard let relation = links.relation else { continue }
      var made = KeyTargets()
      let ids = try targets(links, of: object, making: &made, transaction)
      try putMade(made, transaction)
      try set(relation, of: object.id, to: ids, transaction)
      checkpoint.summary.count(
        "\(object.entity.name).\(relation.name)", added: ids.count, leftOut: 0)
    }
  }

  /// Puts new objects to which another one is related.
  func putMade(_ made: KeyTargets, _ transaction: Transaction) throws {
    for target in made.objects {
      checkpoint.summary.count(target.entity.name, isNew: try put(target, transaction))
    }
  }

  /// The id of the object that is meant; nil if it does not exist.
  private func find(_ object: ImportObject, _ transaction: Transaction) throws -> UInt64? {
    let entity = object.plan.entity
    guard let match, match.entity === entity else {
      if object.id == 0 { return nil }
      if mapsIDs, let known = try mapping(entity, object.id, transaction) { return known }
      if options.ids == .new { return nil }
      return try transaction.contains(entity, object.id) ? object.id : nil
    }
    let property = entity.properties[match.position]
    let value = object.values.last { $0.position == match.position }?.value ?? .null
    if case .null = value {
      throw Unsuitable(
        message: "it has no value to be found by", property: property.name)
    }
    let ids = try transaction.ids(entity, where: property, equals: value)
    if ids.count > 1 {
      throw Unsuitable(
        message: "\(ids.count) objects have the value \(value)", property: property.name)
    }
    return ids.first
  }

  private func matched(_ object: ImportObject) -> String {
    if let match, match.entity === object.plan.entity,
      let value = object.values.last(where: { $0.position == match.position })?.value
    {
      return ", \(match.entity.properties[match.position].name) \(value)"
    }
    return object.id == 0 ? "" : ", id \(object.id)"
  }

  private func newID(_ object: ImportObject, _ transaction: Transaction) throws -> UInt64 {
    if options.ids == .keep && object.id != 0 {
      if try match != nil && transaction.contains(object.plan.entity, object.id) {
        throw StoreError.alreadyExists(entity: object.plan.entity.name, id: object.id)
      }
      return object.id
    }
    let last = try transaction.lastID(object.plan.entity)
    if last >= ObjectStore.maximumID {
      throw StoreError.idsExhausted(entity: object.plan.entity.name)
    }
    return last + 1
  }

  // MARK: - Objects that come again

  /// The object to which the values of an element are applied.
  private struct Base {
    var object: DynamicObject
    /// The bytes to note once the object is put: those before the import, none for a new object;
    /// nil to note nothing.
    var note: [UInt8]?
    /// Whether an earlier element meant the same object.
    var isRepeated = false
  }

  /// The object as it was before the import, to which an element is applied: if several elements
  /// mean the same object, only the last one counts.
  private func knownObject(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws -> Base {
    if options.mode == .replace { return Base(object: DynamicObject(entity, id: id)) }
    if let before = try transaction.checkpoint(CheckpointKey.before(entity, id)) {
      let object =
        before.isEmpty
        ? DynamicObject(entity, id: id) : try transaction.object(entity, id, in: before)
      return Base(object: object, isRepeated: true)
    }
    guard let snapshot = try transaction.snapshot(entity, id) else {
      throw StoreError.notFound(entity: entity.name, id: id)
    }
    return Base(object: try transaction.object(entity, id, in: snapshot), note: snapshot)
  }

  private func newObject(_ object: ImportObject, _ transaction: Transaction) throws -> Base {
    let id = try newID(object, transaction)
    return Base(
      object: DynamicObject(object.plan.entity, id: id), note: options.mode == .upsert ? [] : nil)
  }

  /// Records what elements that follow have to know of an object that was put.
  private func recordObject(
    _ base: Base, as object: ImportObject, _ transaction: Transaction
  ) throws {
    let (entity, id) = (base.object.entity, base.object.id)
    if mapsIDs && object.id != 0 {
      try transaction.setCheckpoint(
        CheckpointKey.mapping(entity, object.id), CheckpointKey.bytes(id))
    }
    if let note = base.note {
      try transaction.setCheckpoint(CheckpointKey.before(entity, id), note)
    }
    if base.isRepeated { checkpoint.summary.repeated += 1 }
  }

  // MARK: - Ids that stand for others

  func mapping(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws -> UInt64? {
    guard let bytes = try transaction.checkpoint(CheckpointKey.mapping(entity, id)),
      bytes.count == 8
    else {
      return nil
    }
    return CheckpointKey.integer(bytes[...])
  }
}
