internal import BoxJSON
internal import BoxMigration
internal import BoxReport

/// What became of versions that are locked, or are to be.
struct LockReport {
  /// What is found of a version.
  enum Outcome {
    case locked
    case refused([ModelLock.Difference])
    case unchanged
    case edited([ModelLock.Difference])
    case unreadable(CommandFailure)

    fileprivate var word: String {
      switch self {
      case .locked: "locked"
      case .refused: "refused"
      case .unchanged: "unchanged"
      case .edited: "edited"
      case .unreadable: "unreadable"
      }
    }

    fileprivate var differences: [ModelLock.Difference] {
      switch self {
      case .refused(let found), .edited(let found): found
      case .locked, .unchanged, .unreadable: []
      }
    }
  }

  /// The file of the locks as people read it.
  let lock: String
  private var versions: [(source: String, outcome: Outcome)] = []

  init(lock: String) { self.lock = lock }

  /// Notes what is found of a version, and says on standard error what is wrong with it.
  mutating func add(_ source: String, _ outcome: Outcome) {
    versions.append((source, outcome))
    for difference in outcome.differences {
      StandardError.writeLine(
        "\(source): \(difference), and the version is locked".escapedForDisplay)
    }
    if case .unreadable(let failure) = outcome { StandardError.writeLine(failure.line) }
  }

  private func count(_ word: String) -> Int { versions.count { $0.outcome.word == word } }

  /// Whether a version differs from its lock, which stays as it is.
  var hasRefusals: Bool { count("refused") > 0 }
  /// Whether a version is not as it was.
  var hasEdits: Bool { count("edited") > 0 }

  /// What a check comes to, in a line.
  var text: String {
    let (all, edited, unreadable) = (versions.count, count("edited"), count("unreadable"))
    let versions = counted(all, "version")
    var words: [String] = []
    if edited > 0 { words.append("\(edited) of \(versions) edited") }
    if unreadable > 0 { words.append("\(unreadable) of \(versions) cannot be read") }
    if words.isEmpty {
      words = ["\(versions) \(all == 1 ? "is as it was" : "are as they were")"]
    }
    return "\(lock.escapedForDisplay): \(words.joined(separator: "; "))\n"
  }

  /// The same for programs; `Schemas/lock-report.schema.json` describes it.
  var json: JSONValue {
    [
      "schemaVersion": 1,
      "lock": .string(lock),
      "versions": .array(
        versions.map { source, outcome in
          var message: String?
          if case .unreadable(let failure) = outcome { message = failure.line }
          return .compact([
            ("source", .string(source)),
            ("state", .string(outcome.word)),
            ("differences", .array(outcome.differences.map { .string($0.description) })),
            ("message", message.map { .string($0) }),
          ])
        }),
    ]
  }
}
