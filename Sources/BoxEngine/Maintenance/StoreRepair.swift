internal import BoxReport
package import BoxStorage

/// A repair of a store: if its data file is damaged, another one takes its place, and the damaged one is kept.
///
/// Damage is only what cannot be an effect of something else:
///
/// - pages that the walk over the pages of the file finds damaged, which includes a file that is cut off;
/// - a file that is not a data file of LMDB, or one that has no spaces of a store;
/// - a catalog or a model that cannot be read, or a catalog that is older than the rest of the store;
/// - with ``Checks/everything``, all that ``ObjectStore/verify(_:options:limit:warnings:progress:)`` finds.
///
/// With ``Checks/pages``, an undamaged page with an earlier content is damage only where the counts of its tree or the
/// order of keys contradict it.
///
/// Everything else is thrown as it is, and no file moves: a model that does not fit, a newer format of the store
/// or of LMDB, a file of another kind of machine, a limit of the size, a full disk, readers, locks, permissions, a
/// link, a directory or a device as the data file, errors of the device, a writer at work. A
/// file to which nothing was ever committed is a new store.
package struct StoreRepair: Sendable {
  /// The checks that find damage.
  package enum Checks: Hashable, Sendable {
    /// The pages of the file, and the catalog.
    case pages
    /// Also every record, index entry and relation.
    case everything
  }

  /// The content of the file that takes the place of a damaged one.
  package enum Replacement: Hashable, Sendable {
    /// Nothing: the file of a new store.
    case empty
    /// The undamaged data.
    case salvage
  }

  /// The directory of the store.
  package let directory: String
  /// The checks that find damage.
  package var checks = Checks.pages
  /// The content of the new file.
  package var replacement = Replacement.salvage
  /// Sizes, limits and permissions.
  package var options: StorageOptions
  /// Whether nothing is changed: the copy is made in the directory for temporary files, and then dropped.
  ///
  /// The lock files of the store are created if they do not exist.
  package var isDryRun = false
  /// Whether a file of which nothing can be read stays in its place: that is an error then.
  package var requiresContents = false
  /// Called from time to time with the step in words, the work done and its total.
  package var progress: @Sendable (_ step: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in
  }

  /// Creates a repair; nothing is opened or locked.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: Sizes, limits and permissions.
  package init(_ directory: String, options: StorageOptions = StorageOptions()) {
    self.directory = directory
    self.options = options
  }

  /// Replaces the data file if it is damaged.
  ///
  /// A store that others use is looked at while they use it. Only where that shows damage is the store locked, and
  /// looked at again. The new file is complete, verified and synced before the damaged one gets another name.
  ///
  /// - Returns: The report; nil for a store without damage, and without a data file.
  /// - Throws: ``StoreError/notAStore(_:)`` or ``StoreError/damagedCatalog(_:)`` if ``requiresContents`` is set and nothing
  ///   can be read, ``StoreError/storage(_:)`` of kind `inUse` if a damaged store is open anywhere, `noSpace` if there is
  ///   no room for the copy, and all that is not damage. Nothing has moved then.
  /// - Complexity: O(*n*) in the number of pages, or of entries with ``Checks/everything``; O(*n* log *n*) for a
  ///   damaged store.
  package func run() throws(StoreError) -> RepairReport? {
    let location = StorageLocation.directory(directory)
    guard location.exists, try looksDamaged(location) else { return nil }
    return try OpeningLock.hold(location) { () throws(StoreError) -> RepairReport? in
      try StoreError.only {
        try HeldStore.hold(directory, options) { store throws -> RepairReport? in
          guard let damage = try damage(of: store) else { return nil }
          return try replace(store, damage)
        }
      }
    }
  }

  // MARK: - Looking

  /// Whether there may be damage, as far as can be seen while others write.
  private func looksDamaged(_ location: StorageLocation) throws(StoreError) -> Bool {
    if location.hasNoTransaction { return false }
    var reading = StoreOptions()
    reading.storage = options
    reading.storage.isReadOnly = true
    // It is read with the model that it has, which it has accepted.
    reading.acceptsRegeneratedModel = true
    reading.storage.pageCheck = PageCheck { [progress] in progress("checking pages", $0, $1) }
    do throws(StoreError) {
      switch checks {
      case .pages:
        try ObjectStore.open(location, options: reading).close()
        return false
      case .everything:
        let findings = try ObjectStore.verify(
          directory, options: reading, limit: 1,
          progress: { [progress] step, done, total in
            progress("checking \(step.rawValue)", done, total)
          })
        return !findings.isEmpty
      }
    } catch {
      if error.mayBeDamage { return true }
      throw error
    }
  }

  /// The damage of a store that no one else can write to; nil for a sound one.
  private func damage(of store: HeldStore) throws -> String? {
    if store.isNew { return nil }
    let pages = try store.reading { source in
      var walker = PageWalker(source)
      walker.progress = { progress("checking pages", Int(clamping: $0), Int(clamping: $1)) }
      return try walker.walk()
    }
    if let problem = pages.problems.ofFormat {
      throw StorageError(
        .notAStore, "the data file in \(directory) cannot be read here: \(problem)")
    }
    if let problem = pages.problems.first { return "pages are damaged: \(problem)" }
    if let problem = pages.spaceProblem {
      if requiresContents { throw StoreError.notAStore(directory) }
      return "the file is not a store: \(problem)"
    }
    // The pages are sound, so what keeps the file from being opened is not damage, but a lock file for example.
    let storage = StorageHandle(try store.open(spaces: StoreRescue.maximumSpaces))
    do throws(StoreError) {
      return try damageOfContents(storage)
    } catch {
      if case .notAStore = error, requiresContents { throw error }
      if error.mayBeDamage { return error.withoutAdvice }
      throw error
    }
  }

  /// The damage of a store whose pages are sound.
  private func damageOfContents(_ storage: StorageHandle) throws(StoreError) -> String? {
    let opened = try open(storage)
    defer { opened.close() }
    if checks == .pages { return nil }
    let findings = try opened.verify(limit: 1) { [progress] in
      progress("checking entries", $0, $1)
    }
    return findings.first.map { "\($0.message) [\($0.rule.id)]" }
  }

  /// Opens a store with the model that it has.
  private func open(_ storage: StorageHandle) throws(StoreError) -> ObjectStore {
    var reading = StoreOptions()
    reading.storage = options
    reading.storage.maximumSpaces = StoreRescue.maximumSpaces
    reading.acceptsRegeneratedModel = true
    let opening = StoreOpening(.directory(directory), nil, reading)
    let attempt = try storage.spacesLock.withLock { () throws(StoreError) in
      try opening.attempt(storage, spaces: StoreRescue.maximumSpaces, false)
    }
    switch attempt {
    case .opened(let store): return store
    case .needsSpaces(let count):
      throw StoreError.damagedCatalog("it has \(grouped(count)) spaces, more than a store can have")
    }
  }

  // MARK: - Replacing

  /// Opens an empty storage for the copy.
  ///
  /// A dry run copies to the directory for temporary files: nothing can be written to some stores' directories, and the
  /// copy never takes a place there.
  private func emptyStorage() throws -> StorageHandle {
    var settings = StorageOptions()
    settings.fileMode = options.fileMode
    settings.faults = options.faults
    settings.maximumSpaces = StoreRescue.maximumSpaces
    if isDryRun {
      let name = "repair of \(directory) \(UInt64.random(in: 0 ... .max))"
      return try StorageHandle(opening: .memory(name), settings, alone: false)
    }
    return StorageHandle(
      try StorageLocation.openTemporary(directory + "/" + StoreFiles.rebuildName, settings))
  }

  private func replace(_ store: HeldStore, _ damage: String) throws -> RepairReport {
    let storage = try emptyStorage()
    var report = RepairReport(damage: damage)
    report.contents = try contents(of: store, in: storage)
    if requiresContents && report.contents == nil {
      throw StoreError.damagedCatalog(
        "nothing can be read without it, and nothing was changed (\(damage))")
    }
    let isWritten = replacement == .salvage && report.contents != nil
    // Not among what says that nothing can be read: a fault of the copy must not make an empty store.
    if isWritten { try requireWhole(storage) }
    if isDryRun { return report }
    report.file = try store.replace { descriptor in
      // An empty file is one of a new store.
      if isWritten { try storage.copy(to: descriptor, compacting: true) }
    }
    return report
  }

  /// Copies the undamaged data, and makes it whole; nil if it cannot be read.
  private func contents(
    of store: HeldStore, in storage: StorageHandle
  ) throws -> RepairReport.Contents? {
    let spaces =
      replacement == .salvage ? nil : [StoredCatalog.space, StoredCatalog.idsSpace]
    do throws(StoreError) {
      let report = try StoreError.only {
        try store.reading {
          try StoreRescue.fill(storage, from: $0, only: spaces) { [progress] in
            progress("reading undamaged pages", $0, $1)
          }
        }
      }
      if replacement == .empty { return try lost(storage, report) }
      return try StoreRestoration.run(
        storage, directory, isDryRun ? .memory(directory) : .directory(directory), report)
    } catch {
      guard case .damagedCatalog = error else { throw error }
      return nil
    }
  }

  /// The parts of a store of which nothing is kept.
  private func lost(
    _ storage: StorageHandle, _ report: PageRescue.Report
  ) throws(StoreError) -> RepairReport.Contents {
    let transaction = try storage.beginWrite()
    defer { transaction.abort() }
    guard let space = try transaction.openSpace(StoredCatalog.space, .bytes, create: false),
      let catalog = try StoredCatalog.read(space, transaction)
    else { throw StoreError.damagedCatalog("it is not whole") }
    func part(_ name: String, _ space: String) -> RepairReport.Part {
      let recorded = report.spaces[space]?.recorded
      return RepairReport.Part(name: name, kept: 0, lost: recorded.map { Int(clamping: $0) })
    }
    var contents = RepairReport.Contents()
    if catalog.sync != nil {
      contents.unsent = RepairReport.Part(name: "outbox", kept: 0, lost: nil)
    }
    for entity in catalog.entities {
      contents.entities.append(part(entity.name, SpaceName.objects(of: entity.uid)))
      contents.relations += entity.relations.map {
        part("\(entity.name).\($0.name)", SpaceName.targets(of: $0.uid))
      }
    }
    return contents
  }

  /// Verifies the copy before it becomes the store.
  private func requireWhole(_ storage: StorageHandle) throws(StoreError) {
    let copy = try open(storage)
    defer { copy.close() }
    let findings = try copy.verify(limit: 3) { [progress] in
      progress("checking the copy", $0, $1)
    }
    if !findings.isEmpty { throw StoreError.damaged(findings) }
  }
}

extension StoreError {
  /// The sentence of the damage, without the advice to restore a backup, which a repair makes needless.
  fileprivate var withoutAdvice: String {
    let (text, advice) = (description, "; restore a backup")
    return text.hasSuffix(advice) ? String(text.dropLast(advice.count)) : text
  }

  /// Whether damage can be the cause of the error, and not the system or another program.
  package var mayBeDamage: Bool {
    switch self {
    case .notAStore, .damagedCatalog, .damaged, .damagedRecord, .damagedCheckpoint: true
    // A code above 0 is one of the system, such as for a file that may not be opened.
    case .storage(let error):
      error.kind == .damaged || error.kind == .notAStore && (error.code ?? -1) < 0
    default: false
    }
  }
}

extension [PageProblem] {
  /// The problem of a file that another version of LMDB or another kind of machine wrote.
  ///
  /// A head is damaged if it has another version than the other head.
  fileprivate var ofFormat: PageProblem? {
    let versions = filter { $0.kind == .version }
    return first { $0.kind == .bigEndian || $0.kind == .wordSize }
      ?? (versions.count > 1 && Set(versions.map(\.sentence)).count == 1 ? versions[0] : nil)
  }
}
