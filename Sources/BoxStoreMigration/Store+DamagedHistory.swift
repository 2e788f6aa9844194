public import BoxMigration
public import BoxStore

extension Store {
  /// Opens a store with the current version of a history, also if its data file is damaged.
  ///
  /// ```swift
  /// let opening = try Store.open(directory: "notes", history: history, ifDamaged: .salvage)
  /// if let loss = opening.loss { print("lost:", loss) }
  /// ```
  ///
  /// The damaged file is set aside as by `Store.open(directory:model:ifDamaged:)`, which lists what is damage and
  /// what is not. That is before the migration: a new store with the undamaged data has the version of the
  /// damaged one, and is migrated then. With the checks of pages, damaged objects count if a migration would
  /// be refused because of them.
  ///
  /// - Parameters:
  ///   - directory: The directory, which is created if it does not exist; or `memory:` and a name.
  ///   - history: The versions of the model.
  ///   - mappings: The rules for objects; a step without a mapping is inferred.
  ///   - mismatch: The policy for a store that has another model.
  ///   - policy: The policy for a damaged store.
  ///   - checks: The checks that find damage; none are made to fail.
  ///   - maxDbSizeInKByte: The size to which the data file may grow, in KiB; at least 1 MiB is given.
  ///   - fileMode: The permissions of new files.
  ///   - maxReaders: The number of read transactions that can be open at once, in all processes; 0 for 126.
  ///   - hears: The commits that observers hear of.
  ///   - progress: Called with the progress of the migration, on the thread of the call; if it throws, the
  ///     current step is given up.
  /// - Returns: The store, and the loss if its data file was damaged.
  /// - Throws: As `Store.open(directory:model:ifDamaged:)`, and as the form of this call without `ifDamaged`.
  /// - Complexity: O(*n*) in the size of the data, and for each heavy step.
  public static func open(
    directory: String = "objectbox", history: ModelHistory, mappings: [ModelMapping] = [],
    onMismatch mismatch: ModelMismatch = .migrate(.progressive), ifDamaged policy: DamagePolicy,
    checks: DamageChecks = .pages, maxDbSizeInKByte: UInt64 = 1024 * 1024,
    fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0, hears: HeardCommits = .thisProcess,
    progress: (MigrationProgress) throws -> Void = { _ in }
  ) throws -> Opening {
    let options = Self.options(
      maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders)
    return try repairing(directory, policy, checks, options) {
      try open(
        directory: directory, history: history, mappings: mappings, onMismatch: mismatch,
        maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders,
        hears: hears, progress: progress)
    } cause: { error in
      if case MigrationError.step(_, let cause) = error { cause } else { error }
    }
  }
}
