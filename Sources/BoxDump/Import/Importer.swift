internal import BoxConvert
package import BoxEngine
internal import BoxModel
internal import BoxStorage
internal import BoxSystem

/// Loads an input into a store.
///
/// One thread reads and makes records, the one that calls writes them, a transaction for each batch.
package struct Importer {
  private let input: DumpInput
  private let store: ObjectStore
  private let options: ImportOptions

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - input: The input; it can be imported once.
  ///   - store: The store, opened with ``StoreOptions/storesCheckpoints``.
  ///   - options: The options of the import.
  package init(_ input: DumpInput, into store: ObjectStore, options: ImportOptions) {
    self.input = input
    self.store = store
    self.options = options
  }

  /// Whether a store has an interrupted import that can be resumed.
  ///
  /// - Throws: ``StoreError``.
  package static func isInterrupted(in store: ObjectStore) throws -> Bool {
    try store.read { try $0.checkpoint(ImportCheckpoint.key) } != nil
  }

  /// Whether a store has a place for the progress of imports, which the first one makes.
  ///
  /// - Throws: ``StoreError``.
  package static func hasProgress(in store: ObjectStore) throws -> Bool {
    try store.read { $0.hasCheckpointSpace }
  }

  /// Imports everything.
  ///
  /// Deferred indexes of the store are built at the end; after that the store cannot be written to,
  /// and must be opened again.
  ///
  /// - Parameters:
  ///   - lock: The lock on the store, if the caller holds it already.
  ///   - rejects: The files for elements that cannot be imported; nil for none.
  ///   - report: Called with each element that cannot be imported.
  ///   - progress: Called with the number of bytes read so far and their total; nil if unknown.
  ///   - indexing: Called while indexes are built at the end, as in
  ///     ``ObjectStore/buildIndexes(replacingCheckpoints:progress:)``.
  /// - Returns: The results of the import.
  /// - Throws: ``ImportIssue`` for the element that ends the import, ``DumpError`` if the input as
  ///   a whole is invalid or another import runs, and ``StoreError``, which is
  ///   ``StoreError/damaged(_:)`` before anything is imported into a damaged store. The batches
  ///   before it are kept.
  package func run(
    lock: ImportLock? = nil, rejects: RejectsFile? = nil,
    report: (ImportIssue) -> Void = { _ in },
    progress: (_ done: Int, _ total: Int?) -> Void = { _, _ in },
    indexing: (_ index: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws -> ImportSummary {
    let lock = try lock ?? ownLock()
    defer { withExtendedLifetime(lock) {} }
    do {
      let summary = try fill(rejects: rejects, report: report, progress: progress)
      if try !options.isDryRun && Self.isInterrupted(in: store) {
        try withoutActuallyEscaping(indexing) {
          let completed = try store.read { try CompletedImports($0) }
          _ = try store.buildIndexes(
            replacingCheckpoints: [CompletedImports.key: completed.note], progress: $0)
        }
      }
      return summary
    } catch {
      // If there is no import to continue, the store gets its indexes again.
      if store.lacksIndexes, !options.isDryRun,
        case .some(false) = try? Self.isInterrupted(in: store)
      {
        _ = try? store.buildIndexes()
      }
      throw error
    }
  }

  private func fill(
    rejects: RejectsFile?, report: (ImportIssue) -> Void,
    progress: (_ done: Int, _ total: Int?) -> Void
  ) throws -> ImportSummary {
    let plan = try plan()
    let rules = ReadingRules(options, input)
    let checkpoint = try checkpoint(rules)
    if try checkpoint == nil && options.resumes && isComplete(rules) {
      var summary = ImportSummary()
      summary.wasComplete = true
      return summary
    }
    if options.verifiesStore {
      let findings = try store.verify(limit: 3)
      if !findings.isEmpty { throw StoreError.damaged(findings) }
    }
    let queue = EventQueue(capacity: 8)
    let writer = try ImportWriter(
      store, plan, options, queue, of: ImportedFiles(input), rules: rules, rejects: rejects,
      checkpoint: checkpoint)
    if checkpoint?.isFilled ?? false { return writer.summary }
    let identities = try filesRead(checkpoint)
    let (counter, size) = (input.bytesRead, input.size)
    let (options, place) = (options, checkpoint?.place)
    // Until the thread has ended, the input is used there only.
    nonisolated(unsafe) let input = input
    let thread = try startThread {
      unsafe ImportReader(input, plan, options, queue, resume: place, after: identities).run()
    }
    defer {
      queue.close()
      thread.join()
    }
    return try writer.run(report: report) { progress(counter.value, size) }
  }

  /// The files that an interrupted import has read to their end.
  private func filesRead(_ checkpoint: ImportCheckpoint?) throws -> [InputIdentity] {
    guard let checkpoint else { return [] }
    return try store.read { try input.requireFiles(before: checkpoint.place, $0) }
  }

  private func ownLock() throws(DumpError) -> ImportLock? {
    // A dry run needs no lock, since it keeps nothing.
    guard case .directory(let path) = store.location, !options.isDryRun else { return nil }
    return try ImportLock(directory: path)
  }

  private func plan() throws -> ImportPlan {
    guard let header = input.header else { return try ImportPlan(store, options.catalogue) }
    if !header.isImportable {
      throw DumpError(
        "was made with a unique property redacted, so it cannot be imported", kind: .impossible,
        path: input.path)
    }
    let model = try header.parsedModel(input.path)
    let catalogue = try header.catalogue(input.path, options.catalogue.registry)
    return try ImportPlan(
      store, model: model, header: header, isRejects: input.isRejects, catalogue)
  }

  /// Whether the input was imported already, from beginning to end and as it would be now.
  private func isComplete(_ rules: ReadingRules) throws -> Bool {
    let settings = CompletedImports.Settings(options: options.settings, rules: rules)
    let completed = try store.read { try CompletedImports($0) }
    let sizes = completed.sizes(settings: settings)
    let identity =
      if case .files = input.content {
        try InputIdentity.read(input.files, ofSizes: sizes)
      } else {
        try InputIdentity.read(input.path, ofSizes: sizes)
      }
    return identity.map { completed.contains($0, settings: settings) } ?? false
  }

  private func checkpoint(_ rules: ReadingRules) throws -> ImportCheckpoint? {
    guard let bytes = try store.read({ try $0.checkpoint(ImportCheckpoint.key) }) else {
      return nil
    }
    // It is forgotten in the first transaction of this import.
    if options.restarts { return nil }
    let checkpoint = try ImportCheckpoint(parsing: bytes)
    if options.resumes {
      if checkpoint.settings != options.settings {
        throw DumpError(
          "the import that was interrupted had other options (\(checkpoint.settings)); "
            + "resume it with them", kind: .impossible,
          remedy: .restoreSettings(checkpoint.settings))
      }
      try rules.require(asIn: checkpoint)
      return checkpoint
    }
    throw DumpError(
      "an import of \(checkpoint.path) was interrupted in this store; resume or discard it",
      kind: .impossible, remedy: .resumeOrRestart)
  }
}
