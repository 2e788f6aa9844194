internal import BoxReport

/// A commit that is merged, with the name that people have for it.
package struct BranchTip: Hashable, Sendable {
  /// The name, such as a branch.
  package var name: String
  /// The hash of the commit.
  package var commit: String
  /// The command line that checks it out; nil for what is checked out.
  var checkout: String?

  /// Creates the tip of a branch.
  package init(name: String, commit: String) {
    self.name = name
    self.commit = commit
    checkout = "git switch \(shellQuoted(name))"
  }

  /// Finds the commit of a revision.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` that names the `git fetch` that helps if it
  ///   does not exist, and `usage` if its name is ambiguous in CI.
  package init(_ revision: String, in place: Workspace) async throws(CommandFailure) {
    guard let commit = try await place.git.resolve(revision) else {
      throw try await place.git.missingRevision(revision)
    }
    if let warning = try await place.git.ambiguity(of: revision, decides: true) {
      place.observer.receive(warning)
    }
    self.init(name: revision, commit: commit)
    let prefix = "refs/heads/"
    let branch = revision.hasPrefix(prefix) ? String(revision.dropFirst(prefix.count)) : revision
    let isBranch = try await place.git.resolve(prefix + branch) == commit
    if revision == "HEAD" {
      checkout = nil
    } else if isBranch {
      checkout = "git switch \(shellQuoted(branch))"
    } else {
      checkout = "git switch --detach \(shellQuoted(revision))"
    }
  }

  /// The name and the beginning of the hash.
  var label: String {
    commit.hasPrefix(name) ? String(commit.prefix(12)) : "\(name) (\(commit.prefix(12)))"
  }
}
