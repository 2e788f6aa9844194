internal import BoxReport
internal import BoxSystem

/// A directory in which git merges commits without their files.
///
/// It has its own git directory, which shares everything except HEAD with the repository, as a linked work
/// tree does. The work tree has only the attributes and the settings of the base. So neither the index nor
/// the files of the repository play a part, and it may be a bare one.
struct MergeDirectory: ~Copyable {
  private let directory: TemporaryTree
  /// The place that git and the driver run in.
  let workspace: Workspace
  /// The settings of the base.
  let configuration: EffectiveConfiguration

  private static let versions = "versions"

  /// Creates the directory for a merge of two commits.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it cannot be written,
  ///   `badConfiguration` if the settings are wrong.
  init(
    ours: BranchTip, theirs: BranchTip, base: BranchTip, files: BaseFiles,
    options: EffectiveConfiguration.Options, in place: Workspace
  ) async throws(CommandFailure) {
    guard let repository = try await place.git.repository() else {
      throw CommandFailure(
        .impossible, "this is not inside a git repository" + place.git.bareHint)
    }
    let directory = try TemporaryTree(for: place)
    let tree = joinPath(directory.path, "tree")
    try directory.write(files.settings, to: "tree/" + ConfigurationFile.name)
    try directory.write([], to: Self.versions + "/.keep")
    try directory.write(Array((ours.commit + "\n").utf8), to: "git/HEAD")
    try directory.write(Array((repository.commonDirectory + "\n").utf8), to: "git/commondir")
    var location = RepositoryLocation(directory: tree, isRepository: true)
    location.environment = place.git.location.environment
    location.environment.merge([
      "GIT_DIR": joinPath(directory.path, "git"), "GIT_WORK_TREE": tree,
      "GIT_COMMON_DIR": nil, "GIT_INDEX_FILE": nil, "GIT_PREFIX": nil,
      // A tree with other attributes than the base.
      "GIT_ATTR_SOURCE": nil,
      "BOXJOINT_CONFIG": joinPath(tree, ConfigurationFile.name),
      PublishedModels.baseVariable: base.commit,
      // What git itself sets in a merge: by this the driver knows the commits.
      "GITHEAD_\(theirs.commit)": theirs.name,
    ]) { $1 }
    let workspace = Workspace(
      git: GitClient(at: location), directory: tree, observer: SilentObserver())
    var options = options
    options.configurationPath = nil
    let configuration = try await EffectiveConfiguration.load(options, in: workspace)
    var attributes = files.attributes
    let top = BaseFiles.attributesName
    attributes[top] = attributes[top] ?? []
    // As in the file of a repository, which git reads last: a file below the top would count more than the
    // one at the top.
    for (path, bytes) in attributes {
      let patterns = configuration.filePatterns.compactMap {
        $0.relative(to: path == top ? "" : parentDirectory(of: path))
      }
      attributes[path] = AttributesBlock(patterns: patterns).installed(in: bytes)
    }
    for (path, bytes) in attributes { try directory.write(bytes, to: "tree/" + path) }
    self.workspace = workspace
    self.configuration = configuration
    mergedVariable = "GITHEAD_\(theirs.commit)"
    self.directory = directory
  }

  /// The variable by which the driver knows the merged commit.
  private let mergedVariable: String

  /// Merges two commits with the merge driver, and keeps the versions of each model for ``models()``.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  func merge(
    _ ours: String, _ theirs: String, program: String
  ) async throws(CommandFailure) -> TreeMergeOutput {
    let versions = joinPath(directory.path, Self.versions)
    let line = DriverLines(program: program).merge(keepingVersionsIn: versions)
    return try await merge(ours, theirs, driver: line, ofBases: DriverLines.driverOfBases)
  }

  /// Merges two commits as a hosting site does, which runs no driver.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git fails.
  func mergeAsText(
    _ ours: String, _ theirs: String
  ) async throws(CommandFailure) -> TreeMergeOutput {
    try await merge(ours, theirs, driver: DriverLines.textMerge, ofBases: "text")
  }

  /// Merges two commits with one driver, and their merge bases with the one of a name.
  private func merge(
    _ ours: String, _ theirs: String, driver: String, ofBases name: String
  ) async throws(CommandFailure) -> TreeMergeOutput {
    let section = "merge.\(DriverLines.name)"
    let git = workspace.git.overriding([
      ("\(section).driver", driver), ("\(section).recursive", name),
    ])
    let output = try await git.run(
      ["merge-tree", "--write-tree", "-z", ours, theirs], writes: true)
    guard output.status == 0 || output.status == 1, let merge = TreeMergeOutput(output) else {
      throw git.failure(of: "merge-tree", output)
    }
    return merge
  }

  /// The driver's judgement about each file that it merged, by the path.
  ///
  /// Git merges merge bases with another driver, so only the merge of the tips is judged.
  ///
  /// - Returns: The judgements.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if something cannot be read.
  /// - Complexity: O(*n*) in the size of the models.
  func models() async throws(CommandFailure) -> [String: MergeDriver.Verdict] {
    let kept = try KeptMerges.all(in: joinPath(directory.path, Self.versions))
    var result: [String: MergeDriver.Verdict] = [:]
    let names = [mergedVariable]
    for version in kept {
      var driver = MergeDriver(
        try version.invocation(), in: workspace, environmentNames: { names })
      driver.isOuterMerge = true
      driver.settings = configuration
      result[driver.invocation.path] = await driver.verdict()
    }
    return result
  }
}
