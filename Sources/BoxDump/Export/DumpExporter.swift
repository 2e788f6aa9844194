public import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxStorage
internal import BoxSystem

/// Writes the contents of a store as a dump, or as tables.
///
///     let exporter = try DumpExporter(store, ExportOptions())
///     let totals = try exporter.export(to: output)
///
/// Everything is read in one transaction, so a dump is one state of the store, whatever is written
/// meanwhile. Memory does not grow with the size of the store.
public struct DumpExporter {
  private let store: ObjectStore
  private let options: ExportOptions
  private let plan: ExportPlan

  /// Resolves the options against a store.
  ///
  /// - Throws: ``DumpError`` of kind `usage` if an option names something that does not exist, or a
  ///   combination of options is impossible.
  public init(_ store: ObjectStore, _ options: ExportOptions = ExportOptions()) throws(DumpError) {
    self.store = store
    self.options = options
    plan = try ExportPlan(store, options)
  }

  /// The limitations of the dump, one sentence each.
  public var warnings: [String] { plan.warnings }

  /// Writes the dump.
  ///
  /// The store is verified, as ``ObjectStore/verify(limit:progress:)`` does, in the state that is written:
  /// objects, indexes and relations also show a page that is whole and not the last that was written to
  /// its place. That happens first, or on the way to the end of the dump if all objects are written and
  /// the output is atomic (``DumpOutput/isAtomic``). With ``ExportOptions/salvages``, damaged objects and entries are left out
  /// instead.
  ///
  /// - Parameters:
  ///   - output: The destination of the files.
  ///   - checking: Called during the verification with the number of entries checked and their total.
  ///   - progress: Called every few thousand objects with the progress.
  /// - Returns: The numbers of written objects and entries.
  /// - Throws: ``StoreError`` if the store is damaged or cannot be read, ``DumpError`` if a value
  ///   cannot be written, and the errors of the output.
  /// - Complexity: O(*n*) in the exported objects; with a condition, in all objects of the store.
  @discardableResult
  public func export(
    to output: any DumpOutput,
    checking: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in },
    progress: (ExportProgress) -> Void = { _ in }
  ) throws -> DumpTotals {
    try export(isAtomic: output.isAtomic, checking, progress) { header in
      try DumpWriter(header, options, output)
    }
  }

  /// Fills a database, which must be discarded if that fails.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - checking: As in ``export(to:checking:progress:)``.
  ///   - progress: As in ``export(to:checking:progress:)``.
  /// - Returns: The numbers of written objects and entries.
  /// - Throws: As ``export(to:checking:progress:)``, and the errors of the database.
  /// - Complexity: O(*n* log *n*) in the exported objects.
  @discardableResult
  package func export(
    to database: any DatabaseOutput,
    checking: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in },
    progress: (ExportProgress) -> Void = { _ in }
  ) throws -> DumpTotals {
    try export(isAtomic: true, checking, progress) { header in
      try DumpWriter(header, database, DatabasePlan(plan, options, header))
    }
  }

  private func export(
    isAtomic: Bool, _ checking: @escaping (Int, Int) -> Void,
    _ progress: (ExportProgress) -> Void, _ begin: (DumpHeader) throws -> DumpWriter
  ) throws -> DumpTotals {
    try store.read { transaction in
      let verifiesOnTheWay = !options.salvages && isAtomic && plan.isWhole(of: store)
      if !options.salvages && !verifiesOnTheWay && options.chosen == nil {
        try transaction.requireWhole(progress: checking)
      }
      let header = header(try modelLine(transaction))
      do {
        var run = ExportRun(plan, options, try begin(header))
        return try run.run(
          transaction, verifying: verifiesOnTheWay ? store : nil, checking, progress)
      } catch let error where verifiesOnTheWay && (error is StoreError || error is DumpError) {
        // All damage is reported as by a verification, whichever part the export met first.
        try transaction.requireWhole(progress: checking)
        throw error
      }
    }
  }

  private func header(_ model: [UInt8]) -> DumpHeader {
    var header = DumpHeader(
      shape: options.shape, entities: plan.entities.map(\.schema.name), model: model)
    header.integers = options.integers
    header.dates = options.dates
    header.bytes = options.bytes
    if options.rowsPerFile != nil { header.version = DumpFormat.partsVersion }
    header.fields = plan.fields
    header.condition = plan.shownCondition
    header.limit = options.limit
    header.constants = plan.constants
    header.redacted = plan.redacted
    header.isImportable = plan.isImportable
    header.converters = options.converters?.text
    let declarations = store.declarations
    if !declarations.isEmpty { header.rules = Array(declarations.fileJSON.text(indent: 0).utf8) }
    return header
  }

  /// The model of the store in one line.
  private func modelLine(_ transaction: Transaction) throws -> [UInt8] {
    var options = JSONDocument.Options()
    options.allowsRawTabs = true
    do {
      let document = try JSONDocument(parsing: try transaction.modelText(), options: options)
      return document.compactText(of: document.root)
    } catch let error as JSONError {
      throw StoreError.damagedCatalog("the model is not JSON: \(error.message)")
    }
  }
}

