internal import BoxConvert
internal import BoxModel
package import BoxReport

/// A check of a catalogue of converters, as a user asks for it.
package struct ConverterCheckRequest: Sendable {
  /// The model that the catalogue is checked against; nil for none.
  package var model: String?
  /// The catalogue.
  package var catalogue = CatalogueChoice()
  /// The lock; nil for the one beside the catalogue.
  package var lock: String?
  /// The revision whose lock counts; nil for the work tree.
  package var against: String?
  /// The least severity that counts.
  package var counting = Severity.error
  /// The files that the caller writes afterwards; none of them may be an input.
  package var outputs: [String] = []

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - model: The model that the catalogue is checked against; nil for none.
  ///   - catalogue: The catalogue; by default the one in force.
  package init(_ model: String? = nil, catalogue: CatalogueChoice = CatalogueChoice()) {
    self.model = model
    self.catalogue = catalogue
  }

  private typealias Review = (catalogues: ReviewedCatalogues, base: ReviewBase)

  /// Checks the catalogue.
  ///
  /// - Returns: The findings; a file that is not a catalogue is one, and a failure of the kind
  ///   `badInput`.
  /// - Throws: ``CommandFailure`` of the kind `usage` if an output is an input, `badInput` if the
  ///   model or the lock is not valid, `inputOutput` if there is no catalogue, or if something cannot
  ///   be read, `badConfiguration` if the settings are wrong.
  /// - Complexity: O(*n*) in the size of the files, and some runs of git for a revision.
  package func run(in place: Workspace) async throws -> ConverterCheckReport {
    let files: [CatalogueFile]
    let review: Review?
    do {
      (files, review) = try await find(place)
    } catch let problem as CatalogueFile.Problem {
      try requireOutputs(outputs, notAmong: [problem.path] + inputs)
      return ConverterCheckReport(
        [problem.finding], paths: [problem.path], outcome: .failed(.badInput))
    }
    try requireOutputs(
      outputs, notAmong: files.flatMap { [$0.path, $0.lockPath(lock)] } + inputs)
    let model = try await readModel(place)
    var findings: [Finding] = []
    for file in files {
      findings += file.findings(try await check(file, model, review))
    }
    for index in findings.indices {
      findings[index].advice = findings[index].advice?.replacing(
        part: "boxjoint converters lock", by: lockCommand)
    }
    let counts = findings.contains { $0.severity >= counting }
    return ConverterCheckReport(
      findings, paths: files.map(\.path), outcome: counts ? .findings : .success)
  }

  /// The command line that locks what is checked.
  private var lockCommand: String {
    let settings = catalogue.configurationPath.map { " --config \(shellQuoted($0))" } ?? ""
    let command =
      switch (catalogue.path.map(shellQuoted), lock.map(shellQuoted)) {
      case (let file?, let lock?): "boxjoint converters lock --catalogue \(file) --lock \(lock)"
      case (let file?, nil): "boxjoint converters lock --catalogue \(file)"
      case (nil, let lock?): "boxjoint converters lock --lock \(lock)"
      case (nil, nil): "boxjoint converters lock"
      }
    return command + settings
  }

  private var inputs: [String] { [model, catalogue.configurationPath].compactMap { $0 } }

  private func check(
    _ file: CatalogueFile, _ model: Model?, _ review: Review?
  ) async throws(CommandFailure) -> [Finding] {
    guard let review else {
      return file.catalogue.check(model: model, lock: try file.lock(lock), path: file.path)
    }
    let name = self.model
    let states = try await review.catalogues.review(of: file) {
      (lock) async throws(CommandFailure) in
      try await ReviewedCatalogues.renamed(lock, in: review.base, to: model, name)
    }
    return file.catalogue.check(model: model, in: states, path: file.path)
  }

  /// The catalogues, and the base of a review.
  private func find(_ place: Workspace) async throws -> ([CatalogueFile], Review?) {
    let named = catalogue.configurationPath ?? place.variable("BOXJOINT_CONFIG")
    if let against {
      let base = try await ReviewBase(against, in: place)
      let found = try await ReviewedCatalogues(
        catalogue.path, configuration: named, lock: lock, in: base)
      return (found.files, (found, base))
    }
    guard let file = try CatalogueFile.find(catalogue.path, configuration: named, in: place) else {
      throw CatalogueFile.missing
    }
    return ([file], nil)
  }

  private func readModel(_ place: Workspace) async throws(CommandFailure) -> Model? {
    guard let model else { return nil }
    return try ModelDocument(of: try await SourceReference(model).read(in: place)).model
  }
}

/// The result of a check of a catalogue.
package struct ConverterCheckReport: Sendable {
  /// The findings.
  package let report: Report
  /// The outcome.
  package let outcome: ReportOutcome

  init(_ findings: [Finding], paths: [String], outcome: ReportOutcome) {
    report = Report(findings: findings, checkedPaths: paths, tool: .boxjoint)
    self.outcome = outcome
  }
}
