internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

extension GitHook: ExpressibleByArgument {}

/// `boxjoint git hook`: what the hooks of git run.
struct GitHookCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hook",
    abstract: "Check what a merge, a revert or a push changed; called by git's hooks.",
    discussion: """
      'boxjoint git install' sets the hooks up. For a hook of another tool, add the line of the \
      example to it, with its name. The rules are those of 'boxjoint check --against REF --fix'. \
      REF is the commit before the merge or the revert; before a push it is the commit that the \
      remote has, and the one where the branch left what is published.

      Only files that differ from REF are checked. Files with changes that are not committed are \
      not written, and nothing is committed. Errors stop a push, also those that were fixed in \
      the work tree alone; warnings do not.

      Example:
        boxjoint git hook post-merge "$@"

      Exit status:
        0   no errors
        1   errors are left, or the push is stopped
        64  wrong usage
        74  git cannot be run, or a file cannot be read
        78  wrong configuration
      """)

  @Argument(help: "The name of the hook.")
  var name: GitHook

  @Argument(
    parsing: .captureForPassthrough,
    help: "The arguments that git passes to the hook.")
  var arguments: [String] = []

  func run() async throws {
    let input = name == .prePush ? try SourceFile.readStandardInput().bytes : []
    let report = try await HookRequest(name, arguments: arguments, input: input).run(in: .console)
    // Some versions of git take the standard output of a hook for their own.
    let style = TextStyle(
      color: Terminal.usesColor(.auto, on: .error), width: Terminal.width(of: .error))
    for errors in report.reports { StandardError.write(errors.render(.text, style: style)) }
    for line in report.advice { StandardError.writeLine(line) }
    try endCommand(ifFindings: report.hasFindings)
  }
}
