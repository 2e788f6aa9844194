internal import BoxJSON
internal import BoxModel
internal import BoxStorage

/// Makes a copy of the undamaged pages of a store whole: what is damaged is removed, and what can be made of
/// the rest is made again.
///
/// - Objects stay as they are, byte for byte. One that is damaged is removed, and so is one that has an
///   impossible id, a string that is not UTF-8, or a unique value of an object with a lower id.
/// - An index of which everything is there has the values of the objects. An object that several of them contradict
///   and none confirms is removed, and so is one whose unique value they have under another object, and one that
///   is the same object of another entity. Others stay, and are counted as doubtful.
/// - Indexes are built again.
/// - An entry of a relation stays if it exists in both directions, and so do its objects. One direction
///   stands for both where pages of the other one are missing, or have another content than they should.
/// - The last id of an entity is at least the highest id that something undamaged proves: a record with its
///   checksum, and where objects or the last id itself are missing, also a relation or an index. The key of a
///   damaged record proves nothing.
/// - Checkpoints that are damaged are removed, and so are spaces that the catalog does not have.
///
/// The catalog stays, and with it constants, rules, and what is hidden.
struct StoreRestoration {
  private let transaction: StorageAccess
  private var catalog: Catalog
  private let model: [UInt8]
  private let schema: StoreSchema
  private let directory: String
  private let location: StorageLocation
  private let report: PageRescue.Report
  private let ids: Space
  private var parts = RepairReport.Contents()
  /// The highest id of the undamaged records of each entity.
  private var ownIDs: [UID: UInt64] = [:]
  /// The judgements of the indexes of each entity.
  private var judgements: [UID: Judgement] = [:]
  /// The highest id of each entity in relations to one of undamaged records.
  private var linkedIDs: [UID: UInt64] = [:]

  /// The differences of the objects of an entity from its indexes.
  private struct Judgement {
    /// The number of ids that an index has, of objects that are not there.
    var missing = 0
    /// The number of objects that an index contradicts.
    var doubtful = 0
    /// Whether an object may have been removed before, as no index has its id.
    var mayHaveRemoved = false
  }

  /// The number of entries of a relation after which what was found is written.
  private static let batch = 100_000

  /// Makes a copy whole, in one transaction.
  ///
  /// - Parameters:
  ///   - storage: The copy, with all spaces of its catalog.
  ///   - directory: The directory of the store.
  ///   - location: The place that gets files without a name.
  ///   - report: The report of the copy.
  /// - Returns: The objects and entries that are in the copy now, and the number of those that are lost.
  /// - Throws: ``StoreError/damagedCatalog(_:)`` if the catalog or the model cannot be read, or is older than
  ///   the rest of the store, and ``StoreError/storage(_:)``.
  /// - Complexity: O(*n* log *n*) in the number of entries. Memory for each removed object, and for the entries
  ///   of a single object in a relation.
  static func run(
    _ storage: StorageHandle, _ directory: String, _ location: StorageLocation,
    _ report: PageRescue.Report
  ) throws(StoreError) -> RepairReport.Contents {
    try storage.spacesLock.withLock { () throws(StoreError) in
      let transaction = try storage.beginWrite()
      defer { transaction.abort() }
      var restoration = try StoreRestoration(transaction, directory, location, report)
      try restoration.run()
      try transaction.commit()
      return restoration.parts
    }
  }

  private init(
    _ transaction: StorageAccess, _ directory: String, _ location: StorageLocation,
    _ report: PageRescue.Report
  ) throws(StoreError) {
    self.transaction = transaction
    self.directory = directory
    self.location = location
    self.report = report
    guard let space = try transaction.openSpace(StoredCatalog.space, .bytes, create: false),
      let ids = try transaction.openSpace(StoredCatalog.idsSpace, .records, create: false),
      let catalog = try StoredCatalog.read(space, transaction),
      let bytes = try StoredCatalog.model(space, transaction)
    else { throw StoreError.damagedCatalog("it is not whole") }
    (self.ids, self.catalog, self.model) = (ids, catalog, bytes)
    try StoredCatalog.removeDamagedIDs(ids, transaction)
    try StoredCatalog.requireCurrent(catalog, ids: ids, transaction)
    let model = try StoreOpening.storedModel(bytes).model
    try Self.dropUnknownSpaces(catalog, model, report, transaction)
    let checkpoints = try transaction.openSpace(
      StoredCatalog.checkpointSpace, .bytes, create: false)
    schema = try StoreSchema(
      catalog, model,
      StoreSpaces(
        transaction: transaction, create: true, catalog: space, ids: ids, checkpoints: checkpoints))
    // The generation is written three times, of which each can be damaged.
    try StoredCatalog.write(catalog, model: bytes, space, ids: ids, transaction)
  }

