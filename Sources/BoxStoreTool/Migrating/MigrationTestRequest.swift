internal import BoxDump
internal import BoxEngine
package import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxSystem

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
    let matrix = TagMatrix(pattern: tags, file: version.path)
    try await requireTag(matrix, in: place)
    let (new, versions) = try await matrix.versions(in: place)
    let files = try await MigrationFiles(
      models: intermediate + [version.path], rules: RulesChoice(), mapping: mapping, in: place)
    let fixtures = try MigrationFixture.find(self.fixtures, place.observer)
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
    let directory = try TemporaryStoreDirectory(in: place.variable("TMPDIR") ?? "/tmp")
    defer { directory.remove() }
    var verification = PlanVerification(from: old, to: new.document, objects: objects)
    verification.declarations = (side.declarations, new.declarations)
    verification.intermediate = Array(files.versions.dropLast())
    verification.mappings = (new.name, files.mappings)
    if let fixture {
      try fixture.makeStore(directory.store, of: side)
      verification.isFilled = true
    }
    return try onMigration(store: side.path, mapping: mapping) {
      try verification.run(in: directory.store)
    }
  }
}

/// A dump whose objects a store has before it is migrated.
struct MigrationFixture {
  /// The name without endings.
  let name: String
  let path: String
  private let model: Model

  /// The dumps at some paths, each of which is whole.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` for a file that is not a dump or is damaged, and `inputOutput` if
  ///   one cannot be read.
  /// - Complexity: O(*n*) in the size of the dumps.
  static func find(_ paths: [String], _ observer: any WorkObserver) throws -> [MigrationFixture] {
    try paths.flatMap { path in
      if !isDirectory(at: path) { return [try MigrationFixture(path, observer)] }
      let names = try Self.names(in: path)
      // The directory of one dump.
      if names.contains(DumpManifest.fileName) { return [try MigrationFixture(path, observer)] }
      return try names.filter { !$0.hasPrefix(".") }.sorted()
        .map { try MigrationFixture(joinPath(path, $0), observer) }
    }
  }

  private static func names(in path: String) throws(CommandFailure) -> [String] {
    do throws(SystemError) {
      return try entryNames(in: path)
    } catch {
      throw CommandFailure(.inputOutput, "cannot be read: \(error.reason)", path: path)
    }
  }

  private init(_ path: String, _ observer: any WorkObserver) throws {
    self.path = path
    let last = path.withoutLastSlashes.split(separator: "/").last ?? ""
    var name = String(last)
    for ending in [".gz", ".zst", ".ndjson", ".jsonl", ".json"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    self.name = name
    let header = try onDump(path) { try DumpInput(path: path).header }
    guard let header else {
      throw CommandFailure(
        .badInput, "is not a dump; pass what an export of a store has written", path: path)
    }
    let verified = try DumpVerificationReport(
      of: path, limits: DecompressionLimits(), observer)
    if let problem = verified.verified.problems.first {
      throw CommandFailure(.badInput, "the dump is damaged: \(problem)", path: path)
    }
    do throws(ModelError) {
      model = try ModelDocument(parsing: header.model).model
    } catch {
      throw CommandFailure(.badInput, "the model of the dump is not valid: \(error)", path: path)
    }
  }

  /// Whether the dump is for a version: it has the name of that, or its model.
  func isOf(_ version: String, _ side: PlanSide) -> Bool {
    name == version || model == side.model
  }

  /// Makes a store of a version with the objects.
  ///
  /// - Throws: ``CommandFailure`` of the kind `badInput` if the objects do not fit the version.
  func makeStore(_ directory: String, of side: PlanSide) throws {
    var settings = StoreOptions()
    settings.declarations = side.declarations
    try onDump(path) {
      let session = try ImportSession(
        DumpInput(path: path), into: directory, model: side.document, store: settings)
      _ = try session.run()
    }
  }
}
