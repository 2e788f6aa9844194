/// A revision whose ids count as published.
package struct PublishedReference: Hashable, Sendable {
  /// The displayed name: that of the setting, or the ref that a pattern matched.
  package var name: String
  var commit: String
  /// The last time at which the ref was known to be up to date, in seconds since 1970; nil for a
  /// ref that no remote changes, or if the time is unknown.
  var lastUpdate: Int64?
  /// The origin of the setting.
  var origin: SettingOrigin
}

/// A configured ref that this repository does not have.
struct UnresolvedReference: Hashable, Sendable {
  var name: String
  /// The commands that would fetch it; empty if none is known.
  var remedies: [String]
  var origin: SettingOrigin
}

/// The published references of a repository: the meaning of the setting `published`.
package struct PublishedReferences: Hashable, Sendable {
  /// The references in the order of the setting; every revision once.
  package var resolved: [PublishedReference]
  var unresolved: [UnresolvedReference]

  /// Looks up the configured refs.
  ///
  /// Of the default list only the first existing ref counts, so that the commits of the remote's
  /// branch are published, and local ones are not. Of a configured list every entry counts, and a
  /// missing one is reported. A pattern (with `*`, `?` or `[`) matches tags unless it starts with
  /// `refs/`, and may match nothing. The times take more runs of git; without `dated` they are all
  /// nil.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run or there is no
  ///   repository.
  package static func resolve(
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
            name: entry.text, remedies: try await git.fetchCommands(for: entry.text),
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
}
