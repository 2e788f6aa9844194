internal import BoxMigration
internal import BoxModel

/// A merge of two commits that changes neither a branch nor a file of the work tree.
package struct BranchMerge: Sendable {
  /// The branch that the other is merged into.
  package var ours: BranchTip
  /// The branch that is merged.
  package var theirs: BranchTip
  /// The side whose settings and attributes are in force.
  package var base: BranchTip
  /// The files of the base, if they are read; nil to read them.
  var files: BaseFiles?
  /// The settings that override all others.
  package var configuration = EffectiveConfiguration.Options()
  /// The program that git starts as its merge driver.
  package var program: String

  /// Creates a merge.
  package init(
    ours: BranchTip, theirs: BranchTip, base: BranchTip,
    configuration: EffectiveConfiguration.Options = EffectiveConfiguration.Options(),
    program: String
  ) {
    self.ours = ours
    self.theirs = theirs
    self.base = base
    self.configuration = configuration
    self.program = program
  }

  /// Merges by `git merge-tree` with the merge driver, and as text for comparison.
  ///
  /// Git adds objects to the repository, which it clears away in time if nothing names them.
  ///
  /// - Returns: The result.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git is too old or fails or the commits
  ///   have no common commit, `impossible` outside of a repository, `badConfiguration` if the settings
  ///   of the base are wrong.
  /// - Complexity: As two merges by git.
  package func run(in place: Workspace) async throws(CommandFailure) -> BranchMergeResult {
    try await place.git.requireTreeMerge()
    if try await place.git.isAncestor(theirs.commit, of: ours.commit) {
      return BranchMergeResult(upToDate: ours, theirs)
    }
    let bases = try await place.git.mergeBases(of: ours.commit, and: theirs.commit)
    if bases.isEmpty { throw try await noCommonCommit(place.git) }
    let files: BaseFiles
    if let known = self.files {
      files = known
    } else {
      files = try await BaseFiles(of: base, options: configuration, in: place)
    }
    let directory = try await MergeDirectory(
      ours: ours, theirs: theirs, base: base, files: files, options: configuration, in: place)
    let merge = try await directory.merge(ours.commit, theirs.commit, program: program)
    let asText = try await directory.mergeAsText(ours.commit, theirs.commit)
    let verdicts = try await directory.models()
    var result = BranchMergeResult(ours, theirs, merge, asText: asText, verdicts)
    result.notes += try await changesOfRules(bases, files, place)
    return result
  }

  private func noCommonCommit(_ git: GitClient) async throws(CommandFailure) -> CommandFailure {
    let help = try await git.isShallow() ? "; try 'git fetch --unshallow'" : ""
    return CommandFailure(
      .inputOutput,
      "'\(ours.name)' and '\(theirs.name)' have no common commit in this repository\(help)")
  }

  /// Notes about files that decide how models are merged, where the change alters them.
  private func changesOfRules(
    _ bases: [String], _ files: BaseFiles, _ place: Workspace
  ) async throws(CommandFailure) -> [String] {
    let change = base == ours ? theirs : ours
    var notes: [String] = []
    for name in [BaseFiles.attributesName, ConfigurationFile.name, ApprovalList.fileName] {
      let names = [change.commit, bases[0]].map { "\($0):\(name)" }
      let contents = try await place.git.blobs(names)
      if contents[0] != contents[1] {
        notes.append("\(change.name) changes \(name); the version of \(base.name) is in force")
      }
    }
    return notes
  }
}

extension GitClient {
  /// Refuses a git that cannot merge without a work tree.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func requireTreeMerge() async throws(CommandFailure) {
    guard let version = try await version(), version < .oldestWithTreeMerge else { return }
    throw CommandFailure(
      .inputOutput,
      "git \(version) cannot merge without a work tree, which takes \(GitVersion.oldestWithTreeMerge) or "
        + "later; update git, or merge on your machine with 'git merge' and 'boxjoint git install'")
  }
}
