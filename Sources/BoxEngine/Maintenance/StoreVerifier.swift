internal import BoxJSON
internal import BoxModel
public import BoxReport
internal import BoxStorage

extension ObjectStore {
  /// Checks every record, index entry and relation of the store against each other, in one
  /// snapshot.
  ///
  /// The pages of the file are assumed to be valid:
  /// ``ObjectStore/verify(_:options:limit:warnings:progress:)`` checks those first.
  ///
  /// - Parameters:
  ///   - limit: The number of findings after which the check ends.
  ///   - progress: Called with the number of entries checked so far and their total.
  /// - Returns: The findings; empty for a valid store.
  /// - Throws: ``StoreError/damagedCatalog(_:)`` if the catalog and its generation do not belong
  ///   together, ``StoreError/interrupted`` on request, and as ``read(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of entries.
  public func verify(
    limit: Int = 100, progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreError) -> [Finding] {
    try reading { transaction throws(StoreError) in
      // A write transaction round this one holds index entries back.
      if transaction.isWritable { try transaction.flush() }
      let verifier = StoreVerifier(self, try transaction.reading(), limit: limit, progress)
      verifier.transaction = transaction
      try verifier.verify()
      return verifier.findings
    }
  }
}

extension ObjectStore {
  /// The number of findings that an error names.
  private static let namedFindings = 3

  /// The first findings of a whole verification in a transaction.
  func firstFindings(
    in storage: StorageAccess, visited: borrowing VisitedObjects,
    _ progress: @escaping (Int, Int) -> Void
  ) throws(StoreError) -> [Finding] {
    let verifier = StoreVerifier(self, storage, limit: Self.namedFindings, progress)
    try verifier.verify(visited)
    return verifier.findings
  }

  /// The findings of a relation that is known to be damaged.
  func findings(
    of relation: RelationSchema, in storage: StorageAccess
  ) throws(StoreError) -> [Finding] {
    try findings(in: storage) { (verifier) throws(StoreError) in
      try verifier.verifyEntries(relation)
    }
  }

  /// The findings of indexes that are known to be damaged.
  func findings(
    of indexes: [IndexSchema], _ entity: EntitySchema, in storage: StorageAccess
  ) throws(StoreError) -> [Finding] {
    try findings(in: storage) { verifier throws(StoreError) in
      for index in indexes { try verifier.verifyIndex(index, of: entity) }
    }
  }

  private func findings(
    in storage: StorageAccess, _ look: (StoreVerifier) throws(StoreError) -> Void
  ) throws(StoreError) -> [Finding] {
    let verifier = StoreVerifier(self, storage, limit: Self.namedFindings) { _, _ in }
    try look(verifier)
    return verifier.findings
  }
}

private final class StoreVerifier {
  private(set) var findings: [Finding] = []
  private let store: ObjectStore
  private let storage: StorageAccess
  private let limit: Int
  private let progress: (Int, Int) -> Void
  /// The transaction whose interruption ends the verification; nil for one that nothing ends.
  var transaction: Transaction?
  private var done = 0
  private var total = 0
  /// The catalog in the store, which may be later than the catalog of the opening.
  private var catalog = Catalog()
  /// Damaged objects, which have a finding already.
  private var damaged: [ExactText: Set<UInt64>] = [:]

  init(
    _ store: ObjectStore, _ storage: StorageAccess, limit: Int,
    _ progress: @escaping (Int, Int) -> Void
  ) {
    self.store = store
    self.storage = storage
    self.limit = limit
    self.progress = progress
  }

  /// Verifies the store; the objects of entities that were visited are not visited again.
  func verify(_ visited: borrowing VisitedObjects = VisitedObjects()) throws(StoreError) {
    try verifyCatalog()
    for entity in store.schema.entities {
      if visited.tally(of: entity) == nil {
        total += try storage.statistics(entity.space).entries
      }
      for index in entity.indexes { total += try storage.statistics(index.space).entries }
      for relation in entity.outgoing {
        total += try storage.statistics(relation.forward).entries * 2
      }
    }
    for entity in store.schema.hiddenEntities {
      total += try storage.statistics(entity.space).entries
    }
    for relation in store.schema.relationsOfHiddenEntities {
      total += try storage.statistics(relation.forward).entries * 2
    }
    for entity in store.schema.entities {
      let tally =
        if let tally = visited.tally(of: entity) { tally } else { try verifyRecords(entity) }
      try verifyLastID(entity.uid)
      try verifyIndexes(tally, of: entity)
      for relation in entity.outgoing { try verifyRelation(relation) }
    }
    for entity in store.schema.hiddenEntities {
      var nothing = IndexTally([])
      try verifyRecords(entity.name, entity.uid, entity.space, entity.layout, nil, &nothing)
      try verifyLastID(entity.uid)
    }
    for relation in store.schema.relationsOfHiddenEntities { try verifyRelation(relation) }
    try verifyNotes()
    if let spaces = store.captureSchema?.spaces {
      try SyncVerification.run(store.schema, spaces, storage) { [unowned self] in
        report(
          $0, $1, "restore a backup, or switch data sync off with `boxjoint store repair \(place)`")
      }
    }
    progress(total, total)
  }

