internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// A relation to one of an object that was imported.
struct Reference {
  var entity: EntitySchema
  /// The id of the object in the store.
  var id: UInt64
  /// The position of the property.
  var position: Int
  /// The id of the target in the input.
  var target: UInt64
  var place: ElementLine
}

/// Objects with nothing but the value that another object names them by, and that are made with it.
struct KeyTargets {
  private struct Key: Hashable {
    var entity: UID
    var position: Int
    var value: Value
  }

  private(set) var objects: [DynamicObject] = []
  private var ids: [Key: UInt64] = [:]
  private var lastIDs: [UID: UInt64] = [:]

  /// The id of the object that has a value; nil if no object has it.
  func id(_ links: ImportKeyLinks, _ value: Value) -> UInt64? {
    ids[Key(entity: links.target.uid, position: links.key, value: value)]
  }

  /// The last id of the objects of an entity; 0 without objects.
  func lastID(_ entity: EntitySchema) -> UInt64 { lastIDs[entity.uid] ?? 0 }

  mutating func add(_ links: ImportKeyLinks, _ value: Value, id: UInt64) {
    var object = DynamicObject(links.target, id: id)
    object.values[links.key] = value
    objects.append(object)
    ids[Key(entity: links.target.uid, position: links.key, value: value)] = id
    lastIDs[links.target.uid] = id
  }
}

/// Relations to objects that may come later, or never.
extension ImportWriter {
  /// The id of the target of a to-one relation in the store; nil if that is not known yet.
  func resolve(_ reference: Reference, _ transaction: Transaction) throws -> UInt64? {
    guard let uid = reference.entity.properties[reference.position].target,
      let entity = store.entity(uid)
    else { return reference.target }
    if mapsIDs { return try mapping(entity, reference.target, transaction) }
    if options.dangling == .keep { return reference.target }
    return try exists(entity, reference.target, transaction) ? reference.target : nil
  }

  /// Notes a relation to be resolved when all objects are stored.
  func notePending(_ reference: Reference, _ transaction: Transaction) throws {
    try transaction.setCheckpoint(
      CheckpointKey.pending(checkpoint.pending),
      CheckpointKey.bytes(reference.entity.uid) + CheckpointKey.bytes(reference.id)
        + CheckpointKey.bytes(UInt64(reference.position)) + CheckpointKey.bytes(reference.target)
        + CheckpointKey.bytes(reference.place.note))
    checkpoint.pending += 1
  }

  /// Resolves what was noted, or does what the policy says.
  func resolvePending(_ transaction: Transaction) throws {
    for number in 0..<checkpoint.pending {
      guard let note = try transaction.checkpoint(CheckpointKey.pending(number)) else { continue }
      if let links = links(note) {
        try settle(links, transaction)
      } else if note.count == 40, let reference = reference(note),
        try isLast(reference, number, transaction)
      {
        try settle(reference, transaction)
      }
    }
  }

  private func reference(_ note: [UInt8]) -> Reference? {
    func field(_ number: Int) -> UInt64 { CheckpointKey.integer(note[number * 8..<number * 8 + 8]) }
    guard let entity = store.entity(field(0)) else { return nil }
    let position = Int(truncatingIfNeeded: field(2))
    guard entity.properties.indices.contains(position) else { return nil }
    return Reference(
      entity: entity, id: field(1), position: position, target: field(3),
      place: ElementLine(note: field(4)))
  }

  /// Whether the element of a note is the last one for its object.
  private func isLast(
    _ reference: Reference, _ number: Int, _ transaction: Transaction
  ) throws -> Bool {
    let key = CheckpointKey.firstPending(reference.entity, reference.id)
    guard let first = try transaction.checkpoint(key) else { return true }
    return UInt64(number) >= CheckpointKey.integer(first[...])
  }

  private func settle(_ reference: Reference, _ transaction: Transaction) throws {
    guard var object = try transaction.get(reference.entity, reference.id) else { return }
    let property = reference.entity.properties[reference.position]
    let current = object.values[reference.position]
    // It may have been removed since, and another one put under its id.
    let provisional: Value = options.ids == .new ? .null : .unsigned(reference.target)
    if current != provisional { return }
    var resolved = try resolve(reference, transaction)
    if resolved == nil, options.ids == .keep, let target = property.target.flatMap(store.entity),
      try exists(target, reference.target, transaction)
    {
      resolved = reference.target
    }
    if resolved == nil {
      checkpoint.summary.dangling += 1
      switch options.dangling {
      case .fail:
        checkpoint.summary.dangling -= 1
        try reject(
          ImportIssue(
            "refers to object \(reference.target), which does not exist",
            file: fileName(reference.place),
            position: JSONPosition(line: reference.place.line, column: 1),
            entity: reference.entity.name, property: property.name,
            value: "\(reference.target)"))
        return
      case .keep where options.ids == .keep: return
      case .keep, .null: break
      }
    }
    let value: Value = resolved.map { .unsigned($0) } ?? .null
    if value == current { return }
    object.values[reference.position] = value
    _ = try put(object, transaction)
  }

