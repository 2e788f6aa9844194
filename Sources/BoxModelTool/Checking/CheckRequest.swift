package import BoxReport

/// A check of model files, as a user asks for it.
package struct CheckRequest: Sendable {
  /// The model files as arguments; if empty, all of the repository.
  package var files: [String]
  /// The earlier version to compare with: a revision or a file.
  package var against: String?
  /// Whether the earlier version counts as published, so that all of its elements keep their ids; nil if what
  /// is published says that.
  var publishesEarlier: Bool?
  /// The rules about removals of the only file that is named.
  package var rules = RulesChoice()
  /// Whether unambiguous fixes are applied.
  package var fixes = false
  /// Whether resets are noted in the approvals instead of being reverted.
  package var approvesResets = false
  /// Whether the files are read from git's index, as the next commit will have them.
  package var readsIndex = false
  /// Whether files that are not models are skipped, although they are named.
  package var leavesOthersOut = false
  /// The least severity that counts.
  package var counting = Severity.error
  /// The maximum number of issues listed for each rule, severity and file; the rest is counted.
  package var limit: Int
  /// The files that the caller writes afterwards; none of them may be an input.
  package var outputs: [String] = []
  /// The settings that override all others.
  package var configuration = EffectiveConfiguration.Options()

  /// Creates a request for some files, or for all model files of the repository.
  package init(_ files: [String] = [], limit: Int = 300) {
    self.files = files
    self.limit = limit
  }

  /// Checks the files, and writes the fixes.
  ///
  /// A file that cannot be read is a notice and counts for the outcome; the others are checked.
  ///
  /// - Returns: The findings.
  /// - Throws: ``CommandFailure`` of the kind `usage` if the request contradicts itself,
  ///   `impossible` without files and a repository, `inputOutput` if the revision does not exist,
  ///   `badConfiguration` if the settings are wrong.
  /// - Complexity: O(*n*) in the size of the files, and some runs of git.
  package func run(in place: Workspace) async throws(CommandFailure) -> CheckReport {
    let base = try await EarlierVersion.base(against, of: files.first, in: place)
    let settings = try await EffectiveConfiguration.load(
      configuration, in: place, readsGit: place.git.isInstalled(), base: base)
    let ignored = try IgnoredRules(settings[.ignoredRules])
    var references = files.map { SourceReference($0) }
    if readsIndex {
      references = try await RepositoryModels.inIndex(
        references, settings.filePatterns, in: place)
    }
    var lost: [Finding] = []
    // A hook names the files of a commit, and asks for models alone.
    if references.isEmpty || leavesOthersOut {
      // A hook runs for each commit, also where there has never been a model, and has seen the commit that
      // removed one.
      lost = try await LostModels.findings(
        settings.filePatterns, in: place, readsHistory: !leavesOthersOut || place.isUnattended
      ).filter { !ignored.contains($0.rule) }
    }
    if references.isEmpty, !readsIndex {
      do throws(CommandFailure) {
        references = try await RepositoryModels.references(
          settings.filePatterns, in: place, readsIndex: !fixes, takesRevisions: !fixes)
      } catch {
        // Without any file left, that it is lost is what there is to say. A hook runs for every commit, even
        // before the first model exists.
        if lost.isEmpty && !leavesOthersOut || error.kind != .usage { throw error }
      }
    }
    var check = ModelCheck(
      ignored: ignored, fixes: fixes, leavesOthersOut: leavesOthersOut || files.isEmpty,
      counting: counting, limit: limit, publishedSetting: settings[.published],
      patterns: settings.filePatterns, in: place)
    if let against {
      check.earlier = try EarlierVersion(
        against, of: references, among: settings.filePatterns, in: place)
    }
    check.against = against
    check.rules = rules
    check.publishesEarlier = publishesEarlier
    check.approvesResets = approvesResets
    check.configurationPath = configuration.configurationPath
    try check.requireFixable(references)
    try requireOutputs(
      outputs,
      notAmong: references.map(\.argument)
        + [against, configuration.configurationPath, rules.path].compactMap { $0 })
    if fixes { try requireWritable(outputs) }
    for reference in references { await check.check(reference) }
    check.add(lost + settings.changes.map(\.finding))
    return CheckReport(
      report: check.report, countingReport: check.countingReport, outcome: check.outcome,
      fixedInput: check.fixedBytes)
  }
}

/// The result of a check.
package struct CheckReport: Sendable {
  /// All findings.
  package let report: Report
  /// The findings that count for the outcome.
  package let countingReport: Report
  /// The most severe outcome of all files.
  package let outcome: ReportOutcome
  /// The content of standard input after fixes; nil if files are fixed in place.
  package let fixedInput: [UInt8]?

  /// Whether no file could be checked, as notices report.
  package var isFailed: Bool { report.summary.files == 0 && outcome != .success }
}
