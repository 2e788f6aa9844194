internal import ArgumentParser
internal import BoxMigration
internal import BoxReport
internal import BoxTool

/// `boxjoint plan approve`: lets a change pass.
struct PlanApproveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approve a step of a plan by its fingerprint.",
    discussion: """
      The approval is added to .boxjoint-approvals.json at the top of the repository. Commit that \
      file to the revision that changes are planned against: the approval applies from then on. If \
      the change becomes another one, the approval no longer applies.

      Pass OLD and NEW, or --against, as for 'plan show', to approve only a fingerprint of that \
      plan. Otherwise the plan of the repository's model against HEAD is used. A fingerprint that \
      it lacks only gives a warning, since the change may be on another branch.

      Examples:
        boxjoint plan approve 0123456789abcdef0123 --reason 'nobody has data in it'
        boxjoint plan approve 0123456789abcdef0123 --reason 'replaced by Topic' \\
          --against refs/remotes/origin/main

      An approval that is still valid is replaced only with --force.

      Exit status:
        0   the approval was written
        2   the plan has no step with the fingerprint, the fingerprint is already
            approved, or there is no repository
        64  wrong usage
        65  the file of approvals is damaged, or a file is not a model
        74  something cannot be read or written
      """)

  @Argument(
    help: ArgumentHelp("The fingerprint of the step, as printed by plan.", valueName: "fingerprint")
  )
  var namedFingerprint: String

  private var fingerprint: String { namedFingerprint.lowercased() }

  @Argument(
    help: ArgumentHelp(
      "The old and the new version of the plan, or only the new one.", valueName: "file"))
  var files: [String] = []

  @Option(help: ArgumentHelp("Compare with the version in this revision.", valueName: "ref"))
  var against: String?

  @OptionGroup var trust: StoreTrust

  @Option(help: "The reason for the approval.")
  var reason: String

  @Option(help: "The approver; defaults to the Git author.")
  var author: String?

  @Option(
    help: ArgumentHelp(
      "The last day on which the approval is valid, such as 2026-12-31.", valueName: "day"))
  var until: String?

  @Option(
    help: ArgumentHelp("A description of the change, for the file of approvals.", valueName: "text")
  )
  var change: String?

  @Flag(help: "Replace an approval that is still valid.")
  var force = false

  func validate() throws {
    if Approval.fingerprint(of: namedFingerprint) == nil {
      throw ValidationError("A fingerprint has 20 hexadecimal digits, as plan prints it.")
    }
    if reason.allSatisfy(\.isWhitespace) { throw ValidationError("An approval needs a reason.") }
    if let author, author.allSatisfy(\.isWhitespace) {
      throw ValidationError("An approval needs an author.")
    }
    if let until, !Approval.isDay(until) {
      throw ValidationError("An end is a day, such as 2026-12-31.")
    }
    // The same day as plans go by.
    let today = PlanSettings.today
    if let until, until < today {
      throw ValidationError("An approval until \(until) would be over: today is \(today).")
    }
    if let problem = PlanRequest.problem(ofFiles: files, against: against) {
      throw ValidationError(problem)
    }
  }

  func run() async throws {
    let git = ReviewBase.client(for: files.last)
    guard let top = try await git.repository()?.topLevel else {
      throw CommandFailure(.impossible, "approvals belong to a repository, and this is none")
    }
    let path = pathFromHere(joinPath(top, ApprovalList.fileName))
    var list = ApprovalList()
    if ((try? fileAttributes(at: path)) ?? nil) != nil {
      list = try ReviewBase.parse(try SourceFile.read(path).bytes, path: path)
    }
    let model = try await plannedModel(git)
    if !force { try requireUnapproved(in: list, model, path: path) }
    let name = try await name(git)
    let replaced = list.add(
      Approval(
        fingerprint: fingerprint, reason: reason, author: name, until: until, change: change,
        file: model))
    try AtomicFile.write(Array(list.text.utf8), to: path, within: top)
    let instead = replaced.map { ", in the place of the approval by \(words($0))" } ?? ""
    try StandardOutput.write(
      "\(path): \(fingerprint) is approved\(instead); it counts once it is committed where changes "
        .escapedForDisplay + "are planned against\n")
  }

  /// Refuses to replace an approval that holds.
  ///
  /// - Throws: ``CommandFailure`` with status 2.
  private func requireUnapproved(
    in list: ApprovalList, _ model: String?, path: String
  ) throws(CommandFailure) {
    let today = PlanSettings.today
    guard let approval = list.approval(of: fingerprint, modelAt: model, on: today) else { return }
    throw CommandFailure(
      .impossible,
      "\(fingerprint) is approved by \(words(approval)); pass --force to replace that approval",
      path: path)
  }

  private func words(_ approval: Approval) -> String {
    let end =
      approval.until.map { until in
        approval.isOver(on: PlanSettings.today) ? ", which ended on \(until)" : ", until \(until)"
      } ?? ""
    return "\(approval.author) ('\(approval.reason)'\(end))"
  }

  /// The model whose plan has the fingerprint, by its path from the top of the repository.
  ///
  /// A fingerprint that no step has approves nothing.
  ///
  /// - Returns: The path; nil where no plan says so, or the model is none of the repository.
  /// - Throws: ``CommandFailure`` with status 2 if the plan that was asked for lacks it.
  private func plannedModel(_ git: GitClient) async throws -> String? {
    let isAskedFor = against != nil || !files.isEmpty
    let steps: [PlanStep]
    let path: String?
    do {
      let settings = try await EffectiveConfiguration.load(git: git)
      let base = try await PlanRequest.base(of: files, against: against)
      let request = try await request(base, settings)
      steps = request.plan.steps
      path = request.modelPath
    } catch {
      // Nobody asked for a plan, so none has to be possible.
      if isAskedFor { throw error }
      let reason = (error as? CommandFailure)?.message ?? "\(error)"
      warn("no plan says whether a step has the fingerprint \(fingerprint): \(reason)")
      return nil
    }
    if steps.contains(where: { $0.fingerprint == fingerprint }) { return path }
    let known = steps.map { "\($0.fingerprint) (\($0.subject): \($0.rule.name))" }
    let message =
      "no step of the plan has the fingerprint \(fingerprint); "
      + (known.isEmpty ? "it has none here" : "there are: \(known.joined(separator: ", "))")
    if isAskedFor { throw CommandFailure(.impossible, message) }
    // The change may be under review on a branch that is not here.
    warn(message)
    return nil
  }

  private func request(
    _ base: ReviewBase?, _ settings: EffectiveConfiguration
  ) async throws -> PlanRequest {
    let options = PlanRequest.Options(targets: TargetChoice.both.targets, access: trust.access)
    if files.count == 2 {
      return try await PlanRequest(from: files[0], to: files[1], base: base, options)
    }
    guard let version = try await NewVersion.find(files, settings) else {
      throw CommandFailure(.usage, "the repository has no model file; name one")
    }
    return try await PlanRequest(to: version, base: base, options)
  }

  private func warn(_ message: String) {
    StandardError.writeLine("warning: \(message)".escapedForDisplay)
  }

  private func name(_ git: GitClient) async throws(CommandFailure) -> String {
    if let author { return author }
    // Git's own answer, whether it comes from its configuration or from the environment.
    let identity = try await git.run(["var", "GIT_AUTHOR_IDENT"]).text
    if let end = identity.firstRange(of: " <"), end.lowerBound > identity.startIndex {
      return String(identity[..<end.lowerBound])
    }
    throw CommandFailure(.usage, "git does not know your name; say who approves with --author")
  }
}
