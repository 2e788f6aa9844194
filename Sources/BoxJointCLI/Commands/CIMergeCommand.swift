internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint ci merge`: merges branches and open requests with their bases.
struct CIMergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge branches or open requests with their base, where BoxJoint can.",
    discussion: """
      Hosting sites run no merge drivers, so a model file that two branches changed is a conflict \
      for them. This command merges the base into each branch, with the driver and without a work \
      tree. If nothing is open, and a merge of texts would not give the same, it pushes the merge \
      commit to the branch. Otherwise nothing is pushed. A push is never forced, and whatever the \
      branch contains, settings and attributes are those of the base, and nothing in it is run.

      With branches as arguments, they are those of the remote, or of the repository if there is \
      no remote. Requests are pull requests of GitHub or merge requests of GitLab, which get a \
      status and one comment, updated in place. The token is in GITHUB_TOKEN or GITLAB_TOKEN.

      An event of a request means that request. A push means all open requests from and into \
      the branch. In a merge group, nothing is merged: the models of the queue are checked, and \
      the elements of the queued changes compared with each other.

      Examples:
        boxjoint ci merge feature other --into main --dry-run
        boxjoint ci merge --request 12
        boxjoint ci merge --all-requests --into main
        boxjoint ci merge --event "$GITHUB_EVENT_PATH" --format markdown

      Exit status:
        0   everything is merged, or can be merged by the site
        1   conflicts are open, or a fork has to be merged by its owner; in a
            merge group, a finding
        2   a side was generated from scratch, or a branch may not be pushed to
        64  wrong usage, or no token
        65  the file is not one of an event
        74  git is older than 2.38, or git, the remote or the site failed
        78  wrong configuration

      With several branches, the most severe status counts.
      """)

  @Argument(help: ArgumentHelp("The branches to merge with the base.", valueName: "branch"))
  var branches: [String] = []

  @Option(
    help: ArgumentHelp(
      "The base; defaults to the branch that is checked out. Requests into others are left out.",
      valueName: "branch"))
  var into: String?

  @Option(
    help: ArgumentHelp(
      "The side that gets the merge commit, if branches are named.", valueName: "side"))
  var update: WordChoice<UpdatedSide>?

  @Option(
    help: ArgumentHelp("The number of an open request to merge. Repeatable.", valueName: "number"))
  var request: [Int] = []

  @Flag(help: "Merge all open requests.")
  var allRequests = false

  @Option(
    help: ArgumentHelp(
      "The file of an event: of a workflow of GitHub, or of a webhook of GitLab.",
      valueName: "file"), transform: namedPath)
  var event: String?

  @Option(
    help: ArgumentHelp(
      "The remote of the branches; defaults to origin, if there is one.", valueName: "name"))
  var remote: String?

  @Flag(help: "Use the branches of this repository, also if there is a remote.")
  var local = false

  @Flag(name: [.customShort("n"), .long], help: "Show what would be done, and write nothing.")
  var dryRun = false

  @Flag(help: "Write no comment and no status to the site.")
  var silent = false

  @Option(help: "The format of the report.")
  var format: MergeReportFormat = .text

  @OptionGroup var site: SiteArguments
  @OptionGroup var arguments: ConfigurationArguments

  /// The side that gets the merge commit.
  enum UpdatedSide: String, CaseIterable, Sendable { case branch, base }

  func validate() throws {
    let subjects = [!branches.isEmpty, !request.isEmpty, allRequests, event != nil]
    guard subjects.count(where: { $0 }) == 1 else {
      throw ValidationError("Name branches, or pass one of --request, --all-requests and --event.")
    }
    if local, remote != nil || branches.isEmpty {
      throw ValidationError("--local goes with branches and without --remote.")
    }
    if update != nil, branches.isEmpty {
      throw ValidationError("--update goes with branches: requests are merged by their site.")
    }
  }

  func run() async throws {
    guard let program = RunningProgram.command() else {
      throw CommandFailure(.inputOutput, "the path of this program is not known")
    }
    var merge = CIMergeRequest(subject, program: program)
    merge.base = into
    merge.updatesBase = update?.word == .base
    merge.remote = local ? nil : try await chosenRemote()
    merge.isDryRun = dryRun
    merge.isSilent = silent
    merge.site = site.settings
    merge.configuration = arguments.options()
    let output = try ChangeOutput(isChange: !dryRun)
    let report = try await merge.run(in: .console)
    for item in report.items {
      if let failure = item.failure { StandardError.writeLine(failure.line) }
    }
    try output.report("the branches are written") { () throws(CommandFailure) in
      try StandardOutput.write(report.render(format))
    }
    try report.outcome.endCommand()
  }

  private var subject: CIMergeRequest.Subject {
    if let event { return .event(path: event) }
    if allRequests { return .allRequests }
    return request.isEmpty ? .branches(branches) : .requests(request)
  }

  private func chosenRemote() async throws(CommandFailure) -> String? {
    if let remote { return remote }
    return try await Workspace.console.git.hasRemote("origin") ? "origin" : nil
  }
}

/// The formats of reports on merges.
enum MergeReportFormat: String, CaseIterable, ExpressibleByArgument {
  case text, markdown, json
}

extension BranchMergeReport {
  /// The report in a format.
  func render(_ format: MergeReportFormat) -> String {
    switch format {
    case .text: text
    case .markdown: markdown
    case .json: json
    }
  }
}