  /// The store as an argument of a command line.
  private var place: String { shellQuoted(store.location.description) }

  /// The advice where no command corrects the damage.
  private var salvage: String {
    "restore a backup, or export the undamaged data with "
      + "`boxjoint export --salvage --store \(place)`, and import it into a new store"
  }

  private var isFull: Bool { findings.count >= limit }

  private func report(_ rule: Rule, _ message: String, _ advice: String) {
    if isFull { return }
    findings.append(
      Finding(rule: rule, message: message, advice: advice, path: store.location.description))
  }

  private func step() throws(StoreError) {
    done += 1
    if done & 4095 == 0 { progress(done, total) }
    if done & 255 == 0 { try transaction?.checkInterruption() }
  }

  /// A writer compares the two generations, and nobody else looks at the first.
  private func verifyCatalog() throws(StoreError) {
    let space = store.schema.catalogSpace
    let generation = try StoredCatalog.generation(space, storage)
    guard let catalog = try StoredCatalog.read(space, storage), catalog.generation == generation
    else {
      throw StoreError.damagedCatalog("its generation is not the one that was written with it")
    }
    try StoredCatalog.requireCurrent(catalog, ids: store.schema.idsSpace, storage)
    self.catalog = catalog
    try verifySpaces()
  }

  /// Looks for spaces that neither the catalog has, nor the model as indexes that are not built yet.
  private func verifySpaces() throws(StoreError) {
    let model = try StoreOpening.storedModel(
      try StoredCatalog.model(store.schema.catalogSpace, storage)
    ).model
    let known = catalog.knownSpaces(model)
    for name in try storage.spaceNames() where !known.contains(ExactText(name)) {
      report(
        StoreRule.damagedCatalog,
        "the file has a space \(name.escapedForDisplay) that the catalog does not have",
        "restore a backup")
    }
  }

  private func verifyNotes() throws(StoreError) {
    guard let space = store.schema.checkpointSpace else { return }
    try storage.values(space) { key, note in
      if StoredCheckpoint.content(of: note, under: key) != nil { return .next }
      report(
        StoreRule.damagedCheckpoint, "a checkpoint of interrupted work is damaged",
        "restore a backup, or begin that work again")
      return .stop
    }
  }

  // MARK: - Records

  /// Checks the objects of an entity; what its indexes should have.
  private func verifyRecords(_ entity: EntitySchema) throws(StoreError) -> IndexTally {
    var tally = IndexTally(entity.indexes)
    try verifyRecords(
      entity.name, entity.uid, entity.space, entity.layout, entity.verifiedStrings, &tally)
    return tally
  }

  /// Checks the objects of an entity, and its string properties; nil for a hidden entity, whose objects no
  /// command changes.
  private func verifyRecords(
    _ name: String, _ uid: UInt64, _ space: Space, _ layout: RecordLayout,
    _ strings: [PropertySchema]?, _ tally: inout IndexTally
  ) throws(StoreError) {
    let reader = RecordReader(layout)
    let slots = catalog.entities.first { $0.uid == uid }?.nextSlot ?? layout.types.count
    var isOutgrown = false
    try unsafe storage.records(space, from: nil, .forward) { (id, record) throws(StoreError) in
      try step()
      if id == 0 || id > ObjectStore.maximumID {
        report(
          StoreRule.idOutOfRange, "\(name) \(id): no object can have this id", salvage)
      }
      do throws(RecordDamage) {
        let view = try unsafe reader.view(id, record)
        tally.add(id, view)
        if !isOutgrown, unsafe RecordReader.hasValue(fromSlot: slots, in: record) {
          isOutgrown = true
          report(
            StoreRule.damagedCatalog,
            "\(name) \(id) has a value of a property that the catalog does not have",
            "restore a backup")
        }
        for property in strings ?? [] where !property.isUTF8(in: view) {
          let object = "\(shellQuoted(name)) \(id)"
          report(
            StoreRule.notUTF8, "\(name) \(id): \(property.name) is not UTF-8",
            "set a valid string with `boxjoint store set \(place) \(object) \(property.example)`")
        }
      } catch let damage {
        damaged[ExactText(name), default: []].insert(id)
        report(
          StoreRule.damagedRecord,
          StoreError.damagedRecord(entity: name, id: id, damage).description,
          strings == nil
            ? salvage
            : "restore a backup, or remove the object with "
              + "`boxjoint store remove \(place) \(shellQuoted(name)) \(id)`")
      }
      return isFull ? .stop : .next
    }
  }

