internal import BoxEngine
package import BoxJSON
package import BoxMigration
internal import BoxReport
internal import BoxStorage
internal import BoxSystem

/// The result of trying a migration out.
package struct MigrationTrial: Sendable {
  /// The objects that are listed at most.
  static let maximumFailures = 100

  /// The summary of the steps that worked.
  package let summary: MigrationSummary
  /// The step that fails; nil if all work.
  package private(set) var failedStep: String?
  /// The errors of the first objects that cannot be carried over.
  package private(set) var failures: [MigrationError] = []
  /// The number of all objects that cannot be carried over.
  package private(set) var failed = 0

  init(_ summary: MigrationSummary) { self.summary = summary }

  /// The trial that ended with an error; nil if that is not about objects.
  init?(_ error: MigrationError, of steps: [PendingMigration]) {
    guard case .step(let name, let error as MigrationError) = error,
      case .objects(let failures, let count) = error
    else { return nil }
    summary = MigrationSummary(steps: steps)
    failedStep = name
    self.failures = failures
    failed = count
  }

  /// A few lines for people.
  var text: String {
    guard let failedStep else {
      var text = "dry run: the migration works"
      if summary.objects > 0 { text += ", and writes \(counted(summary.objects, "object"))" }
      if summary.droppedLinks > 0 {
        text += "; \(counted(summary.droppedLinks, "link")) are dropped with their ends"
      }
      return text + "\n"
    }
    let lines = failures.map { "  \($0.description.escapedForDisplay)\n" }.joined()
    let more = failed - failures.count
    return "dry run: \(failedStep) fails\n" + lines
      + (more > 0 ? "  and \(counted(more, "more object"))\n" : "")
  }

  /// The same for programs.
  var json: JSONValue {
    .compact([
      ("works", .bool(failedStep == nil)),
      ("failedStep", failedStep.map { .string($0) }),
      ("failed", .int(failed)),
      ("failures", .array(failures.map(\.json))),
    ])
  }

  /// The failure of the command; nil if the migration works.
  package func failure(store: String) -> CommandFailure? {
    if failedStep == nil { return nil }
    return CommandFailure(
      .impossible,
      "\(counted(failed, "object")) cannot be carried over, so the migration would fail",
      path: store)
  }
}

extension MigrationError {
  fileprivate var json: JSONValue {
    var place: (entity: String, id: UInt64)?
    switch self {
    case .unfitValue(let entity, let id, _, _, _), .object(let entity, let id, _):
      place = (entity, id)
    default: break
    }
    return .compact([
      ("entity", place.map { .string($0.entity) }),
      ("id", place.map { .int(Int(clamping: $0.id)) }),
      ("message", .string(description)),
    ])
  }
}

extension MigrationProposal {
  /// Tries the migration out, and leaves the store as it is: one light step in a transaction that is undone, and
  /// anything else on a copy beside the store.
  ///
  /// - Parameter observer: Receives the progress.
  /// - Returns: The result; nil if there is no step.
  /// - Throws: ``CommandFailure`` of the kind `impossible` if a step fails for another reason than its objects, and
  ///   `inputOutput` if there is not enough space for a copy, or no right to write it.
  /// - Complexity: As ``carryOut(_:)``, and O(*n*) in the size of the store for a copy.
  package func tryOut(_ observer: any WorkObserver) throws -> MigrationTrial? {
    if pending.isEmpty { return nil }
    defer { observer.finish() }
    let needsCopy = migration.isTriedOnCopy
    let store = request.store
    guard needsCopy ? TemporaryStoreDirectory.hasRoom(beside: store) : isWritable(at: store) else {
      let place = needsCopy ? "the directory around the store" : "the store"
      throw CommandFailure(
        .inputOutput, "\(place) cannot be written to, so the migration cannot be tried out",
        path: store)
    }
    if !needsCopy { return try tryOut(onCopy: nil, observer) }
    try requireSpace()
    let copy = try TemporaryStoreDirectory(beside: store)
    defer { copy.remove() }
    var backup = try StoreBackup(of: store, to: copy.store)
    // The store was verified.
    backup.verifies = false
    _ = try backup.run(request.access, observer)
    return try tryOut(onCopy: copy.store, observer)
  }

  private func tryOut(
    onCopy copy: String?, _ observer: any WorkObserver
  ) throws -> MigrationTrial {
    try onMigration(store: request.store, mapping: request.mapping) {
      do {
        return MigrationTrial(
          try migration.tryOut(onCopy: copy, maximumFailures: MigrationTrial.maximumFailures) {
            observer.update(
              "trying step \($0.step) of \($0.steps)", $0.done, of: $0.total, unit: "objects")
          })
      } catch let error as MigrationError {
        guard let trial = MigrationTrial(error, of: pending) else { throw error }
        return trial
      }
    }
  }

  /// Requires room for a copy of the store, for the new data of a step, and for that without free pages.
  private func requireSpace() throws {
    let status = try onExistingStore(request.store) {
      let store = try ObjectStore.open(
        .directory(request.store),
        options: request.access.options(isReadOnly: true, SilentObserver()))
      defer { store.close() }
      return try store.status()
    }
    let needed = 3 * (status.size - (status.freeBytes ?? 0))
    guard let available = availableBytes(at: request.store), available < needed else { return }
    throw CommandFailure(
      .inputOutput,
      "a dry run needs about \(bytesText(needed)) for a copy beside the store, and "
        + "\(bytesText(available)) are free; make room, or try it with a copy on another disk",
      path: request.store)
  }
}
