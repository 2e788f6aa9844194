internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxSystem

/// An approval of a step of a plan, as a user asks for it.
package struct ApprovalRequest: Sendable {
  /// The fingerprint of the step.
  package var fingerprint: String
  /// The old and the new version of the plan, or only the new one.
  package var files: [String] = []
  /// The revision whose version is the old one.
  package var against: String?
  /// The reason.
  package var reason: String
  /// The approver; nil for the author that git knows.
  package var author: String?
  /// The last day on which the approval is valid.
  package var until: String?
  /// A description of the change.
  package var change: String?
  /// Whether an approval that is still valid is replaced.
  package var replacesValid = false
  /// The way to open stores.
  package var access = StoreAccess()

  /// Creates a request.
  package init(_ fingerprint: String, reason: String) {
    self.fingerprint = fingerprint.lowercased()
    self.reason = reason
  }

  /// Writes the approval to the file at the top of the repository.
  ///
  /// A plan that nobody asked for and that lacks the fingerprint is a notice: the change may be on
  /// another branch.
  ///
  /// - Returns: The path of the file, and the words for the approval that was replaced.
  /// - Throws: ``CommandFailure`` of the kind `impossible` outside of a repository, if the plan
  ///   lacks the fingerprint, or if it is approved already; `badInput` if the file is damaged;
  ///   `inputOutput` if something cannot be read or written. Another error if a store cannot be
  ///   read.
  package func run(in place: Workspace) async throws -> (path: String, replaced: String?) {
    let git = ReviewBase.client(for: files.last, place.git)
    guard let top = try await git.repository()?.topLevel else {
      throw CommandFailure(.impossible, "approvals belong to a repository; run the command in one")
    }
    var file = try ApprovalFile(top: top)
    let model = try await plannedModel(git, place)
    if !replacesValid { try requireUnapproved(in: file.list, model, path: file.path) }
    let name = try await name(git)
    let replaced = file.list.add(
      Approval(
        fingerprint: fingerprint, reason: reason, author: name, until: until, change: change,
        file: model))
    try file.write()
    return (file.path, replaced.map(words))
  }

  /// Refuses to replace an approval that holds.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible`.
  private func requireUnapproved(
    in list: ApprovalList, _ model: String?, path: String
  ) throws(CommandFailure) {
    let today = PlanSettings.today
    guard let approval = list.approval(of: fingerprint, modelAt: model, on: today) else { return }
    throw CommandFailure(
      .impossible,
      "\(fingerprint) is approved by \(words(approval))", path: path, remedy: .replaceApproval)
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
  /// - Returns: The path; nil if no plan names it, or if the model is not in the repository.
  /// - Throws: ``CommandFailure`` of the kind `impossible` if the plan that was asked for lacks it.
  private func plannedModel(_ git: GitClient, _ place: Workspace) async throws -> String? {
    let isAskedFor = against != nil || !files.isEmpty
    let steps: [PlanStep]
    let path: String?
    do {
      let settings = try await EffectiveConfiguration.load(in: place.with(git))
      let base = try await PlanRequest.base(of: files, against: against, in: place)
      let request = try await request(base, settings, place)
      steps = request.plan.steps
      path = request.modelPath
    } catch {
      // Nobody asked for a plan, so none has to be possible.
      if isAskedFor { throw error }
      let reason = (error as? CommandFailure)?.message ?? "\(error)"
      warn("cannot check the fingerprint \(fingerprint): \(reason)", place)
      return nil
    }
    if steps.contains(where: { $0.fingerprint == fingerprint }) { return path }
    let known = steps.map { "\($0.fingerprint) (\($0.subject): \($0.rule.name))" }
    let message =
      "no step of the plan has the fingerprint \(fingerprint); "
      + (known.isEmpty ? "the plan has no steps" : "there are: \(known.joined(separator: ", "))")
    if isAskedFor { throw CommandFailure(.impossible, message) }
    // The change may be under review on a branch that is not here.
    warn(message, place)
    return nil
  }

  private func request(
    _ base: ReviewBase?, _ settings: EffectiveConfiguration, _ place: Workspace
  ) async throws -> PlanRequest {
    var options = PlanRequest.Options(targets: Set(PlanTarget.allCases), access: access)
    options.patterns = settings.filePatterns
    if files.count == 2 {
      return try await PlanRequest(from: files[0], to: files[1], base: base, options, in: place)
    }
    guard let version = try await NewVersion.find(files, settings, in: place) else {
      throw CommandFailure(.usage, "the repository has no model file; name one")
    }
    return try await PlanRequest(to: version, base: base, options, in: place)
  }

  private func warn(_ message: String, _ place: Workspace) {
    place.observer.receive(Notice(.warning, "warning: \(message)"))
  }

  private func name(_ git: GitClient) async throws(CommandFailure) -> String {
    if let author { return author }
    // Git's own answer, whether it comes from its configuration or from the environment.
    let identity = try await git.run(["var", "GIT_AUTHOR_IDENT"]).text
    if let end = identity.firstPlace(of: " <"), end.lowerBound > identity.startIndex {
      return String(identity[..<end.lowerBound])
    }
    throw CommandFailure(
      .usage, "git does not know the name of the approver", remedy: .nameApprover)
  }
}
