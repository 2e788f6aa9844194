package import BoxJSON
internal import BoxModel
package import BoxRecovery
internal import BoxReport

/// The result of a search for a lost model file.
package struct RecoveryReport: Sendable {
  /// The state of the file that the result was to be written to.
  package enum OutputState: Hashable, Sendable {
    case none
    case written(String)
    /// The file has this content already.
    case unchanged(String)
  }

  /// The recovered file; nil if nothing may be written.
  package private(set) var bytes: [UInt8]?
  /// The file that was found, or to which other sources added.
  package private(set) var baseName = ""
  /// Whether the file comes back byte for byte.
  package private(set) var isExact = false
  /// Whether other sources were joined with the file.
  var isJoined = false
  /// The sources that disagree.
  package private(set) var conflicts: [RecoveryConflict] = []
  /// The reasons other than conflicts why nothing is written.
  package private(set) var problems: [String] = []
  /// The changes to the file that was found.
  package private(set) var changes: [String] = []
  /// Statements about what is not known, or was left as it is.
  package internal(set) var notes: [String] = []
  /// The state of the output.
  package internal(set) var outputState = OutputState.none
  /// The rules about removals of the model; nil if no source has any.
  var rules: RecoveredRules?
  /// The state of the file of rules beside the output.
  package internal(set) var rulesState = OutputState.none
  private let searched: [(kind: SourceKind, place: String, count: Int)]
  private let evidence: [Evidence]
  private let candidates: [ModelCandidate]
  private let total: Int
  private var gaps: [EvidenceGap] = []

  init(_ search: RecoverySearch, _ choice: RecoveryChoice) {
    searched = search.searched
    evidence = search.evidence
    candidates = choice.candidates.map { search.models.candidates[$0] }
    total = search.models.candidates.count
    notes = search.notes + choice.notes
    // Without a result, they are the reasons.
    for source in search.evidence where !source.problems.isEmpty && choice.outcome != .nothing {
      let problem = source.problems[0]
      notes.append("\(problem.place): not used: \(problem.message)")
    }
    // Of a model that is rebuilt, a part is a problem.
    for source in choice.evidence where !source.isComplete && choice.outcome != .rebuilt {
      notes.append("\(source.source) holds only a part of the model")
    }
    for source in choice.evidence {
      notes += source.remarks.prefix(5).map { "\($0.place): \($0.message)" }
    }
  }

  /// Whether there is a result without conflicts.
  package var isSuccess: Bool { conflicts.isEmpty && problems.isEmpty && bytes != nil }

  /// The outcome for the caller.
  package var outcome: ReportOutcome { isSuccess ? .success : .findings }

  // MARK: Building

  mutating func setFile(_ found: [UInt8], from candidate: ModelCandidate) {
    bytes = found
    isExact = true
    baseName = candidate.origins.first?.place ?? candidate.name
  }

  mutating func setRebuilt(from sources: [Evidence]) {
    bytes = nil
    isExact = false
    baseName = sources.first?.source ?? ""
    isJoined = true
    gaps = sources.first?.gaps ?? []
  }

  /// Sets the reasons why there is no result.
  mutating func setNothing(_ reasons: [String]) {
    problems = reasons
    bytes = nil
  }

  /// Sets a result, if the check passes.
  mutating func setResult(_ document: ModelDocument, comparedWith base: ModelDocument?) {
    isExact = document.bytes == base?.bytes
    let errors = document.check(limit: 100).listed.filter { $0.severity == .error }
    problems += errors.map { "\($0.message) [\($0.rule.id)]" }
    bytes = errors.isEmpty ? document.bytes : nil
  }

  mutating func addProblem(_ problem: String) {
    problems.append(problem)
    bytes = nil
  }

  mutating func add(_ join: ModelJoin) {
    conflicts += join.conflicts
    changes += join.changes
    notes += join.notes
    for (owner, pair) in join.unnamedRelations {
      problems.append(
        "the name of the to-many relation \(pair) of \(owner) is not in the code; state it as "
          + "\(owner).NAME=\(pair)")
    }
    if !conflicts.isEmpty || !problems.isEmpty { bytes = nil }
  }

  // MARK: Text

  /// The report for people.
  ///
  /// - Parameter explains: Whether the sources and all versions are listed too.
  /// - Returns: Lines, each with a line feed.
  package func text(explains: Bool) -> String {
    var lines = [headline]
    lines += conflicts.map { "conflict: \($0.sentence)" }
    if !conflicts.isEmpty {
      lines.append("the pair of an element ends its conflict if you state it, as ENTITY=ID:UID")
    }
    lines += problems.map { "problem: \($0)" }
    lines += changes.map { "change: \($0)" }
    if !gaps.isEmpty {
      lines.append("not in the code: \(gaps.map(\.words).joined(separator: ", "))")
    }
    lines += notes.map { "note: \($0)" }
    if explains { lines += explanation }
    lines += Self.lines(outputState)
    if let rules {
      let state = rulesState == .none ? ", not written" : ""
      lines.append("rules about removals: from \(rules.place)\(state)")
      lines += Self.lines(rulesState)
    }
    return lines.map { $0.escapedForDisplay + "\n" }.joined()
  }

  private static func lines(_ state: OutputState) -> [String] {
    switch state {
    case .none: []
    case .written(let path): ["written to \(path)"]
    case .unchanged(let path): ["\(path) has this content already"]
    }
  }

  private var headline: String {
    if baseName.isEmpty { return "no model was found" }
    guard isSuccess else { return "not recovered from \(baseName)" }
    if isExact { return "found \(baseName), byte for byte" }
    return changes.isEmpty && isJoined && !gaps.isEmpty
      ? "rebuilt from \(baseName)" : "completed \(baseName)"
  }

  private var explanation: [String] {
    var lines = ["searched:"]
    lines += searched.map { "  \($0.kind.rawValue)  \($0.place): \(counted($0.count, "find"))" }
    if !evidence.isEmpty { lines.append("code:") }
    for source in evidence {
      let state =
        !source.problems.isEmpty ? "not usable" : source.isComplete ? "complete" : "a part"
      lines.append(
        "  \(source.source): \(source.language?.name ?? "model"), \(state), "
          + counted(source.model.entities.count, "entity", "entities"))
    }
    if !candidates.isEmpty {
      lines.append(
        "versions (\(candidates.count) of \(counted(total, "model file"))), the newest first:")
    }
    for candidate in candidates.prefix(Self.maximumListed) {
      let states =
        (candidate.agrees ? ["agrees with the code"] : [])
        + (candidate.isSound ? [] : ["has errors"])
      let state = states.isEmpty ? "" : " (\(states.joined(separator: ", ")))"
      lines.append("  \(candidate.origins.first?.place ?? candidate.name)\(state)")
      lines += candidate.origins.dropFirst().prefix(3).map { "    also \($0.place)" }
    }
    if candidates.count > Self.maximumListed {
      lines.append("  and \(candidates.count - Self.maximumListed) more")
    }
    return lines
  }

  private static let maximumListed = 20

  // MARK: JSON

  /// The report for programs, as `Schemas/recover.schema.json` describes it.
  package var json: JSONValue {
    .compact([
      ("schemaVersion", .int(1)),
      ("result", .string(resultWord)),
      ("source", .string(baseName)),
      ("model", bytes.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null),
      ("output", Self.json(outputState)),
      ("rules", rules.map(rulesJSON)),
      (
        "conflicts",
        .array(
          conflicts.map { conflict in
            [
              "element": .string(conflict.element),
              "statements": .array(conflict.statements.map { .string($0) }),
            ]
          })
      ),
      ("problems", .array(problems.map { .string($0) })),
      ("changes", .array(changes.map { .string($0) })),
      ("lacks", .array(gaps.map { .string($0.rawValue) })),
      ("notes", .array(notes.map { .string($0) })),
      (
        "searched",
        .array(
          searched.map { source in
            [
              "kind": .string(source.kind.rawValue), "place": .string(source.place),
              "finds": .int(source.count),
            ]
          })
      ),
      ("code", .array(evidence.map(Self.json))),
      ("versions", .array(candidates.map(Self.json))),
    ])
  }

  private var resultWord: String {
    if !isSuccess { return "none" }
    return isExact ? "found" : candidates.isEmpty ? "rebuilt" : "completed"
  }

  private func rulesJSON(_ rules: RecoveredRules) -> JSONValue {
    [
      "source": .string(rules.place),
      "text": .string(String(decoding: rules.bytes, as: UTF8.self)),
      "output": Self.json(rulesState),
    ]
  }

  private static func json(_ state: OutputState) -> JSONValue {
    switch state {
    case .none: .null
    case .written(let path): ["path": .string(path), "state": "written"]
    case .unchanged(let path): ["path": .string(path), "state": "unchanged"]
    }
  }

  private static func json(_ source: Evidence) -> JSONValue {
    [
      "source": .string(source.source),
      "language": .string(source.language?.rawValue ?? ""),
      "complete": .bool(source.isComplete),
      "entities": .int(source.model.entities.count),
      "problems": .array(
        source.problems.map { ["place": .string($0.place), "message": .string($0.message)] }),
    ]
  }

  private static func json(_ candidate: ModelCandidate) -> JSONValue {
    [
      "agrees": .bool(candidate.agrees),
      "sound": .bool(candidate.isSound),
      "places": .array(
        candidate.origins.map { origin in
          .compact([
            ("kind", .string(origin.kind.rawValue)), ("place", .string(origin.place)),
            ("path", origin.path.map { .string($0) }), ("time", origin.time.map { .int($0) }),
          ])
        }),
    ]
  }
}