  // MARK: - To-many relations

  func put(_ links: ImportLinks, _ transaction: Transaction) throws {
    guard let relation = links.plan.relation, let source = links.plan.source,
      let target = links.plan.target
    else { return }
    do {
      try write(links, relation, source, target, transaction)
    } catch let error as StoreError {
      try reject(issue(error, links.plan.name, at: links.place, element: links.element))
    }
  }

  private func write(
    _ links: ImportLinks, _ relation: RelationSchema, _ source: EntitySchema,
    _ target: EntitySchema, _ transaction: Transaction
  ) throws {
    let from: UInt64?
    var (ids, missing): ([UInt64], [UInt64])
    (from, ids, missing) = try places(links, source, target, transaction, isLast: false)
    let isWhole = from != nil && missing.isEmpty
    if options.dangling == .fail && !isWhole {
      // All of the element is put, or nothing of it.
      (ids, missing) = ([], links.targets)
    } else if let from {
      try set(relation, of: from, to: ids, transaction)
    }
    checkpoint.summary.count("\(source.name).\(relation.name)", added: ids.count, leftOut: 0)
    if !isWhole { try notePending(links, relation, missing, transaction) }
  }

  /// Notes entries to be resolved when all objects are stored.
  ///
  /// The note begins with a zero, which is the UID of no entity, to distinguish it from the note of a to-one
  /// relation.
  private func notePending(
    _ links: ImportLinks, _ relation: RelationSchema, _ targets: [UInt64],
    _ transaction: Transaction
  ) throws {
    var note = CheckpointKey.bytes(0) + CheckpointKey.bytes(relation.uid)
    note += CheckpointKey.bytes(links.source) + CheckpointKey.bytes(links.place.note)
    for target in targets { note += CheckpointKey.bytes(target) }
    try transaction.setCheckpoint(CheckpointKey.pending(checkpoint.pending), note)
    checkpoint.pending += 1
  }

  /// The entries that a note is about; nil if it is about something else.
  private func links(_ note: [UInt8]) -> ImportLinks? {
    let fields = stride(from: 0, to: note.count - note.count % 8, by: 8).map {
      CheckpointKey.integer(note[$0..<$0 + 8])
    }
    guard fields.count >= 4, fields[0] == 0,
      let plan = plan.relations.values.first(where: { $0.relation?.uid == fields[1] })
    else { return nil }
    return ImportLinks(
      plan: plan, source: fields[2], targets: Array(fields[4...]),
      place: ElementLine(note: fields[3]), element: nil)
  }

  private func settle(_ links: ImportLinks, _ transaction: Transaction) throws {
    guard let relation = links.plan.relation, let source = links.plan.source,
      let target = links.plan.target
    else { return }
    let (from, ids, missing) = try places(links, source, target, transaction, isLast: true)
    if options.dangling == .fail {
      guard let from, missing.isEmpty else {
        let error =
          from == nil
          ? StoreError.notFound(entity: source.name, id: links.source)
          : StoreError.notFound(entity: target.name, id: missing.first ?? 0)
        try reject(
          issue(error, links.plan.name, at: links.place, element: element(links)))
        return
      }
      try set(relation, of: from, to: ids, transaction)
    } else if let from {
      // The other targets of the element are stored already.
      for id in ids { try link(relation, from, id, transaction) }
    }
    if !missing.isEmpty, mayBeRejected(from == nil ? source : target) {
      checkpoint.summary.count("\(source.name).\(relation.name)", added: ids.count, leftOut: 0)
      var rest = links
      rest.targets = missing
      let error =
        from == nil
        ? StoreError.notFound(entity: source.name, id: links.source)
        : StoreError.notFound(entity: target.name, id: missing[0])
      try passOver(issue(error, links.plan.name, at: links.place, element: element(rest)))
      return
    }
    checkpoint.summary.count(
      "\(source.name).\(relation.name)", added: ids.count, leftOut: missing.count)
  }

  /// Whether a missing object may be among the rejects.
  ///
  /// Then the entries that refer to it belong there too: imported after it, they find it.
  ///
  /// With new ids nothing of a later import finds an object of this one.
  private func mayBeRejected(_ entity: EntitySchema) -> Bool {
    guard rejects != nil, options.ids == .keep else { return false }
    return checkpoint.rejectedNames.contains {
      plan.entities[$0]?.entity ?? entity === entity
    }
  }

