public import BoxReport
internal import BoxStorage

/// The current step of a store verification, for showing progress.
public enum VerificationStep: String, Hashable, Sendable {
  /// The pages of the file are being read.
  case pages
  /// Records, indexes and relations are being checked against each other.
  case entries
}

extension ObjectStore {
  /// Checks a store: the pages of its file, then its contents.
  ///
  /// Others may write meanwhile. The pages belong to one committed state, and the rest of the check reads one
  /// state too. While either runs, no page of that state is reused, and the file grows by the size of new
  /// writes.
  ///
  /// The pages are checked without mapping the file, so no damage can end the process; the file is
  /// opened only if its pages are valid. Damage that is not found is harmless: in space that is not
  /// in use, and in the older of the two heads of the file.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store.
  ///   - options: Sizes and limits. The store is opened read-only, unless this process has it open:
  ///     then with these options, which must be the same. With a ``PageCheck``, a check that this
  ///     process made of the same committed state is not repeated.
  ///   - limit: The number of findings after which the check ends.
  ///   - warnings: Called with the warnings about opening the store.
  ///   - progress: Called with the step, the work done and the total work of the step.
  /// - Returns: The findings; empty for a valid store.
  /// - Throws: ``StoreError``, if the store cannot be opened for a reason other than damage.
  /// - Complexity: O(*n* log *n*) in the number of entries; memory is bounded.
  public static func verify(
    _ directory: String, options: StoreOptions = StoreOptions(), limit: Int = 100,
    warnings: ([Finding]) -> Void = { _ in },
    progress: @escaping (VerificationStep, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws(StoreError) -> [Finding] {
    let location = StorageLocation.directory(directory)
    var options = options
    if !location.isOpenHere { options.storage.isReadOnly = true }
    try StoreError.wrapping(try location.requireStore())
    return try verify(location, options, limit: limit, attempts: 3, warnings, progress)
  }

  private static func verify(
    _ location: StorageLocation, _ options: StoreOptions, limit: Int, attempts: Int,
    _ warnings: ([Finding]) -> Void,
    _ progress: @escaping (VerificationStep, _ done: Int, _ total: Int) -> Void
  ) throws(StoreError) -> [Finding] {
    let path = location.description
    let pages = try StoreError.only {
      try location.pageReport(options.storage, limit: limit) { progress(.pages, $0, $1) }
    }
    if !pages.problems.isEmpty {
      return pages.problems.map {
        Finding(
          rule: StoreRule.damagedPage, message: $0.description,
          advice: "restore a backup, or export the data of the other pages with "
            + "`boxjoint export --salvage --store \(shellQuoted(path))`",
          path: path)
      }
    }
    if let problem = pages.spaceProblem {
      return [
        Finding(
          rule: StoreRule.damagedCatalog, message: "the file is not a store: \(problem)",
          advice: "restore a backup", path: path)
      ]
    }
    do throws(StoreError) {
      let store = try open(location, options: options)
      defer { store.close() }
      let spaces = store.unknownSpaces(pages, path)
      // Since the pages were read another process may have taken a model over and removed an index.
      if !spaces.isEmpty && attempts > 1, try store.status().lastTransaction != pages.transaction {
        return try verify(
          location, options, limit: limit, attempts: attempts - 1, warnings, progress)
      }
      warnings(store.warnings)
      return spaces
        + (try store.verify(limit: max(1, limit - spaces.count)) { progress(.entries, $0, $1) })
    } catch .storage(let error) where error.kind == .damaged {
      return [
        Finding(
          rule: StoreRule.damagedPage, message: error.message, advice: "restore a backup",
          path: path)
      ]
    } catch .damagedCatalog(let what) {
      return [
        Finding(
          rule: StoreRule.damagedCatalog, message: "the store's catalog is damaged: \(what)",
          advice: "restore a backup", path: path)
      ]
    }
  }

  /// Requires that a store has no damage that ``verify(_:options:limit:warnings:progress:)`` finds.
  ///
  /// Call it before replacing the data file: copied damage is hard to find later.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, which no one else should have open.
  ///   - options: Sizes and limits.
  /// - Throws: ``StoreError/damaged(_:)``, and what ``verify(_:options:limit:warnings:progress:)`` throws.
  /// - Complexity: O(*n*) in the number of entries; memory is bounded.
  public static func requireWhole(
    _ directory: String, options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    let check = options.storage.pageCheck
    let findings = try verify(
      directory, options: options, limit: 3,
      progress: { step, done, total in
        if step == .pages { check?.progress(done, total) }
      })
    if !findings.isEmpty { throw StoreError.damaged(findings) }
  }

  /// Spaces in the file that are of another kind than in the catalog.
  private func unknownSpaces(_ pages: PageReport, _ path: String) -> [Finding] {
    let expected = schema.spaceKinds
    return pages.spaceKinds.sorted { $0.key < $1.key }.filter {
      expected[$0.key] != nil && expected[$0.key] != $0.value
    }.map {
      Finding(
        rule: StoreRule.damagedCatalog,
        message:
          "the file has a space \($0.key.escapedForDisplay) with other keys than the catalog",
        advice: "restore a backup", path: path)
    }
  }
}
