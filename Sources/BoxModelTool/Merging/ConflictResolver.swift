package import BoxMerge
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// Resolves one conflicted file after the other.
package struct ConflictResolver: Sendable {
  /// The options of the command line.
  package struct Options: Sendable {
    package var favor: MergeSide?
    package var choices: [String: Resolution] = [:]
    package var rematches = false
    package var isDryRun = false
    package var stages = true

    /// Creates the options.
    package init(
      favor: MergeSide? = nil, choices: [String: Resolution] = [:], rematches: Bool = false,
      isDryRun: Bool = false, stages: Bool = true
    ) {
      self.favor = favor
      self.choices = choices
      self.rematches = rematches
      self.isDryRun = isDryRun
      self.stages = stages
    }
  }

  package var options: Options
  package var configuration: EffectiveConfiguration
  /// The repository; nil outside of one.
  package var repository: GitRepository?
  package var git: GitClient
  /// The way to ask a user; nil if nobody can be asked.
  package var prompt: ConflictPrompt?

  /// Creates a resolver.
  package init(
    options: Options, configuration: EffectiveConfiguration, repository: GitRepository? = nil,
    git: GitClient, prompt: ConflictPrompt? = nil
  ) {
    self.options = options
    self.configuration = configuration
    self.repository = repository
    self.git = git
    self.prompt = prompt
  }

  /// The reason why a file is left unchanged.
  private enum Stop: Error {
    case problem(String)
    case refused(MergeRecord)
    case failure(CommandFailure)
    case noConflict
    case quit
  }

  /// Resolves as many conflicts of a file as possible.
  package func resolve(_ file: ConflictedFile) async -> ResolvedFile {
    let origin: ConflictedSides.Origin = file.stages == nil ? .markers : .index
    var resolved = ResolvedFile(path: file.shownPath, origin: origin)
    do throws(Stop) {
      let sides = try await read(file)
      var merge = try makeMerge(sides, file, &resolved.record.notes)
      let run = try await decide(&merge, sides, file)
      if let note = merge.input.byteOrderMarkNote(about: run.result.bytes, file.shownPath) {
        resolved.record.notes.append(note)
      }
      resolved.record = run.record(notes: resolved.record.notes)
      let before = run.session.undecided
      let resets = Self.answeredResets(before, run.result, sides)
      resolved.conflictIDs = Set((before.conflicts + run.result.conflicts).map(\.id))
      let isEdited = await sides.isEdited(
        since: before, path: file.path, gitDirectory: repository?.gitDirectory ?? "",
        git: git)
      if isEdited {
        resolved.record.notes.append(
          "the file was edited since it conflicted; this starts from the versions in git's index, "
            + "and the edited file is kept as \(file.shownPath).orig")
      }
      if options.isDryRun { return resolved }
      try await write(run, sides, file, keepsOriginal: isEdited, &resolved)
      if resolved.isStaged { try await state(resets, of: file, &resolved) }
    } catch {
      recordStop(error, file, &resolved)
    }
    return resolved
  }

  private func recordStop(_ stop: Stop, _ file: ConflictedFile, _ resolved: inout ResolvedFile) {
    resolved.record.status = .refused
    switch stop {
    case .problem(let problem): resolved.problem = problem
    case .refused(let record):
      resolved.record.reason = record.reason
      resolved.record.notes += record.notes
    case .failure(let failure): resolved.failure = failure
    case .noConflict:
      resolved.record.status = .merged
      resolved.problem = "there is no conflict in this file"
    case .quit:
      resolved.problem = "left as it is"
      resolved.isQuit = true
    }
  }

  private func read(_ file: ConflictedFile) async throws(Stop) -> ConflictedSides {
    do throws(ConflictedSides.Absence) {
      return try await ConflictedSides.read(file, git: git)
    } catch {
      switch error {
      case .noConflict: throw .noConflict
      case .problem(let problem): throw .problem(problem)
      case .failure(let failure): throw .failure(failure)
      }
    }
  }

  private func makeMerge(
    _ sides: ConflictedSides, _ file: ConflictedFile, _ notes: inout [String]
  ) throws(Stop) -> ModelMerge {
    let (base, note) = MergeVersion(sides.base).base()
    if let note { notes.append(note) }
    if sides.origin == .markers, sides.marked?.base == nil {
      notes.append(
        "the markers do not show the base, so the changes of each side are unknown; git's index "
          + "has it until the file is staged")
    }
    var input: MergeInput
    do throws(CommandFailure) {
      let isInIndex = sides.origin == .index
      input = MergeInput(
        base: base, ours: try MergeVersion(sides.ours).side(isArgument: isInIndex),
        theirs: try MergeVersion(sides.theirs).side(isArgument: isInIndex),
        choices: options.choices, favor: options.favor)
    } catch {
      throw .failure(error)
    }
    if options.rematches {
      let rematched = RegeneratedSide.rematched(input)
      input = rematched.input
      notes += rematched.notes
    }
    let (git, repository) = (git, repository)
    var merge = ModelMerge(
      input, path: file.path, git: git, settings: .loaded(configuration),
      lines: ModelMerge.Lines(ours: input.ours.bytes, theirs: input.theirs.bytes) {
        () async throws(CommandFailure) in
        guard file.stages != nil, let repository else { return nil }
        return try await SideCommits.ofOngoingMerge(repository, git: git)
      }, published: repository == nil ? PublishedModels() : nil)
    merge.isDated = true
    merge.words.command =
      options.rematches ? nil : "boxjoint resolve --rematch \(shellOperand(file.shownPath))"
    return merge
  }

  /// Merges, and asks about conflicts until each is answered.
  private func decide(
    _ merge: inout ModelMerge, _ sides: ConflictedSides, _ file: ConflictedFile
  ) async throws(Stop) -> MergeRun {
    var run = try await self.run(&merge)
    guard let prompt, !run.result.isClean else { return run }
    prompt.show("\(file.shownPath): \(run.record().counts)")
    if let repository, sides.origin == .index {
      prompt.show(OngoingOperation(gitDirectory: repository.gitDirectory).explanation)
    }
    var session = ConflictSession(merge.input.choices)
    while true {
      if let conflict = session.open(in: run.result).first {
        run = try await ask(prompt, about: conflict, run, &session, &merge)
        continue
      }
      let (taken, skipped) = (
        session.answers.choices.count, session.answers.skipped.count
      )
      // The answer to a single conflict needs no second one.
      if taken + skipped < 2 { return run }
      switch prompt.confirm(taken: taken, skipped: skipped) {
      case .write: return run
      case .undo: run = try await undo(&session, &merge)
      case .quit: throw .quit
      }
    }
  }

  /// Asks about one conflict, and merges with the answer, which may end other conflicts, or open some.
  private func ask(
    _ prompt: ConflictPrompt, about conflict: Conflict, _ run: MergeRun,
    _ session: inout ConflictSession, _ merge: inout ModelMerge
  ) async throws(Stop) -> MergeRun {
    let number = session.count + 1
    let question = ConflictPrompt.Question(
      conflict: conflict, number: number,
      count: session.count + session.open(in: run.result).count, canUndo: session.count > 0,
      base: conflict.lines(in: merge.input.base))
    switch prompt.ask(question) {
    case .take(let side):
      session.begin()
      return try await choose(side, for: [conflict], &session, &merge)
    case .takeAll(let side):
      session.begin()
      var run = run
      while case let open = session.open(in: run.result), !open.isEmpty {
        run = try await choose(side, for: open, &session, &merge)
      }
      return run
    case .skip:
      session.begin()
      session.skip(conflict)
      return run
    case .undo: return try await undo(&session, &merge)
    case .quit: throw .quit
    }
  }

  private func choose(
    _ side: MergeSide, for conflicts: [Conflict], _ session: inout ConflictSession,
    _ merge: inout ModelMerge
  ) async throws(Stop) -> MergeRun {
    for conflict in conflicts { session.choose(side, for: conflict) }
    merge.input.choices = session.answers.choices
    let next = try await run(&merge)
    // An answer that changes nothing would be asked for without end.
    let ids = Set(conflicts.map(\.id))
    for conflict in next.result.conflicts where ids.contains(conflict.id) { session.skip(conflict) }
    return next
  }

  private func undo(
    _ session: inout ConflictSession, _ merge: inout ModelMerge
  ) async throws(Stop) -> MergeRun {
    session.undo()
    merge.input.choices = session.answers.choices
    return try await run(&merge)
  }

  private func run(_ merge: inout ModelMerge) async throws(Stop) -> MergeRun {
    do throws(ModelMerge.Failure) {
      return try await merge.run()
    } catch {
      switch error {
      case .failed(let failure): throw .failure(failure)
      case .refused(let record): throw .refused(record)
      }
    }
  }

  // MARK: - Writing

  private func write(
    _ run: MergeRun, _ sides: ConflictedSides, _ file: ConflictedFile, keepsOriginal: Bool,
    _ resolved: inout ResolvedFile
  ) async throws(Stop) {
    do throws(CommandFailure) {
      let result = run.result
      let bytes = try await workTreeBytes(result, sides, file)
      let original = file.workPath + ".orig"
      if let current = sides.current, current != bytes, !exists(original) {
        try AtomicFile.write(current, to: original, within: repository?.topLevel)
      }
      if sides.current != bytes {
        try AtomicFile.write(bytes, to: file.workPath, within: repository?.topLevel)
      }
      resolved.record.result = file.shownPath
      guard result.isClean else { return }
      resolved.checkErrors = try? ModelDocument(parsing: result.bytes).errorCount
      guard resolved.checkErrors == 0, options.stages, repository != nil else { return }
      try await stage(file)
      resolved.isStaged = true
      if !keepsOriginal { removeOriginal(original) }
    } catch {
      throw .failure(error)
    }
  }

  /// The elements that an answer begins without their data: made again by one side, and kept by the other.
  private static func answeredResets(
    _ before: MergeResult, _ result: MergeResult, _ sides: ConflictedSides
  ) -> [(element: String, fix: RenameFix)] {
    let asked = Set(before.conflicts.map(\.id))
    guard let model = (try? ModelDocument(parsing: result.bytes))?.model else { return [] }
    let lookup = ModelLookup(model)
    return [sides.ours, sides.theirs].flatMap { file -> [(element: String, fix: RenameFix)] in
      guard let side = (try? ModelDocument(parsing: file.bytes))?.model else { return [] }
      return model.resets(since: ResetBase(name: "", model: side))
        .filter { asked.contains("made-again/\($0.old.kind)/\($0.old.uid)") }
        .compactMap { fix in
          lookup[fix.new.kind, fix.new.uid].map { (model.label($0), fix) }
        }
    }
  }

  /// Notes in the approvals that answers begin elements without their data, so that no check takes that back.
  private func state(
    _ resets: [(element: String, fix: RenameFix)], of file: ConflictedFile,
    _ resolved: inout ResolvedFile
  ) async throws(Stop) {
    guard let top = repository?.topLevel, !resets.isEmpty else { return }
    do throws(CommandFailure) {
      var approvals = try ApprovalFile(top: top)
      for (element, fix) in resets {
        approvals.list.add(
          StatedReset(element: element, from: fix.old.uid, to: fix.new.uid, file: file.path))
        resolved.record.notes.append("noted that \(element) begins without data [BOX210]")
      }
      try approvals.write()
      _ = try await git.require(
        ["add", "--", HardenedCommand.pathspec(ApprovalList.fileName)], writes: true)
    } catch {
      throw .failure(error)
    }
  }

  /// The file as it goes to the work tree, with markers around what is open.
  private func workTreeBytes(
    _ result: MergeResult, _ sides: ConflictedSides, _ file: ConflictedFile
  ) async throws(CommandFailure) -> [UInt8] {
    var bytes = result.bytes
    if !result.isClean {
      let isInRepository = repository != nil
      bytes = result.marked(
        style: isInRepository ? try await git.markerStyle() : .merge,
        markerSize: isInRepository
          ? try await git.markerSize(ofFileAt: file.path)
          : sides.marked?.markerSize ?? standardMarkerSize,
        labels: ConflictLabels(ours: "ours", base: "base", theirs: "theirs"))
    }
    // Text with markers was read from the work tree, and has the line endings of its files.
    if sides.origin == .markers { return bytes }
    return try await git.converted(bytes, toWorkTreeFileAt: file.path)
  }

  private func stage(_ file: ConflictedFile) async throws(CommandFailure) {
    _ = try await git.require(["add", "--", HardenedCommand.pathspec(file.path)], writes: true)
  }

  /// Removes the copy of a conflicted file, and no other file of that name.
  private func removeOriginal(_ path: String) {
    guard let bytes = try? SourceFile.read(path).bytes else { return }
    do throws(ConflictedTextError) {
      if try ConflictedText(parsing: bytes) == nil { return }
    } catch {
      // Damaged markers are markers.
    }
    // A directory above it may have become a link.
    guard (try? WriteTarget.resolve(parentDirectory(of: path), within: repository?.topLevel)) != nil
    else { return }
    removeFile(path)
  }

  private func exists(_ path: String) -> Bool {
    ((try? fileAttributes(at: path)) ?? nil) != nil
  }
}
