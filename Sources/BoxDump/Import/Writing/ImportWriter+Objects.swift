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
          error, object.plan, line: object.line, places: object.places[...],
          element: object.element))
    } catch let error as Unsuitable {
      var issue = ImportIssue(
        error.message, file: path, position: JSONPosition(line: object.line, column: 1),
        entity: object.plan.name, property: error.property)
      issue.element = object.element
      try reject(issue)
    }
  }

  /// Why an object cannot be put.
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
    var target: DynamicObject
    if let existing {
      target = try base(entity, existing, transaction)
    } else {
      target = DynamicObject(entity, id: try newID(object, transaction))
      try noteNew(target.id, entity, transaction)
    }
    // An object may lead to itself.
    if mapsIDs && object.id != 0 {
      try setMapping(entity, object.id, target.id, transaction)
    }
    var references: [Reference] = []
    for (position, value) in object.values {
      target.values[position] = value
      guard entity.properties[position].target != nil, case .unsigned(let id) = value, id != 0
      else { continue }
      let reference = Reference(
        entity: entity, id: target.id, position: position, target: id, line: object.line)
      if let resolved = try resolve(reference, transaction) {
        target.values[position] = .unsigned(resolved)
      } else {
        target.values[position] = mapsIDs && options.ids == .new ? .null : value
        references.append(reference)
      }
    }
    for links in object.links where links.relation == nil {
      target.values[links.position] =
        .unsigned(try self.targets(links, transaction).first ?? 0)
    }
    let isNew = try put(target, transaction)
    for links in object.links {
      if let relation = links.relation {
        let ids = try self.targets(links, transaction)
        try set(relation, of: target.id, to: ids, transaction)
        checkpoint.summary.note("\(entity.name).\(relation.name)", added: ids.count, leftOut: 0)
      }
    }
    for reference in references { try notePending(reference, transaction) }
    checkpoint.summary.note(entity.name, isNew: isNew)
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

  /// What an object is changed from: as it was before the import, as only the last of several that
  /// mean the same one counts.
  private func base(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws -> DynamicObject {
    if options.mode == .replace { return DynamicObject(entity, id: id) }
    let key = WorkKey.before(entity, id)
    if let before = try transaction.work(key) {
      checkpoint.summary.repeated += 1
      return before.isEmpty
        ? DynamicObject(entity, id: id) : try transaction.object(entity, id, in: before)
    }
    guard let snapshot = try transaction.snapshot(entity, id) else {
      throw StoreError.notFound(entity: entity.name, id: id)
    }
    try transaction.setWork(key, snapshot)
    return try transaction.object(entity, id, in: snapshot)
  }

  private func noteNew(
    _ id: UInt64, _ entity: EntitySchema, _ transaction: Transaction
  ) throws {
    if options.mode == .upsert { try transaction.setWork(WorkKey.before(entity, id), []) }
  }

  // MARK: - Ids that stand for others

  func mapping(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws -> UInt64? {
    guard let bytes = try transaction.work(WorkKey.mapping(entity, id)), bytes.count == 8 else {
      return nil
    }
    return WorkKey.integer(bytes[...])
  }

  private func setMapping(
    _ entity: EntitySchema, _ id: UInt64, _ target: UInt64, _ transaction: Transaction
  ) throws {
    try transaction.setWork(WorkKey.mapping(entity, id), WorkKey.bytes(target))
  }
}

/// The keys of what an import notes in the store.
enum WorkKey {
  static func before(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "b")] + bytes(entity.uid) + bytes(id)
  }

  static func mapping(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "m")] + bytes(entity.uid) + bytes(id)
  }

  static func pending(_ number: Int) -> [UInt8] {
    [UInt8(ascii: "p")] + bytes(UInt64(number))
  }

  /// The bytes of a number, the highest first, so that the order is that of numbers.
  static func bytes(_ integer: UInt64) -> [UInt8] {
    withUnsafeBytes(of: integer.bigEndian) { [UInt8]($0) }
  }

  static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
