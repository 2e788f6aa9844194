package import BoxEngine
package import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

/// A migration of a store, as a user asks for it.
package struct MigrationRequest: Sendable {
  /// The directory of the store.
  package var store: String
  /// The model file to migrate to.
  package var target: String
  /// The model files on the way, in order.
  package var intermediate: [String] = []
  /// The rules about removals that the store takes over with the target.
  package var rules = RulesChoice()
  /// The file with mappings; nil for none.
  package var mapping: String?
  /// Whether data that the target does not show is removed afterwards.
  package var freesHiddenData = false
  /// Whether the migration is only looked at.
  package var isDryRun = false
  /// The way to open the store.
  package var access = StoreAccess()

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - store: The directory of the store.
  ///   - target: The model file to migrate to.
  package init(_ store: String, to target: String) {
    self.store = store
    self.target = target
  }

  /// Prepares the migration; the store is not changed.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if another program has the store open (unless
  ///   it is a dry run), the store is newer than the target or a step needs a mapping; `badInput` if a
  ///   model, a mapping or the store is invalid; `inputOutput` if a file cannot be read.
  /// - Complexity: O(*n*) in the objects of entities whose values a step concerns, and in the whole
  ///   store for a dry run.
  package func prepare(in place: Workspace) async throws -> MigrationProposal {
    try requireStoreInWorkTree(store)
    let files = try await MigrationFiles(
      models: intermediate + [target], rules: rules, mapping: mapping, in: place)
    let observer = place.observer
    defer { observer.finish() }
    return try onMigration(store: store, mapping: mapping) {
      // A directory that is not a store is refused as by the commands of stores, before anything is locked.
      try StorageLocation.directory(store).requireStore()
      var run = MigrationRun(store, try MigrationRoute(files.versions), mappings: files.mappings)
      run.options = access.options(observer)
      run.freesHiddenData = freesHiddenData
      run.verifiesFirst = true
      run.refusesNewerStores = true
      // Before the plan is worked out, shown and agreed to.
      let use = try inUseError()
      if let use, !isDryRun { throw use }
      let migration = try run.prepare(old: store, new: target)
      var proposal = MigrationProposal(request: self, migration: migration, use: use)
      if migration.pending.isEmpty, let version = files.versions.last {
        proposal.rules = try changedRules(version, run.options)
      }
      notify(of: proposal, observer)
      if proposal.plan != nil, isDryRun {
        var options = run.options
        options.acceptsRegeneratedModel = true
        try ObjectStore.requireWhole(store, options: options)
      }
      return proposal
    }
  }

  /// The rules of a store that has the model of the target already; nil if it has the same.
  private func changedRules(
    _ version: MigrationVersion, _ options: StoreOptions
  ) throws -> MigrationProposal.Rules? {
    guard let declarations = version.declarations else { return nil }
    var options = options
    options.storage.isReadOnly = true
    let old = try ObjectStore.open(.directory(store), options: options)
    defer { old.close() }
    if old.declarations.means(declarations) { return nil }
    // The store is not opened before the user agrees.
    let refusals = declarations.refusals(
      of: version.document.model, areGiven: true, path: version.name)
    if !refusals.isEmpty { throw StoreError.incompatibleModel(refusals.map(\.finding)) }
    return MigrationProposal.Rules(
      declarations: declarations, document: version.document, options: options)
  }

  private func notify(of proposal: MigrationProposal, _ observer: any WorkObserver) {
    if let mapping, proposal.ignoresMapping {
      let note = "no step of this migration uses the mapping, so it has no effect"
      observer.receive(Notice(.note, "\(mapping): note: \(note)"))
    }
    if let use = proposal.use {
      observer.receive(Notice(.note, "\(store): note: \(use)"))
    }
  }

  /// The error that would end the migration if another program has the store open; nil if none has.
  private func inUseError() throws -> StoreError? {
    do {
      try ObjectStore.requireUnused(store)
      return nil
    } catch {
      if case .storage(let storage) = error, storage.kind == .inUse { return error }
      // Looking needs no right to write.
      if isDryRun { return nil }
      throw error
    }
  }
}

