package import BoxMerge
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// The job of `boxjoint merge`: three files in, one file and a report out.
package struct FileMerge: Sendable {
  package var base: SourceReference?
  package var ours: SourceReference
  package var theirs: SourceReference
  /// The published models: files, or refs with the file of ours.
  package var published: [String] = []
  package var choices: [String: Resolution] = [:]
  package var favor: MergeSide?
  package var rematches = false
  /// The command line that is this merge with ``rematches``, for messages; nil for one with the names of
  /// the files alone.
  package var rematchCommand: String?
  package var style = ConflictStyle.merge
  package var markerSize = standardMarkerSize
  /// The maximum number of earlier versions of a side that are read from git if both changed a
  /// field.
  package var historyLimit = 0
  /// The place whose repository has revisions.
  package var place: Workspace

  /// Creates a merge.
  package init(
    base: SourceReference? = nil, ours: SourceReference, theirs: SourceReference,
    published: [String] = [], choices: [String: Resolution] = [:], favor: MergeSide? = nil,
    rematches: Bool = false, style: ConflictStyle = ConflictStyle.merge,
    markerSize: Int = standardMarkerSize, historyLimit: Int = 0, in place: Workspace
  ) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.published = published
    self.choices = choices
    self.favor = favor
    self.rematches = rematches
    self.style = style
    self.markerSize = markerSize
    self.historyLimit = historyLimit
    self.place = place
  }

  /// The result of the merge.
  package struct Outcome: Sendable {
    /// The merged file, with markers around open conflicts; nil if nothing was merged.
    package var bytes: [UInt8]?
    package var record: MergeRecord

    /// The outcome of the merge without its content.
    package var kind: ReportOutcome {
      switch record.status {
      case .merged: .success
      case .conflicts: .findings
      case .refused: .failed(.impossible)
      }
    }
  }

  private var git: GitClient { place.git }

  /// Reads and merges.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if something cannot be read, and
  ///   `badInput` if a side is not a model.
  package func run() async throws(CommandFailure) -> Outcome {
    let ourFile = try await ours.read(in: place)
    let theirFile = try await theirs.read(in: place)
    var input = MergeInput(
      base: nil, ours: try ModelDocument(mergeable: ourFile),
      theirs: try ModelDocument(mergeable: theirFile), choices: choices, favor: favor)
    let mergeBase: MergeBase =
      if let base { MergeBase(try await base.read(in: place)) } else { .none }
    input.base = mergeBase.document
    let publishedModels = try await readPublished()
    input.published = publishedModels.published
    var notes = [mergeBase.note].compactMap(\.self)
    if rematches {
      let rematched = RegeneratedSide.rematched(input)
      input = rematched.input
      notes += rematched.notes
    }
    do throws(MergeRun.Failure) {
      var run = try await MergeRun.merge(input, publishedModels)
      if run.result.asksForHistory, let history = try? await readHistory(ourFile, theirFile) {
        input.history = history
        // With the history of what is published, if that was read.
        run = try await MergeRun.merge(input, run.published ?? publishedModels)
      }
      let labels = ConflictLabels(ours: ourFile.path, base: baseLabel, theirs: theirFile.path)
      let bytes =
        run.result.isClean
        ? run.result.bytes
        : run.result.marked(style: style, markerSize: markerSize, labels: labels)
      notes += [input.byteOrderMarkNote(about: bytes, nil)].compactMap(\.self)
      notes += unusedChoices(run.result, input)
      return Outcome(bytes: bytes, record: run.record(notes: notes))
    } catch {
      switch error {
      case .failed(let failure): throw failure
      case .refused(let refusal):
        let reason = RegeneratedSide.reason(
          refusal, name: { $0 == .ours ? ourFile.path : theirFile.path },
          command: rematches ? nil : matchingCommand)
        return Outcome(
          bytes: nil,
          record: MergeRecord(
            status: .refused, reason: reason, published: publishedModels.published.sources,
            notes: notes + (rematches ? [] : RegeneratedSide.preview(input))))
      }
    }
  }

  /// The command line that matches the elements of a side that was generated again.
  private var matchingCommand: String {
    let (mine, other) = (shellQuoted(ours.argument), shellQuoted(theirs.argument))
    let base = base.map { " --base \(shellQuoted($0.argument))" } ?? ""
    return rematchCommand ?? "boxjoint merge --rematch --ours \(mine) --theirs \(other)\(base)"
  }

  /// The earlier versions of both sides, where both are files of revisions.
  private func readHistory(
    _ ourFile: SourceFile, _ theirFile: SourceFile
  ) async throws(CommandFailure) -> FieldHistory? {
    guard case .revision(let mine, let path) = ours, case .revision(let other, _) = theirs else {
      return nil
    }
    let commits = try await git.resolve(all: [mine, other])
    guard let first = commits[0], let second = commits[1] else { return nil }
    let lines = SideLines(
      commits: SideCommits(ours: first, theirs: second), limit: historyLimit, git: git)
    return try await lines.read(path, ours: ourFile.bytes, theirs: theirFile.bytes)
  }

  private var baseLabel: String {
    base?.argument ?? "base"
  }

  /// Decisions that name no conflict are most likely misspelt, or left from another merge.
  private func unusedChoices(_ result: MergeResult, _ input: MergeInput) -> [String] {
    if choices.isEmpty { return [] }
    var undecided = input
    undecided.choices = [:]
    undecided.favor = nil
    guard let all = try? undecided.merged() else { return [] }
    let known = Set(all.conflicts.map(\.id) + result.conflicts.map(\.id))
    return choices.keys.filter { !known.contains($0) }.sorted()
      .map { "the decision about '\($0)' names no conflict of this merge" }
  }

  // MARK: - What is published

  private func readPublished() async throws(CommandFailure) -> PublishedModels {
    var result = PublishedModels()
    var versions: [PublishedModels.Version] = []
    for argument in published {
      let (source, detail) = try await publishedSource(argument)
      let file = try await source.read(in: place)
      do throws(CommandFailure) {
        let model = try ModelDocument(mergeable: file).model
        result.published.models.append(
          PublishedModel(name: argument, detail: detail, model: model))
        // The commits of a revision tell what it had before.
        guard case .revision(let revision, let path) = source,
          let commit = try await git.resolve(revision)
        else { continue }
        let top = try git.pathFromTop(path)
        result.setCommit(commit, path: top, git: git)
        versions.append(PublishedModels.Version(commit: commit, path: top, model: model))
      } catch {
        throw CommandFailure(
          .badInput, "cannot read what is published: \(error.message)", path: error.path,
          position: error.position)
      }
    }
    if versions.count == published.count { try await result.settle(versions) }
    return result
  }

  /// A file means itself; a ref means the file of ours in that ref.
  private func publishedSource(
    _ argument: String
  ) async throws(CommandFailure) -> (SourceReference, detail: String?) {
    let source = SourceReference(argument)
    if source.isNoRevision { return (source, nil) }
    if let commit = try await git.resolve(argument) {
      return (.revision(argument, path: try await pathOfOurs()), "commit \(commit.prefix(12))")
    }
    guard ((try? fileAttributes(at: argument)) ?? nil)?.isRegularFile ?? false else {
      throw CommandFailure(
        .inputOutput, "there is neither a file nor a revision of this name", path: argument)
    }
    return (source, nil)
  }

  /// The path of ours for git.
  private func pathOfOurs() async throws(CommandFailure) -> String {
    switch ours {
    case .revision(_, let path): return path
    case .standardInput:
      throw CommandFailure(
        .usage, "standard input has no path in a revision; name what is published as REF:PATH")
    case .store(let directory):
      throw CommandFailure(
        .usage, "a store has no path in a revision; name what is published as REF:PATH",
        path: directory)
    case .file(let path):
      guard let inside = FileInRevisions.path(of: path, in: git.location).last else {
        throw CommandFailure(
          .inputOutput, "this is not in the repository; name what is published as REF:PATH",
          path: path)
      }
      return inside
    }
  }
}