  private static func dropUnknownSpaces(
    _ catalog: Catalog, _ model: Model, _ report: PageRescue.Report, _ transaction: StorageAccess
  ) throws(StoreError) {
    let known = catalog.knownSpaces(model)
    for name in try transaction.spaceNames() where !known.contains(ExactText(name)) {
      guard let kind = report.spaces[name]?.kind,
        let space = try transaction.openSpace(name, kind, create: false)
      else { continue }
      try transaction.dropSpace(space)
    }
  }

  private mutating func run() throws(StoreError) {
    for entity in schema.entities {
      try sweep(entity.space, entity.layout, entity.uid, strings: entity.verifiedStrings)
    }
    for entity in schema.hiddenEntities {
      try sweep(entity.space, entity.layout, entity.uid, strings: [])
    }
    for entity in schema.entities { try judge(entity) }
    for entity in schema.entities { try noteLinks(entity.space, entity.layout, entity.uid) }
    for entity in schema.hiddenEntities { try noteLinks(entity.space, entity.layout, entity.uid) }
    // The indexes and relations have the ids of lost objects until they are made whole.
    for entity in schema.entities {
      try restoreLastID(entity.name, entity.uid, entity.space)
    }
    for entity in schema.hiddenEntities {
      try restoreLastID(entity.name, entity.uid, entity.space)
    }
    for entity in schema.entities {
      try buildIndexes(of: entity)
      try addPart(entity.name, entity.uid, entity.space)
    }
    for entity in schema.hiddenEntities { try addPart(entity.name, entity.uid, entity.space) }
    // The objects of all entities are known now.
    for entity in schema.entities {
      for relation in entity.outgoing { try restore(relation, of: entity.name) }
    }
    for relation in schema.relationsOfHiddenEntities {
      try restore(relation, of: schema.objects(of: relation.source)?.name ?? "?")
    }
    try removeDamagedCheckpoints()
    try restoreSync()
  }

  /// Switches data sync off if its entries are not whole; otherwise objects that are lost come from the server again.
  private mutating func restoreSync() throws(StoreError) {
    guard let spaces = schema.syncSpaces else { return }
    let rescue = SyncRescue(spaces, transaction, report)
    if try rescue.isWhole(schema) { return try rescue.forgetBase() }
    parts.unsent = RepairReport.Part(name: "outbox", kept: 0, lost: try rescue.lostTransactions())
    try rescue.removeSpaces()
    catalog.sync = nil
    try StoredCatalog.write(catalog, model: model, schema.catalogSpace, ids: ids, transaction)
  }

  // MARK: - Objects

  /// Removes the damaged objects of an entity.
  private mutating func sweep(
    _ space: Space, _ layout: RecordLayout, _ uid: UID, strings: [PropertySchema]
  ) throws(StoreError) {
    let reader = RecordReader(layout)
    let entity = schema.catalog.entities.first { $0.uid == uid }
    let slots = entity?.nextSlot ?? layout.types.count
    var damaged: [UInt64] = []
    var own: UInt64 = 0
    try unsafe transaction.records(space, from: nil, .forward) { (id, record) in
      let isPossible = id > 0 && id <= ObjectStore.maximumID
      var isWhole = isPossible
      do throws(RecordDamage) {
        let view = try unsafe reader.view(id, record)
        if isPossible { own = max(own, id) }
        for property in strings where !property.isUTF8(in: view) { isWhole = false }
        if unsafe RecordReader.hasValue(fromSlot: slots, in: record) { isWhole = false }
      } catch {
        isWhole = false
      }
      if !isWhole { damaged.append(id) }
      return .next
    }
    for id in damaged { _ = try transaction.remove(space, id) }
    ownIDs[uid] = own
  }