  private func verifyLastID(_ uid: UInt64) throws(StoreError) {
    do throws(StoreError) {
      _ = try StoredCatalog.storedLastID(uid, store.schema.idsSpace, storage)
    } catch {
      guard case .damagedCatalog = error else { throw error }
      report(StoreRule.damagedCatalog, error.description, "restore a backup")
    }
  }

  // MARK: - Indexes

  private static let rebuildAdvice =
    "remove the index from the model, open the store, and add it again"

  /// Looks for the differences in the indexes that do not have exactly the entries that they should.
  private func verifyIndexes(_ tally: IndexTally, of entity: EntitySchema) throws(StoreError) {
    if isFull { return }
    let isDamaged = damaged[ExactText(entity.name)] != nil
    let differing = isDamaged ? entity.indexes : try tally.mismatches(in: storage)
    for index in entity.indexes where !differing.contains(index) {
      done += try storage.statistics(index.space).entries
    }
    for index in differing { try verifyIndex(index, of: entity) }
    progress(done, total)
  }

  fileprivate func verifyIndex(_ index: IndexSchema, of entity: EntitySchema) throws(StoreError) {
    // If the limit was reached among the records, some damaged ones are unknown.
    if isFull { return }
    let label = "\(entity.name).\(index.property)"
    let reader = RecordReader(entity.layout)
    var expected = 0
    let known = damaged[ExactText(entity.name)] ?? []
    try unsafe storage.records(entity.space, from: nil, .forward) {
      (id, record) throws(StoreError) in
      if known.contains(id) { return .next }
      guard let key = try unsafe indexKey(of: record, id, index, reader) else { return .next }
      expected += 1
      if try !storage.contains(index.space, key, id) {
        report(
          StoreRule.missingEntry, "the index of \(label) lacks \(entity.name) \(id)",
          Self.rebuildAdvice)
      }
      return isFull ? .stop : .next
    }
    let entries = try storage.statistics(index.space).entries
    if !isFull && (entries != expected || index.isUnique) {
      try verifyEntries(index, of: entity, reader, label)
    }
    done += entries
    progress(done, total)
  }

  private func indexKey(
    of record: UnsafeRawBufferPointer, _ id: UInt64, _ index: IndexSchema, _ reader: RecordReader
  ) throws(StoreError) -> IndexKey? {
    let view: RecordView
    do throws(RecordDamage) {
      view = try unsafe reader.view(id, record)
    } catch {
      throw .damagedRecord(entity: index.entity, id: id, error)
    }
    return index.key(view)
  }

  /// Looks for entries that no object has, and for two objects under one unique value.
  private func verifyEntries(
    _ index: IndexSchema, of entity: EntitySchema, _ reader: RecordReader, _ label: String
  ) throws(StoreError) {
    var finder = DuplicateFinder(index, of: entity, storage)
    try storage.entries(of: index) { (key, id) throws(StoreError) in
      if damaged[ExactText(entity.name)]?.contains(id) ?? false { return .next }
      let record = try unsafe storage.value(entity.space, id)
      let actual =
        if let record = unsafe record {
          try unsafe indexKey(of: record, id, index, reader)
        } else {
          nil as IndexKey?
        }
      if actual != key {
        report(
          StoreRule.extraEntry,
          "the index of \(label) has an entry of \(entity.name) \(id) that it should not have",
          Self.rebuildAdvice)
      } else if index.isUnique, let other = try finder.duplicate(of: id, under: key) {
        let object = "\(place) \(shellQuoted(entity.name)) \(id)"
        report(
          StoreRule.duplicateValue,
          "\(entity.name) \(other) and \(id) have one value of the unique \(label)",
          "change one of them with `boxjoint store set \(object) \(shellQuoted(NamePath.quoted(index.property)))=VALUE`, or "
            + "remove it with `boxjoint store remove \(object)`")
      }
      return isFull ? .stop : .next
    }
  }

