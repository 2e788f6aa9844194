internal import BoxMerge

/// A resolution of conflicted model files, as a user asks for it.
package struct ResolveRequest: Sendable {
  /// The files; if empty, all conflicted model files of the repository.
  package var files: [String]
  /// The answers that are known, and the extent of the work.
  package var options = ConflictResolver.Options()
  /// A JSON file with an answer for each conflict, in place of those in ``options``.
  package var decisions: String?
  /// The way to ask a user; nil if nobody can be asked.
  package var prompt: ConflictPrompt?
  /// The settings that override all others.
  package var configuration = EffectiveConfiguration.Options()

  /// Creates a request for some files, or for all model files of the repository.
  package init(_ files: [String] = []) { self.files = files }

  /// Resolves as many conflicts as the answers decide, and writes and stages the files.
  ///
  /// A file that cannot be read or written is a notice and counts for the outcome; the others are
  /// resolved. A decision that names no conflict is a notice too.
  ///
  /// - Returns: The result for each file.
  /// - Throws: ``CommandFailure`` of the kind `impossible` if no file is named and there is no
  ///   repository, `usage` if a named file does not exist, `badInput` if the decisions are not
  ///   valid, `inputOutput` if they cannot be read, `badConfiguration` if the settings are wrong.
  /// - Complexity: O(*n*) merges in the number of answers of a user.
  package func run(in place: Workspace) async throws(CommandFailure) -> ResolveReport {
    let repository = try await place.git.repository()
    let settings = try await EffectiveConfiguration.load(
      configuration, in: place, readsGit: repository != nil)
    let found = try await ConflictedFiles(
      git: place.git, topLevel: repository?.topLevel, patterns: settings.filePatterns
    ).find(named: files)
    var options = options
    if let decisions { options.choices = try DecisionsFile.read(decisions) }
    let resolver = ConflictResolver(
      options: options, configuration: settings, repository: repository, git: place.git,
      prompt: prompt)
    var report = ResolveReport(files: [], isDryRun: options.isDryRun)
    for file in found {
      let resolved = await resolver.resolve(file)
      report.files.append(resolved)
      if let failure = resolved.failure {
        place.observer.receive(Notice(.failure, failure.line))
      }
      if resolved.isQuit { break }
    }
    for id in report.unused(options.choices) {
      place.observer.receive(
        Notice(.note, "boxjoint: note: the decision about '\(id)' names no conflict"))
    }
    return report
  }
}

extension ResolveReport {
  /// The decisions that do not name a conflict; none unless every file was merged.
  fileprivate func unused(_ decided: [String: Resolution]) -> [String] {
    let known = files.compactMap(\.conflictIDs)
    if known.isEmpty || known.count < files.count { return [] }
    return decided.keys.sorted().filter { id in !known.contains { $0.contains(id) } }
  }
}
