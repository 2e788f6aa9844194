public import BoxEngine
internal import BoxModel
internal import BoxStorage

/// The migration of a store, step by step, each of them durable.
///
///     let route = try MigrationRoute([.init("V2", v2), .init("V3", v3)])
///     let migration = try MigrationRun("data", route, mappings: [personMapping]).prepare()
///     print(migration.pending, migration.plan)
///     try migration.carryOut()
///
/// A light step is one transaction; a heavy one is built in files without a name and takes the place
/// of the data file when it is whole. After an error or a crash at any moment the store is as the last
/// finished step left it.
public struct MigrationRun: Sendable {
  /// The directory of the store.
  public var directory: String
  /// The versions of the migration.
  public var route: MigrationRoute
  /// The rules for objects; a step without a mapping is inferred.
  public var mappings: [ModelMapping]
  /// Sizes, limits and permissions.
  public var options = StoreOptions()
  /// Whether data that the last model does not show is freed at the end.
  ///
  /// A heavy step carries over nothing that its model does not show, whatever this says.
  public var freesHiddenData = false
  /// Whether the store is verified before a light step too, which takes as long as reading all of it.
  ///
  /// A heavy step is always preceded by a verification, as it replaces the data file. The store is
  /// verified once, before the first step.
  public var verifiesFirst = false
  /// Whether a store is refused that has elements which none of the versions has or had, unless the first step has a
  /// mapping: they would be hidden, or lost with a heavy step.
  public var refusesNewerStores = false

  /// The number of objects that cannot be carried over and are listed before a heavy step fails, in
  /// ``MigrationError/objects(_:count:)``; 0 if the step fails with the first.
  package var maximumFailures = 0

  /// Creates a migration; the store is not changed.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - route: The versions of the migration.
  ///   - mappings: The rules for objects.
  public init(_ directory: String, _ route: MigrationRoute, mappings: [ModelMapping] = []) {
    self.directory = directory
    self.route = route
    self.mappings = mappings
  }

  /// Decides the steps and their effects on the data of the store, without changing the store.
  ///
  /// - Parameters:
  ///   - old: The name of the store in the plan; nil for its directory.
  ///   - new: The name of the new model in the plan; nil for the name of the version.
  /// - Returns: The migration, to be looked at and carried out.
  /// - Throws: ``MigrationError`` if a step has no mapping or one that does not fit, and
  ///   ``StoreError`` if the store cannot be inspected.
  /// - Complexity: O(*n*) in the objects of entities whose values a step concerns.
  public func prepare(old: String? = nil, new: String? = nil) throws -> PreparedMigration {
    let names = PlanNames(old: old ?? directory, new: try new ?? route.currentVersion().name)
    return try withStore { store in
      let preparation = try prepare(in: store, names)
      return PreparedMigration(try plan(preparation, names, in: store), self, preparation)
    }
  }

  /// The steps that migrate the store to the current version, without changing the store.
  ///
  /// - Returns: The steps; none if the store has the current version.
  /// - Throws: As ``prepare(old:new:)``.
  /// - Complexity: O(*n*) in the objects of entities whose values the first step concerns.
  public func pending() throws -> [PendingMigration] {
    try withStore { try prepare(in: $0).steps.map(\.pending) }
  }