  /// Removes the objects of an entity that its indexes prove to be wrong, and counts those that they contradict.
  private mutating func judge(_ entity: EntitySchema) throws(StoreError) {
    let indexes = entity.indexes.filter { isWhole(SpaceName.index($0.uid)) }
    let evidence = try IndexEvidence(indexes, of: entity, transaction)
    var missing = evidence.missing
    var judgement = Judgement()
    var wrong: [UInt64] = []
    for object in try evidence.contradictions() {
      var isWrong = object.isWrong
      if !isWrong, object.confirmations == 0 { isWrong = try isOfAnother(entity, object.id) }
      if isWrong {
        wrong.append(object.id)
        if object.isKnown { missing.insert(object.id) }
      } else {
        judgement.doubtful += 1
        if object.confirmations == 0 && !object.isKnown { judgement.mayHaveRemoved = true }
      }
    }
    for id in wrong { _ = try transaction.remove(entity.space, id) }
    if let own = ownIDs[entity.uid], wrong.contains(own) {
      ownIDs[entity.uid] = try transaction.lastKey(entity.space) ?? 0
    }
    judgement.missing = missing.count
    judgements[entity.uid] = judgement
  }

  /// Whether an object has the bytes of the object with its id of another entity, as on a page of that.
  private func isOfAnother(_ entity: EntitySchema, _ id: UInt64) throws(StoreError) -> Bool {
    guard let bytes = try transaction.bytes(entity.space, id) else { return false }
    let others =
      schema.entities.filter { $0 != entity }.map(\.space) + schema.hiddenEntities.map(\.space)
    for space in others {
      if let other = try unsafe transaction.value(space, id), unsafe other.elementsEqual(bytes) {
        return true
      }
    }
    return false
  }

  /// Notes the ids in the relations to one of the objects that are left.
  private mutating func noteLinks(
    _ space: Space, _ layout: RecordLayout, _ uid: UID
  ) throws(StoreError) {
    let entity = schema.catalog.entities.first { $0.uid == uid }
    let links = (entity?.properties ?? []).compactMap { property in
      property.target.map { (slot: property.slot, target: $0) }
    }
    if links.isEmpty { return }
    let reader = RecordReader(layout)
    var linked = [UInt64](repeating: 0, count: links.count)
    try unsafe transaction.records(space, from: nil, .forward) { (id, record) in
      guard let view = try? unsafe reader.view(id, record) else { return .next }
      for (position, link) in links.enumerated() {
        linked[position] = max(linked[position], Self.possible(view.integerBits(link.slot)))
      }
      return .next
    }
    for (link, id) in zip(links, linked) {
      linkedIDs[link.target] = max(linkedIDs[link.target] ?? 0, id)
    }
  }

  /// Builds the indexes of an entity from its objects, without those whose unique value another one has.
  private func buildIndexes(of entity: EntitySchema) throws(StoreError) {
    let builder = IndexBuilder(
      path: directory, transaction: transaction, makeSpool: location.makeSpoolFile)
    var isUnique = false
    while !isUnique {
      var others: [UInt64] = []
      for index in entity.indexes {
        if try builder.build(index, of: entity).isEmpty { continue }
        var finder = DuplicateFinder(index, of: entity, transaction)
        try transaction.entries(of: index) { (key, id) throws(StoreError) in
          if try finder.duplicate(of: id, under: key) != nil { others.append(id) }
          return .next
        }
      }
      for id in others { _ = try transaction.remove(entity.space, id) }
      isUnique = others.isEmpty
    }
  }

  // MARK: - Last ids

  /// An id that an object can have; 0 for any other number.
  private static func possible(_ id: UInt64?) -> UInt64 {
    guard let id, id <= ObjectStore.maximumID else { return 0 }
    return id
  }

