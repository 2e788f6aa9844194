internal import BoxReport
internal import BoxSystem

extension GitClient {
  /// The commit of a ref, a tag or another name of a revision; nil if it does not exist.
  ///
  /// A name that starts with a hyphen is never a revision, and never reaches git as an option. One that
  /// starts with `refs/` names that ref only, and not `refs/tags/refs/…`.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func resolve(_ reference: String) async throws(CommandFailure) -> String? {
    try await verify(reference, as: "commit")
  }

  /// The commits of many names, by one run of git, in order; nil for a name without one.
  ///
  /// Git reads the names from its standard input, so that none is read as an option. A full name,
  /// such as `refs/heads/main`, names that ref only.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func resolve(all references: [String]) async throws(CommandFailure) -> [String?] {
    let full = references.filter(Self.isFullName)
    var named: [String: String] = [:]
    if !full.isEmpty {
      for found in try await self.references(named: full) { named[found.name] = found.commit }
    }
    let names = references.map { name in
      name.isEmpty || name.hasPrefix("-") || name.utf8.contains(0x0A) || Self.isFullName(name)
        ? nil : name + "^{commit}"
    }
    switch try await hashes(of: names, as: "commit") {
    case .found(let commits):
      return zip(references, commits).map { name, commit in
        Self.isFullName(name) ? named[name] : commit
      }
    case .refused:
      // Git gives up on the whole list at the name of an object that cannot have a commit.
      var result: [String?] = []
      for reference in references { result.append(try await resolve(reference)) }
      return result
    }
  }

  /// The result of a lookup of many names.
  package enum Hashes {
    case found([String?])
    /// Git refused the list.
    case refused(GitOutput)
  }

  /// The hashes of objects of one type by one run of git, in order; nil for an object that does not exist,
  /// and for nil.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func hashes(of names: [String?], as type: String) async throws(CommandFailure) -> Hashes {
    let lines = names.compactMap { $0.map { $0 + "\n" } }.joined()
    if lines.isEmpty { return .found(names.map { _ in nil }) }
    let output = try await run(["cat-file", "--batch-check"], input: Array(lines.utf8))
    guard output.status == 0 else { return .refused(output) }
    var answers = output.text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    return .found(
      names.map { name in
        guard name != nil, let words = answers.popFirst()?.split(separator: " ") else { return nil }
        // A name that git does not know is repeated in front of the word "missing".
        let isFound = words.count == 3 && words[1] == type && Int(words[2]) != nil
        return isFound ? String(words[0]) : nil
      })
  }

  /// The content of a file in a revision.
  ///
  /// The path means what it means to git: it starts at the top of the repository, or at the
  /// client's directory if it starts with `./` or `../`. An empty reference means the index, in
  /// which the path may start with the number of a stage, as in `:2:model.json`.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the revision or the file does not
  ///   exist, or git cannot be run.
  /// - Complexity: O(*n*) in the size of the file.
  package func show(_ reference: String, path: String) async throws(CommandFailure) -> [UInt8] {
    let name = "\(reference):\(path)"
    var revision = ""
    if !reference.isEmpty {
      guard let tree = try await verify(reference, as: "tree") else {
        throw try await missingRevision(reference, path: name)
      }
      revision = tree
    }
    let output = try await run(["cat-file", "blob", "\(revision):\(try pathFromTop(path))"])
    guard output.status == 0 else {
      // The hash of the revision means nothing to the user.
      let complaint =
        revision.isEmpty
        ? output.complaint
        : output.complaint.replacing(part: revision, by: reference)
      throw CommandFailure(.inputOutput, complaint, path: name)
    }
    return output.standardOutput
  }

  /// The path from the top of the repository for one of `REF:PATH`, which starts there or, with
  /// `./` or `../`, at the client's directory.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it leaves the repository.
  package func pathFromTop(_ path: String) throws(CommandFailure) -> String {
    guard path.hasPrefix("./") || path.hasPrefix("../") else { return path }
    guard let inside = location.pathFromTop(path) else {
      throw CommandFailure(.inputOutput, "the path is outside of the repository", path: path)
    }
    return inside
  }

  /// The contents of many files by one run of git, in order; nil for a file that does not exist.
  ///
  /// Each name is what `git cat-file --batch` takes: `REVISION:PATH`, or the hash of a blob.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run or answers
  ///   something else.
  /// - Complexity: O(*n*) in the size of all files.
  package func blobs(_ names: [String]) async throws(CommandFailure) -> [[UInt8]?] {
    if names.isEmpty { return [] }
    // The protocol has one name on a line.
    let askable = names.map { !$0.isEmpty && !$0.utf8.contains(0x0A) }
    let lines = zip(names, askable).filter(\.1).map { $0.0 + "\n" }.joined()
    let output = try await require(["cat-file", "--batch"], input: Array(lines.utf8))
    var reader = BatchReader(bytes: output.standardOutput)
    var result: [[UInt8]?] = []
    for isAskable in askable {
      result.append(isAskable ? try reader.next() : nil)
    }
    return result
  }

  /// A tree without files where HEAD is a branch that has no commit; nil elsewhere.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  package func emptyTree() async throws(CommandFailure) -> String? {
    let branch = try await run(["symbolic-ref", "--quiet", "HEAD"])
    guard branch.status == 0, try await resolve(branch.text) == nil else { return nil }
    let tree = try await run(["hash-object", "-t", "tree", "/dev/null"])
    return tree.status == 0 ? tree.text : nil
  }

  /// The error about a missing revision, with the `git fetch` that may help.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run or is too old.
  package func missingRevision(
    _ reference: String, path: String? = nil
  ) async throws(CommandFailure) -> CommandFailure {
    try await requireSupportedVersion()
    if ((try? fileAttributes(at: path ?? reference)) ?? nil) != nil {
      return CommandFailure(
        .inputOutput,
        "there is no revision '\(reference)' here; for the file of this name, write "
          + "'./\(path ?? reference)'", path: path)
    }
    guard try await repository() != nil else {
      return CommandFailure(
        .inputOutput,
        "there is no revision '\(reference)' here: this is not inside a git repository\(bareHint)",
        path: path)
    }
    let remedies = try await fetchCommands(for: reference)
    var help =
      remedies.isEmpty ? "" : "; try " + remedies.map(quotedCommand).joined(separator: " or ")
    if let near = try await nearestReference(to: reference) { help += "; did you mean '\(near)'?" }
    return CommandFailure(
      .inputOutput, "there is no revision '\(reference)' in this repository\(help)", path: path)
  }

  /// The short name of the branch or tag that a misspelt one most likely means.
  private func nearestReference(to reference: String) async throws(CommandFailure) -> String? {
    let names = try await run(
      ["for-each-ref", "--count=1000", "--format=%(refname:short)", "refs/heads", "refs/tags"])
    return nearestName(
      to: Self.nameOfRef(in: reference), among: names.text.split(separator: "\n").map(String.init))
  }

  private func verify(
    _ reference: String, as type: String
  ) async throws(CommandFailure) -> String? {
    if reference.isEmpty || reference.hasPrefix("-") || reference.utf8.contains(0) { return nil }
    let name = Self.nameOfRef(in: reference)
    if Self.isFullName(name), try await existing([name]).isEmpty { return nil }
    let output = try await run(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{\(type)}"])
    return output.status == 0 ? output.text : nil
  }
}

/// Parses the answers of `git cat-file --batch`.
private struct BatchReader {
  var bytes: [UInt8]
  var offset = 0

  mutating func next() throws(CommandFailure) -> [UInt8]? {
    guard let end = bytes[offset...].firstIndex(of: 0x0A) else { throw unexpected() }
    let header = String(decoding: bytes[offset..<end], as: UTF8.self)
    offset = end + 1
    if header.hasSuffix(" missing") || header.hasSuffix(" ambiguous") { return nil }
    let words = header.split(separator: " ")
    guard words.count == 3, let size = Int(words[2]), size >= 0, offset + size < bytes.count
    else { throw unexpected() }
    let content = Array(bytes[offset..<offset + size])
    offset += size + 1
    return words[1] == "blob" ? content : nil
  }

  private func unexpected() -> CommandFailure {
    CommandFailure(.inputOutput, "git cat-file: unexpected output")
  }
}