  /// Prepares the migration and carries it out, whatever its effects on data are.
  ///
  /// - Parameter progress: Called with the progress; if it throws, the current step is given up.
  /// - Returns: The summary of the migration.
  /// - Throws: ``MigrationError`` or ``StoreError`` before anything is changed;
  ///   ``MigrationError/step(_:_:)`` if a step fails, with ``StoreError/storage(_:)`` of kind `inUse`
  ///   if the store is open anywhere; ``MigrationError/purge(after:_:)`` if the steps are done and
  ///   hidden data could not be freed.
  /// - Complexity: O(*n*) in the size of the data, for each heavy step.
  @discardableResult
  public func carryOut(
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws -> MigrationSummary {
    try carryOut(try withStore { try prepare(in: $0) }, progress)
  }

  /// Carries out what was prepared, if the store is still as it was then.
  func carryOut(
    _ preparation: Preparation, _ progress: (MigrationProgress) throws -> Void
  ) throws -> MigrationSummary {
    try withStore { store in
      if try store.status().lastTransaction != preparation.state {
        throw MigrationError.storeChanged
      }
    }
    return try carryOutAnywhere(preparation, progress)
  }

  /// Carries out what was prepared for a store with the same content.
  func carryOutAnywhere(
    _ preparation: Preparation, _ progress: (MigrationProgress) throws -> Void
  ) throws -> MigrationSummary {
    let steps = preparation.steps
    // A light step changes what a heavy one after it would have found.
    let needsWhole = steps.contains { $0.mapping != nil } || freesHiddenData
    // A heavy step verifies the store itself, unless that was done.
    var session = RebuildSession(directory, options: options)
    if verifiesFirst && !steps.isEmpty || needsWhole && steps.first?.mapping == nil {
      try session.verify()
    }
    var summary = MigrationSummary(steps: steps.map(\.pending))
    for (number, step) in steps.enumerated() {
      var state = MigrationProgress(
        step: number + 1, steps: steps.count, from: step.pending.from, to: step.pending.to, done: 0,
        total: 0)
      try progress(state)
      do {
        try carryOut(step, in: &session, &summary) { done, total in
          (state.done, state.total) = (done, total)
          try progress(state)
        }
      } catch let error {
        throw MigrationError.step(step.hop.name, error)
      }
      // A light step counts no objects, and an empty store has none.
      if state.total == 0 || state.done < state.total {
        state.total = max(1, state.total)
        state.done = state.total
        try progress(state)
      }
    }
    // After a heavy step nothing is hidden.
    if freesHiddenData, steps.last?.mapping == nil {
      do {
        try session.compact(purge: true)
      } catch {
        throw MigrationError.purge(after: summary.steps, error)
      }
      summary.isPurged = true
    }
    return summary
  }

  private func carryOut(
    _ step: PreparedStep, in session: inout RebuildSession, _ summary: inout MigrationSummary,
    _ report: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    guard let mapping = step.mapping else {
      return try session.apply(
        step.hop.to.document, constants: step.hop.to.constants,
        declarations: step.hop.to.declarations)
    }
    try withoutActuallyEscaping(report) { report in
      let constants = step.hop.to.constants
      try session.rebuild(
        model: step.hop.to.document, constants: constants, declarations: step.hop.to.declarations
      ) { old, new in
        if old.model != step.hop.old { throw StoreError.modelChangedElsewhere }
        var carrier = try ObjectCarrier(
          from: old, to: new, mapping, constants, maximumFailures: maximumFailures, report)
        try carrier.run()
        summary.objects += carrier.objects
        summary.droppedLinks += carrier.droppedLinks
        summary.dropped.add(carrier.dropped)
      }
    }
  }

  /// Prepares the steps for the state of a store.
  private func prepare(in store: ObjectStore, _ names: PlanNames? = nil) throws -> Preparation {
    // A write after this point makes it another state.
    let state = try store.status().lastTransaction
    do {
      let hops = try route.hops(from: store.model)
      var planner = StepPlanner(route: route, mappings: mappings, names: names)
      planner.refusesNewerStores = refusesNewerStores
      let steps = try planner.prepare(hops, in: store)
      // A heavy step writes every object again.
      if steps.contains(where: { $0.mapping != nil }) { try store.requireNotSynchronized() }
      if freesHiddenData { try store.read { try $0.hiddenData().requireNothingUnsent() } }
      return Preparation(steps: steps, state: state)
    } catch let error as ModelHistoryError {
      throw MigrationError.history(error)
    }
  }

  /// Calls a function with the store, which is open to be read only and closed afterwards.
  private func withStore<R>(_ body: (ObjectStore) throws -> R) throws -> R {
    let store = try inspect()
    defer { store.close() }
    return try body(store)
  }

  /// The store with the model that it has, opened to be read only.
  private func inspect() throws -> ObjectStore {
    let location = StorageLocation.directory(directory)
    var options = options
    // If this process has the store open, its options have to be the same.
    if !location.isOpenHere { options.storage.isReadOnly = true }
    options.acceptsRegeneratedModel = true
    return try ObjectStore.open(location, options: options)
  }
}
