internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Writes the events of a reader to the store, with one transaction for each batch or for several.
final class ImportWriter {
  let store: ObjectStore
  let plan: ImportPlan
  let options: ImportOptions
  let rejects: RejectsFile?
  private let input: ImportedFiles
  var checkpoint: ImportCheckpoint
  /// The property that identifies objects, instead of the id.
  let match: (entity: EntitySchema, position: Int)?
  private let queue: EventQueue
  private var prepared: [ObjectIdentifier: PreparedObjects] = [:]
  /// Whether the options allow only additions, so that a batch can be rolled back from a transaction that has
  /// earlier batches.
  ///
  /// A commit writes each page that it changed, and a batch changes most pages of an index whose values are in
  /// random order. So batches in quick succession share a commit. An error in one of them must not undo the others.
  let canRevert: Bool
  /// The objects that were written, if a later element may need to know.
  var written: WrittenIDs
  /// The objects that lost a unique value and were not put again, at the end of the last batch; nil before the first
  /// one, and where no delete rule has to be asked.
  var displaced: DisplacedObjects?
  /// The number of entries of the log about them.
  var loggedCount = 0
  /// The progress of the import at the end of the last batch.
  private var boundary: ImportCheckpoint
  /// The error that ends the import after a part of the batches is committed.
  private var ending: (any Error)?
  private var lastCommit = ContinuousClock.now
  /// The mark since which the changes of the transaction are noted.
  private var changeMark = 0

  /// Batches within that time share a commit.
  private static let commitInterval = Duration.milliseconds(300)
  private var report: (ImportIssue) -> Void = { _ in }

  /// Ends a transaction whose changes are not kept.
  private struct DryRun: Error {}

  init(
    _ store: ObjectStore, _ plan: ImportPlan, _ options: ImportOptions, _ queue: EventQueue,
    of input: ImportedFiles, rules: ReadingRules, rejects: RejectsFile?,
    checkpoint: ImportCheckpoint?
  ) throws {
    self.store = store
    self.plan = plan
    self.options = options
    self.queue = queue
    self.input = input
    self.rejects = options.isDryRun ? nil : rejects
    self.checkpoint =
      checkpoint ?? ImportCheckpoint(path: input.path, settings: options.settings, rules: rules)
    self.checkpoint.rules = rules
    self.checkpoint.summary.wasResumed = checkpoint != nil
    boundary = self.checkpoint
    written = WrittenIDs(
      store.displacesByRules
        ? store.entities : options.mode == .replace ? store.entities.filter(\.hasSoleOwners) : [])
    canRevert =
      (options.batch ?? .max) <= 100_000 && options.mode == .insert && options.ids == .keep
      && options.match == nil && options.dangling == .keep && !options.isDryRun
      && store.entities.allSatisfy { entity in
        entity.properties.allSatisfy { $0.index?.replacesOnConflict != true }
      }
    match = try options.match.map { try Self.property($0, store) }
  }

  private static func property(
    _ name: String, _ store: ObjectStore
  ) throws(DumpError) -> (EntitySchema, Int) {
    let found = store.entities.member(named: name)
    if found == nil, NamePath(reading: name).names.count == 1 {
      throw DumpError(
        "cannot match by \(name.quotedForDisplay): \(store.entities.requestForEntity(of: name))",
        kind: .impossible)
    }
    guard let (entity, member) = found,
      let position = entity.properties.firstIndex(where: { $0.name.hasSameBytes(as: member) }),
      position != entity.idPosition
    else {
      throw DumpError(
        "cannot match by \(name.quotedForDisplay): the model has no such property",
        kind: .impossible)
    }
    if entity.properties[position].index == nil {
      throw DumpError(
        "cannot match by \(name): the property has no index to find objects by",
        kind: .impossible)
    }
    return (entity, position)
  }

  /// The name of the file of an element.
  func fileName(_ place: ElementLine) -> String { input.name(place.file) }

  /// Whether ids of the input stand for others in the store.
  var mapsIDs: Bool { options.ids == .new || match != nil }

  // MARK: - Batches