/// One export in progress.
struct ExportRun: ~Copyable {
  let plan: ExportPlan
  let options: ExportOptions
  private var writer: DumpWriter
  var totals = DumpTotals()
  /// For each entity whose limit was reached, the last id that was written.
  var lastWritten: [UInt64?]
  /// The conditions on entities by their positions, once they were needed.
  private var matchers: [Int: QueryMatcher] = [:]
  /// For each entity, the damaged objects that were left out.
  var leftOut: [Set<UInt64>]
  private var done = 0
  private var total = 0
  /// The objects for the verification on the way.
  private var visited = VisitedObjects()
  /// The threads that write batches of objects; nil until there is more than one batch.
  private var workers: OrderedWorkers?

  /// One more than can run, as one waits for its turn now and then; no more than a disk can follow.
  static let workerCount = min(8, WorkerThread.processors + 1)

  /// The number of objects between two calls of the progress.
  private static let step = 4096

  init(_ plan: ExportPlan, _ options: ExportOptions, _ writer: consuming DumpWriter) {
    self.plan = plan
    self.options = options
    lastWritten = Array(repeating: nil, count: plan.entities.count)
    leftOut = Array(repeating: [], count: plan.entities.count)
    self.writer = writer
  }

  /// Writes the dump.
  ///
  /// A store that is given is verified before the dump is finished.
  mutating func run(
    _ transaction: Transaction, verifying store: ObjectStore?,
    _ checking: @escaping (Int, Int) -> Void, _ progress: (ExportProgress) -> Void
  ) throws -> DumpTotals {
    for entity in plan.entities {
      total += try transaction.count(entity.schema, limit: options.limit ?? 0)
    }
    for relation in plan.relations { total += try transaction.count(relation.schema) }
    if options.table != nil {
      try findLastWritten(transaction)
      if options.salvages { try findDamage(transaction) }
    }
    for position in plan.entities.indices {
      try write(entity: position, transaction, verifying: store, progress)
    }
    if options.table == nil {
      for relation in plan.relations { try write(relation, transaction, progress) }
    }
    if store != nil { try transaction.requireWhole(visited: visited, progress: checking) }
    try writer.finish(totals)
    return totals
  }

  // MARK: - Objects

  private mutating func write(
    entity position: Int, _ transaction: Transaction, verifying store: ObjectStore?,
    _ progress: (ExportProgress) -> Void
  ) throws {
    let entity = plan.entities[position].schema
    let columns = TableColumns(of: position, plan, options)
    var objects = EntityObjects(
      entity, columns, lastID: try transaction.lastID(entity), capacity: options.batchSize)
    objects.verified = store.map { VisitedEntity(entity, of: $0) }
    try writer.begin(.entity(entity.name), title: columns.title)
    let limit = options.limit ?? Int.max
    if limit > 0 {
      do {
        try visit(&objects, at: position, limit, transaction, progress)
      } catch {
        // They read what is valid in this transaction only; and what they met comes first.
        try workers?.wait()
        throw error
      }
      try finish(objects.batch)
    }
    if let verified = objects.verified { visited.add(verified) }
    leftOut[position].formUnion(objects.strays)
    totals.leftOut.objects += objects.strays.count
    if objects.written == limit { lastWritten[position] = objects.last }
    done += objects.looked
    let counted = DumpTotals.EntityTotal(
      name: entity.name, objects: objects.written, lastID: objects.lastID)
    try writer.end(.entity(counted), ReaderSchema(plan.entities[position], options))
    totals.entities.append(counted)
    totals.relations += objects.counts
  }

