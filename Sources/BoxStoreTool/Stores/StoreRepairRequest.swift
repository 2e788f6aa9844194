internal import BoxEngine
internal import BoxReport
internal import BoxStorage

/// A repair of a store, as `boxjoint store repair` carries it out.
package struct StoreRepairRequest {
  /// Whether nothing is changed.
  package var isDryRun = false

  private let directory: String

  /// The result of a repair.
  package struct Report {
    /// The damage and the numbers of objects and entries; nil for a store without damage.
    private let report: RepairReport?
    private let store: String
    private let isDryRun: Bool

    fileprivate init(_ report: RepairReport?, _ request: StoreRepairRequest) {
      self.report = report
      store = request.directory
      isDryRun = request.isDryRun
    }

    /// Whether the new store lacks anything.
    package var hasLoss: Bool { report?.hasLoss ?? false }

    /// The change in a few words.
    package var changeText: String { report == nil ? "no problems found" : "repaired" }

    /// The damage, a table of what is kept and lost, and the path of the damaged file.
    package var text: String {
      guard let report else { return "no problems found\n" }
      var lines = [report.damage.escapedForDisplay, ""]
      var rows = [["", "kept", "lost"]]
      for part in (report.contents?.entities ?? []) + (report.contents?.relations ?? [])
        + [report.contents?.unsent].compactMap(\.self)
      {
        rows.append([
          part.name.escapedForDisplay, grouped(part.kept),
          part.lost.map { grouped($0) } ?? "unknown",
        ])
      }
      var table = TextTable(rows)
      table.rightAligned = [1, 2]
      lines += table.lines() + [""]
      let doubtful = (report.contents?.entities ?? []).filter { $0.doubtful != 0 }
        .map { "\($0.name.escapedForDisplay) \(grouped($0.doubtful))" }
      if !doubtful.isEmpty {
        let list = doubtful.joined(separator: ", ")
        lines += ["objects that an index contradicted can be earlier versions: \(list)", ""]
      }
      if let names = report.contents?.lostLastIDs, !names.isEmpty {
        let list = names.map(\.escapedForDisplay).joined(separator: ", ")
        lines += ["last ids were lost, and ids of removed objects can be given again: \(list)", ""]
      }
      if report.contents?.unsent != nil {
        lines += ["data sync is switched off: what was not sent is no longer in the outbox", ""]
      }
      if let file = report.file {
        lines.append("the damaged file is \(file.escapedForDisplay)")
      } else {
        lines.append("dry run: nothing was changed")
      }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  /// Creates the request; nothing is opened or written.
  ///
  /// - Parameter directory: The directory of the store.
  package init(of directory: String) { self.directory = directory }

  /// Replaces the data file of a damaged store by one with its undamaged data.
  ///
  /// - Parameter observer: Receives the progress.
  /// - Returns: The report.
  /// - Throws: ``CommandFailure``, as ``onExistingStore(_:_:)`` does; of the kind `impossible` if a program has
  ///   the store open, or its data file is a symbolic link.
  /// - Complexity: O(*n* log *n*) in the size of the store.
  package func run(_ observer: any WorkObserver) throws -> Report {
    try onExistingStore(directory) {
      defer { observer.finish() }
      var repair = StoreRepair(directory)
      repair.checks = .everything
      repair.requiresContents = true
      repair.isDryRun = isDryRun
      repair.progress = { step, done, total in
        observer.update(step, done, of: total, unit: step.hasSuffix("pages") ? "pages" : "entries")
      }
      return Report(try repair.run(), self)
    }
  }
}
