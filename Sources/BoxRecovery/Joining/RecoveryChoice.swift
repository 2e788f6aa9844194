import BoxModel

/// The decision about which of the files that were found is the lost one.
package struct RecoveryChoice: Sendable {
  /// The outcome of the choice.
  package enum Outcome: Hashable, Sendable {
    /// A whole file comes back byte for byte.
    case found(Int)
    /// A file is the base, to which the evidence adds.
    case completed(Int)
    /// The model is made of the evidence alone.
    case rebuilt
    /// Several models are left; each is described by a line.
    case ambiguous([String])
    /// Neither a file nor usable code was found.
    case nothing
  }

  /// The outcome; a number is the position of a candidate.
  package private(set) var outcome = Outcome.nothing
  /// The evidence about the chosen model, the newest first.
  package private(set) var evidence: [Evidence] = []
  /// The candidates of the chosen model, the newest first.
  package private(set) var candidates: [Int] = []
  /// Statements for the user about the choice, one sentence each.
  package private(set) var notes: [String] = []

  /// Chooses.
  ///
  /// - Parameters:
  ///   - all: The files that were found.
  ///   - evidence: The evidence of code, also of code that cannot be used.
  ///   - facts: The pairs that the user stated.
  ///   - path: The path of the lost file, if the user named it.
  /// - Complexity: O(*n* log *n*) in the number of candidates and their entities, times the number of
  ///   models.
  package init(
    among all: [ModelCandidate], evidence: [Evidence], facts: [StatedFact], path: String?
  ) {
    let usable = evidence.filter { $0.problems.isEmpty && !$0.model.entities.isEmpty }
    let lines = ModelLine.lines(of: all)
    let originals = lines.filter { line in !lines.contains { line.isRegenerated(from: $0) } }
    var left = originals
    if !facts.isEmpty {
      let stated = lines.filter { $0.candidates.contains { all[$0].hasFacts } }
      if !stated.isEmpty { left = stated }
    }
    if left.count > 1, let path {
      let there = left.filter { $0.paths.contains(path) }
      if !there.isEmpty { left = there }
    }
    if left.count > 1 {
      let coded = left.filter { line in usable.contains { $0.shares(line.entityUIDs) } }
      if !coded.isEmpty { left = coded }
    }
    if left.count > 1 {
      outcome = .ambiguous(left.map { Self.summary($0, all) })
      return
    }
    guard let line = left.first else {
      chooseEvidence(usable, facts)
      return
    }
    self.evidence = Self.newestFirst(usable.filter { $0.shares(line.entityUIDs) })
    addNotes(about: line, lines, usable, all)
    choose(from: line, all, hasFacts: !facts.isEmpty)
  }

  private mutating func choose(
    from line: ModelLine, _ all: [ModelCandidate], hasFacts: Bool
  ) {
    candidates = line.candidates
    let sound = candidates.filter { all[$0].isSound }
    let damaged = candidates.count - sound.count
    if damaged > 0 {
      notes.append(
        "\(damaged) of \(candidates.count) versions have errors and do not come back as they are")
    }
    let hasCode = evidence.contains { $0.isComplete }
    let fitting = sound.filter {
      (!hasCode || all[$0].agrees) && (!hasFacts || all[$0].hasFacts)
    }
    // A part of the code may know more than every file.
    let hasParts = !hasCode && !evidence.isEmpty
    // The first of the nearest is the newest of them.
    let nearest = fitting.min { (all[$0].differences ?? 0) < (all[$1].differences ?? 0) }
    if let nearest, !hasParts {
      outcome = .found(nearest)
    } else if let newest = sound.first(where: { all[$0].hasFacts }) ?? sound.first
      ?? candidates.first
    {
      outcome = .completed(newest)
    }
  }

  private mutating func addNotes(
    about line: ModelLine, _ lines: [ModelLine], _ usable: [Evidence], _ all: [ModelCandidate]
  ) {
    for other in lines where other.isRegenerated(from: line) {
      let summary = Self.summary(other, all)
      notes.append(
        "generated again with new UIDs, and not used: \(summary); if you started over on purpose and "
          + "the databases have these UIDs, state one of them")
    }
    for evidence in usable where !evidence.shares(line.entityUIDs) {
      let isNew = lines.contains { $0.isRegenerated(from: line) && evidence.shares($0.entityUIDs) }
      notes.append(
        isNew
          ? "\(evidence.source) was generated with the new UIDs; generate it again afterwards"
          : "\(evidence.source) has no UID in common with the model, and is not used")
    }
  }

  /// Chooses among code alone.
  private mutating func chooseEvidence(_ usable: [Evidence], _ facts: [StatedFact]) {
    var groups: [[Evidence]] = []
    for found in Self.newestFirst(usable) {
      let position = groups.firstIndex { group in
        group.contains { found.shares(Set($0.model.entities.map(\.pair.uid))) }
      }
      if let position {
        groups[position].append(found)
      } else {
        groups.append([found])
      }
    }
    if groups.count > 1, !facts.isEmpty {
      let stated = groups.filter { group in
        group.contains { source in facts.allSatisfy { $0.isSatisfied(by: source.model) } }
      }
      if !stated.isEmpty { groups = stated }
    }
    if groups.count > 1 {
      outcome = .ambiguous(
        groups.map { group in
          let names = group[0].model.entities.map(\.name)
          return "\(group[0].source) (\(Self.list(names)))"
        })
    } else if let group = groups.first {
      evidence = group
      outcome = .rebuilt
    }
  }

  private static func newestFirst(_ evidence: [Evidence]) -> [Evidence] {
    evidence.sorted { $0.precedes($1) }
  }

  private static func summary(_ line: ModelLine, _ all: [ModelCandidate]) -> String {
    guard let newest = line.candidates.first.map({ all[$0] }) else { return "" }
    let place = newest.origins.first?.place ?? newest.name
    return "\(place) (\(list(newest.writtenNames)))"
  }

  /// The first names of a list.
  private static func list(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}