  /// Passes the objects of an entity on in batches, up to the limit.
  private mutating func visit(
    _ objects: inout EntityObjects, at position: Int, _ limit: Int, _ transaction: Transaction,
    _ progress: (ExportProgress) -> Void
  ) throws {
    let (salvages, hasTargets) = (options.salvages, !objects.columns.relations.isEmpty)
    // If damage is left out, all objects are visited, and the condition is tested on each.
    let matcher = salvages ? try matcher(position, transaction) : nil
    // In a visit that passes damage over the store cannot be read: targets are read after each batch.
    let isInSteps = salvages && hasTargets
    var resume: UInt64? = 0
    while let from = resume {
      resume = nil
      var ids: [UInt64] = []
      try Self.visit(
        plan.entities[position], transaction, salvages, from: from, { objects.strays.insert($0) }
      ) { id, record in
        objects.looked += 1
        if objects.looked % Self.step == 0 {
          try report(objects.looked, of: objects.entity.name, to: progress)
        }
        if let matcher, !matcher.matches(id, record) { return .next }
        if salvages, !objects.entity.isUTF8(record) {
          objects.strays.insert(id)
          return .next
        }
        if objects.written - objects.filed == options.rowsPerFile {
          try beginNextFile(&objects)
        }
        if objects.batch.isFull {
          try submit(objects.batch)
          objects.beginBatch()
        }
        objects.append(id, record)
        if isInSteps {
          ids.append(id)
        } else if hasTargets {
          try appendTargets(of: id, to: &objects, transaction)
        }
        if isInSteps, objects.batch.isFull, objects.written < limit, id < .max {
          resume = id + 1
          return .stop
        }
        return objects.written < limit ? .next : .stop
      }
      for id in ids { try appendTargets(of: id, to: &objects, transaction) }
    }
  }

  /// Writes the objects so far, and continues in another file.
  private mutating func beginNextFile(_ objects: inout EntityObjects) throws {
    try finish(objects.batch)
    let total = DumpTotals.EntityTotal(
      name: objects.entity.name, objects: objects.written - objects.filed,
      lastID: objects.lastID)
    try writer.beginNextFile(after: .entity(total))
    objects.filed = objects.written
    objects.beginBatch()
  }

  private mutating func appendTargets(
    of id: UInt64, to objects: inout EntityObjects, _ transaction: Transaction
  ) throws {
    objects.batch.append(
      targets: try targets(of: id, objects.columns, &objects.counts, transaction))
  }

  /// Tells how far the export is, unless it has failed.
  private func report(
    _ looked: Int, of name: String, to progress: (ExportProgress) -> Void
  ) throws {
    try writer.requireSuccess()
    try workers?.requireSuccess()
    progress(ExportProgress(name: name, done: done + looked, total: max(total, done + looked)))
  }

  /// Visits the objects of an entity; a damaged object ends the visit, or is reported if it salvages.
  static func visit(
    _ entity: ExportPlan.EntityPlan, _ transaction: Transaction, _ salvages: Bool,
    from: UInt64 = 0, _ damaged: (UInt64) -> Void,
    _ body: (UInt64, borrowing RecordView) throws -> VisitStep
  ) throws {
    if salvages {
      return try transaction.visitWhole(entity.schema, from: from == 0 ? nil : from, damaged, body)
    }
    if let ids = entity.chosen, let query = entity.all {
      return try transaction.visit(ids, fulfilling: query, body)
    }
    if let query = entity.condition ?? entity.all { return try transaction.visit(query, body) }
    try transaction.visit(entity.schema, from: nil, .forward, body)
  }

  private mutating func submit(_ batch: ObjectBatch) throws {
    let workers = try self.workers ?? OrderedWorkers(threads: writer.helpers)
    self.workers = workers
    writer.submit(batch, to: workers)
  }

  /// Writes the last batch of an entity.
  private mutating func finish(_ batch: ObjectBatch) throws {
    try workers?.wait()
    try writer.write(batch)
  }

  /// Whether an object was written.
  mutating func isWritten(
    _ id: UInt64, _ position: Int, _ transaction: Transaction
  ) throws -> Bool {
    if let last = lastWritten[position], id > last { return false }
    guard let matcher = try matcher(position, transaction) else { return true }
    return try transaction.get(plan.entities[position].schema, id) { matcher.matches(id, $0) }
      ?? false
  }

  /// The condition on an entity; nil for none.
  mutating func matcher(
    _ position: Int, _ transaction: Transaction
  ) throws -> QueryMatcher? {
    if let known = matchers[position] { return known }
    let made = try plan.entities[position].condition.map { try QueryMatcher($0, in: transaction) }
    matchers[position] = made
    return made
  }

