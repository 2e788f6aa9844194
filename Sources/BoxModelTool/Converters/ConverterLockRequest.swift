internal import BoxConvert
package import BoxReport
internal import BoxSystem

/// A record of the meaning of stored values, as a user asks to write it.
package struct ConverterLockRequest: Sendable {
  /// The catalogue.
  package var catalogue: CatalogueChoice
  /// The lock; nil for the one beside the catalogue.
  package var lock: String?
  /// Whether the lock is written even if stored values are then read in another way.
  package var isForced = false

  /// Creates a request; by default for the catalogue in force.
  package init(_ catalogue: CatalogueChoice = CatalogueChoice(), lock: String? = nil) {
    self.catalogue = catalogue
    self.lock = lock
  }

  /// The result of a request.
  package enum Result: Sendable {
    /// The lock was up to date.
    case unchanged
    /// The lock was written, to this path.
    case written(String)
    /// The catalogue contradicts the lock, or has errors of its own.
    case refused(Report)
  }

  /// Writes the lock, unless the catalogue has errors.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` if the lock is not valid, `inputOutput` if
  ///   there is no catalogue, or if a file cannot be read or written, `badConfiguration` if the
  ///   catalogue is not valid.
  /// - Complexity: O(*n*) in the size of both files.
  package func run(in place: Workspace) throws -> Result {
    let file = try catalogue.load(in: place)
    let path = file.lockPath(lock)
    let exists = ((try? fileAttributes(at: path)) ?? nil) != nil
    let locked = exists ? try file.lock(path) : nil
    let errors = file.findings(file.catalogue.check(model: nil, lock: locked, path: file.path))
      .filter { $0.severity == .error }
    if !errors.isEmpty, !isForced {
      return .refused(Report(findings: errors, checkedPaths: [file.path], tool: .boxjoint))
    }
    let text = Array(ConverterLock(file.catalogue).text.utf8)
    if exists, try SourceFile.read(path).bytes == text { return .unchanged }
    try AtomicFile.write(text, to: path)
    return .written(path)
  }
}
