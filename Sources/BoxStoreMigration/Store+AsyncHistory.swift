internal import BoxEngine
public import BoxMigration
public import BoxStore
internal import Dispatch

extension Store {
  /// Opens a store with the current version of a history on another thread, and migrates it first if it has
  /// another one.
  ///
  /// It does what the form of this call does that is not `async`. If the task is cancelled, the current step
  /// is given up; the store is as the last finished step left it.
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
  ///   - progress: Called with the progress, on the thread that migrates; if it throws, the current step is
  ///     given up.
  /// - Returns: The store.
  /// - Throws: `CancellationError`, and the errors of the form that is not `async`.
  /// - Complexity: O(*n*) in the size of the data for each heavy step.
  public static func open(
    directory: String = "objectbox", history: ModelHistory, mappings: [ModelMapping] = [],
    onMismatch policy: ModelMismatch = .migrate(.progressive),
    maxDbSizeInKByte: UInt64 = 1024 * 1024, fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0,
    hears: HeardCommits = .thisProcess,
    progress: @escaping @Sendable (MigrationProgress) throws -> Void = { _ in }
  ) async throws -> Store {
    try await migrating(progress) { progress in
      try Store.open(
        directory: directory, history: history, mappings: mappings, onMismatch: policy,
        maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode, maxReaders: maxReaders,
        hears: hears, progress: progress)
    }
  }

  /// Opens a store with the current version of a history on another thread, also if its data file is damaged.
  ///
  /// It does what the form of this call does that is not `async`. If the task is cancelled, the current step
  /// is given up; the store is as the last finished step left it.
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
  ///   - progress: Called with the progress of the migration, on the thread that migrates; if it throws, the
  ///     current step is given up.
  /// - Returns: The store, and the loss if its data file was damaged.
  /// - Throws: `CancellationError`, and the errors of the form that is not `async`.
  /// - Complexity: O(*n*) in the size of the data, and for each heavy step.
  public static func open(
    directory: String = "objectbox", history: ModelHistory, mappings: [ModelMapping] = [],
    onMismatch mismatch: ModelMismatch = .migrate(.progressive), ifDamaged policy: DamagePolicy,
    checks: DamageChecks = .pages, maxDbSizeInKByte: UInt64 = 1024 * 1024,
    fileMode: UInt32 = 0o644, maxReaders: UInt32 = 0, hears: HeardCommits = .thisProcess,
    progress: @escaping @Sendable (MigrationProgress) throws -> Void = { _ in }
  ) async throws -> Opening {
    try await migrating(progress) { progress in
      try Store.open(
        directory: directory, history: history, mappings: mappings, onMismatch: mismatch,
        ifDamaged: policy, checks: checks, maxDbSizeInKByte: maxDbSizeInKByte, fileMode: fileMode,
        maxReaders: maxReaders, hears: hears, progress: progress)
    }
  }

  /// Runs a migration on another thread; its progress throws when the task is cancelled.
  private static func migrating<R: Sendable>(
    _ progress: @escaping @Sendable (MigrationProgress) throws -> Void,
    _ open: @escaping @Sendable (_ progress: (MigrationProgress) throws -> Void) throws -> R
  ) async throws -> R {
    let cancellation = Interruption()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result<R, any Error> {
              try cancellation.endTask()
              return try unwrappingCancellation {
                try open { state in
                  try cancellation.endTask()
                  try progress(state)
                }
              }
            })
        }
      }
    } onCancel: {
      cancellation.request()
    }
  }
}

extension Interruption {
  /// Throws if a task has requested that its migration ends.
  fileprivate func endTask() throws { if isRequested { throw CancellationError() } }
}

/// Runs a migration, whose step has not failed if it was cancelled.
private func unwrappingCancellation<R>(_ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch MigrationError.step(_, let error) where error is CancellationError {
    throw CancellationError()
  }
}