/// A migration that is prepared, to be shown and carried out.
package struct MigrationProposal: Sendable {
  let request: MigrationRequest
  let migration: PreparedMigration
  /// The error that names the program that has the store open; nil if none has.
  package let use: StoreError?

  init(request: MigrationRequest, migration: PreparedMigration, use: StoreError?) {
    self.request = request
    self.migration = migration
    self.use = use
  }

  /// Rules about removals for a store that has the model of the target.
  struct Rules: Sendable {
    var declarations: Declarations
    var document: ModelDocument
    var options: StoreOptions
  }

  /// The rules that the store gets without a step; nil for none, and where a step takes them over.
  var rules: Rules?

  /// Whether there is nothing to do.
  package var isEmpty: Bool { plan == nil && rules == nil }

  /// The steps; none if the store has the model of the target.
  package var pending: [PendingMigration] { migration.pending }

  /// The effects on data; nil if there is nothing to do.
  package var plan: MigrationPlan? {
    pending.isEmpty && !request.freesHiddenData ? nil : migration.plan
  }

  /// The effects on the data and the steps, for a person who has to confirm them.
  package var text: String {
    let text = pending.isEmpty ? "the store has that model already\n" : ""
    guard let plan else {
      return rules == nil ? text : text + "it gets other rules about removals\n"
    }
    return text
      + MigrationAnnouncement(plan, pending, freesHiddenData: request.freesHiddenData).text
  }

  /// The report on a migration that is not carried out.
  ///
  /// - Parameter trial: The result of trying it out; nil if that was not done.
  /// - Returns: The report.
  package func report(_ trial: MigrationTrial? = nil) -> MigrationReport {
    var report = MigrationReport(
      summary: MigrationSummary(steps: pending), isDone: false, plan: plan,
      isInUse: request.isDryRun ? use != nil : nil)
    report.trial = trial
    return report
  }

  /// Whether a mapping was given that applies to none of the steps.
  fileprivate var ignoresMapping: Bool {
    request.mapping != nil && !pending.contains(where: \.isMapped)
  }

  /// Copies the store to a new directory beside it, whose name contains the time, without free pages.
  ///
  /// - Parameter observer: Receives the warnings about opening the store, and the progress.
  /// - Returns: The directory.
  /// - Throws: As ``StoreBackup/run(_:_:)``.
  /// - Complexity: O(*n*) in the size of the store.
  package func copyStore(_ observer: any WorkObserver) throws -> String {
    let time = utcTime(currentTime()).filter { $0 != ":" && $0 != "-" }
    let base = request.store.withoutLastSlashes
    var target = "\(base)-\(time)"
    var number = 1
    while ((try? fileAttributes(at: target)) ?? nil) != nil {
      number += 1
      target = "\(base)-\(time)-\(number)"
    }
    var backup = try StoreBackup(of: request.store, to: target)
    // The migration verifies the store.
    backup.verifies = false
    _ = try backup.run(request.access, observer)
    return target
  }

  /// Carries the migration out.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if a program wrote to the store since, or has
  ///   it open, or a value does not fit; `badInput` if the store is damaged.
  /// - Complexity: O(*n*) in the size of the data, for each heavy step.
  package func carryOut(_ observer: any WorkObserver) throws -> MigrationReport {
    defer { observer.finish() }
    let summary = try onMigration(store: request.store, mapping: request.mapping) {
      let summary = try migration.carryOut { state in
        observer.update(
          "step \(state.step) of \(state.steps)", state.done, of: state.total, unit: "objects")
      }
      if let rules {
        var options = rules.options
        options.storage.isReadOnly = false
        options.declarations = rules.declarations
        try RebuildSession(request.store, options: options).apply(rules.document)
      }
      return summary
    }
    return MigrationReport(summary: summary, isDone: true, plan: plan)
  }
}
