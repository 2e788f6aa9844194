package import BoxModel

/// The versions of a model file that the work tree, or a revision, follows.
package struct PrecedingModels: Sendable {
  /// A version, and its commit.
  package struct Version: Sendable {
    package var base: ResetBase
    package var commit: String
  }

  /// The parent of the checked version, or the parents of a merge.
  ///
  /// For the work tree these are HEAD and MERGE_HEAD, and the parents of HEAD: a squashed or picked commit
  /// is a merge of sources, too.
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
  /// - Complexity: O(*n*) in the size of the versions; two runs of git.
  package init(of path: String, revision: String?, _ git: GitClient) async throws(CommandFailure) {
    let names: [[String]]
    if let revision, !revision.isEmpty {
      names = [["\(revision)^1", "\(revision)^2"]]
    } else {
      names = [["HEAD", "MERGE_HEAD"], ["HEAD^1", "HEAD^2"]]
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
  }
}
