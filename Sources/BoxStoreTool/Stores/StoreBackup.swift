package import BoxEngine

/// A backup of a store, as `boxjoint store backup` and `boxjoint migrate --backup` make it.
package struct StoreBackup {
  /// Whether the copy has every page as it is, with values that were overwritten or removed.
  package var keepsFreePages = false
  /// Whether the store is verified before it is copied.
  package var verifies = true

  private let directory: String
  private let target: String

  /// Creates the backup; nothing is opened or written.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - target: The directory of the copy.
  /// - Throws: ``CommandFailure`` with status 74 if a link of a repository leads the target out of its
  ///   work tree.
  package init(of directory: String, to target: String) throws(CommandFailure) {
    try WriteTarget.resolve(target)
    self.directory = directory
    self.target = target
  }

  /// Makes the backup.
  ///
  /// - Parameters:
  ///   - access: Whether the pages of the store are checked first.
  ///   - observer: Receives the warnings about the store, and the progress.
  /// - Returns: The size of the copy, and the damage of the store.
  /// - Throws: ``CommandFailure``, as ``onExistingStore(_:_:)`` does; the failure is about the target if
  ///   the copy cannot be written.
  package func run(
    _ access: StoreAccess, _ observer: any WorkObserver
  ) throws -> BackupSession.Summary {
    try onExistingStore(directory) {
      var session = try BackupSession(
        of: directory, to: target, options: access.options(isReadOnly: true, observer))
      session.verifies = verifies
      session.keepsFreePages = keepsFreePages
      observer.warn(session.warnings, of: directory)
      defer { observer.finish() }
      let result = try session.run(
        verifying: { step, done, total in
          observer.update("checking \(step.rawValue)", done, of: total, unit: step.rawValue)
        },
        copying: { done, total in observer.update("copying", done, of: total, unit: "bytes") })
      if !result.findings.isEmpty {
        let damage = StoreError.damaged(Array(result.findings.prefix(3)))
        observer.receive(
          Notice(
            .warning,
            "boxjoint: \(directory): warning: \(damage.description)"
              + damage.damageAdvice(directory, isCopied: true)))
      }
      return result
    }
  }
}
