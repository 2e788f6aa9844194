internal import BoxEngine
internal import BoxModel

/// An object in the store of a draft.
struct DraftKey: Hashable, Sendable {
  let entity: EntitySchema
  let id: UInt64
}

/// An object as a draft has it.
struct DraftRecord: Equatable, Sendable {
  /// The values; nil if the draft has removed the object.
  var object: DynamicObject?
  /// Whether the draft has removed the stored object, and with it its links, before it was put again.
  var isReplaced: Bool
  /// The hash of the stored object from which the change was made; nil if there was none.
  var base: Int?
}

/// A relation to many of one object.
struct DraftLinkKey: Hashable, Sendable {
  let relation: RelationSchema
  let source: UInt64
}

/// The changes of a to-many relation.
struct DraftLinks: Equatable, Sendable {
  var added: Set<UInt64>
  var removed: Set<UInt64>

  var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}

/// The objects and relations of a draft that a change concerned, as they were before; nil for those that
/// the draft did not have.
struct DraftStep: Sendable {
  var records: [DraftKey: DraftRecord?] = [:]
  var links: [DraftLinkKey: DraftLinks?] = [:]

  var isEmpty: Bool { records.isEmpty && links.isEmpty }

  /// Adds a step that was made after this one.
  mutating func append(_ later: DraftStep) {
    records.merge(later.records) { first, _ in first }
    links.merge(later.links) { first, _ in first }
  }
}

/// The changes of a draft: the objects and relations that differ from the store.
struct DraftContent: Sendable {
  private(set) var records: [DraftKey: DraftRecord] = [:]
  private(set) var links: [DraftLinkKey: DraftLinks] = [:]
  /// The changes since it was last taken.
  private var step = DraftStep()

  var isEmpty: Bool { records.isEmpty && links.isEmpty }

  /// Sets an object; nil if it is the stored one.
  mutating func set(_ record: DraftRecord?, for key: DraftKey) {
    let before = records[key]
    if before == record { return }
    if step.records[key] == nil { step.records[key] = .some(before) }
    records[key] = record
  }

  /// Sets a relation.
  mutating func set(_ new: DraftLinks, for key: DraftLinkKey) {
    let before = links[key]
    let after = new.isEmpty ? nil : new
    if before == after { return }
    if step.links[key] == nil { step.links[key] = .some(before) }
    links[key] = after
  }

  /// The step that leads back to what the content was before.
  mutating func endStep() -> DraftStep {
    defer { step = DraftStep() }
    return step
  }

  /// Goes a step back; returns the step that leads forth again.
  mutating func revert(_ back: DraftStep) -> DraftStep {
    for (key, record) in back.records { set(record, for: key) }
    for (key, links) in back.links { set(links ?? DraftLinks(added: [], removed: []), for: key) }
    return endStep()
  }

  // MARK: - Writing

  private var sortedRecords: [(key: DraftKey, value: DraftRecord)] {
    records.sorted { ($0.key.entity.uid, $0.key.id) < ($1.key.entity.uid, $1.key.id) }
  }

  /// Makes the changes in a write transaction.
  ///
  /// - Throws: ``StoreError/uniqueViolation(entity:property:value:existing:)`` if another transaction has
  ///   stored a unique value meanwhile, and the errors of writing.
  func apply(to transaction: EngineTransaction) throws(StoreError) {
    let records = sortedRecords
    let removed = records.filter { $0.value.object == nil || $0.value.isReplaced }.map(\.key)
    let lost =
      removed.contains { $0.entity.hasDeleteRules }
      ? try removeByRules(removed, from: transaction)
      : try removeAlone(removed, from: transaction)
    let objects = records.filter { !lost.contains($0.key) }.compactMap(\.value.object)
    // Objects can have exchanged their values.
    for object in objects where object.entity.hasUniqueValues {
      if try transaction.contains(object.entity, object.id) {
        try transaction.put(object.withoutUniqueValues)
      }
    }
    try StoreError.only {
      try transaction.displacing { for object in objects { try transaction.put(object) } }
    }
    try applyLinks(to: transaction)
  }

