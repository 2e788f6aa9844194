internal import ArgumentParser
internal import BoxMigration
internal import BoxModel
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

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

  @Argument(
    help: ArgumentHelp(
      "The old and the new version of the plan, or only the new one.", valueName: "file"),
    transform: namedPath)
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
      throw ValidationError(
        "An approval until \(until) would already have expired: today is \(today).")
    }
    if let problem = PlannedVersions.problem(with: files, against: against) {
      throw ValidationError(problem)
    }
  }

  func run() async throws {
    var request = ApprovalRequest(namedFingerprint, reason: reason)
    request.files = files
    request.against = against
    request.author = author
    request.until = until
    request.change = change
    request.replacesValid = force
    request.access = trust.access
    let output = try ChangeOutput()
    let (path, replaced) = try await request.run(in: .console)
    let instead = replaced.map { ", replacing the approval by \($0)" } ?? ""
    try output.report("approved") { () throws(CommandFailure) in
      try StandardOutput.write(
        "\(path): \(request.fingerprint) is approved\(instead); it counts once it is committed to the "
          .escapedForDisplay + "revision that changes are planned against\n")
    }
  }
}