  /// Writes everything.
  func run(
    report: (ImportIssue) -> Void, progress: () -> Void
  ) throws -> ImportSummary {
    try withoutActuallyEscaping(report) { report in
      self.report = report
      defer { self.report = { _ in } }
      try rejects?.begin(
        rejects: checkpoint.rejects, reasons: checkpoint.reasons,
        isResumed: checkpoint.summary.wasResumed)
      var forgets = options.restarts
      var isDone = false
      while !isDone {
        let saved = checkpoint
        do {
          isDone = try store.write { transaction in
            if forgets { try forgetEarlierImport(transaction) }
            return try batch(transaction, progress)
          }
          forgets = false
        } catch is DryRun {
          isDone = true
        } catch {
          checkpoint = saved
          throw error
        }
        if let ending { throw ending }
        lastCommit = .now
      }
      progress()
    }
    return summary
  }

  /// The results so far.
  var summary: ImportSummary {
    var summary = checkpoint.summary
    summary.isDryRun = options.isDryRun
    summary.dropped = plan.dropped
    summary.filled = plan.filled
    return summary
  }

  /// Writes one or more whole batches; whether the last is among them.
  private func batch(_ transaction: Transaction, _ progress: () -> Void) throws -> Bool {
    let begin = checkpoint.place
    boundary = checkpoint
    try beginDisplacing(transaction)
    let mark = transaction.undoMark
    if options.examining != nil { changeMark = transaction.noteAllChanges() }
    do {
      return try batches(since: mark, transaction, progress)
    } catch let error where canRevert && boundary.place != begin && error.isOfInput {
      try transaction.revert(to: mark)
      checkpoint = boundary
      try writeCheckpoint(transaction)
      ending = error
      return true
    }
  }

  private func batches(
    since mark: UndoMark, _ transaction: Transaction, _ progress: () -> Void
  ) throws -> Bool {
    while true {
      switch queue.next() {
      case .prepared(let chunk):
        try put(chunk.buffer, transaction)
        queue.recycle(chunk)
      case .objects(let objects):
        for object in objects { try put(object, transaction) }
      case .links(let links):
        for link in links { try put(link, transaction) }
      case .issue(let issue): try reject(issue)
      case .ignored(let counts):
        checkpoint.summary.ignored.merge(counts, uniquingKeysWith: +)
      case .note(let note):
        // An import that continues in a file reads its columns a second time.
        if !checkpoint.summary.notes.contains(note) { checkpoint.summary.notes.append(note) }
      case .fileEnd(let number, let identity):
        try transaction.setCheckpoint(CheckpointKey.file(number), identity.note)
      case .boundary(let place):
        if options.isDryRun { continue }
        checkpoint.place = place
        if canRevert, ContinuousClock.now - lastCommit < Self.commitInterval {
          if let rejects { (checkpoint.rejects, checkpoint.reasons) = rejects.sizes }
          boundary = checkpoint
          transaction.forget(since: mark)
        } else {
          try writeCheckpoint(transaction)
          return false
        }
      case .end(let end):
        try finish(end, transaction)
        try examine(transaction)
        if options.isDryRun { throw DryRun() }
        return true
      case .failure(let error): throw error
      }
      progress()
    }
  }

  /// Lets the caller examine the whole import; one that is refused leaves no rejects, so that it can be repeated.
  private func examine(_ transaction: Transaction) throws {
    do {
      try options.examining?(transaction, changeMark)
    } catch {
      rejects?.discard()
      throw error
    }
  }

  private func writeCheckpoint(_ transaction: Transaction) throws {
    if let rejects {
      let sizes = try rejects.synchronize()
      if checkpoint.place != boundary.place {
        (checkpoint.rejects, checkpoint.reasons) = sizes
      }
    }
    try written.flush(transaction)
    try logDisplaced(transaction)
    try input.writeList(transaction)
    try transaction.setCheckpoint(ImportCheckpoint.key, checkpoint.bytes)
  }

  private func finish(_ end: ImportEnd, _ transaction: Transaction) throws {
    try writeWaiting(transaction)
    try removeDisplaced(transaction)
    try resolvePending(transaction)
    for (plan, id) in end.lastIDs { try transaction.reserveIDs(plan.entity, through: id) }
    checkpoint.summary.notes += end.notes
    if let rejects { _ = try rejects.synchronize() }
    var completed = try CompletedImports(transaction)
    if let identity = end.identity {
      completed.add(
        identity, settings: .init(options: checkpoint.settings, rules: checkpoint.rules))
    }
    try transaction.clearImport(completed)
    if store.lacksIndexes && !options.isDryRun {
      // The import is not at its end before they are built.
      checkpoint.isFilled = true
      try transaction.setCheckpoint(ImportCheckpoint.key, checkpoint.bytes)
    }
  }

