package import BoxModel

/// The versions of a model file that the work tree, or a revision, follows.
package struct PrecedingModels: Sendable {
  /// A version, and its commit.
  package struct Version: Sendable {
    package var base: ResetBase
    package var commit: String
  }

  /// The commit that the checked version follows, and those of a merge.
  ///
  /// For the work tree these are HEAD and MERGE_HEAD, and the parents of HEAD: a squashed or picked commit
  /// is a merge of sources, too; and those of the commit before, if that is a merge. The branch that is tracked is there as well, if HEAD follows it.
  package private(set) var versions: [Version] = []
  /// The models of the branches that are being merged.
  package private(set) var merged: [Model] = []
  /// The content of the file in HEAD; nil for a revision, or without one.
  package private(set) var head: [UInt8]?

  /// Reads the versions.
  ///
  /// - Parameters:
  ///   - path: The path of the file from the top of the repository.
  ///   - revision: The revision that is checked; nil for the work tree, empty for the index.
  ///   - git: A client for the repository.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the size of the versions; two runs of git, and three more for a branch that is tracked.
  package init(of path: String, revision: String?, _ git: GitClient) async throws(CommandFailure) {
    let names: [[String]]
    if let revision, !revision.isEmpty {
      names = [["\(revision)^1", "\(revision)^2"]]
    } else {
      names = [["HEAD", "MERGE_HEAD"], ["HEAD^1", "HEAD^2"], ["HEAD~2", "HEAD^1^2"]]
    }
    let commits = try await git.resolve(all: names.flatMap(\.self))
    let contents = try await git.blobs(commits.map { $0.map { "\($0):\(path)" } ?? "" })
    let models = contents.map { $0.flatMap { (try? ModelDocument(parsing: $0))?.model } }
    if names.count > 1 {
      head = contents[0]
      merged = [models[1]].compactMap(\.self)
    }
    for (number, group) in names.enumerated() {
      let first = number * 2
      // The build after a merge is a commit of its own.
      if number == 2, commits[first + 1] == nil { continue }
      for k in group.indices {
        guard let model = models[first + k], let commit = commits[first + k] else { continue }
        let others = group.indices.filter { $0 != k }.compactMap { models[first + $0] }
        versions.append(
          Version(
            base: ResetBase(
              name: group[k], model: model, siblings: others + (number > 0 ? merged : [])),
            commit: commit))
      }
    }
    if names.count > 1, let commit = commits[0] { try await addTracked(commit, path, git) }
  }

  /// Adds the version of the branch that is tracked.
  private mutating func addTracked(
    _ head: String, _ path: String, _ git: GitClient
  ) async throws(CommandFailure) {
    let name = "@{upstream}"
    guard let commit = try await git.resolve(all: [name])[0], commit != head,
      try await git.isAncestor(commit, of: head),
      let bytes = try await git.blobs(["\(commit):\(path)"])[0],
      let model = (try? ModelDocument(parsing: bytes))?.model
    else { return }
    versions.append(
      Version(base: ResetBase(name: name, model: model, siblings: merged), commit: commit))
  }
}
