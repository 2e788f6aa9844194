internal import BoxEngine
public import BoxMigration
internal import BoxModel
internal import BoxStorage
public import BoxStore

extension Store {
  /// The steps that a store needs to get to the current version, without changing the store.
  ///
  /// ```swift
  /// let steps = try Store.pendingMigrations(directory: "notes", history: history)
  /// if steps.contains(where: { $0.kind == .heavy }) { showWaitScreen() }
  /// ```
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, or `memory:` and a name.
  ///   - history: The versions of the model.
  ///   - mappings: The rules for objects; a step without a mapping is inferred.
  /// - Returns: The steps; none if there is no store yet, if it has the current version, and in memory.
  /// - Throws: `MigrationError.history` if no way leads from the version of the store to the current one,
  ///   another `MigrationError` for a mapping that is missing or does not fit, and `ObjectBoxError` if the
  ///   store cannot be read.
  /// - Complexity: O(*n*) in the objects of entities whose values a step concerns.
  public static func pendingMigrations(
    directory: String, history: ModelHistory, mappings: [ModelMapping] = []
  ) throws -> [PendingMigration] {
    let opening = try HistoryOpening(directory, history, mappings)
    return try opening.hasStore ? ObjectBoxError.wrapping { try opening.run.pending() } : []
  }

  /// Opens a store with the current version of a history, and migrates it first if it has another one.
  ///
  /// ```swift
  /// let store = try await Store.open(directory: "notes", history: history, mappings: mappings) {
  ///   print($0.fraction)
  /// }
  /// ```
  ///
  /// Each step is durable by itself: after an error the store is as the last finished step left it. A store
  /// in memory is never migrated. There is another form of this call that is `async`.
  ///
  /// - Parameters:
  ///   - directory: The directory, which is created if it does not exist; or `memory:` and a name.
  ///   - history: The versions of the model.
  ///   - mappings: The rules for objects; a step without a mapping is inferred.
  ///   - policy: The policy for a store that has another model.
  ///   - maxDbSizeInKByte: The size to which the data file may grow, in KiB; at least 1 MiB is given.
  ///   - fileMode: The permissions of new files.
  ///   - maxReaders: The number of read transactions that can be open at once, in all processes; 0 for 126.
  ///   - hears: The commits that observers hear of.
  ///   - progress: Called with the progress, on the thread of the call; if it throws, the current step is
  ///     given up.
  /// - Returns: The store.
  /// - Throws: As ``pendingMigrations(directory:history:mappings:)``; `MigrationError` if the policy forbids
  ///   the migration; `MigrationError.step` for a step that failed; and as
  ///   `Store.init(model:directory:maxDbSizeInKByte:fileMode:maxReaders:readOnly:hears:)`.
  /// - Complexity: O(*n*) in the size of the data for each heavy step.
  public static func open(
    directory: String = "objectbox", history: ModelHistory, mappings: [ModelMapping] = [],
    onMismatch policy: ModelMismatch = .migrate(.progressive),
    maxDbSizeInKByte: UInt64 = 1024 * 1024, fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0,
    hears: HeardCommits = .thisProcess,
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws -> Store {
    if try isOpen(directory: directory) { throw openAlready(directory) }
    var opening = try HistoryOpening(directory, history, mappings)
    opening.run.options = options(
      maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders)
    if opening.hasStore {
      try ObjectBoxError.wrapping {
        try opening.run.apply(policy, to: opening.current.document, progress: progress)
      }
    }
    return try Store(
      model: StoreModel(
        bytes: opening.current.document.bytes, constants: opening.current.constants,
        declarations: opening.current.declarations),
      directory: directory, maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode,
      maxReaders: maxReaders, hears: hears)
  }
}

/// The place of a store, and the migration that it may need.
private struct HistoryOpening {
  var run: MigrationRun
  let current: MigrationVersion
  /// Whether there is a store that can be migrated.
  let hasStore: Bool

  init(_ directory: String, _ history: ModelHistory, _ mappings: [ModelMapping]) throws {
    if directory.utf8.contains(0) { throw Store.nulInPath }
    let route = try MigrationRoute(history)
    current = try route.currentVersion()
    run = MigrationRun(directory, route, mappings: mappings)
    run.refusesNewerStores = true
    let location = StorageLocation.directory(directory)
    // A damaged file that was set aside leaves an empty one.
    hasStore =
      !directory.hasPrefix(Store.inMemoryPrefix) && location.exists && !location.hasNoTransaction
  }
}