  // MARK: - Objects that are ready

  private func put(_ chunk: PreparedChunk, _ transaction: Transaction) throws {
    let mode: PutMode = options.mode == .insert ? .insert : .put
    let entity = chunk.plan.entity
    var inserted = 0
    var updated = 0
    for index in 0..<chunk.objects.count {
      do {
        if try transaction.putPrepared(chunk.objects, at: index, mode: mode) {
          if canRevert { transaction.onUndo(.remove(entity, chunk.objects.id(at: index))) }
          inserted += 1
        } else {
          updated += 1
          try unlinkReplaced(entity, chunk.objects.id(at: index), transaction)
        }
        try noteWritten(entity, chunk.objects.id(at: index), transaction)
      } catch let error as StoreError {
        if try mayBeReleased(error, entity, transaction) {
          try wait(chunk, index, transaction)
          continue
        }
        try reject(
          issue(
            error, chunk.plan, at: ElementLine(file: chunk.file, line: chunk.lines[index]),
            places: chunk.places(at: index),
            element: chunk.texts.isEmpty ? nil : chunk.texts[index]))
      }
    }
    checkpoint.summary.count(entity.name, inserted: inserted, updated: updated)
  }

  /// Writes one object.
  func put(_ object: DynamicObject, _ transaction: Transaction) throws -> Bool {
    let key = ObjectIdentifier(object.entity)
    let prepared = prepared[key] ?? PreparedObjects(object.entity)
    self.prepared[key] = prepared
    prepared.removeAll()
    try prepared.append(object)
    let isNew = try transaction.putPrepared(prepared, at: 0)
    if isNew && canRevert { transaction.onUndo(.remove(object.entity, object.id)) }
    return isNew
  }

  // MARK: - Issues

  /// The issue of an error of the store; errors that no other element can help are thrown on.
  func issue(
    _ error: StoreError, _ plan: EntityPlan, at place: ElementLine,
    places: ArraySlice<JSONPosition>,
    element: RejectedElement?
  ) throws -> ImportIssue {
    var issue = try issue(error, plan.name, at: place, element: element)
    if let place = issue.property.flatMap({ plan.place(of: $0, in: places) }) {
      issue.position = place
    }
    return issue
  }

  /// The issue of an error of the store about something else than a value.
  func issue(
    _ error: StoreError, _ name: String, at place: ElementLine, element: RejectedElement?
  ) throws -> ImportIssue {
    var issue = ImportIssue(
      error.description, file: fileName(place),
      position: JSONPosition(line: place.line, column: 1), entity: name)
    issue.element = element
    switch error {
    case .uniqueViolation(_, let property, let value, _),
      .wrongValue(_, let property, let value, _):
      issue.property = property
      issue.value = "\(value)"
    case .alreadyExists, .notFound, .idTooLarge, .idsExhausted, .objectTooLarge, .notUTF8,
      .removalRefused, .replacementRefused:
      break
    default: throw error
    }
    return issue
  }

  /// Counts an element that cannot be imported, or ends the import.
  func reject(_ issue: ImportIssue) throws {
    let name = issue.element?.name
    // A relation is rejected with an object; nothing refers to it.
    if name.map({ plan.relations[ExactText($0)] == nil }) ?? true {
      checkpoint.rejectedNames.insert(ExactText(name ?? ""))
    }
    guard let maximum = options.maximumErrors, checkpoint.summary.rejected < maximum else {
      checkpoint.summary.rejected += 1
      throw issue.located(input.path)
    }
    try passOver(issue)
  }

  /// Counts an element that cannot be imported, regardless of the limit: it belongs to another one that was
  /// counted.
  func passOver(_ issue: ImportIssue) throws {
    let issue = issue.located(input.path)
    checkpoint.summary.rejected += 1
    try rejects?.append(issue)
    report(issue)
  }
}

extension Error {
  /// Whether the input is at fault, and not the store.
  fileprivate var isOfInput: Bool { self is ImportIssue || self is DumpError }
}
