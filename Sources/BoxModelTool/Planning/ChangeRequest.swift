package import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// A plan of a change of model, as a user asks for it.
package struct ChangeRequest: Sendable {
  /// The old and the new version, or only the new one; if empty, the only model of the repository.
  package var files: [String] = []
  /// The revision whose version is the old one.
  package var against: String?
  /// Whether the old version is taken from the commit where HEAD left the revision.
  package var usesMergeBase = false
  /// Whether it is not an error that neither version has a model.
  package var isOptional = false
  /// The classes that block the change; nil for the classes of the settings.
  package var failOn: [String]?
  /// The revision to read approvals from; nil for the revision of the old version.
  package var approvals: String?
  /// The kinds of databases to plan for.
  package var targets = Set(PlanTarget.allCases)
  /// Whether the objects of a store are counted, and its relations checked; without it,
  /// ``BoxMigration/PlanReview/count(in:)`` does that.
  package var counts = true
  /// Whether probably renamed elements get their old UIDs in the new file.
  package var fixes = false
  /// The rules about removals of the new version.
  package var rules = RulesChoice()
  /// The files that the caller writes afterwards; none of them may be an input.
  package var outputs: [String] = []
  /// The configuration file; nil for the one in force.
  package var configurationPath: String?
  /// The way to open stores.
  package var access = StoreAccess()

  /// Creates a request.
  package init(_ files: [String] = [], against: String? = nil) {
    self.files = files
    self.against = against
  }

  /// Plans the change.
  ///
  /// - Returns: The plan with its approvals; nil if the change has no model and ``isOptional``.
  /// - Throws: ``CommandFailure`` of the kind `usage` if the request is not clear, `badInput` if a
  ///   file is not a model, `inputOutput` if something cannot be read, `badConfiguration` if the
  ///   settings are wrong.
  package func run(in place: Workspace) async throws -> PlanReview? {
    // With two files no process has to be started.
    let base = try await PlanRequest.base(of: files, against: against, in: place)
    let settings = try await settings(readsGit: against != nil || files.count < 2, base, place)
    var options = PlanRequest.Options(targets: targets, access: access, approvals: approvals)
    options.patterns = settings.filePatterns
    (options.rules, options.counts) = (rules, counts)
    let inputs = [configurationPath].compactMap { $0 }
    var request: PlanRequest
    if files.count == 2 {
      try requireOutputs(outputs, notAmong: files + inputs)
      request = try await PlanRequest(
        from: files[0], to: files[1], base: base, options, in: place)
    } else {
      let version = try await NewVersion.find(
        files, settings, isRequired: !isOptional, base: base, in: place)
      guard let version else { return nil }
      try requireOutputs(outputs, notAmong: [version.path] + inputs)
      request = try await PlanRequest(
        to: version, base: base, usesMergeBase: usesMergeBase, options, in: place)
    }
    var policy = PlanSettings.policy(settings)
    policy.approvals = request.approvals
    policy.modelPaths = request.modelPaths
    if fixes {
      try requireWritable(outputs)
      try request.applyFixes(place.observer)
    }
    var review = PlanReview(request.plan, policy)
    review.findings = settings.changes.map(\.finding)
    return review
  }

  /// Plans from every tag that matches a pattern, and back.
  ///
  /// Without a file, a pattern that names a `.json` file that exists is the file, since the pattern
  /// of an option is optional; a change cannot add a file by the name of a pattern.
  ///
  /// - Returns: The plans, and whether one of them has a blocking class; nil if the change has no
  ///   model and ``isOptional``.
  /// - Throws: ``CommandFailure`` of the kind `finding` if the model was removed, `inputOutput` if no
  ///   tag matches, and as ``run(in:)``.
  package func matrix(
    tags pattern: String, in place: Workspace
  ) async throws -> (matrix: PlanMatrix, isBlocked: Bool)? {
    let settings = try await settings(readsGit: true, nil, place)
    let isFile =
      files.isEmpty && pattern.hasSuffix(".json")
      && ((try? fileAttributes(at: pattern)) ?? nil) != nil
    let version = try await NewVersion.find(
      isFile ? [pattern] : files, settings, isRequired: !isOptional, in: place)
    guard let version else { return nil }
    if case .onlyInBase(let path) = version {
      throw CommandFailure(.finding, "the model was removed; HEAD has one", path: path)
    }
    let tags = TagMatrix(pattern: isFile ? "*" : pattern, file: version.path, rules: rules)
    let matrix = try await tags.matrix(for: targets, in: place)
    let blocking = PlanSettings.classes(settings[.planFailOn].texts)
    return (matrix, matrix.isBlocked(by: blocking))
  }

  private func settings(
    readsGit: Bool, _ base: ReviewBase?, _ place: Workspace
  ) async throws(CommandFailure) -> EffectiveConfiguration {
    var options = EffectiveConfiguration.Options(configurationPath: configurationPath)
    options.values[.planFailOn] = failOn
    return try await EffectiveConfiguration.load(
      options, in: place, readsGit: readsGit, base: base)
  }
}
