internal import ArgumentParser
internal import BoxModelTool
internal import BoxTerminal

/// `boxjoint ci comment`: writes the one comment for a purpose.
struct CICommentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "comment",
    abstract: "Write a comment on a request, in place of the earlier one with the same mark.",
    discussion: """
      The comment has a mark that is not shown. If the user of the token has written a comment \
      with the mark before, its text is replaced; otherwise a comment is added. An event that is \
      not about a request is left alone. The token is in GITHUB_TOKEN or GITLAB_TOKEN.

      Examples:
        boxjoint ci comment plan.md --mark plan --request 12
        boxjoint ci comment plan.md --mark plan --event "$GITHUB_EVENT_PATH"

      Exit status:
        0   success
        64  wrong usage, or no token
        65  the file is not one of an event
        74  a file cannot be read, or the site failed
      """)

  @Argument(help: ArgumentHelp("The text, in Markdown.", valueName: "file"), transform: namedPath)
  var file: String

  @Option(
    help: ArgumentHelp(
      "The purpose of the comment, a word of small letters.", valueName: "word"))
  var mark: String

  @Option(help: ArgumentHelp("The number of the request.", valueName: "number"))
  var request: Int?

  @Option(
    help: ArgumentHelp("The file of an event that names the request.", valueName: "file"),
    transform: namedPath)
  var event: String?

  @OptionGroup var site: SiteArguments

  func run() async throws {
    var comment = SiteCommentRequest(file: file, mark: mark)
    comment.number = request
    comment.event = event
    comment.site = site.settings
    let output = try ChangeOutput()
    if let number = try comment.run(in: .console) {
      try output.report("commented") { () throws(CommandFailure) in
        try StandardOutput.write("commented on request \(number)\n")
      }
    }
  }
}