  // MARK: - Relations

  private func verifyRelation(_ relation: RelationSchema) throws(StoreError) {
    if isFull { return }
    if try store.schema.isWhole(relation, in: storage) {
      done += try storage.statistics(relation.forward).entries * 2
      return progress(done, total)
    }
    try verifyEntries(relation)
  }

  /// Looks for the entries of a relation that are wrong.
  fileprivate func verifyEntries(_ relation: RelationSchema) throws(StoreError) {
    try verifyHalf(
      relation, relation.forward, relation.backward, relation.source, relation.target, "forward")
    try verifyHalf(
      relation, relation.backward, relation.forward, relation.target, relation.source, "backward")
  }

  private func verifyHalf(
    _ relation: RelationSchema, _ space: Space, _ other: Space, _ from: UInt64, _ to: UInt64,
    _ name: String
  ) throws(StoreError) {
    let (source, target) = (objects(from), objects(to))
    try storage.entries(space, from: nil as UInt64?, .forward) {
      (first, second) throws(StoreError) in
      try step()
      /// The arguments that name the entry; nil for a relation that no command knows.
      var arguments: String? {
        let (from, owner, to) =
          name == "forward"
          ? (first, source, second) : (second, target, first)
        guard let owner, store.schema.isVisible(relation) else { return nil }
        return
          "\(place) \(shellQuoted(NamePath([owner.name, relation.name]).shortText)) \(from) \(to)"
      }
      if try !storage.contains(other, second, first) {
        report(
          StoreRule.halfLink,
          "\(relation.name) links \(first) to \(second) \(name) only",
          arguments.map { arguments in
            "remove the entry with `boxjoint store unlink \(arguments)`, and add it again with "
              + "`boxjoint store link \(arguments)`"
          } ?? salvage)
      }
      for (entity, id) in [(source, first), (target, second)] {
        if let entity, try !storage.hasValue(entity.space, id) {
          report(
            StoreRule.danglingLink,
            "\(relation.name) has an entry of \(entity.name) \(id), which does not exist",
            arguments.map { "remove the entry with `boxjoint store unlink \($0)`" } ?? salvage)
        }
      }
      return isFull ? .stop : .next
    }
  }

  /// The name and the objects of an entity, which the model may lack.
  private func objects(_ uid: UInt64) -> (name: String, space: Space)? {
    store.schema.objects(of: uid)
  }
}

extension StoreSchema {
  /// The to-many relations that no visible entity has.
  var relationsOfHiddenEntities: [RelationSchema] {
    hiddenRelations.filter { relation in !entities.contains { $0.uid == relation.source } }
  }

  /// Whether the model has a relation.
  func isVisible(_ relation: RelationSchema) -> Bool {
    !hiddenRelations.contains { $0.uid == relation.uid }
  }

  /// The name and the objects of an entity, which the model may lack; nil for one that was purged.
  func objects(of uid: UInt64) -> (name: String, space: Space)? {
    if let position = positions.byUID[uid] {
      return (entities[position].name, entities[position].space)
    }
    return hiddenEntities.first { $0.uid == uid }.map { (name: $0.name, space: $0.space) }
  }

  /// Whether every entry of a relation has its twin and both of its objects.
  ///
  /// - Throws: ``StorageError``.
  /// - Complexity: O(*n*) in the entries of the relation and in the objects.
  func isWhole(
    _ relation: RelationSchema, in storage: StorageAccess, caller: Transaction? = nil
  ) throws(StoreError) -> Bool {
    try RelationTally(relation, storage, caller: caller).isWhole(
      objects(of: relation.source)?.space, objects(of: relation.target)?.space)
  }
}

extension PropertySchema {
  /// An assignment of another text, as an argument of `boxjoint store set`.
  fileprivate var example: String {
    let name = NamePath.quoted(name)
    if type == .strings { return shellQuoted("\(name):=[\"…\"]") }
    return shellQuoted(name) == name ? "\"\(name)='…'\"" : shellQuoted("\(name)='…'")
  }

  /// Whether the strings that a record has in the property are UTF-8; true for other types.
  package func isUTF8(in record: borrowing RecordView) -> Bool {
    switch type {
    case .string:
      unsafe record.withUTF8(slot) { unsafe BoxEngine.isUTF8(UnsafeRawBufferPointer($0)) } ?? true
    case .strings: record.hasValidStrings(slot)
    default: true
    }
  }
}
