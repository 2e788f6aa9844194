internal import BoxJSON
internal import BoxMerge

/// The work of the merge driver on a file that is merged by key.
struct KeyedDriver: Sendable {
  var kind: KeyedFile
  var invocation: DriverInvocation
  var favor: MergeSide?
  var git: GitClient
  /// Called with each message for the user.
  var say: @Sendable (String) -> Void

  /// Merges, and overwrites ours with the result.
  ///
  /// - Returns: Whether no conflict is open.
  func run() async -> Bool {
    do throws(CommandFailure) {
      let base = try SourceFile.read(invocation.base).bytes
      let ours = try SourceFile.read(invocation.ours).bytes
      let theirs = try SourceFile.read(invocation.theirs).bytes
      do throws(Unreadable) {
        let merge = KeyedMerge(
          base: document(of: base), ours: try document(ours, "ours"),
          theirs: try document(theirs, "theirs"), layout: kind.layout)
        return try await finish(merge, base: base, ours: ours, theirs: theirs)
      } catch {
        return try await mergeAsText(since: error.reason)
      }
    } catch {
      say("not merged: \(error.message)")
      return false
    }
  }

  /// The reason why a file cannot be merged by key, or could not be written.
  private struct Unreadable: Error {
    var reason: String
  }

  /// The base; nil where both sides added the file, or if it is not JSON, such as one with the conflict
  /// markers of a merge of merge bases.
  private func document(of base: [UInt8]) -> JSONDocument? {
    try? JSONDocument(parsing: base, options: .file)
  }

  private func document(_ bytes: [UInt8], _ name: String) throws(Unreadable) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(parsing: bytes, options: .file)
    } catch {
      let place = "\(error.position.line):\(error.position.column)"
      throw Unreadable(reason: "\(name):\(place): \(error.message)")
    }
  }

  private func finish(
    _ merge: KeyedMerge, base: [UInt8], ours: [UInt8], theirs: [UInt8]
  ) async throws(Unreadable) -> Bool {
    let isOpen = favor == nil && !merge.conflicts.isEmpty
    let result = kind.normalize(merge.bytes(favoring: favor ?? .ours))
    do throws(CommandFailure) {
      if isOpen {
        try await write(
          ours: kind.normalize(merge.ours), base: kind.normalize(merge.base),
          theirs: kind.normalize(merge.theirs))
        let count = merge.conflicts.count == 1 ? "1 conflict" : "\(merge.conflicts.count) conflicts"
        say("merged by key: \(count) between markers; \(kind.advice)")
        for conflict in merge.conflicts { say("  both sides changed \(conflict)") }
        return false
      }
      if let problem = kind.problem(result), kind.problem(ours) == nil,
        kind.problem(theirs) == nil
      {
        try await write(ours: ours, base: base, theirs: theirs)
        say("not merged by key, since the result would not be valid: \(problem); \(kind.advice)")
        return false
      }
      try AtomicFile.write(result, to: invocation.ours)
      return true
    } catch {
      throw Unreadable(reason: error.message)
    }
  }

  /// Writes versions between markers where they differ.
  private func write(
    ours: [UInt8], base: [UInt8], theirs: [UInt8]
  ) async throws(CommandFailure) {
    let text = conflictText(
      ours: ours, base: base, theirs: theirs, style: try await git.markerStyle(),
      markerSize: invocation.markerSize, labels: invocation.labels)
    try AtomicFile.write(text, to: invocation.ours)
  }

  /// Merges with git; a result that is not valid never counts as clean.
  private func mergeAsText(since reason: String) async throws(CommandFailure) -> Bool {
    let merge = GitTextMerge(
      markerSize: invocation.markerSize, labels: invocation.labels, git: git)
    let outcome = try await merge.merge(
      ours: invocation.ours, base: invocation.base, theirs: invocation.theirs)
    try AtomicFile.write(outcome.bytes, to: invocation.ours)
    if outcome.hasConflicts {
      say("merged as text, since \(reason); open conflicts are between markers")
      return false
    }
    if let problem = kind.problem(outcome.bytes) {
      say("merged as text, since \(reason); the result is not valid: \(problem)")
      return false
    }
    say("merged as text, since \(reason)")
    return true
  }
}
