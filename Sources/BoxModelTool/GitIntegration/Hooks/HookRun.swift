internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// A run of a hook: its checks, and what they found.
struct HookRun {
  let place: Workspace
  /// The absolute path of the top directory of the work tree.
  private let top: String
  private let work: UnfinishedWork
  private var publishedReferences: PublishedReferences?
  var report = HookReport()

  init(in place: Workspace, top: String, _ work: UnfinishedWork) {
    self.place = Workspace(
      git: place.git, directory: place.directory, observer: WithoutNotes(place.observer))
    self.top = top
    self.work = work
  }

  /// A commit that files are compared with.
  private struct Earlier {
    var commit: String
    /// Whether the commit was reverted, so that all of its elements keep their ids: a merge may give others to
    /// those that only a branch has.
    var isReverted = false
  }

  /// An observer that drops notes: after a merge nobody needs to know that a model is new.
  private struct WithoutNotes: WorkObserver {
    let observer: any WorkObserver

    init(_ observer: any WorkObserver) { self.observer = observer }

    func receive(_ notice: Notice) {
      if notice.kind != .note { observer.receive(notice) }
    }

    func update(_ step: String, _ done: Int, of total: Int, unit: String) {}
    func finish() { observer.finish() }
  }

  // MARK: After a merge or a revert

  /// Checks the model files that a merge or a fast-forward changed.
  ///
  /// A file that the driver has merged is as the rules of merging want it, and may have other ids than
  /// before for elements that are not published.
  ///
  /// - Parameters:
  ///   - base: The commit before the merge.
  ///   - tip: The commit of HEAD.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badConfiguration` if the
  ///   settings are wrong.
  mutating func checkMerge(from base: String, to tip: String) async throws(CommandFailure) {
    var files = try await changedModels(from: base, to: tip)
    let commits = try await place.git.require(["rev-list", "--parents", "-n", "1", tip]).text
      .split(separator: " ").map(String.init)
    if commits.dropFirst().first == base {
      files = try await filesTakenWhole(files, from: Array(commits.dropFirst(2)), to: tip)
      for file in files where commits.count > 2 {
        try await addRemovals(in: file, at: tip, from: Array(commits.dropFirst()))
      }
    }
    if files.isEmpty { return }
    let earlier = Earlier(commit: base)
    try await check(files, against: earlier) { "git commit -m 'Fix the ids of the model' \($0)" }
  }

  /// Checks the model files that a revert changed.
  ///
  /// - Parameters:
  ///   - base: The commit before the revert.
  ///   - tip: The commit of HEAD.
  /// - Throws: As ``checkMerge(from:to:)``.
  mutating func checkRevert(from base: String, to tip: String) async throws(CommandFailure) {
    // A revert gives no element another id, published or not.
    let earlier = Earlier(commit: base, isReverted: true)
    try await check(try await changedModels(from: base, to: tip), against: earlier) {
      "git commit --amend --no-edit --allow-empty \($0)"
    }
  }

  /// The files of a merge commit that are as in one of the merged commits, so that no driver made them.
  private func filesTakenWhole(
    _ files: [String], from others: [String], to tip: String
  ) async throws(CommandFailure) -> [String] {
    // A fast-forward to one commit.
    if others.isEmpty { return files }
    let made = try await place.git.blobHashes(files.map { "\(tip):\($0)" })
    var taken: Set<String> = []
    for other in others {
      let found = try await place.git.blobHashes(files.map { "\(other):\($0)" })
      for (file, (a, b)) in zip(files, zip(made, found)) where a == b { taken.insert(file) }
    }
    return files.filter(taken.contains)
  }

