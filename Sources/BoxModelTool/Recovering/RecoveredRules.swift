internal import BoxJSON
internal import BoxModel
internal import BoxRecovery
internal import BoxReport
internal import BoxSystem

/// The file of rules about removals that belongs to a recovered model.
struct RecoveredRules: Sendable {
  /// The file, or the code, store or dump that has it.
  var place: String
  var bytes: [UInt8]

  /// Whether it says the same as another file.
  fileprivate func means(_ other: [UInt8]) -> Bool {
    if bytes == other { return true }
    guard let ours = try? DeclarationsDocument(parsing: bytes),
      let theirs = try? DeclarationsDocument(parsing: other)
    else { return false }
    return ours.declarations.means(theirs.declarations)
  }
}

extension RecoverySearch {
  /// The rules of the chosen model that the best kind of source has.
  ///
  /// Code is what was built last. The file beside a version of the model may be older, and a store or a dump has what
  /// it was last opened with.
  ///
  /// - Returns: The rules of one kind of source, each with its place, the newest first.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func rules(_ choice: RecoveryChoice) async throws(CommandFailure) -> [RecoveredRules] {
    let code = carriedRules(choice, [.code])
    if !code.isEmpty { return code }
    let position: Int
    switch choice.outcome {
    case .found(let found): position = found
    case .completed(let base): position = base
    case .rebuilt, .ambiguous, .nothing: return []
    }
    for origin in models.candidates[position].origins {
      if let rules = try await rules(beside: origin) { return [rules] }
    }
    return carriedRules(choice, [.store, .dump])
  }

  /// The rules that sources of some kinds have with the newest version of the model that has any.
  private func carriedRules(_ choice: RecoveryChoice, _ kinds: [SourceKind]) -> [RecoveredRules] {
    for position in choice.candidates {
      let found = models.candidates[position].origins.compactMap { origin in
        kinds.contains(origin.kind)
          ? origin.rules.map { RecoveredRules(place: origin.place, bytes: $0) } : nil
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The file beside a version of a model; nil where that has none.
  private func rules(
    beside origin: CandidateOrigin
  ) async throws(CommandFailure) -> RecoveredRules? {
    if let version = origin.version {
      let path = Declarations.path(beside: version)
      return try await place.git.blobs([path])[0].map { RecoveredRules(place: path, bytes: $0) }
    }
    guard [.file, .backup].contains(origin.kind), let model = origin.path else { return nil }
    let path = Declarations.path(beside: model)
    guard ((try? fileAttributes(at: path)) ?? nil) != nil else { return nil }
    return RecoveredRules(place: pathFromHere(path), bytes: try SourceFile.read(path).bytes)
  }
}

extension RecoveryReport {
  /// Sets the rules of a recovered model, if one file of rules fits it.
  mutating func setRules(_ found: [RecoveredRules]) {
    guard isSuccess, let first = found.first, let bytes,
      let model = try? ModelDocument(parsing: bytes)
    else { return }
    if let other = found.first(where: { !$0.means(first.bytes) }) {
      notes.append(
        "\(first.place) and \(other.place) have different rules about removals, and neither is used"
      )
      return
    }
    let source = SourceFile(path: first.place, bytes: first.bytes)
    if let error = RulesFile(source, model.model, baseName).error {
      notes.append("the rules about removals in \(first.place) are not used: \(error.message)")
      return
    }
    rules = first
  }

  /// Writes the rules beside the model, and never over other ones.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the file cannot be written.
  mutating func writeRules(beside output: String) throws(CommandFailure) {
    guard let rules, outputState != .none else { return }
    let path = Declarations.path(beside: output)
    if let known = try? SourceFile.read(path) {
      guard rules.means(known.bytes) else {
        notes.append(
          "\(path) has other rules about removals than \(rules.place), and stays as it is")
        return
      }
      rulesState = .unchanged(path)
      return
    }
    try AtomicFile.write(rules.bytes, to: path)
    rulesState = .written(path)
  }
}