  /// Raises the last id of an entity to the highest one that something undamaged proves.
  private mutating func restoreLastID(
    _ name: String, _ uid: UID, _ space: Space
  ) throws(StoreError) {
    let hasID = try transaction.hasValue(ids, uid)
    if !hasID { parts.lostLastIDs.append(name) }
    let stored = hasID ? try StoredCatalog.storedLastID(uid, ids, transaction) : 0
    var highest = max(stored, ownIDs[uid] ?? 0)
    // If all objects are there, one that only a relation or an index has is damage of these.
    let lost = try part(name, uid, space).lost
    if !hasID || lost != 0 {
      highest = max(highest, linkedIDs[uid] ?? 0, try idsInRelations(uid), try idsInIndexes(uid))
    }
    if hasID && stored >= highest { return }
    try StoredCatalog.setLastID(highest, of: uid, ids, transaction)
  }

  /// The highest id of an entity in the relations to many, also the hidden ones.
  private func idsInRelations(_ uid: UID) throws(StoreError) -> UInt64 {
    var highest: UInt64 = 0
    for relation in allRelations where relation.source == uid || relation.target == uid {
      func see(_ source: UInt64, _ target: UInt64) {
        if relation.source == uid { highest = max(highest, Self.possible(source)) }
        if relation.target == uid { highest = max(highest, Self.possible(target)) }
      }
      let names = (SpaceName.targets(of: relation.uid), SpaceName.sources(of: relation.uid))
      try visitProven(relation.forward, names.0, relation.backward, names.1) { see($0, $1) }
      try visitProven(relation.backward, names.1, relation.forward, names.0) { see($1, $0) }
    }
    return highest
  }

  /// Visits the entries of one direction of a relation that have a twin in the other one.
  ///
  /// One whose twin may be on a damaged page has none, and counts if its own space is in order.
  private func visitProven(
    _ space: Space, _ name: String, _ other: Space, _ otherName: String,
    _ body: (UInt64, UInt64) -> Void
  ) throws(StoreError) {
    let isOnlyOne = standsAlone(name, without: otherName)
    try transaction.entries(space, from: nil as UInt64?, .forward) {
      (key, member) throws(StoreError) -> VisitStep in
      if isOnlyOne {
        body(key, member)
      } else if try transaction.contains(other, member, key) {
        body(key, member)
      }
      return .next
    }
  }

  /// The highest id of an entity in the indexes: of its own objects, and of the targets of relations to one.
  private func idsInIndexes(_ uid: UID) throws(StoreError) -> UInt64 {
    var highest: UInt64 = 0
    for entity in schema.entities {
      for property in entity.properties where entity.uid == uid || property.target == uid {
        guard let index = property.index, !isDisordered(SpaceName.index(index.uid)) else {
          continue
        }
        try transaction.entries(of: index) { key, id in
          if entity.uid == uid { highest = max(highest, Self.possible(id)) }
          if property.target == uid, case .integer(let target) = key {
            highest = max(highest, Self.possible(target))
          }
          return .next
        }
      }
    }
    return highest
  }

  private var allRelations: [RelationSchema] {
    schema.entities.flatMap(\.outgoing) + schema.relationsOfHiddenEntities
  }

  // MARK: - Relations

  private mutating func restore(
    _ relation: RelationSchema, of entity: String
  ) throws(StoreError) {
    let (targets, sources) = (
      SpaceName.targets(of: relation.uid), SpaceName.sources(of: relation.uid)
    )
    let ends = (
      schema.objects(of: relation.source)?.space, schema.objects(of: relation.target)?.space
    )
    try restore(
      relation.forward, from: relation.backward, isOnlyOne: standsAlone(targets, without: sources),
      ends)
    try restore(
      relation.backward, from: relation.forward, isOnlyOne: standsAlone(sources, without: targets),
      (ends.1, ends.0))
    let totals = Set([targets, sources].compactMap { report.spaces[$0]?.recorded })
    let total = totals.count == 1 ? totals.first : nil
    parts.relations.append(
      part(
        "\(entity).\(relation.name)", try transaction.statistics(relation.forward).entries, total))
  }

