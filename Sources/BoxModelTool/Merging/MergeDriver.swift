internal import BoxJSON
internal import BoxMerge
internal import BoxModel
internal import BoxReport

/// The merge driver that git calls to merge one file: it merges models by UID, files of our own by key,
/// and other files as git does.
///
/// Git keeps all three versions in its index while a file is unmerged. So an exit status of 1 never
/// loses anything.
package struct MergeDriver: Sendable {
  package var invocation: DriverInvocation
  /// The place that git runs the driver in.
  var workspace: Workspace
  /// The names of the variables of the environment.
  var environmentNames: @Sendable () -> [String]
  /// Whether the merge is known to be a merge of two commits, rather than of their merge bases; nil if the
  /// labels or git's configuration decide.
  var isOuterMerge: Bool?
  /// The settings, if they are loaded; nil if the place has them.
  var settings: EffectiveConfiguration?

  package init(
    _ invocation: DriverInvocation, in workspace: Workspace,
    environmentNames: @escaping @Sendable () -> [String] = { BoxWorkspace.environmentNames() }
  ) {
    self.invocation = invocation
    self.workspace = workspace
    self.environmentNames = environmentNames
  }

  /// The reason why a file is not merged by UID.
  private struct Obstacle: Error {
    /// The text after "since" in the message; nil if git's merge is the right one and needs no
    /// message.
    var reason: String?
    /// Whether the result counts as a conflict even if git finds none.
    var isConflict = false

    init(reason: String? = nil) { self.reason = reason }

    /// Creates the reason of a refused merge.
    init(_ refused: MergeRecord) {
      reason = refused.reason.map { $0.message + ($0.help.map { "; \($0)" } ?? "") }
      isConflict = true
    }
  }

  private var git: GitClient { workspace.git }

  /// Merges, and overwrites ours with the result.
  ///
  /// - Returns: Whether no conflict is open.
  package func run() async -> Bool {
    switch await merged() {
    case .byUID(let run):
      do throws(Obstacle) {
        return try await finish(run)
      } catch {
        return await mergeAsText(error)
      }
    case .refused(let record): return await mergeAsText(Obstacle(record))
    case .byKey(let kind):
      let driver = KeyedDriver(
        kind: kind, invocation: invocation, favor: favor(), git: git, say: { say($0) })
      return await driver.run()
    case .asText(let obstacle): return await mergeAsText(obstacle)
    }
  }

  /// The judgement of a merge that writes nothing.
  enum Verdict: Sendable {
    /// Merged by UID, with what was decided and what is open, or refused.
    case byUID(MergeRecord)
    /// Merged as text, for a reason in one sentence without a trailing period; nil for a file that is
    /// not a model.
    case asText(String?)
  }

  /// Merges as ``run()`` does, and writes nothing.
  func verdict() async -> Verdict {
    switch await merged() {
    case .byUID(let run):
      let note = run.session.input.byteOrderMarkNote(about: run.result.bytes, nil)
      return .byUID(run.record(notes: [note].compactMap(\.self)))
    case .refused(let record): return .byUID(record)
    // The file is not a model, and git itself names its conflicts.
    case .byKey: return .asText(nil)
    case .asText(let obstacle): return .asText(obstacle.reason)
    }
  }

  /// A merge whose result is not written yet.
  private enum Merged {
    case byUID(MergeRun)
    case refused(MergeRecord)
    case byKey(KeyedFile)
    case asText(Obstacle)
  }

  private func merged() async -> Merged {
    if workspace.variable("BOXJOINT_MERGE") == "0" { return .asText(Obstacle()) }
    if let kind = KeyedFile.kind(of: invocation.path) { return .byKey(kind) }
    do throws(Obstacle) {
      return try await merged(try readInput())
    } catch {
      return .asText(error)
    }
  }

  private func merged(_ input: MergeInput) async throws(Obstacle) -> Merged {
    let (names, label, git) = (environmentNames, invocation.labelOfOurs, git)
    // Every label except the one of an inner merge belongs to the outer merge.
    let lines = ModelMerge.Lines(
      ours: input.ours.bytes, theirs: input.theirs.bytes,
      isOuterMerge: label != nil ? true : isOuterMerge
    ) { () async throws(CommandFailure) in
      try await SideCommits.ofDriver(names(), labelOfOurs: label, git: git)
    }
    var merge = ModelMerge(
      input, path: invocation.path, git: git,
      settings: settings.map { .loaded($0) } ?? .of(workspace), lines: lines)
    merge.words.command = "boxjoint resolve --rematch \(shellOperand(invocation.path))"
    merge.words.isBrief = true
    do throws(ModelMerge.Failure) {
      return .byUID(try await merge.run())
    } catch {
      switch error {
      case .failed(let failure): throw Obstacle(reason: failure.reason)
      case .refused(let record): return .refused(record)
      }
    }
  }

  private func readInput() throws(Obstacle) -> MergeInput {
    let base = try version(invocation.base, as: "base")
    let ours = try version(invocation.ours, as: "ours")
    let theirs = try version(invocation.theirs, as: "theirs")
    // A file by a common name, such as default.json, that has nothing to do with models.
    if ![base, ours, theirs].contains(where: \.isMeantAsModel) { throw Obstacle() }
    let (document, note) = base.base()
    if let note { say(note) }
    do throws(CommandFailure) {
      return MergeInput(
        base: document, ours: try ours.side(isArgument: false),
        theirs: try theirs.side(isArgument: false), favor: favor())
    } catch {
      throw Obstacle(reason: error.reason)
    }
  }

  private func version(_ path: String, as name: String) throws(Obstacle) -> MergeVersion {
    do throws(CommandFailure) {
      return MergeVersion(SourceFile(path: name, bytes: try SourceFile.read(path).bytes))
    } catch {
      throw Obstacle(reason: error.reason)
    }
  }

  private func favor() -> MergeSide? {
    guard let value = workspace.variable("BOXJOINT_MERGE_FAVOR") else { return nil }
    let side = MergeSide(rawValue: value)
    if side == nil { say("BOXJOINT_MERGE_FAVOR is neither ours nor theirs, and ignored") }
    return side
  }

  /// Writes the result, and prints the decisions that the user should know.
  private func finish(_ run: MergeRun) async throws(Obstacle) -> Bool {
    let input = run.session.input
    do throws(CommandFailure) {
      let result = run.result
      let bytes =
        result.isClean
        ? result.bytes
        : result.marked(
          style: try await git.markerStyle(), markerSize: invocation.markerSize,
          labels: invocation.labels)
      try AtomicFile.write(bytes, to: invocation.ours)
    } catch {
      throw Obstacle(reason: error.reason)
    }
    if let note = input.byteOrderMarkNote(about: run.result.bytes, invocation.path) { say(note) }
    if run.published?.areKnown == false {
      say(
        "nothing counts as published here, so ids of released databases are not distinguished from new ones; "
          + "name the branch that is released in the setting 'published' of \(ConfigurationFile.name)"
      )
    }
    var record = run.record()
    // A rebase calls the driver for each commit.
    let isMerge = environmentNames().contains { $0.hasPrefix("GITHEAD_") }
    if !isMerge { record.decisions.removeAll { input.isRepeated($0) } }
    if !record.conflicts.isEmpty || !record.relevantDecisions.isEmpty {
      say("merged by UID: " + record.counts.afterColon)
      for line in record.text(.brief).split(separator: "\n") {
        workspace.observer.receive(Notice(.note, "  " + line))
      }
    }
    if !record.conflicts.isEmpty {
      say("open conflicts are between markers; resolve them with `boxjoint resolve`")
    }
    return run.result.isClean
  }

  /// Merges with git; a model that the check refuses never counts as clean.
  private func mergeAsText(_ obstacle: Obstacle) async -> Bool {
    do throws(CommandFailure) {
      let merge = GitTextMerge(
        markerSize: invocation.markerSize, labels: invocation.labels, git: git)
      let outcome = try await merge.merge(
        ours: invocation.ours, base: invocation.base, theirs: invocation.theirs)
      try AtomicFile.write(outcome.bytes, to: invocation.ours)
      guard let reason = obstacle.reason else { return !outcome.hasConflicts }
      let verdict = verdict(outcome, obstacle)
      say("merged as text, since \(reason)" + (verdict.map { "; \($0)" } ?? ""))
      return verdict == nil
    } catch {
      // The obstacle to the merge by UID may be one to this merge too.
      let since = obstacle.reason.flatMap { $0 == error.reason ? nil : ", since \($0)" } ?? ""
      say("not merged\(since): \(error.reason)")
      return false
    }
  }

  /// The reason why a text merge is not clean; nil if it is.
  private func verdict(_ outcome: GitTextMerge.Outcome, _ obstacle: Obstacle) -> String? {
    if outcome.hasConflicts { return "open conflicts are between markers" }
    if obstacle.isConflict { return "that needs a look" }
    guard let document = try? ModelDocument(parsing: outcome.bytes) else {
      return "the result is not a model"
    }
    let errors = document.errorCount
    return errors == 0 ? nil : "`boxjoint check` finds \(errors) errors in the result"
  }

  private func say(_ message: String) {
    workspace.observer.receive(
      Notice(.note, CommandFailure(.finding, message, path: invocation.path).line))
  }
}

extension CommandFailure {
  /// The failure in the middle of a sentence.
  fileprivate var reason: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return (path.map { "\($0)\(place): " } ?? "") + message
  }
}

extension String {
  /// The text after the first colon and a space; the whole string without them.
  fileprivate var afterColon: String {
    guard let colon = firstPlace(of: ": "), colon.upperBound < endIndex else { return self }
    return String(self[colon.upperBound...])
  }
}