  /// Checks files of the work tree.
  ///
  /// - Parameters:
  ///   - files: The paths from the top of the repository.
  ///   - earlier: The version to compare with.
  ///   - commit: Called with paths as words of a shell; returns the command that commits them.
  /// - Throws: As ``checkMerge(from:to:)``.
  private mutating func check(
    _ files: [String], against earlier: Earlier, commit: (String) -> String
  ) async throws(CommandFailure) {
    if files.isEmpty { return }
    let result = try await checkWorkTree(files, against: earlier)
    report.add(result.report)
    if !result.fixed.isEmpty {
      report.advice.append(
        "boxjoint: \(result.fixed.listed) \(result.fixed.count == 1 ? "is" : "are") fixed in the work "
          + "tree and not committed; run \(quotedCommand(commit(Self.operands(result.fixed))))")
    }
    if !result.report.hasErrors || result.kept.isEmpty { return }
    addAdvice(forKept: result.kept, against: earlier)
  }

  /// Says why files were not written, and how to fix them.
  private mutating func addAdvice(forKept files: [String], against earlier: Earlier) {
    let command = Self.fixCommand(files, against: earlier)
    report.advice.append(
      work.keepsWorkTree
        ? "boxjoint: nothing was fixed, as git has more to do; afterwards, run \(command)"
        : "boxjoint: \(files.listed) \(files.count == 1 ? "has" : "have") changes that are not "
          + "committed, so nothing was fixed; commit or stash the changes and run \(command)")
  }

  // MARK: Before a push

  /// Checks the model files of commits that are pushed.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run, `badConfiguration` if the
  ///   settings are wrong.
  mutating func check(_ references: [PushedReference]) async throws(CommandFailure) {
    if references.isEmpty { return }
    let patterns = try await patterns()
    var checked: Set<[String]> = []
    for reference in references {
      guard let tip = try await place.git.resolve(reference.local) else { continue }
      for earlier in try await earlierVersions(of: tip, reference)
      where earlier.commit != tip && checked.insert([earlier.commit, tip]).inserted {
        let changed = try await place.git.changedFiles(from: earlier.commit, to: tip)
        let files = patterns.matching(changed)
        if files.isEmpty { continue }
        try await check(files, of: tip, reference, against: earlier)
      }
    }
    if report.stopsPush {
      report.advice.append(
        "boxjoint: the push was stopped; to push without this check, run 'git push --no-verify'")
    }
  }

  /// The versions that a pushed commit is compared with: what the remote has, and where the commit left
  /// what is published.
  private mutating func earlierVersions(
    of tip: String, _ reference: PushedReference
  ) async throws(CommandFailure) -> [Earlier] {
    var versions: [Earlier] = []
    let commits = try await published().resolved.map(\.commit)
    if !commits.isEmpty {
      let output = try await place.git.run(["merge-base", "--all", tip] + commits)
      let bases = output.status == 0 ? output.text.split(separator: "\n").map(String.init) : []
      versions += bases.map { Earlier(commit: $0) }
    }
    if let hash = reference.remote, let remote = try await place.git.resolve(hash),
      !versions.contains(where: { $0.commit == remote }),
      try await place.git.isAncestor(remote, of: tip)
    {
      versions.append(Earlier(commit: remote))
    }
    return versions
  }

  private mutating func check(
    _ files: [String], of tip: String, _ reference: PushedReference, against earlier: Earlier
  ) async throws(CommandFailure) {
    let pushed = try await errors(in: files.map { "\(Self.short(tip)):\($0)" }, against: earlier)
    guard pushed.hasErrors else { return }
    report.stopsPush = true
    let damaged = files.filter { file in
      pushed.findings.contains { $0.path == "\(Self.short(tip)):\(file)" }
    }
    guard tip == (try await place.git.resolve("HEAD")) else {
      report.add(pushed)
      let goThere = reference.branch.map {
        "run \(quotedCommand("git switch \(shellOperand($0))")) and "
      }
      report.advice.append(
        "boxjoint: to fix what has one right way, \(goThere ?? "check out \(Self.short(tip)) and run ")"
          + Self.fixCommand(damaged.map(here), against: earlier) + ", and commit the result")
      return
    }
    let result = try await checkWorkTree(damaged, against: earlier)
    // The commit counts, also if the work tree is better.
    report.add(
      result.report.hasErrors ? result.report : result.fixed.isEmpty ? pushed : result.report)
    let ready = result.fixed + (result.report.hasErrors ? [] : result.kept)
    if !ready.isEmpty {
      let command = "git commit -m 'Fix the ids of the model' \(Self.operands(ready))"
      report.advice.append(
        "boxjoint: \(ready.listed) \(ready.count == 1 ? "is" : "are") fixed in the work tree and not "
          + "committed; run \(quotedCommand(command)) and push again")
    } else if !result.kept.isEmpty {
      addAdvice(forKept: result.kept, against: earlier)
    }
  }

