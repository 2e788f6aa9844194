internal import BoxEngine
package import BoxReport

/// A check of everything in a store.
package enum StoreVerification {
  /// Finds the damage of a store.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - limit: The number of findings after which the check ends.
  ///   - observer: The receiver of warnings and progress.
  /// - Returns: The findings.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` without a store, and as
  ///   ``onStore(_:_:)``.
  /// - Complexity: O(*n*) in the size of the store.
  package static func report(
    _ directory: String, limit: Int, _ observer: any WorkObserver
  ) throws -> Report {
    let findings = try onExistingStore(directory) {
      defer { observer.finish() }
      return try ObjectStore.verify(
        directory, limit: limit, warnings: { observer.warn($0, of: directory) }
      ) { step, done, total in
        observer.update("checking \(step.rawValue)", done, of: total, unit: step.rawValue)
      }
    }
    return Report(
      findings: findings, checkedPaths: [directory], tool: .boxjoint, subject: "store")
  }
}
