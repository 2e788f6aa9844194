internal import BoxMigration
internal import BoxModel
internal import BoxReport

/// The plan that a command line asks for, and the approvals of its base.
struct PlanRequest {
  private(set) var plan: MigrationPlan
  let approvals: [Approval]
  /// The new version, where it is a file that can be written.
  private let newPath: String?
  private let newBytes: [UInt8]

  /// Reads both sides and plans.
  ///
  /// - Parameters:
  ///   - files: The arguments: OLD and NEW, or at most NEW.
  ///   - against: The revision that has the old version.
  ///   - usesMergeBase: Whether the old version is that of the commit where HEAD left the revision.
  ///   - revision: The revision to read approvals from; nil for that of the old version.
  ///   - newFile: The new version, where it is the only one.
  ///   - targets: The databases.
  /// - Throws: ``CommandFailure``.
  init(
    files: [String], against: String?, usesMergeBase: Bool = false, approvals revision: String?,
    newFile: String?,
    targets: Set<PlanTarget>
  ) async throws {
    let newArgument = newFile ?? files[files.count - 1]
    let new = try await PlanSource.load(newArgument)
    if new.store != nil, newFile != nil {
      throw CommandFailure(
        .usage, "a store has no version in a revision; name OLD and NEW", path: newArgument)
    }
    let old: PlanSource.Loaded
    var base = revision
    if newFile != nil {
      let name = against ?? "HEAD"
      old = PlanSource.Loaded(
        side: try await Self.earlier(newArgument, new.side, in: name, usesMergeBase))
      // What was approved since the branch began counts too.
      base = base ?? name
    } else {
      old = try await PlanSource.load(files[0])
      base = base ?? ReviewBase.revision(of: files[0])
    }
    plan = MigrationPlan(from: old.side, to: new.side, for: targets)
    if let store = old.store {
      var counted = plan
      try onStore(old.side.path) { try counted.count(in: store) }
      plan = counted
    }
    if let base {
      approvals = try await ReviewBase.approvals(in: base)
    } else {
      approvals = []
    }
    newBytes = new.bytes
    if new.store == nil, case .file(let path) = SourceReference(newArgument) {
      newPath = path
    } else {
      newPath = nil
    }
  }

  /// What is wrong with the versions that a command line names; nil if nothing is.
  static func problem(ofFiles files: [String], against: String?) -> String? {
    if files.count > 2 { return "Name OLD and NEW, and nothing else." }
    if files.count == 2 && against != nil {
      return "With --against or --all-tags, name the new version only."
    }
    if files == ["-", "-"] { return "Standard input can be one of the two versions, not both." }
    return nil
  }

  /// The new version where only that is named, or the one model of the repository.
  ///
  /// - Returns: The path; nil if there is none and that is no error.
  /// - Throws: ``CommandFailure`` with status 64 if it is not the only one.
  static func newFile(
    _ files: [String], _ settings: EffectiveConfiguration, isRequired: Bool = true
  ) async throws -> String? {
    guard let file = files.first else {
      return try await RepositoryModels.onlyModel(settings.filePatterns, isRequired: isRequired)
    }
    if !isRequired, case .file(let path) = SourceReference(file),
      !RepositoryModels.isModel(try SourceFile.read(path).bytes)
    {
      return nil
    }
    return file
  }

  /// The version of a file in a revision, where it may have had another path; an empty model where
  /// there is none.
  private static func earlier(
    _ argument: String, _ new: PlanSide, in revision: String, _ usesMergeBase: Bool
  ) async throws -> PlanSide {
    let reference = SourceReference(argument)
    let place: (git: GitClient, name: String, shown: String)
    var later: String?
    switch reference {
    case .standardInput:
      throw CommandFailure(.usage, "standard input has no path in a revision; name OLD and NEW")
    case .revision(let name, let path):
      place = (GitClient(), path, path)
      later = name
    case .file(let path):
      let file = FileInRevisions(path)
      place = (file.git, file.name, path)
    }
    let commit =
      usesMergeBase
      ? try await ReviewBase.mergeBase(of: revision, git: place.git)
      : try await ReviewBase.commit(revision, git: place.git)
    let revision = usesMergeBase ? String(commit.prefix(12)) : revision
    let found = try await place.git.earlierModel(
      place.name, in: commit, called: revision, new.model, shownAs: place.shown, since: later)
    guard let found else {
      StandardError.writeLine(
        "\(place.shown): note: there is no such file in \(revision), so every element is new"
          .escapedForDisplay)
      return PlanSide(Model(), path: "\(revision):\(place.shown)")
    }
    var side = try PlanSource.side(
      SourceFile(path: "\(revision):\(found.movedFrom ?? place.shown)", bytes: found.bytes))
    side.ancestor = try await ancestor(of: commit, place.git, place.name, new.model, later)
    return side
  }

  /// The version of a file from which a revision and the version at hand went apart; nil if that is
  /// the one in the revision, or nobody knows.
  private static func ancestor(
    of commit: String, _ git: GitClient, _ name: String, _ new: Model, _ later: String?
  ) async throws(CommandFailure) -> Model? {
    guard let base = try await git.mergeBase(of: commit, with: later), base != commit else {
      return nil
    }
    let bytes = try await git.earlierContent(name, in: base, new, since: later)?.bytes
    return bytes.flatMap { try? ModelDocument(parsing: $0) }?.model ?? Model()
  }

  /// Writes the edits that make renames into the new file, and plans again.
  ///
  /// - Throws: ``CommandFailure`` with status 64 if the new version is no file, 74 if it cannot be
  ///   written.
  mutating func applyFixes() throws(CommandFailure) {
    let steps = plan.steps.filter { $0.fix != nil }
    if steps.isEmpty { return }
    guard let newPath, let document = plan.new.document else {
      throw CommandFailure(
        .usage, "--fix writes to a file; name one as the new version", path: plan.new.path)
    }
    let bytes = document.rendered(plan.newModel(applying: steps.compactMap(\.fix)))
    guard try SourceFile.read(newPath).bytes == newBytes else {
      throw CommandFailure(
        .inputOutput, "the file was changed while it was planned; it stays as it is", path: newPath)
    }
    let side = try PlanSource.side(SourceFile(path: newPath, bytes: bytes))
    try AtomicFile.write(bytes, to: newPath)
    for step in steps {
      if let fix = step.fix {
        StandardError.writeLine(
          "\(newPath): fixed: \(step.subject): \(fix.summary) [\(step.rule.id)]".escapedForDisplay)
      }
    }
    plan = MigrationPlan(from: plan.old, to: side, for: plan.targets)
  }
}
