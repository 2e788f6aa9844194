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
  /// The place whose repository has revisions.
  package var place: Workspace

  /// Creates a merge.
  package init(
    base: SourceReference? = nil, ours: SourceReference, theirs: SourceReference,
    published: [String] = [], choices: [String: Resolution] = [:], favor: MergeSide? = nil,
    rematches: Bool = false, style: ConflictStyle = ConflictStyle.merge,
    markerSize: Int = standardMarkerSize, in place: Workspace
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
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if something cannot be read, `badInput` if a
  ///   side is not a model, and `badConfiguration` if both are of revisions and the settings are wrong.
  package func run() async throws(CommandFailure) -> Outcome {
    let settings = try await settings()
    let ourFile = try await ours.read(in: place)
    let theirFile = try await theirs.read(in: place)
    var input = MergeInput(
      base: nil, ours: try MergeVersion(ourFile).side(),
      theirs: try MergeVersion(theirFile).side(), choices: choices, favor: favor)
    var notes: [String] = []
    if let base {
      let (document, note) = MergeVersion(try await base.read(in: place)).base()
      input.base = document
      notes += [note].compactMap(\.self)
    }
    let published = try await readPublished()
    if rematches {
      let rematched = RegeneratedSide.rematched(input)
      input = rematched.input
      notes += rematched.notes
    }
    var merge = ModelMerge(
      input, path: revisions?.path ?? ourFile.path, git: git, settings: settings,
      lines: ModelMerge.Lines(ours: ourFile.bytes, theirs: theirFile.bytes) {
        () async throws(CommandFailure) in try await commits()
      }, published: published)
    merge.words.ours = ourFile.path
    merge.words.theirs = theirFile.path
    merge.words.command = rematches ? nil : matchingCommand
    do throws(ModelMerge.Failure) {
      let run = try await merge.run()
      let labels = ConflictLabels(ours: ourFile.path, base: baseLabel, theirs: theirFile.path)
      let bytes =
        run.result.isClean
        ? run.result.bytes
        : run.result.marked(style: style, markerSize: markerSize, labels: labels)
      notes += [input.byteOrderMarkNote(about: bytes, nil)].compactMap(\.self)
      notes += unusedChoices(run.session)
      return Outcome(bytes: bytes, record: run.record(notes: notes))
    } catch {
      switch error {
      case .failed(let failure): throw failure
      case .refused(var record):
        record.notes = notes + record.notes
        return Outcome(bytes: nil, record: record)
      }
    }
  }

  /// The command line that matches the elements of a side that was generated again.
  private var matchingCommand: String {
    let (mine, other) = (shellQuoted(ours.argument), shellQuoted(theirs.argument))
    let base = base.map { " --base \(shellQuoted($0.argument))" } ?? ""
    return rematchCommand ?? "boxjoint merge --rematch --ours \(mine) --theirs \(other)\(base)"
  }

  /// The sides and the path of ours; nil unless both are files of revisions.
  private var revisions: (ours: String, theirs: String, path: String)? {
    guard case .revision(let mine, let path) = ours, case .revision(let other, _) = theirs else {
      return nil
    }
    return (mine, other, path)
  }

  /// The settings, which say how many versions of revisions are read.
  private func settings() async throws(CommandFailure) -> ModelMerge.Settings {
    revisions == nil ? .of(place) : .loaded(try await EffectiveConfiguration.load(in: place))
  }

  private func commits() async throws(CommandFailure) -> SideCommits? {
    guard let revisions else { return nil }
    let commits = try await git.resolve(all: [revisions.ours, revisions.theirs])
    guard let first = commits[0], let second = commits[1] else { return nil }
    return SideCommits(ours: first, theirs: second)
  }

  private var baseLabel: String {
    base?.argument ?? "base"
  }

  /// Decisions that name no conflict are most likely misspelt, or left from another merge.
  private func unusedChoices(_ session: MergeSession) -> [String] {
    if choices.isEmpty { return [] }
    let known = Set((session.undecided.conflicts + session.result.conflicts).map(\.id))
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
        let model = try MergeVersion(file).side().model
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