  /// Removes the entries of one direction that are wrong, and adds those that the other one lacks.
  ///
  /// - Parameters:
  ///   - space: The direction.
  ///   - other: The other direction.
  ///   - isOnlyOne: Whether the direction stands for both.
  ///   - objects: The objects of the keys and of the members; nil if they need not exist.
  /// - Throws: ``StoreError/storage(_:)``.
  private func restore(
    _ space: Space, from other: Space, isOnlyOne: Bool, _ objects: (Space?, Space?)
  ) throws(StoreError) {
    var start: UInt64? = 0
    while let from = start {
      start = nil
      var (wrong, missing): ([IntegerEntry], [IntegerEntry]) = ([], [])
      var last: UInt64?
      try transaction.entries(space, from: from, .forward) {
        (key, member) throws(StoreError) -> VisitStep in
        // A key that was begun is read to its end, so that the next visit begins after it.
        if let last, last != key, wrong.count + missing.count >= Self.batch {
          start = key
          return .stop
        }
        last = key
        let hasTwin = try transaction.contains(other, member, key)
        var isWhole = hasTwin || isOnlyOne
        for (objects, id) in [(objects.0, key), (objects.1, member)] where isWhole {
          if let objects, try !transaction.hasValue(objects, id) { isWhole = false }
        }
        if !isWhole {
          wrong.append(IntegerEntry(key: key, member: member))
        } else if !hasTwin {
          missing.append(IntegerEntry(key: member, member: key))
        }
        return .next
      }
      for entry in wrong { _ = try transaction.remove(space, entry.key, entry.member) }
      for entry in missing { _ = try transaction.insert(other, entry.key, entry.member) }
    }
  }

  // MARK: - Counts

  /// Whether entries of a space may be missing in the copy.
  private func isCut(_ space: String) -> Bool { report.spaces[space]?.isCut ?? true }

  /// Whether everything of a space is there, in order and in the right number.
  private func isWhole(_ space: String) -> Bool { report.spaces[space]?.isWhole ?? false }

  /// Whether a page of a space has another content than it had.
  private func isSuspect(_ space: String) -> Bool {
    isDisordered(space) || report.spaces[space]?.isContradicted ?? false
  }

  /// Whether entries of one direction of a relation count although the other one does not have them.
  private func standsAlone(_ space: String, without other: String) -> Bool {
    (isCut(other) || isSuspect(other)) && !isSuspect(space)
  }

  /// Whether keys of a space are not where they belong, so that a page of it has other bytes than it had.
  private func isDisordered(_ space: String) -> Bool { report.spaces[space]?.isDisordered ?? false }

  private mutating func addPart(
    _ name: String, _ uid: UID, _ space: Space
  ) throws(StoreError) {
    parts.entities.append(try part(name, uid, space))
  }

  /// The objects of an entity, as they are in the copy now.
  private func part(
    _ name: String, _ uid: UID, _ space: Space
  ) throws(StoreError) -> RepairReport.Part {
    var part = part(
      name, try transaction.statistics(space).entries,
      report.spaces[SpaceName.objects(of: uid)]?.recorded)
    if let judgement = judgements[uid] {
      part.doubtful = judgement.doubtful
      // One that was removed hides one that was lost.
      if judgement.mayHaveRemoved || judgement.missing > part.lost ?? 0 { part.lost = nil }
    }
    return part
  }

  private func part(_ name: String, _ kept: Int, _ total: UInt64?) -> RepairReport.Part {
    RepairReport.Part(
      name: name, kept: kept,
      lost: total.flatMap { $0 < UInt64(kept) ? nil : Int(clamping: $0 - UInt64(kept)) })
  }

  private func removeDamagedCheckpoints() throws(StoreError) {
    guard let space = schema.checkpointSpace else { return }
    var damaged: [[UInt8]] = []
    try transaction.values(space) { key, value in
      if StoredCheckpoint.content(of: value, under: key) == nil { damaged.append(key) }
      return .next
    }
    for key in damaged { _ = try transaction.remove(space, key) }
  }
}