  // MARK: - Relations

  /// Whether an object of an entry does not exist, or was left out.
  func isLeftOut(
    _ relation: ExportPlan.RelationPlan, _ source: UInt64, _ target: UInt64,
    _ transaction: Transaction
  ) throws -> Bool {
    try leftOut[relation.source].contains(source) || leftOut[relation.target].contains(target)
      || !transaction.hasEnds(relation.schema, source, target)
  }

  /// Visits the entries that can be written.
  private static func visitEntries(
    of relation: RelationSchema, _ chosen: ChosenObjects?, _ transaction: Transaction,
    _ body: (UInt64, UInt64) throws -> VisitStep
  ) throws {
    guard let chosen else {
      return try transaction.visitEntries(relation, body)
    }
    for (source, target) in chosen.entries(of: relation) { _ = try body(source, target) }
  }

  private mutating func write(
    _ relation: ExportPlan.RelationPlan, _ transaction: Transaction,
    _ progress: (ExportProgress) -> Void
  ) throws {
    let name = relation.name
    try writer.begin(.relation(name))
    let isFiltered =
      options.chosen == nil
      && [relation.source, relation.target].contains {
        plan.entities[$0].condition != nil || lastWritten[$0] != nil
      }
    let quoted = options.integers == .string
    var (sources, targets, looked) = (0, 0, 0)
    // The source that was looked at last.
    var checked: (id: UInt64, isWritten: Bool)?
    var (twins, strays) = (0, 0)
    if options.limit != 0 {
      try Self.visitEntries(of: relation.schema, options.chosen, transaction) { source, target in
        looked += 1
        if options.salvages {
          let hasTwin = try transaction.hasTwin(relation.schema, source, target)
          if hasTwin { twins += 1 }
          if try !hasTwin || isLeftOut(relation, source, target, transaction) {
            strays += 1
            return .next
          }
        }
        if looked % Self.step == 0 { try report(looked, of: name, to: progress) }
        if isFiltered {
          if checked?.id != source {
            checked = (source, try isWritten(source, relation.source, transaction))
          }
          if checked?.isWritten == false { return .next }
          if try !isWritten(target, relation.target, transaction) { return .next }
        }
        if try writer.append(source: source, target: target, quoted: quoted) { sources += 1 }
        targets += 1
        return .next
      }
    }
    if options.salvages && options.limit != 0 {
      // Entries that exist only backwards were not visited.
      totals.leftOut.entries +=
        strays + max(0, try transaction.counts(relation.schema).backward - twins)
    }
    done += looked
    let counted = DumpTotals.RelationTotal(name: name, sources: sources, targets: targets)
    try writer.end(.relation(counted), ReaderSchema(relation, options))
    totals.relations.append(counted)
  }
}

/// The objects of an entity while they are written.
private struct EntityObjects {
  let entity: EntitySchema
  let columns: TableColumns
  /// The last id that the entity has given, read before the visit: within it a transaction cannot be used.
  let lastID: UInt64
  private let form: ObjectBatch.Form
  private let capacity: Int
  /// The objects that no other thread writes yet.
  private(set) var batch: ObjectBatch
  var verified: VisitedEntity?
  /// The totals of the relations that are columns.
  var counts: [DumpTotals.RelationTotal]
  /// The number of objects that were visited.
  var looked = 0
  private(set) var written = 0
  /// The number of objects in files that are complete.
  var filed = 0
  /// The id of the last object that was written.
  private(set) var last: UInt64 = 0
  /// The damaged objects, which are left out.
  var strays: Set<UInt64> = []

  init(_ entity: EntitySchema, _ columns: TableColumns, lastID: UInt64, capacity: Int) {
    (self.entity, self.columns) = (entity, columns)
    (self.lastID, self.capacity) = (lastID, capacity)
    counts = columns.counts
    form = columns.form ?? .json(columns.objects)
    batch = ObjectBatch(entity, form, capacity: capacity)
  }

  mutating func beginBatch() { batch = ObjectBatch(entity, form, capacity: capacity) }

  mutating func append(_ id: UInt64, _ record: borrowing RecordView) {
    verified?.add(id, record)
    batch.append(id, record)
    written += 1
    last = id
  }
}

extension EntitySchema {
  /// Whether all strings of a record are UTF-8.
  func isUTF8(_ record: borrowing RecordView) -> Bool {
    for property in properties where !property.isUTF8(in: record) { return false }
    return true
  }
}