  private func removeAlone(
    _ removed: [DraftKey], from transaction: EngineTransaction
  ) throws(StoreError) -> Set<DraftKey> {
    for key in removed { try transaction.remove(key.entity, key.id) }
    return []
  }

  /// Removes the objects that the draft has removed, all at once, and what the delete rules say; returns changed objects
  /// that went with them.
  ///
  /// The draft may have changed relations before it removed their targets, so the changes come first.
  private func removeByRules(
    _ removed: [DraftKey], from transaction: EngineTransaction
  ) throws(StoreError) -> Set<DraftKey> {
    var changed: Set<DraftKey> = []
    for (key, record) in sortedRecords where !record.isReplaced {
      guard let object = record.object, try transaction.contains(key.entity, key.id) else {
        continue
      }
      try transaction.put(object.withoutUniqueValues)
      changed.insert(key)
    }
    try applyLinks(to: transaction)
    let objects = Dictionary(grouping: removed, by: \.entity)
      .sorted { $0.key.uid < $1.key.uid }.map { (entity: $0.key, ids: $0.value.map(\.id)) }
    try transaction.remove(objects)
    for key in changed where try transaction.contains(key.entity, key.id) { changed.remove(key) }
    return changed
  }

  private func applyLinks(to transaction: EngineTransaction) throws(StoreError) {
    for (key, links) in links {
      guard let (source, target) = transaction.store.ends(of: key.relation),
        try transaction.contains(source, key.source)
      else { continue }
      for id in links.removed.sorted() { try transaction.unlink(key.relation, key.source, id) }
      for id in links.added.sorted() where try transaction.contains(target, id) {
        try transaction.link(key.relation, key.source, id)
      }
    }
  }

  // MARK: - Conflicts

  /// The objects that are not what they were when the draft was made from them.
  func conflicts(in transaction: EngineTransaction) throws(StoreError) -> [DraftConflict] {
    var found: [DraftConflict] = []
    for (key, record) in sortedRecords {
      let stored = try transaction.get(key.entity, key.id)?.storedHash
      if stored == record.base || stored == record.object?.storedHash { continue }
      let kind: DraftConflict.Kind =
        stored == nil ? .removed : record.base == nil ? .inserted : .updated
      found.append(DraftConflict(entityName: key.entity.name, id: key.id, kind: kind))
    }
    var missing: Set<DraftConflict> = []
    for (key, links) in links {
      guard let (source, target) = transaction.store.ends(of: key.relation) else { continue }
      let ends =
        [DraftKey(entity: source, id: key.source)]
        + links.added.map { DraftKey(entity: target, id: $0) }
      for end in ends where records[end] == nil {
        if try transaction.contains(end.entity, end.id) { continue }
        missing.insert(DraftConflict(entityName: end.entity.name, id: end.id, kind: .removed))
      }
    }
    return found + missing.sorted { ($0.entityName, $0.id) < ($1.entityName, $1.id) }
  }
}

extension ObjectStore {
  /// The entities that a relation leads from and to.
  func ends(of relation: RelationSchema) -> (source: EntitySchema, target: EntitySchema)? {
    guard let source = entity(relation.source), let target = entity(relation.target) else {
      return nil
    }
    return (source, target)
  }
}

extension EntitySchema {
  /// Whether a property has unique values.
  var hasUniqueValues: Bool { properties.contains { $0.index?.isUnique ?? false } }
}

extension DynamicObject {
  /// The object with null for values that no other object may have.
  var withoutUniqueValues: DynamicObject {
    var object = self
    for (position, property) in entity.properties.enumerated()
    where property.index?.isUnique ?? false {
      object.values[position] = .null
    }
    return object
  }
}