  /// Entries as a line of the input would have them.
  private func element(_ links: ImportLinks) -> RejectedElement {
    let entries: JSONValue = [
      "source": .uint(links.source), "targets": .array(links.targets.map { .uint($0) }),
    ]
    let line = JSONValue.object([.init(links.plan.name, entries)])
    return RejectedElement(
      name: links.plan.name, text: Array(line.text(indent: 0).utf8), isLine: true)
  }

  /// Adds targets; where whole objects are replaced, these are all.
  func set(
    _ relation: RelationSchema, of source: UInt64, to ids: [UInt64], _ transaction: Transaction
  ) throws {
    if options.mode == .replace {
      if plan.wholeRelations[relation.source]?.contains(where: { $0 === relation }) == true {
        try transaction.setCheckpoint(CheckpointKey.linked(relation, source), [])
      }
      let wanted = Set(ids)
      for id in try transaction.targets(relation, of: source) where !wanted.contains(id) {
        try transaction.unlink(relation, source, id)
      }
    }
    for id in ids { try link(relation, source, id, transaction) }
  }

  private func link(
    _ relation: RelationSchema, _ source: UInt64, _ target: UInt64, _ transaction: Transaction
  ) throws {
    if try transaction.link(relation, source, target) && canRevert {
      transaction.onUndo(.unlink(relation, source, target))
    }
  }

  /// Removes the entries of an object that a whole dump replaces.
  ///
  /// The dump gives all that there are. Those that it gave before the object stay.
  func unlinkReplaced(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction
  ) throws {
    guard options.mode == .replace, let relations = plan.wholeRelations[entity.uid] else { return }
    for relation in relations {
      let targets = try transaction.targets(relation, of: id)
      if try targets.isEmpty || transaction.checkpoint(CheckpointKey.linked(relation, id)) != nil {
        continue
      }
      for target in targets { try transaction.unlink(relation, id, target) }
    }
  }

  /// The objects that have values; for a value without an object, a new one is prepared.
  ///
  /// - Parameters:
  ///   - links: The values.
  ///   - source: The object with the relations, as it is about to be put.
  ///   - made: Collects the objects to put after the source, which may yet be rejected.
  ///   - transaction: The transaction in which objects are looked up.
  /// - Returns: The ids of all of them.
  /// - Throws: ``StoreError``.
  func targets(
    _ links: ImportKeyLinks, of source: DynamicObject, making made: inout KeyTargets,
    _ transaction: Transaction
  ) throws -> [UInt64] {
    let property = links.target.properties[links.key]
    let mayBeSource = source.entity === links.target
    var ids: [UInt64] = []
    for value in links.values {
      var known = try transaction.ids(links.target, where: property, equals: value)
      if mayBeSource {
        // The value that the object is about to have counts.
        known.removeAll { $0 == source.id }
        if value != .null && source.values[links.key] == value { known.append(source.id) }
      }
      if let id = known.min() {
        ids.append(id)
        continue
      }
      if let id = made.id(links, value) {
        ids.append(id)
        continue
      }
      // The ids of the source and of what was made ready are not given yet.
      let ready = max(mayBeSource ? source.id : 0, made.lastID(links.target))
      let last = max(try transaction.lastID(links.target), ready)
      if last >= ObjectStore.maximumID { throw StoreError.idsExhausted(entity: links.target.name) }
      made.add(links, value, id: last + 1)
      ids.append(last + 1)
    }
    return ids
  }

  /// The objects that the source and the targets of entries stand for, and the targets that stand for
  /// none: all of them where the source does.
  private func places(
    _ links: ImportLinks, _ source: EntitySchema, _ target: EntitySchema,
    _ transaction: Transaction, isLast: Bool
  ) throws -> (from: UInt64?, ids: [UInt64], missing: [UInt64]) {
    guard let from = try place(source, links.source, transaction, isLast: isLast) else {
      return (nil, [], links.targets)
    }
    var (ids, missing): ([UInt64], [UInt64]) = ([], [])
    for id in links.targets {
      if let id = try place(target, id, transaction, isLast: isLast) {
        ids.append(id)
      } else {
        missing.append(id)
      }
    }
    return (from, ids, missing)
  }

  /// The object in the store for an id of the input; nil if it does not exist, or not yet while objects of
  /// the input are missing.
  private func place(
    _ entity: EntitySchema, _ id: UInt64, _ transaction: Transaction, isLast: Bool
  ) throws -> UInt64? {
    if mapsIDs {
      if let known = try mapping(entity, id, transaction) {
        // One with the same unique value may have taken its place.
        return try exists(entity, known, transaction) ? known : nil
      }
      // Before the end it may come to stand for another one.
      if options.ids == .new || !isLast { return nil }
    }
    return try exists(entity, id, transaction) ? id : nil
  }
}
