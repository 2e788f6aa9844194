internal import BoxMerge
internal import BoxModel

/// The commits of both sides of a merge, where they are known.
///
/// They are in a merge, a pull and a squash. In a cherry-pick, a revert, a rebase or a stash, theirs is not a
/// line of commits that ours is merged with, and git does not name it.
struct SideCommits: Hashable, Sendable {
  var ours: String
  var theirs: String

  /// The commits of the merge that a driver runs in: HEAD and the one that git names in the
  /// environment.
  ///
  /// Git has a variable `GITHEAD_` and the hash for each branch that is merged. Nothing else says in a
  /// driver that this is a merge.
  ///
  /// - Parameters:
  ///   - names: The names of the variables of the environment.
  ///   - label: The label of ours, by which git marks an inner merge of merge bases.
  ///   - git: A client in the repository.
  /// - Returns: The commits; nil in anything but a merge.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  static func ofDriver(
    _ names: [String], labelOfOurs label: String?, git: GitClient
  ) async throws(CommandFailure) -> SideCommits? {
    if label?.hasPrefix("Temporary merge branch") ?? false { return nil }
    let prefix = "GITHEAD_"
    let heads = Set(
      names.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) })
    guard heads.count == 1, let theirs = heads.first,
      theirs.allSatisfy(\.isHexDigit), !theirs.isEmpty, let ours = try await git.resolve("HEAD")
    else { return nil }
    return SideCommits(ours: ours, theirs: theirs)
  }

  /// The commits of the merge that is under way; nil in anything but a merge.
  static func ofOngoingMerge(
    _ repository: GitRepository, git: GitClient
  ) async throws(CommandFailure) -> SideCommits? {
    guard OngoingOperation(gitDirectory: repository.gitDirectory) == .merge else { return nil }
    let commits = try await git.resolve(all: ["HEAD", "MERGE_HEAD"])
    guard let ours = commits[0], let theirs = commits[1] else { return nil }
    return SideCommits(ours: ours, theirs: theirs)
  }
}

/// Reads the earlier versions of both sides of a merge from git.
struct SideLines: Sendable {
  var commits: SideCommits
  /// The maximum number of versions of a side; a line with more answers nothing.
  var limit: Int
  var git: GitClient
  /// Whether the merge is known to be the merge of the tips, rather than of their merge bases; nil if git's
  /// configuration says whether the same driver merges these.
  var isOuterMerge: Bool? = true

  /// Reads the lines.
  ///
  /// - Parameters:
  ///   - path: The file, from the top of the repository, as it is called at one of the tips.
  ///   - ours: The content that is merged as ours.
  ///   - theirs: The content that is merged as theirs.
  /// - Returns: The lines; nil if they cannot answer anything: in a shallow clone, without a common
  ///   commit, or if the file at a tip is not the merged one, as in an inner merge of a
  ///   criss-cross.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func read(
    _ path: String, ours: [UInt8], theirs: [UInt8]
  ) async throws(CommandFailure) -> FieldHistory? {
    if limit == 0 { return nil }
    if try await git.isShallow() { return nil }
    let bases = try await git.mergeBases(of: commits.ours, and: commits.theirs)
    if bases.isEmpty { return nil }
    if bases.count > 1, try await !isMergeOfTips() { return nil }
    // The side that did not rename the file has it under the path from before.
    var names: [String] = []
    for tip in [commits.ours, commits.theirs] {
      for name in try await git.paths(of: path, from: bases, to: tip) where !names.contains(name) {
        names.append(name)
      }
    }
    guard
      let first = try await line(of: commits.ours, from: bases, names, ours),
      let second = try await line(of: commits.theirs, from: bases, names, theirs)
    else { return nil }
    return FieldHistory(ours: first, theirs: second)
  }

  /// Whether this is the merge of the tips.
  ///
  /// `git install` names another driver for merges of merge bases.
  private func isMergeOfTips() async throws(CommandFailure) -> Bool {
    if let isOuterMerge { return isOuterMerge }
    let inner = try await git.configurationValue("merge.\(DriverLines.name).recursive")?.value
    return inner.map { $0 != DriverLines.name } ?? false
  }

  private func line(
    of tip: String, from bases: [String], _ names: [String], _ content: [UInt8]
  ) async throws(CommandFailure) -> SideLine? {
    let atTip = try await git.blobs(names.map { "\(tip):\($0)" })
    guard let position = atTip.firstIndex(of: content) else { return nil }
    let paths = try await git.paths(of: names[position], from: bases, to: tip)
    let versions = try await git.versions(of: paths, from: bases, to: tip, limit: limit + 1)
    var line = SideLine(versions: [], isComplete: versions.count <= limit)
    for version in versions.prefix(limit) {
      guard let bytes = version.bytes else { continue }
      guard let document = try? ModelDocument(parsing: bytes), document.isComplete else {
        line.isComplete = false
        continue
      }
      line.versions.append(
        SideLine.Version(commit: String(version.commit.prefix(12)), model: document.model))
    }
    return line
  }
}
