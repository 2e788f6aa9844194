package import BoxJSON
package import BoxMigration
internal import BoxReport

/// The results for versions that are locked, or are to be locked.
package struct LockReport {
  /// The result for a version.
  package enum Outcome {
    case locked
    case refused([ModelLock.Difference])
    case unchanged
    case edited([ModelLock.Difference])
    /// The change under review removes the version from the lock.
    case removed
    /// The change under review alters the fingerprints in the lock.
    case relocked([ModelLock.Difference])
    case unreadable(CommandFailure)

    fileprivate var word: String {
      switch self {
      case .locked: "locked"
      case .refused: "refused"
      case .unchanged: "unchanged"
      case .edited: "edited"
      case .removed: "removed"
      case .relocked: "relocked"
      case .unreadable: "unreadable"
      }
    }

    fileprivate var differences: [ModelLock.Difference] {
      switch self {
      case .refused(let found), .edited(let found), .relocked(let found): found
      case .locked, .unchanged, .removed, .unreadable: []
      }
    }
  }

  /// The file of the locks as people read it.
  package let lock: String
  private var versions: [(source: String, outcome: Outcome)] = []
  private var problems: [String] = []
  /// The problems in lines for people, in the order of the versions.
  package private(set) var complaints: [String] = []

  package init(lock: String) { self.lock = lock }

  /// Adds the result for a version.
  mutating func add(_ source: String, _ outcome: Outcome) {
    versions.append((source, outcome))
    for difference in outcome.differences {
      complaints.append("\(source): \(difference), and the version is locked")
    }
    switch outcome {
    case .unreadable(let failure): complaints.append(failure.line)
    case .removed:
      complaints.append("\(source): the version is locked, and the change removes it from the lock")
    case .relocked:
      complaints.append("\(source): the version is locked, and the change alters its fingerprints")
    case .locked, .refused, .unchanged, .edited: break
    }
  }

  /// Adds a problem of the lock as a whole.
  mutating func add(problem: String) {
    problems.append(problem)
    complaints.append("\(lock): \(problem)")
  }

  private func count(_ word: String) -> Int { versions.count { $0.outcome.word == word } }

  /// Whether a version differs from its lock, which stays as it is.
  package var hasRefusals: Bool { count("refused") > 0 }
  /// Whether a version, or what the lock says of it, is not as it was.
  package var hasEdits: Bool {
    ["edited", "removed", "relocked"].contains { count($0) > 0 } || !problems.isEmpty
  }

  /// The summary of a check, in one line.
  package var text: String {
    let (all, edited, unreadable) = (versions.count, count("edited"), count("unreadable"))
    let versions = counted(all, "version")
    var words: [String] = []
    if edited > 0 { words.append("\(edited) of \(versions) edited") }
    for word in ["removed", "relocked"] where count(word) > 0 {
      words.append("\(count(word)) of \(versions) \(word)")
    }
    if unreadable > 0 { words.append("\(unreadable) of \(versions) cannot be read") }
    words += problems
    if words.isEmpty {
      words = ["\(versions) \(all == 1 ? "is as it was" : "are as they were")"]
    }
    return "\(lock.escapedForDisplay): \(words.joined(separator: "; "))\n"
  }

  /// The same for programs; `Schemas/lock-report.schema.json` describes it.
  package var json: JSONValue {
    .compact([
      ("schemaVersion", .int(1)),
      ("lock", .string(lock)),
      ("problems", problems.isEmpty ? nil : .array(problems.map { .string($0) })),
      (
        "versions",
        .array(
          versions.map { source, outcome in
            var message: String?
            if case .unreadable(let failure) = outcome { message = failure.line }
            return .compact([
              ("source", .string(source)),
              ("state", .string(outcome.word)),
              ("differences", .array(outcome.differences.map { .string($0.description) })),
              ("message", message.map { .string($0) }),
            ])
          })
      ),
    ])
  }
}
