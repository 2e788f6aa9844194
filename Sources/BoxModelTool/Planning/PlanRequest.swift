package import BoxMigration
package import BoxModel
internal import BoxReport

/// The plan that a command line asks for, and the approvals of its base.
package struct PlanRequest {
  package private(set) var plan: MigrationPlan
  package let approvals: [Approval]
  /// The paths of the model from the top of the repository, as it is and as it was.
  let modelPaths: Set<String>
  /// The path of the model as it is from the top of the repository; nil outside of a repository.
  let modelPath: String?
  /// The arguments that name the versions.
  private let versions: (old: String, new: String)
  /// The new version, where it is a file that can be written.
  private let newPath: String?
  private let newBytes: [UInt8]

  /// The options of every plan of a command line.
  package struct Options {
    /// The databases.
    package var targets: Set<PlanTarget>
    /// The way in which stores are opened.
    package var access: StoreAccess
    /// The revision to read approvals from; nil for the revision of the old version.
    package var approvals: String?
    /// The patterns of model files, among which one is found that had another name.
    package var patterns = FilePattern.standard
    /// The rules about removals of the new version.
    package var rules = RulesChoice()
    /// Whether the objects of a store are counted.
    package var counts = true

    /// Creates the options.
    package init(targets: Set<PlanTarget>, access: StoreAccess, approvals: String? = nil) {
      self.targets = targets
      self.access = access
      self.approvals = approvals
    }
  }

  /// Plans from one version to another, both of which are named.
  ///
  /// - Parameters:
  ///   - old: The old version, as an argument.
  ///   - new: The new one.
  ///   - base: The revision that ``base(of:against:)`` found, if any.
  ///   - options: The options of every plan.
  ///   - place: The place of the versions.
  /// - Throws: ``CommandFailure``.
  package init(
    from old: String, to new: String, base: ReviewBase?, _ options: Options,
    in place: Workspace
  ) async throws {
    try Self.requireInside(new, base)
    try await NewVersion.requirePresent(new, base, in: place)
    let newer = try await PlanSource.load(new, options.access, in: place)
    let older = try await PlanSource.load(old, options.access, in: place)
    try await self.init(
      older, newer, named: (old, new), paths: Self.paths(of: new, place.git), base: base, options,
      in: place)
  }

  /// Plans to a version from the one that the model has in a revision.
  ///
  /// - Parameters:
  ///   - version: The new version.
  ///   - base: The revision that ``base(of:against:)`` found; nil for HEAD.
  ///   - usesMergeBase: Whether the old version is taken from the commit where HEAD left the revision.
  ///   - options: The options of every plan.
  ///   - place: The place of the versions.
  /// - Throws: ``CommandFailure``.
  package init(
    to version: NewVersion, base: ReviewBase?, usesMergeBase: Bool = false, _ options: Options,
    in place: Workspace
  ) async throws {
    try Self.requireInside(version.path, base)
    var new =
      if case .onlyInBase(let path) = version {
        PlanSource.Loaded(side: PlanSide(Model(), path: path))
      } else {
        try await PlanSource.load(version.path, options.access, in: place)
      }
    let client = ReviewBase.client(for: version.path, place.git)
    let reviewed =
      if let base { base } else { try await ReviewBase("HEAD", in: place.with(client)) }
    let earlier = try await EarlierModel.find(
      version, new.side, in: reviewed, usesMergeBase: usesMergeBase, options.patterns)
    if case .onlyInBase(let path) = version {
      new.side = PlanSide(earlier.side.model.withoutElements, path: path)
    }
    let others = earlier.paths.subtracting([earlier.path]).sorted()
    try await self.init(
      PlanSource.Loaded(side: earlier.side), new, named: (earlier.side.path, version.path),
      paths: others + [earlier.path], base: reviewed, options,
      in: place)
  }

  /// Plans from a side to another.
  ///
  /// - Parameters:
  ///   - old: The old side.
  ///   - new: The new one.
  ///   - versions: The arguments that name the sides.
  ///   - paths: The paths of the model from the top of the repository, the new side last.
  ///   - base: The revision that has the approvals, unless the options name another.
  ///   - options: The options of every plan.
  ///   - place: The place of the versions.
  /// - Throws: ``CommandFailure``.
  private init(
    _ old: PlanSource.Loaded, _ new: PlanSource.Loaded, named versions: (old: String, new: String),
    paths: [String], base: ReviewBase?, _ options: Options,
    in place: Workspace
  ) async throws {
    self.versions = versions
    modelPaths = Set(paths)
    modelPath = paths.last
    var base = base
    // Approvals since the branch began count too.
    if let revision = options.approvals {
      base = try await ReviewBase(revision, in: base?.workspace ?? place)
    }
    var (old, new) = (old, new)
    try await old.readRules(
      RulesChoice(), versions.old, in: base?.workspace ?? place, warns: false)
    try await new.readRules(options.rules, versions.new, in: place, warns: true)
    var plan = MigrationPlan(from: old.side, to: new.side, for: options.targets)
    try await ConstantSearch.complete(
      &plan, from: versions.old, to: versions.new, in: base?.workspace ?? place)
    if options.counts {
      for loaded in [old, new] { try loaded.requireWholeRelations() }
      plan = try old.counted(plan)
    }
    self.plan = plan
    approvals = try await base?.approvals() ?? []
    newBytes = new.bytes
    newPath =
      if !new.isStore, case .file(let path) = SourceReference(versions.new) { path } else {
        nil
      }
    nameVersions()
  }

  /// Writes the versions into the command lines of the remedies.
  ///
  /// `FILE` stands for a new version that is written, and stays where that is not possible.
  private mutating func nameVersions() {
    let (old, new) = (shellQuoted(versions.old), shellOperand(versions.new))
    for index in plan.steps.indices {
      var remedy = plan.steps[index].remedy
      if let newPath {
        remedy = remedy?.replacing(part: "OLD FILE`", by: "\(old) \(shellOperand(newPath))`")
      }
      remedy = remedy?.replacing(part: "OLD NEW`", by: "\(old) \(new)`")
      plan.steps[index].remedy = remedy?.replacing(part: " NEW`", by: " \(new)`")
    }
  }

  /// The revision that a command line compares a change with: the value of `--against`, or REF of OLD as
  /// `REF:PATH`; nil without both.
  ///
  /// - Throws: As ``ReviewBase/init(_:git:)``.
  package static func base(
    of files: [String], against: String?, in place: Workspace
  ) async throws(CommandFailure) -> ReviewBase? {
    if let against {
      return try await ReviewBase(
        against, in: place.with(ReviewBase.client(for: files.first, place.git)))
    }
    guard files.count == 2, let name = ReviewBase.revision(of: files[0]) else { return nil }
    return try await ReviewBase(name, in: place)
  }

  /// Refuses a new version that a link reaches outside of the work tree under review.
  private static func requireInside(
    _ argument: String, _ base: ReviewBase?
  ) throws(CommandFailure) {
    if base != nil, case .file(let path) = SourceReference(argument) {
      try ReviewBase.requireInside(path)
    }
  }

  /// The paths of a file from the top of its repository, as far as it is in one.
  private static func paths(of argument: String, _ git: GitClient) -> [String] {
    switch SourceReference(argument) {
    case .standardInput, .store: return []
    case .revision(_, let path): return [(try? git.pathFromTop(path)) ?? path]
    case .file(let path):
      let file = FileInRevisions.underReview(path, git)
      return file.git.location.isRepository ? file.names : []
    }
  }

  /// Writes the edits that make renames into the new file, and plans again.
  ///
  /// - Throws: ``CommandFailure`` of the kind `usage` if the new version is not a file,
  ///   `inputOutput` if it cannot be written.
  mutating func applyFixes(_ observer: any WorkObserver) throws(CommandFailure) {
    let steps = plan.steps.filter { $0.fix != nil }
    if steps.isEmpty { return }
    guard let newPath, let document = plan.new.document else {
      throw CommandFailure(
        .usage, "fixes are written to a file; name one as the new version", path: plan.new.path)
    }
    let bytes = document.rendered(
      plan.new.model.restoring(steps.compactMap(\.fix), from: plan.old.model))
    guard try SourceFile.read(newPath).bytes == newBytes else {
      throw CommandFailure(
        .inputOutput, "the file was changed during the plan and was not written; try again",
        path: newPath)
    }
    var side = try PlanSource.side(SourceFile(path: newPath, bytes: bytes))
    side.declarations = plan.new.declarations
    try AtomicFile.write(bytes, to: newPath)
    for step in steps {
      if let fix = step.fix {
        observer.receive(
          Notice(
            .change, "\(newPath): fixed: \(step.subject): \(fix.summary) [\(step.rule.id)]"))
      }
    }
    plan = MigrationPlan(from: plan.old, to: side, for: plan.targets)
    nameVersions()
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
