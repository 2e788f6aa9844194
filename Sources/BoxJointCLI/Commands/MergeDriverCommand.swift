internal import ArgumentParser

/// `boxjoint merge-driver`: what git runs.
struct MergeDriverCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-driver",
    abstract: "Merges one file for git; 'boxjoint git install' tells git to call it.",
    usage: "boxjoint merge-driver %O %A %B %L %P [%S %X %Y]",
    discussion: """
      Git gives the files of the base, of ours and of theirs, the length of conflict markers, the \
      path of the file, and labels. The result takes the place of ours. The exit status is 0 if \
      nothing is open and 1 if something is; in that case it stands between markers. What is no \
      model is merged as git merges texts.

      BOXJOINT_MERGE=0 leaves every file to git's own merge. BOXJOINT_MERGE_FAVOR=ours or theirs \
      resolves each conflict by that side.

      Example:
        git config merge.boxjoint.driver \\
          'boxjoint merge-driver %O %A %B %L %P %S %X %Y'
        BOXJOINT_MERGE_FAVOR=theirs git rebase main
      """)

  // Labels and paths are anything, also what looks like an option.
  @Argument(parsing: .captureForPassthrough, help: "What git puts in the place of %O and so on.")
  var arguments: [String] = []

  func run() async throws {
    if ["--help", "-h"].contains(arguments.first) { throw CleanExit.helpRequest(self) }
    if arguments == ["--version"] { throw CleanExit.message(BoxJointCommand.version) }
    let invocation: DriverInvocation
    do throws(CommandFailure) {
      invocation = try DriverInvocation(arguments: arguments)
    } catch {
      // To git every other status than 0 and 1 is a crash of the driver.
      throw CommandFailure(.findings, error.message)
    }
    if await !MergeDriver(invocation).run() { throw ExitStatus.findings.exitCode }
  }
}
