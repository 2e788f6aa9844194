internal import ArgumentParser
internal import BoxMigration
internal import BoxReport

/// `boxjoint plan approve`: lets a change pass.
struct PlanApproveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approves a step of a plan by its fingerprint.",
    discussion: """
      The approval goes to .boxjoint-approvals.json at the top of the repository. It counts from \
      when it is in the revision that changes are planned against: commit it there first. It dies \
      when the change changes.

      Example:
        boxjoint plan approve 0123456789abcdef0123 --reason 'nobody has data in it'

      Exit status: 0 written; 64 wrong usage; 65 the file of approvals is damaged; 74 it could not \
      be read or written.
      """)

  @Argument(help: "The fingerprint of the step, as plan prints it.")
  var fingerprint: String

  @Option(help: "Why the change is wanted.")
  var reason: String

  @Option(help: "Who says so; by default the author of git.")
  var author: String?

  @Option(help: ArgumentHelp("The last day that it holds, such as 2026-12-31.", valueName: "day"))
  var until: String?

  @Option(help: ArgumentHelp("The words for the change in the file.", valueName: "text"))
  var change: String?

  func validate() throws {
    if !Approval.isFingerprint(fingerprint) {
      throw ValidationError("A fingerprint has 20 hexadecimal digits in small letters.")
    }
    if reason.allSatisfy(\.isWhitespace) { throw ValidationError("An approval needs a reason.") }
    if let until, !Approval.isDay(until) {
      throw ValidationError("An end is a day, such as 2026-12-31.")
    }
  }

  func run() async throws {
    let git = GitClient()
    guard let top = try await git.repository()?.topLevel else {
      throw CommandFailure(.usage, "approvals belong to a repository, and this is none")
    }
    let path = pathFromHere(joinPath(top, ApprovalList.fileName))
    var list = ApprovalList()
    if ((try? fileAttributes(at: path)) ?? nil) != nil {
      list = try ReviewBase.parse(try SourceFile.read(path).bytes, path: path)
    }
    let name = try await name(git)
    list.add(
      Approval(
        fingerprint: fingerprint, reason: reason, author: name, until: until, change: change))
    try AtomicFile.write(Array(list.text.utf8), to: path)
    try StandardOutput.write(
      "\(path.escapedForDisplay): \(fingerprint) is approved; it counts once it is committed where "
        + "changes are planned against\n")
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
