internal import BoxReport

extension GitClient {
  /// The ref in the name of a revision: the part before `~`, `^`, `:` and `@{`.
  static func nameOfRef(in revision: String) -> String {
    let end = revision.firstIndex { "~^:".contains($0) } ?? revision.endIndex
    let name = revision[..<end]
    return String(name.firstPlace(of: "@{").map { name[..<$0.lowerBound] } ?? name)
  }

  /// Whether a name is the full name of a ref, such as `refs/heads/main`.
  static func isFullName(_ name: String) -> Bool {
    name.hasPrefix("refs/") && nameOfRef(in: name) == name
      && !name.contains { "*?[\\ \n".contains($0) }
  }

  /// The meanings of a short name, if it has several; git takes the first.
  ///
  /// These are refs, in the order of `git help revisions`, and a commit whose hash starts with the name.
  /// Anybody who may push a tag can give it the name of a branch.
  ///
  /// - Returns: Full names; none if the name is not ambiguous.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  func meanings(ofAmbiguous revision: String) async throws(CommandFailure) -> [String] {
    let name = Self.nameOfRef(in: revision)
    let isHash =
      name.utf8.count >= 4
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    // Git takes a whole hash for nothing else, and HEAD and the like before any ref.
    if name.isEmpty || name.hasPrefix("-") || name.hasPrefix("refs/")
      || name.hasSuffix("HEAD") && !name.contains("/")
      || isHash && [40, 64].contains(name.utf8.count)
      || name.contains(where: { "*?[\\ \n".contains($0) })
    {
      return []
    }
    let candidates =
      ["", "tags/", "heads/", "remotes/"].map { "refs/\($0)\(name)" }
      + ["refs/remotes/\(name)/HEAD"]
    let found = try await existing(candidates)
    var meanings = candidates.filter(found.contains)
    if isHash, !meanings.isEmpty {
      let objects = try await run(["rev-parse", "--disambiguate=\(name)"]).text
      meanings += objects.split(separator: "\n").map(String.init)
    }
    return meanings.count > 1 ? meanings : []
  }

  /// The warning about a short name with several meanings; nil for other names.
  ///
  /// In CI, where warnings are not seen, a name that decides about a change is refused.
  ///
  /// - Parameters:
  ///   - revision: The name.
  ///   - decides: Whether a base or settings are read from the revision.
  /// - Returns: The warning.
  /// - Throws: ``CommandFailure`` of the kind `usage` if it is refused, `inputOutput` if git cannot
  ///   be run.
  package func ambiguity(
    of revision: String, decides: Bool
  ) async throws(CommandFailure) -> Notice? {
    let meanings = try await meanings(ofAmbiguous: revision)
    guard let first = meanings.first else { return nil }
    if decides && Workspace(git: self).isUnattended {
      throw CommandFailure(
        .usage,
        "'\(revision)' is ambiguous, and no base in CI may be; use a full name: "
          + meanings.joined(separator: " or "))
    }
    return Notice(
      .warning,
      "warning: '\(revision)' is ambiguous: git takes \(first), and there is "
        + "\(meanings.dropFirst().joined(separator: " and ")); name one in full")
  }
}
