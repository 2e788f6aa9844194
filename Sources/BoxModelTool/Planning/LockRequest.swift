internal import BoxMigration
internal import BoxModel

/// The fingerprints of released versions, as a user asks to write or to check them.
package struct LockRequest: Sendable {
  /// The lock file; nil for the default.
  package var lock: String?

  /// Creates a request for a lock file; nil for the default.
  package init(lock: String? = nil) { self.lock = lock }

  /// Writes the fingerprints of versions, unless one that is locked already differs.
  ///
  /// - Parameters:
  ///   - files: The versions: files or `REF:PATH`.
  ///   - replaces: Whether fingerprints of locked versions are replaced.
  ///   - place: The place of the versions.
  /// - Returns: The result for each version, and the number of locked versions.
  /// - Throws: ``CommandFailure`` of the kind `badInput` if a file is not a model or the lock is
  ///   damaged, `inputOutput` if something cannot be read or written.
  package func write(
    _ files: [String], replaces: Bool = false, in place: Workspace
  ) async throws(CommandFailure) -> (report: LockReport, count: Int) {
    let lockPlace = await LockPlace.find(lock, in: place)
    var file = try lockPlace.file(isRequired: false)
    var report = LockReport(lock: lockPlace.path)
    for argument in files {
      let name = try await lockPlace.name(of: argument)
      try LockPlace.requireInside(name)
      let source = try await SourceReference(argument).read(in: place)
      let model = try PlanSource.side(source).model
      let taken = ModelLock(of: model)
      if let position = file.versions.firstIndex(where: { $0.source == name }) {
        let found = file.versions[position].lock.differences(in: model)
        if !found.isEmpty && !replaces {
          report.add(name, .refused(found))
          continue
        }
        file.versions[position].lock = taken
      } else {
        file.versions.append(LockFile.Locked(source: name, lock: taken))
      }
      report.add(name, .locked)
    }
    if !report.hasRefusals { try AtomicFile.write(Array(file.text.utf8), to: lockPlace.path) }
    return (report, file.versions.count)
  }

  /// Compares every version of the lock with its fingerprints.
  ///
  /// - Parameters:
  ///   - against: The revision whose fingerprints count; nil for the work tree.
  ///   - place: The place of the lock.
  /// - Returns: The result for each version, and the first failure to read one.
  /// - Throws: ``CommandFailure`` of the kind `badInput` if the lock is damaged, `inputOutput` if the lock or
  ///   the revision does not exist.
  package func check(
    against: String? = nil, in place: Workspace
  ) async throws(CommandFailure) -> (report: LockReport, failure: CommandFailure?) {
    var lockPlace = await LockPlace.find(lock, in: place)
    var locked: LockFile?
    if let against {
      (lockPlace, locked) = try await LockPlace.find(
        lock, in: try await ReviewBase(against, in: place))
    }
    let file = try lockPlace.file(isRequired: locked == nil, named: lock)
    var report = LockReport(lock: lockPlace.path)
    var failure: CommandFailure?
    if against != nil && file.versions.isEmpty { report.add(problem: "the lock has no version") }
    let sources = file.versions.map(\.source)
    for version in locked?.versions ?? [] where !sources.contains(version.source) {
      report.add(version.source, .removed)
    }
    for version in file.versions {
      do throws(CommandFailure) {
        let model = try PlanSource.side(try await lockPlace.read(version.source)).model
        report.add(version.source, Self.outcome(of: version, locked, model))
      } catch {
        report.add(version.source, .unreadable(error))
        failure = failure ?? error
      }
    }
    return (report, failure)
  }

  /// The outcome for a version; of one that the base has locked, the fingerprints of the base count.
  private static func outcome(
    of version: LockFile.Locked, _ locked: LockFile?, _ model: Model
  ) -> LockReport.Outcome {
    let earlier = locked?.versions.first { $0.source == version.source }?.lock ?? version.lock
    let found = earlier.differences(in: model)
    if earlier != version.lock { return .relocked(found) }
    return found.isEmpty ? .unchanged : .edited(found)
  }
}
