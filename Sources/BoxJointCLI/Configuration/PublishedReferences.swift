/// A revision whose ids count as published.
struct PublishedReference: Hashable, Sendable {
  /// The name to show: that of the setting, or the ref that a pattern matched.
  var name: String
  var commit: String
  /// When it was last known to be up to date, in seconds since 1970; nil for what no remote
  /// changes, or where nothing says so.
  var lastUpdate: Int64?
  /// Where the setting comes from.
  var origin: SettingOrigin
}

/// A configured ref that this repository does not have.
struct UnresolvedReference: Hashable, Sendable {
  var name: String
  /// The commands that would bring it, or nothing if none is known.
  var remedies: [String]
  var origin: SettingOrigin
}

/// What the setting `published` means in a repository.
struct PublishedReferences: Hashable, Sendable {
  /// In the order of the setting; every revision once.
  var resolved: [PublishedReference]
  var unresolved: [UnresolvedReference]

  /// Looks the configured refs up.
  ///
  /// Of the default list only the first that exists counts, so that what the remote's branch has is
  /// published and what is only on the local one is not. Of a list that somebody configured, every
  /// entry counts, and one that does not exist is reported. A pattern (with `*`, `?` or `[`) is one
  /// of tags unless it starts with `refs/`, and may match nothing. Finding out the times takes
  /// more runs of git; without `dated` they are all nil.
  ///
  /// - Throws: ``CommandFailure`` with status 74 if git cannot be run or this is no repository.
  static func resolve(
    _ setting: Setting, git: GitClient, dated: Bool = true
  ) async throws(CommandFailure) -> PublishedReferences {
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
              origin: entry.origin))
        }
      } else if let commit = commits[entry.text] ?? nil {
        var time: Int64?
        if dated, let fullName = try await git.fullName(of: entry.text) {
          time = try await git.lastUpdate(ofRemoteReference: fullName)
        }
        result.resolved.append(
          PublishedReference(
            name: entry.text, commit: commit, lastUpdate: time, origin: entry.origin))
        if setting.isStandard { break }
      } else if !setting.isStandard {
        result.unresolved.append(
          UnresolvedReference(
            name: entry.text, remedies: try await remedies(for: entry.text, git: git),
            origin: entry.origin))
      }
    }
    var seen: Set<String> = []
    result.resolved.removeAll { !seen.insert($0.name).inserted }
    return result
  }

  static func isPattern(_ text: String) -> Bool {
    text.contains { $0 == "*" || $0 == "?" || $0 == "[" }
  }

  /// The commands that may bring a revision.
  static func remedies(
    for name: String, git: GitClient
  ) async throws(CommandFailure) -> [String] {
    var commands: [String] = []
    let remotes = try await git.remotes()
    let short = name.hasPrefix("refs/remotes/") ? String(name.dropFirst(13)) : name
    if name.hasPrefix("refs/tags/"), let remote = remotes.first {
      let tag = String(name.dropFirst(10))
      commands.append("git fetch \(shellQuoted(remote)) tag \(shellQuoted(tag))")
    } else if let remote = remotes.first(where: { short.hasPrefix($0 + "/") }) {
      let branch = String(short.dropFirst(remote.count + 1))
      if branch == "HEAD" {
        commands.append("git remote set-head \(shellQuoted(remote)) --auto")
      } else {
        // In a clone of a single branch, a plain fetch of another does not make the remote's ref.
        commands.append(
          "git fetch \(shellQuoted(remote)) "
            + shellQuoted("\(branch):refs/remotes/\(remote)/\(branch)"))
      }
    } else if let remote = remotes.first, !name.contains(where: { "~^@".contains($0) }) {
      commands.append("git fetch \(shellQuoted(remote)) --tags")
    }
    if !remotes.isEmpty, try await git.isShallow() { commands.append("git fetch --unshallow") }
    return commands
  }
}