  // MARK: Both

  /// The result of a check of files in the work tree.
  private struct WorkTreeResult {
    /// The errors that are left.
    var report: Report
    /// The files that were fixed, by paths from the working directory.
    var fixed: [String] = []
    /// The files that were not to be written.
    var kept: [String] = []
  }

  /// Checks files of the work tree, and fixes those that have no changes of the user.
  private func checkWorkTree(
    _ files: [String], against earlier: Earlier
  ) async throws(CommandFailure) -> WorkTreeResult {
    let present = files.filter { ((try? fileAttributes(at: here($0))) ?? nil) != nil }
    let changed = try await place.git.uncommittedFiles(among: present)
    let kept = present.filter { work.keepsWorkTree || changed.contains($0) }
    let clean = present.filter { !kept.contains($0) }
    var result = WorkTreeResult(
      report: try await errors(in: clean.map(here), against: earlier, fixes: true),
      kept: kept.map(here))
    let others = try await errors(in: kept.map(here), against: earlier)
    result.report.findings += others.findings
    result.report.omitted += others.omitted
    result.report.checkedPaths += others.checkedPaths
    let written = try await place.git.uncommittedFiles(among: clean)
    result.fixed = clean.filter(written.contains).map(here)
    return result
  }

  /// The errors of some files, without findings about others.
  private func errors(
    in files: [String], against earlier: Earlier, fixes: Bool = false
  ) async throws(CommandFailure) -> Report {
    if files.isEmpty { return Report(findings: [], checkedPaths: [], tool: .boxjoint) }
    var request = CheckRequest(files)
    request.against = Self.short(earlier.commit)
    if earlier.isReverted { request.publishesEarlier = true }
    request.fixes = fixes
    // The patterns also match files of other programs.
    request.leavesOthersOut = true
    var report = try await request.run(in: place).countingReport
    report.findings.removeAll { !report.checkedPaths.contains($0.path) }
    return report
  }

  /// The refs that are published, which are looked up once.
  mutating func published() async throws(CommandFailure) -> PublishedReferences {
    if let known = publishedReferences { return known }
    let settings = try await EffectiveConfiguration.load(in: place)
    let found = try await PublishedReferences.resolve(
      settings[.published], git: place.git, dated: false)
    publishedReferences = found
    return found
  }

  private func changedModels(
    from base: String, to tip: String
  ) async throws(CommandFailure) -> [String] {
    let changed = try await place.git.changedFiles(from: base, to: tip)
    return changed.isEmpty ? [] : try await patterns().matching(changed)
  }

  private func patterns() async throws(CommandFailure) -> [FilePattern] {
    try await EffectiveConfiguration.load(in: place).filePatterns
  }

  /// The path of a file from the working directory, as an argument that names no revision.
  func here(_ file: String) -> String {
    SourceReference.file(RepositoryModels.path(of: file, in: top, from: workingDirectory()))
      .argument
  }

  /// Files of the top directory, where git runs hooks, as operands of git in any directory.
  private static func operands(_ paths: [String]) -> String {
    "-- " + paths.map { shellQuoted(":/" + $0) }.joined(separator: " ")
  }

  private static func fixCommand(_ paths: [String], against earlier: Earlier) -> String {
    quotedCommand("boxjoint check --against \(short(earlier.commit)) --fix \(shellOperands(paths))")
  }

  /// The first digits of a hash, for people.
  private static func short(_ commit: String) -> String { String(commit.prefix(12)) }
}
