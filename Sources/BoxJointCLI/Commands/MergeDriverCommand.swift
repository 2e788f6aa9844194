internal import ArgumentParser
internal import BoxModelTool
internal import BoxReport
internal import BoxTerminal

/// `boxjoint merge-driver`: what git runs.
struct MergeDriverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver",
    abstract: "Merge one file for git; set up by 'boxjoint git install'.",
    usage: "boxjoint merge-driver %O %A %B %L %P [%S %X %Y]",
    discussion: """
      Git passes the files of the base, of ours and of theirs, the length of conflict markers, the \
      path of the file, and labels. The result replaces the file of ours. Remaining conflicts are \
      between markers. A file that is not a model is merged as git merges text.

      BOXJOINT_MERGE=0 leaves every file to git's own merge. BOXJOINT_MERGE_FAVOR=ours or theirs \
      resolves each conflict with that side.

      Example:
        git config merge.boxjoint.driver \\
          'boxjoint merge-driver %O %A %B %L %P %S %X %Y'
        BOXJOINT_MERGE_FAVOR=theirs git rebase main

      Exit status:
        0   no conflict remains
        1   a conflict remains, or the file could not be merged
      """)

  // Labels and paths are anything, also what looks like an option.
  @Argument(
    parsing: .captureForPassthrough,
    help: "The values that git substitutes for %O and the other placeholders.")
  var arguments: [String] = []

  func run() async throws {
    if ["--help", "-h"].contains(arguments.first) { throw CleanExit.helpRequest(self) }
    if arguments == ["--version"] { throw CleanExit.message(ToolInfo.boxjoint.version) }
    let invocation: DriverInvocation
    var arguments = arguments
    do throws(CommandFailure) {
      if arguments.first == DriverInvocation.keepOption, arguments.count > 1 {
        let directory = arguments[1]
        arguments.removeFirst(2)
        try KeptMerges.keep(arguments, in: directory)
      }
      invocation = try DriverInvocation(arguments: arguments)
    } catch {
      // To git every other status than 0 and 1 is a crash of the driver.
      throw CommandFailure(.finding, error.message)
    }
    try endCommand(ifFindings: await !MergeDriver(invocation, in: .console).run())
  }
}
