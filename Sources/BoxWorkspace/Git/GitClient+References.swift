internal import BoxSystem

/// A ref and its commit.
package struct GitReference: Hashable, Sendable {
  /// The full name, such as `refs/tags/v1.0`.
  package var name: String
  /// The commit; an annotated tag is followed to it.
  package var commit: String
}

/// The branch that is checked out.
package struct CurrentBranch: Hashable, Sendable {
  /// The name without `refs/heads/`.
  package var name: String
  /// The name of the remote that it tracks, if it tracks one.
  package var remote: String?
}

extension GitClient {
  /// The refs that match a pattern, in the order of version numbers.
  ///
  /// A pattern that does not start with `refs/` is one of tags. `*` does not match a slash.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, and
  ///   `inputOutput` if git cannot be run.
  package func references(matching pattern: String) async throws(CommandFailure) -> [GitReference] {
    let full = pattern.hasPrefix("refs/") ? pattern : "refs/tags/" + pattern
    return Self.references(
      in: try await requireInside(Self.listing + ["--sort=version:refname", "--", full]))
  }

  /// The refs of full names, as far as they exist, in no order.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func references(named names: [String]) async throws(CommandFailure) -> [GitReference] {
    let output = try await run(Self.listing + ["--"] + names)
    // Outside of a repository there are no refs.
    if output.status != 0 { return [] }
    // A name can be a directory of refs for git too.
    return Self.references(in: output).filter { names.contains($0.name) }
  }

  /// The refs among some full names, whatever objects they name.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func existing(_ names: [String]) async throws(CommandFailure) -> Set<String> {
    let output = try await run(["for-each-ref", "--format=%(refname)", "--"] + names)
    return Set(output.text.split(separator: "\n").map(String.init)).intersection(names)
  }

  private static let listing = [
    "for-each-ref",
    "--format=%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)",
  ]

  private static func references(in output: GitOutput) -> [GitReference] {
    output.text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      if words.count >= 3, words[1] == "commit" {
        return GitReference(name: String(words[0]), commit: String(words[2]))
      }
      if words.count >= 5, words[3] == "commit" {
        return GitReference(name: String(words[0]), commit: String(words[4]))
      }
      return nil
    }
  }

  /// The full name of a ref, such as `refs/remotes/origin/main` for `origin/HEAD`, or nil for a
  /// revision that is not a ref.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func fullName(of reference: String) async throws(CommandFailure) -> String? {
    if reference.hasPrefix("-") { return nil }
    let output = try await run(
      ["rev-parse", "--verify", "--quiet", "--symbolic-full-name", "--end-of-options", reference])
    return output.status == 0 && output.text.hasPrefix("refs/") ? output.text : nil
  }

  /// The names of the remotes.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func remotes() async throws(CommandFailure) -> [String] {
    try await require(["remote"]).text.split(separator: "\n").map(String.init)
  }

  /// The branch that is checked out; nil with a HEAD that is not a branch, and before the first commit.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func currentBranch() async throws(CommandFailure) -> CurrentBranch? {
    let format =
      "%(if)%(HEAD)%(then)%(refname:lstrip=2) %(upstream:remotename)%(end)"
    let output = try await run(["for-each-ref", "--format=" + format, "refs/heads/"])
    guard let line = output.text.split(separator: "\n").first(where: { !$0.isEmpty }) else {
      return nil
    }
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 2 else { return nil }
    // A branch that tracks a local one has the remote '.'.
    return CurrentBranch(
      name: words[0], remote: words[1].isEmpty || words[1] == "." ? nil : words[1])
  }

  /// Whether there is a remote of a name; false outside of a repository.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func hasRemote(_ name: String) async throws(CommandFailure) -> Bool {
    try await run(["remote"]).text.split(separator: "\n").contains(name[...])
  }

  /// The last time at which a remote's ref was known to be up to date, in seconds since 1970; nil
  /// if it is unknown.
  ///
  /// That is the time of its last change (from the reflog, which a clone writes too) or of the last
  /// fetch that included it, whichever is later. The reference is a full name, such as
  /// `refs/remotes/origin/main`.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is no repository.
  package func lastUpdate(ofRemoteReference reference: String) async throws(CommandFailure)
    -> Int64?
  {
    let parts = reference.split(separator: "/", maxSplits: 3).map(String.init)
    guard parts.count == 4, parts[0] == "refs", parts[1] == "remotes" else { return nil }
    var times: [Int64] = []
    // A clone logs the remote's HEAD only.
    for name in [reference, "refs/remotes/\(parts[2])/HEAD"] {
      let log = try await run(
        ["log", "-g", "-1", "--date=unix", "--format=%gd", "--end-of-options", name, "--"])
      if log.status == 0, let time = unixTime(inSelector: log.text) { times.append(time) }
    }
    let fetched = try await path(ofRepositoryFile: "FETCH_HEAD")
    if let bytes = try? SourceFile.read(fetched).bytes,
      String(decoding: bytes, as: UTF8.self).hasPart("branch '\(parts[3])' of "),
      let attributes = try? fileAttributes(at: fetched)
    {
      times.append(attributes.modified.seconds)
    }
    return times.max()
  }

  /// The time in a selector such as `refs/remotes/origin/main@{1700000000}`.
  private func unixTime(inSelector text: String) -> Int64? {
    guard text.hasSuffix("}"), let brace = text.lastIndex(of: "{") else { return nil }
    return Int64(text[text.index(after: brace)...].dropLast())
  }
}
