internal import BoxMigration
internal import BoxModel
internal import BoxReport

/// The plan that a command line asks for, and the approvals of its base.
struct PlanRequest {
  private(set) var plan: MigrationPlan
  let approvals: [Approval]
  /// The paths of the model from the top of the repository, as it is and as it was.
  let modelPaths: Set<String>
  /// The path of the model as it is from the top of the repository; nil where it is in none.
  let modelPath: String?
  /// The new version, where it is a file that can be written.
  private let newPath: String?
  private let newBytes: [UInt8]

  /// Reads both sides and plans.
  ///
  /// - Parameters:
  ///   - files: The arguments: OLD and NEW, or at most NEW.
  ///   - base: The revision that ``base(of:against:)`` found; nil if there is none.
  ///   - usesMergeBase: Whether the old version is that of the commit where HEAD left the revision.
  ///   - revision: The revision to read approvals from; nil for that of the old version.
  ///   - newFile: The new version, where it is the only one.
  ///   - targets: The databases.
  ///   - trust: How a store is opened.
  /// - Throws: ``CommandFailure``.
  init(
    files: [String], base: ReviewBase?, usesMergeBase: Bool = false,
    approvals revision: String? = nil, newFile: NewVersion?, targets: Set<PlanTarget>,
    trust: StoreTrust
  ) async throws {
    let newArgument = newFile?.path ?? files[files.count - 1]
    if base != nil, case .file(let path) = SourceReference(newArgument),
      StoreReference.directory(newArgument) == nil
    {
      try ReviewBase.requireInside(path)
    }
    var new: PlanSource.Loaded
    if case .gone(let path) = newFile {
      new = PlanSource.Loaded(side: PlanSide(Model(), path: path))
    } else {
      new = try await PlanSource.load(newArgument, trust)
    }
    let old: PlanSource.Loaded
    var base = base
    if let newFile {
      let client = ReviewBase.client(for: newArgument)
      let reviewed = if let base { base } else { try await ReviewBase("HEAD", git: client) }
      let earlier = try await EarlierModel.find(
        newFile, new.side, in: reviewed, usesMergeBase: usesMergeBase)
      old = PlanSource.Loaded(side: earlier.side)
      modelPaths = earlier.paths
      modelPath = earlier.path
      base = reviewed
      if case .gone(let path) = newFile {
        new.side = PlanSide(earlier.side.model.withoutElements, path: path)
      }
    } else {
      old = try await PlanSource.load(files[0], trust)
      let paths = Self.paths(of: newArgument)
      modelPaths = Set(paths)
      modelPath = paths.last
    }
    // What was approved since the branch began counts too.
    if let revision { base = try await ReviewBase(revision, git: base?.git ?? GitClient()) }
    plan = MigrationPlan(from: old.side, to: new.side, for: targets)
    if let store = old.store {
      var counted = plan
      try onStore(old.side.path) { try counted.count(in: store) }
      plan = counted
    }
    approvals = try await base?.approvals() ?? []
    newBytes = new.bytes
    if new.store == nil, case .file(let path) = SourceReference(newArgument) {
      newPath = path
    } else {
      newPath = nil
    }
  }

  /// The revision that a command line holds a change against: that of `--against`, or of OLD as
  /// `REF:PATH`; nil where neither names one.
  ///
  /// - Throws: As ``ReviewBase/init(_:git:)``.
  static func base(
    of files: [String], against: String?
  ) async throws(CommandFailure) -> ReviewBase? {
    if let against {
      return try await ReviewBase(against, git: ReviewBase.client(for: files.first))
    }
    guard files.count == 2, let name = ReviewBase.revision(of: files[0]) else { return nil }
    return try await ReviewBase(name)
  }

  /// The problem with the versions that a command line names; nil if there is none.
  static func problem(ofFiles files: [String], against: String?) -> String? {
    if files.count > 2 { return "Name OLD and NEW, and nothing else." }
    if files.count == 1, StoreReference.directory(files[0]) != nil {
      return "A store has no version in a revision: name OLD and NEW."
    }
    if files.count == 2 && against != nil {
      return "With --against or --all-tags, name the new version only."
    }
    if files == ["-", "-"] { return "Standard input can be one of the two versions, not both." }
    return nil
  }

  /// The paths of a file from the top of its repository, as far as it is in one.
  private static func paths(of argument: String) -> [String] {
    if StoreReference.directory(argument) != nil { return [] }
    switch SourceReference(argument) {
    case .standardInput: return []
    case .revision(_, let path): return [(try? GitClient().pathFromTop(path)) ?? path]
    case .file(let path):
      let file = FileInRevisions.underReview(path)
      return file.git.location.isRepository ? file.names : []
    }
  }

  /// Writes the edits that make renames into the new file, and plans again.
  ///
  /// - Throws: ``CommandFailure`` with status 64 if the new version is not a file, 74 if it cannot
  ///   be written.
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

extension Model {
  /// The model after every element was removed as it should be: with its UID retired.
  fileprivate var withoutElements: Model {
    var model = self
    var uids: [ElementKind: [UID]] = [:]
    forEachElement { place, pair in uids[place.kind, default: []].append(pair.uid) }
    for (kind, gone) in uids { model[retired: kind] = (model[retired: kind] ?? []) + gone }
    model.entities = []
    return model
  }
}
