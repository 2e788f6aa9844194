package import BoxMigration
internal import BoxReport

/// Tests of the migrations from released versions to a model, as a user asks for them.
package struct MigrationTestRequest: Sendable {
  /// The model that stores are migrated to; nil for the only one of the repository.
  package var model: String?
  /// The pattern of the tags.
  package var tags = "*"
  /// Dumps, and directories of dumps, whose objects the stores have.
  package var fixtures: [String] = []
  /// The models by way of which stores are migrated.
  package var intermediate: [String] = []
  /// The file with mappings.
  package var mapping: String?
  /// The number of generated objects of each entity.
  package var objects = 20

  /// Creates a request with the defaults of the command.
  package init() {}

  /// Makes a store for each version and each fixture of it, migrates it, and compares.
  ///
  /// - Parameter place: The place of the repository.
  /// - Returns: The results, in the order of the tags.
  /// - Throws: ``CommandFailure`` of the kind `usage` if no tag matches, `badInput` if a model, a mapping or a
  ///   fixture is not valid, before any store is made, and `inputOutput` if something cannot be read or written.
  /// - Complexity: O(*n*) in the objects of all stores.
  package func run(in place: Workspace) async throws -> MigrationTestReport {
    let settings = try await EffectiveConfiguration.load(in: place)
    let version = try await NewVersion.find([model].compactMap(\.self), settings, in: place)
    guard let version else {
      throw CommandFailure(.usage, "the repository has no model file; name one")
    }
    var matrix = TagMatrix(pattern: tags, file: version.path)
    matrix.requiresValidModels = true
    try await requireTag(matrix, in: place)
    let (new, versions) = try await matrix.versions(in: place)
    for (_, side) in versions {
      if let document = side.document { try MigrationFiles.requireSound(document, side.path) }
    }
    let files = try await MigrationFiles(
      models: intermediate + [version.path], rules: RulesChoice(), mapping: mapping, in: place)
    let fixtures = try MigrationFixture.find(self.fixtures, place.observer)
    for (name, side) in versions {
      for fixture in fixtures where fixture.isOf(name, side) && !fixture.hasModel(of: side) {
        let directory = try temporaryDirectory(place)
        defer { directory.remove() }
        try fixture.makeStore(directory.store, of: name, side)
      }
    }
    var policy = PlanSettings.policy(settings)
    policy.approvals = try await ReviewBase("HEAD", in: place).approvals()
    policy.modelPaths = [try await matrix.pathFromTop(in: place)]
    var report = MigrationTestReport(new: version.path)
    var used: Set<String> = []
    for (name, side) in versions {
      let own = fixtures.filter { $0.isOf(name, side) }
      used.formUnion(own.map(\.path))
      var plan = MigrationPlan(from: side, to: new, for: [.boxjoint])
      for fixture in own.map(Optional.some) + (own.isEmpty ? [nil] : []) {
        place.observer.update(
          "testing", report.rows.count, of: max(versions.count, report.rows.count + 1),
          unit: "stores")
        let outcome = try outcome(from: name, side, fixture, files, place)
        // A heavy step frees what a light one would hide.
        plan.steps = outcome.steps
        report.rows.append(
          .init(version: name, fixture: fixture?.name, outcome, PlanReview(plan, policy)))
      }
    }
    place.observer.finish()
    if let mapping, report.rows.allSatisfy(\.outcome.ignoresMapping) {
      place.observer.receive(
        Notice(
          .note,
          "\(mapping): note: no step of these migrations uses the mapping, so it has no effect"))
    }
    for fixture in fixtures where !used.contains(fixture.path) {
      place.observer.receive(
        Notice(.note, "\(fixture.path): note: no tag has its name or its model; it is left out"))
    }
    return report
  }

  private func requireTag(_ matrix: TagMatrix, in place: Workspace) async throws {
    let (isMatched, nearest) = try await matrix.nearestTag(in: place)
    if isMatched { return }
    let help = nearest.map { "; did you mean '\($0)'?" } ?? ""
    throw CommandFailure(.usage, "no tag matches '\(tags)'\(help)")
  }

  /// Migrates one store, and compares.
  private func outcome(
    from name: String, _ side: PlanSide, _ fixture: MigrationFixture?, _ files: MigrationFiles,
    _ place: Workspace
  ) throws -> PlanVerification.Outcome {
    guard let old = side.document, let new = files.versions.last else {
      throw CommandFailure(.badInput, "there is no model in it", path: side.path)
    }
    let directory = try temporaryDirectory(place)
    defer { directory.remove() }
    var verification = PlanVerification(from: old, to: new.document, objects: objects)
    verification.declarations = (side.declarations, new.declarations)
    verification.intermediate = Array(files.versions.dropLast())
    verification.mappings = (new.name, files.mappings)
    if let fixture {
      try fixture.makeStore(directory.store, of: name, side)
      verification.isFilled = true
    }
    return try onMigration(store: side.path, version: name, mapping: mapping) {
      try verification.run(in: directory.store)
    }
  }

  private func temporaryDirectory(
    _ place: Workspace
  ) throws(CommandFailure) -> TemporaryStoreDirectory {
    try TemporaryStoreDirectory(in: place.variable("TMPDIR") ?? "/tmp")
  }
}
