/// The branches that merges are read from and written to.
protocol BranchPlace: Sendable {
  /// The commits of branches, which are in the repository afterwards.
  ///
  /// - Returns: The commits by the names; a branch that does not exist is missing.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func tips(of branches: [String]) async throws(CommandFailure) -> [String: String]

  /// The commits of branches as they are now, without bringing them into the repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func currentTips(of branches: [String]) async throws(CommandFailure) -> [String: String]

  /// Moves a branch from one commit to a descendant of it.
  ///
  /// - Returns: The outcome; the branch is as it was unless that is `done`.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput`.
  func update(
    _ branch: String, from old: String, to new: String
  ) async throws(CommandFailure) -> BranchUpdate
}

/// The outcome of moving a branch.
enum BranchUpdate: Hashable, Sendable {
  case done
  /// The branch is at another commit by now.
  case moved
  /// It may not be moved, for a reason in one sentence without a trailing period.
  case refused(String)
}

/// The branches of the repository itself.
struct LocalBranches: BranchPlace {
  var git: GitClient

  func tips(of branches: [String]) async throws(CommandFailure) -> [String: String] {
    let found = try await git.references(named: branches.map { "refs/heads/" + $0 })
    var result: [String: String] = [:]
    for reference in found { result[String(reference.name.dropFirst(11))] = reference.commit }
    return result
  }

  func currentTips(of branches: [String]) async throws(CommandFailure) -> [String: String] {
    try await tips(of: branches)
  }

  func update(
    _ branch: String, from old: String, to new: String
  ) async throws(CommandFailure) -> BranchUpdate {
    let name = "refs/heads/" + branch
    if let path = try await workTree(of: name) {
      return .refused(
        "the branch is checked out in \(path), where 'git merge' merges it with its files")
    }
    let output = try await git.run(
      ["update-ref", "-m", "boxjoint ci merge", name, new, old], writes: true)
    if output.status == 0 { return .done }
    if try await tips(of: [branch])[branch] != old { return .moved }
    throw git.failure(of: "update-ref", output)
  }

  /// The work tree in which a ref is checked out; nil without one, as for HEAD of a bare repository.
  private func workTree(of name: String) async throws(CommandFailure) -> String? {
    var path: String?
    let list = try await git.require(["worktree", "list", "--porcelain", "-z"])
    for field in list.standardOutput.split(separator: 0) {
      let text = String(decoding: field, as: UTF8.self)
      if text.hasPrefix("worktree ") { path = String(text.dropFirst(9)) }
      if text == "branch \(name)" { return path }
    }
    return nil
  }
}

/// The branches of a remote.
struct RemoteBranches: BranchPlace {
  /// The name of the remote.
  var remote: String
  /// A client with the credentials for the remote.
  var git: GitClient
  /// The tokens that are taken out of the messages of the remote.
  var secrets: Secrets

  /// Fetches the branches into the refs of the remote.
  func tips(of branches: [String]) async throws(CommandFailure) -> [String: String] {
    let present = try await currentTips(of: branches)
    let names = branches.filter { present[$0] != nil }
    if names.isEmpty { return [:] }
    try await fetch(names.map { "+refs/heads/\($0):refs/remotes/\(remote)/\($0)" })
    let found = try await git.resolve(all: names.map { "refs/remotes/\(remote)/\($0)" })
    var result: [String: String] = [:]
    for (name, commit) in zip(names, found) { result[name] = commit }
    return result
  }

  /// Fetches refs of the remote.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if one does not exist, or git fails.
  func fetch(_ references: [String]) async throws(CommandFailure) {
    _ = try await secrets.kept { () async throws(CommandFailure) in
      try await git.require(
        [
          "fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--",
          remote,
        ] + references, writes: true)
    }
  }

  func currentTips(of branches: [String]) async throws(CommandFailure) -> [String: String] {
    let names = branches.map { "refs/heads/" + $0 }
    let output = try await secrets.kept { () async throws(CommandFailure) in
      try await git.require(["ls-remote", "--quiet", "--", remote] + names)
    }
    var result: [String: String] = [:]
    for line in output.text.split(separator: "\n") {
      let words = line.split(separator: "\t")
      // Git takes a name for the end of others too.
      guard words.count == 2, names.contains(String(words[1])) else { continue }
      result[String(words[1].dropFirst(11))] = String(words[0])
    }
    return result
  }

  /// Pushes.
  ///
  /// The new commit descends from the old one, so nothing is ever forced. The lease only adds a refusal:
  /// without it a branch that was set back to an earlier commit meanwhile would get its commits again.
  func update(
    _ branch: String, from old: String, to new: String
  ) async throws(CommandFailure) -> BranchUpdate {
    let name = "refs/heads/" + branch
    // A clone that was made as a mirror pushes all or nothing else.
    let git = git.overriding([("remote.\(remote).mirror", "false")])
    let output = try await git.run(
      [
        "push", "--porcelain", "--no-verify", "--recurse-submodules=no",
        "--force-with-lease=\(name):\(old)", "--", remote, "\(new):\(name)",
      ], writes: true)
    if output.status == 0 { return .done }
    if let current = try? await currentTips(of: [branch]), current[branch] != old { return .moved }
    guard let line = output.text.split(separator: "\n").first(where: { $0.hasPrefix("!") }) else {
      return try await secrets.kept { () async throws(CommandFailure) in
        throw git.failure(of: "push", output)
      }
    }
    // Such as "[remote rejected] (pre-receive hook declined)".
    let reason = (line.split(separator: "\t").last ?? "")
      .drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
    let remarks = String(decoding: output.standardError, as: UTF8.self)
      .split(whereSeparator: \.isNewline).filter { $0.hasPrefix("remote:") }
      .map { $0.dropFirst(7).split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
    let words = ([String(reason)] + remarks.prefix(3)).joined(separator: "; ")
    return .refused(secrets.removed(from: words))
  }
}
