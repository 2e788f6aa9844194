internal import BoxJSON
internal import BoxSystem

/// A revision whose ids count as published.
package struct PublishedReference: Hashable, Sendable {
  /// The displayed name: as in the setting, or the ref that a pattern matched.
  package var name: String
  var commit: String
  /// The last time at which the ref was known to be up to date, in seconds since 1970; nil for a
  /// ref that no remote changes, or if the time is unknown.
  var lastUpdate: Int64?
  /// The origin of the setting.
  var origin: SettingOrigin
  /// The pattern that it matched, if the setting has one.
  var pattern: String?
}

/// A configured ref that this repository does not have.
struct MissingReference: Hashable, Sendable {
  var name: String
  /// The commands that would fetch it; empty if none is known.
  var remedies: [String]
  var origin: SettingOrigin
}

/// The published references of a repository: the meaning of the setting `published`.
package struct PublishedReferences: Hashable, Sendable {
  /// The references in the order of the setting; every revision once.
  package var resolved: [PublishedReference]
  var unresolved: [MissingReference]
  /// The checked-out branch, if it is the branch of a published ref and has other commits: it has the lowest
  /// precedence.
  var head: PublishedReference?

  /// The names of the default list.
  ///
  /// These are the default branches of remotes, and local ones for a repository without a remote. Each is
  /// in full, since a tag may have the short name of a branch, and git takes that first.
  static let standardNames =
    ["origin", "upstream"].flatMap(defaultBranches(of:))
    + ["main", "master", "develop"].map { localDirectory + $0 }

  private static let localDirectory = "refs/heads/"

  /// The names that the default branch of a remote may have.
  private static func defaultBranches(of remote: String) -> [String] {
    ["HEAD", "main", "master", "develop"].map { "refs/remotes/\(remote)/\($0)" }
  }

  /// Looks up the configured refs.
  ///
  /// Of the default list the default branch of each remote counts, and of its names the first that
  /// exists. The remote that the current branch tracks is one of them; other remotes, such as the forks
  /// of colleagues, have published nothing. A local branch counts only if there is no such remote: what
  /// is not pushed is not published. Of a configured list every entry counts, and a
  /// missing one is reported. A pattern (with `*`, `?` or `[`) matches tags unless it starts with
  /// `refs/`, and may match nothing. The times take more runs of git; without `dated` they are all
  /// nil.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run or there is no
  ///   repository.
  package static func resolve(
    _ setting: Setting, git: GitClient, dated: Bool = true
  ) async throws(CommandFailure) -> PublishedReferences {
    let branch = try await git.currentBranch()
    var result = try await resolve(setting, branch, git: git, dated: dated)
    if let branch { result.head = try await head(branch, of: result.resolved, git: git) }
    return result
  }

  private static func resolve(
    _ setting: Setting, _ branch: CurrentBranch?, git: GitClient, dated: Bool
  ) async throws(CommandFailure) -> PublishedReferences {
    if setting.isDefault {
      return try await resolveStandard(setting, branch?.remote, git: git, dated: dated)
    }
    var result = PublishedReferences(resolved: [], unresolved: [])
    let names = setting.texts.filter { !isPattern($0) }
    let commits = Dictionary(
      zip(names, try await git.resolve(all: names)), uniquingKeysWith: { first, _ in first })
    for entry in setting.entries {
      if isPattern(entry.text) {
        for match in try await git.references(matching: entry.text) {
          result.resolved.append(
            PublishedReference(
              name: match.name, commit: match.commit,
              lastUpdate: dated ? try await git.lastUpdate(ofRemoteReference: match.name) : nil,
              origin: entry.origin, pattern: entry.text))
        }
      } else if let commit = commits[entry.text] ?? nil {
        result.resolved.append(
          try await reference(entry.text, commit, entry.origin, git, dated: dated))
      } else {
        result.unresolved.append(
          MissingReference(
            name: entry.text, remedies: try await git.fetchCommands(for: entry.text),
            origin: entry.origin))
      }
    }
    var seen: Set<ExactText> = []
    result.resolved.removeAll { !seen.insert(ExactText($0.name)).inserted }
    return result
  }

  private static func resolveStandard(
    _ setting: Setting, _ tracked: String?, git: GitClient, dated: Bool
  ) async throws(CommandFailure) -> PublishedReferences {
    var names = setting.texts
    if let tracked {
      let further = defaultBranches(of: tracked).filter { !names.contains($0) }
      let end = names.firstIndex { $0.hasPrefix(localDirectory) } ?? names.endIndex
      names.insert(contentsOf: further, at: end)
    }
    var result = PublishedReferences(resolved: [], unresolved: [])
    var answered: Set<ExactText> = []
    for (name, commit) in zip(names, try await git.resolve(all: names)) {
      guard let commit, answered.insert(ExactText(parentDirectory(of: name))).inserted else {
        continue
      }
      if name.hasPrefix(localDirectory), !result.resolved.isEmpty { break }
      result.resolved.append(try await reference(name, commit, .default, git, dated: dated))
    }
    return result
  }

  /// The current branch, if a published ref is its counterpart and it has commits that this has not.
  private static func head(
    _ branch: CurrentBranch, of references: [PublishedReference], git: GitClient
  ) async throws(CommandFailure) -> PublishedReference? {
    // A symbolic one, as a remote's HEAD, has another name than its branch.
    var isCounterpart = false
    for reference in references where !isCounterpart {
      let isFull = reference.name.hasPrefix("refs/") && !reference.name.hasSuffix("/HEAD")
      let name =
        isFull ? reference.name : try await git.fullName(of: reference.name) ?? reference.name
      // By its name: a topic that was begun at a remote's branch tracks that too.
      isCounterpart =
        name.hasPrefix("refs/remotes/")
        && name.split(separator: "/").dropFirst(3).joined(separator: "/") == branch.name
    }
    guard isCounterpart, let commit = try await git.resolve("HEAD"),
      !references.contains(where: { $0.commit == commit })
    else { return nil }
    return PublishedReference(
      name: branch.name, commit: commit, lastUpdate: nil, origin: .default)
  }

  private static func reference(
    _ name: String, _ commit: String, _ origin: SettingOrigin, _ git: GitClient, dated: Bool
  ) async throws(CommandFailure) -> PublishedReference {
    var time: Int64?
    if dated, let fullName = try await git.fullName(of: name) {
      time = try await git.lastUpdate(ofRemoteReference: fullName)
    }
    return PublishedReference(name: name, commit: commit, lastUpdate: time, origin: origin)
  }

  static func isPattern(_ text: String) -> Bool {
    text.contains { $0 == "*" || $0 == "?" || $0 == "[" }
  }
}
