internal import BoxModel
package import BoxRecovery
internal import BoxSystem

/// A request to find a lost model file, as a user makes it.
package struct RecoveryRequest: Sendable {
  /// The directories, files, stores and revisions to search; if empty, the work tree or the working
  /// directory.
  package var sources: [String]
  /// The kinds of sources that are searched.
  package var kinds = Set(SourceKind.allCases)
  /// The pairs that the user knows, such as `Order.name=2:7654321`.
  package var facts: [String] = []
  /// The path of the lost file, to which the result is written; nil to write nothing, `-` for standard
  /// output.
  package var output: String?
  /// Whether a file at ``output`` is replaced.
  package var replacesOutput = false

  /// Creates a request to search some places, or everywhere.
  package init(_ sources: [String] = []) { self.sources = sources }

  /// Searches, chooses and joins, and writes the result.
  ///
  /// A result with a conflict, or one that does not pass the check, is not written. The rules about removals of the
  /// model are written beside it, unless other ones are there.
  ///
  /// - Returns: The report.
  /// - Throws: ``CommandFailure`` of the kind `usage` for a fact that is not one, `impossible` if the
  ///   output exists or several models are left, `inputOutput` and `badInput` for named sources that
  ///   cannot be read.
  /// - Complexity: O(*n*) in the size of what is searched.
  package func run(in place: Workspace) async throws(CommandFailure) -> RecoveryReport {
    let facts = try statedFacts()
    var search = RecoverySearch(kinds, facts: facts, in: place)
    try await search.run(sources)
    let path = output.flatMap { $0 == "-" ? nil : absolutePath($0) }
    let choice = RecoveryChoice(
      among: search.models.candidates, evidence: search.evidence, facts: facts, path: path)
    var report = RecoveryReport(search, choice)
    switch choice.outcome {
    case .nothing: report.setNothing(Self.reasons(search))
    case .ambiguous(let models):
      throw CommandFailure(
        .impossible, "several models are left: \(models.joined(separator: "; "))",
        remedy: search.models.candidates.isEmpty ? .nameLostCode : .nameLostFile)
    case .found(let position):
      let bytes = try await search.models.bytes(of: position)
      report.setFile(bytes, from: search.models.candidates[position])
      // A store may know more than any file; but a file that agrees with code comes back as it is.
      if !choice.evidence.contains(where: \.isComplete) {
        try await addHidden(hidden(search, choice), search, to: &report, position)
      }
    case .completed(let position):
      try await complete(position, search, choice, facts, &report)
    case .rebuilt: try rebuild(search, choice, facts, &report)
    }
    report.setRules(try await search.rules(choice))
    try write(&report)
    if let output { try report.writeRules(beside: output) }
    return report
  }

  private func statedFacts() throws(CommandFailure) -> [StatedFact] {
    var result: [StatedFact] = []
    for text in facts {
      guard let fact = StatedFact(text) else {
        throw CommandFailure(
          .usage,
          "'\(text)' is not a fact; write ENTITY=ID:UID, ENTITY.PROPERTY=ID:UID or "
            + "ENTITY.PROPERTY.index=ID:UID")
      }
      result.append(fact)
    }
    return result
  }

  /// The reasons why nothing was found.
  private static func reasons(_ search: RecoverySearch) -> [String] {
    let refused = search.evidence.compactMap(\.problems.first)
    if refused.isEmpty {
      return ["name directories with generated code, decompiled applications, stores or dumps"]
    }
    return refused.map { "the code at \($0.place) cannot be used: \($0.message)" }
  }

  // MARK: Joining

  /// The elements that the stores of the chosen model hide; the store of another model says nothing.
  private func hidden(_ search: RecoverySearch, _ choice: RecoveryChoice) -> [HiddenElements] {
    let known = choice.candidates.reduce(into: Set<UID>()) {
      $0.formUnion(search.models.candidates[$1].entityUIDs)
    }
    return search.hidden.filter { !$0.entityUIDs.isDisjoint(with: known) }
  }

  private func addHidden(
    _ hidden: [HiddenElements], _ search: RecoverySearch, to report: inout RecoveryReport,
    _ position: Int
  ) async throws(CommandFailure) {
    if hidden.isEmpty { return }
    let base = try await document(position, search)
    var join = ModelJoin(base: base.model, name: report.baseName)
    for store in hidden { join.addHidden(store.facts, of: store.source) }
    report.add(join)
    if join.model != base.model { try render(join.model, base, &report) }
  }

  private func complete(
    _ position: Int, _ search: RecoverySearch, _ choice: RecoveryChoice, _ facts: [StatedFact],
    _ report: inout RecoveryReport
  ) async throws(CommandFailure) {
    let base = try await document(position, search)
    report.setFile(base.bytes, from: search.models.candidates[position])
    guard base.isComplete else {
      report.addProblem("\(report.baseName) cannot be read as a whole, so nothing is added to it")
      return
    }
    var join = ModelJoin(base: base.model, name: report.baseName)
    join.add(choice.evidence, stating: facts)
    for store in hidden(search, choice) { join.addHidden(store.facts, of: store.source) }
    report.add(join)
    report.isJoined = true
    if join.conflicts.isEmpty { try render(join.model, base, &report) }
  }

  private func rebuild(
    _ search: RecoverySearch, _ choice: RecoveryChoice, _ facts: [StatedFact],
    _ report: inout RecoveryReport
  ) throws(CommandFailure) {
    var join = ModelJoin(base: nil, name: choice.evidence.first?.source ?? "")
    join.add(choice.evidence, stating: facts)
    report.setRebuilt(from: choice.evidence)
    if let newest = choice.evidence.first, !newest.isComplete {
      // What is missing from the code would get new UIDs with the next build.
      return report.addProblem(
        "\(newest.source) holds only a part of the model; name a whole copy of the code")
    }
    let language = choice.evidence.first?.language
    join.complete(as: language)
    report.add(join)
    // A relation without a name is a problem already.
    guard join.conflicts.isEmpty, join.unnamedRelations.isEmpty else { return }
    do {
      try report.setResult(join.newFile(as: language), comparedWith: nil)
    } catch {
      report.addProblem("the result is not a model: \(error.message)")
    }
  }

  private func document(
    _ position: Int, _ search: RecoverySearch
  ) async throws(CommandFailure) -> ModelDocument {
    let bytes = try await search.models.bytes(of: position)
    do {
      return try ModelDocument(parsing: bytes)
    } catch {
      throw CommandFailure(error, path: search.models.candidates[position].name, bytes)
    }
  }

  private func render(
    _ model: Model, _ base: ModelDocument, _ report: inout RecoveryReport
  ) throws(CommandFailure) {
    do {
      try report.setResult(ModelDocument(parsing: base.rendered(model)), comparedWith: base)
    } catch {
      report.addProblem("the result is not a model: \(error.message)")
    }
  }

  // MARK: Writing

  private func write(_ report: inout RecoveryReport) throws(CommandFailure) {
    guard let output, output != "-", let bytes = report.bytes, report.isSuccess else { return }
    let exists: Bool
    do {
      exists = try entryExists(at: output)
    } catch {
      throw AtomicFile.failure(error, path: output)
    }
    if exists {
      if isDirectory(at: output) {
        throw CommandFailure(.inputOutput, "this is a directory, not a file", path: output)
      }
      if let known = try? SourceFile.read(output), known.bytes == bytes {
        report.outputState = .unchanged(output)
        return
      }
      guard replacesOutput else {
        throw CommandFailure(
          .impossible, "the file exists and has another content", path: output,
          remedy: .replaceOutput)
      }
    }
    // Git removes a directory with its last file.
    do throws(CreatedDirectories.Failure) {
      _ = try CreatedDirectories(parentDirectory(of: output), mode: 0o777)
    } catch {
      throw CommandFailure(.inputOutput, "\(error.error)", path: error.path)
    }
    try AtomicFile.write(bytes, to: output)
    report.outputState = .written(output)
  }
}
